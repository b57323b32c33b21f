package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Simulator;

class SchedulerCatalogTest {
    @Test
    void names_are_unique_and_findable() {
        assertThat(SchedulerCatalog.names()).doesNotHaveDuplicates().hasSizeGreaterThan(43);
        for (SchedulerCatalog.Entry entry : SchedulerCatalog.entries()) {
            assertThat(SchedulerCatalog.named(entry.name())).isSameAs(entry);
        }
    }

    @Test
    void best_fit_may_be_said_or_left_out() {
        assertThat(SchedulerCatalog.named("las/best-fit")).isSameAs(SchedulerCatalog.named("las"));
    }

    @Test
    void an_unknown_name_is_told_the_known_ones() {
        assertThatThrownBy(() -> SchedulerCatalog.named("random/best-fit"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'random/best-fit'")
                .hasMessageContaining("fifo, fifo/first-fit, fifo/random, fifo-backfill")
                .hasMessageContaining("tiresias-srtf");
    }

    @Test
    void orders_with_placement_policies_have_names_that_are_not_listed() {
        assertThat(SchedulerCatalog.named("sjf/fgd")).isSameAs(SchedulerCatalog.named("sjf/fgd"));
        assertThat(SchedulerCatalog.named("srtf/gpu-packing").preemptive()).isTrue();
        assertThat(SchedulerCatalog.names()).doesNotContain("sjf/fgd");
        assertThat(SchedulerCatalog.named("las/best-fit")).isSameAs(SchedulerCatalog.named("las"));
        assertThat(SchedulerCatalog.named("las/random")).isIn(SchedulerCatalog.entries());
    }

    /** Preemptive orders too, on whole GPUs; the simulator's audit checks the rest. */
    @ForSeeds
    void orders_with_placement_policies_finish_every_job(long seed) {
        RandomWorkloads world = RandomWorkloads.of(seed);
        for (String name :
                List.of("sjf/fgd", "srtf/fgd", "las/gpu-packing", "fifo/dot-product", "srtf/gpu-clustering")) {
            Simulator simulator = world.simulator();
            simulator.run(SchedulerCatalog.named(name).create(world.topology(), seed));

            assertThat(simulator.isDone()).as(name).isTrue();
        }
    }
}
