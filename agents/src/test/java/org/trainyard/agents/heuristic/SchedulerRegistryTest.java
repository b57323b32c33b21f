package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.scenario.RandomScenario;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Simulator;

class SchedulerRegistryTest {
    @Test
    void names_are_unique_and_findable() {
        assertThat(SchedulerRegistry.names()).doesNotHaveDuplicates().hasSizeGreaterThan(60);
        for (SchedulerRegistry.Entry entry : SchedulerRegistry.entries()) {
            assertThat(SchedulerRegistry.named(entry.name())).isSameAs(entry);
        }
    }

    @Test
    void best_fit_may_be_said_or_left_out() {
        assertThat(SchedulerRegistry.named("las/best-fit")).isSameAs(SchedulerRegistry.named("las"));
    }

    @Test
    void an_unknown_name_is_told_the_known_ones() {
        assertThatThrownBy(() -> SchedulerRegistry.named("random/best-fit"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'random/best-fit'")
                .hasMessageContaining("fifo, fifo/first-fit, fifo/random, fifo-backfill")
                .hasMessageContaining("tiresias-srtf");
    }

    @Test
    void orders_with_placement_policies_have_names_that_are_not_listed() {
        assertThat(SchedulerRegistry.named("sjf/fgd")).isSameAs(SchedulerRegistry.named("sjf/fgd"));
        assertThat(SchedulerRegistry.named("srtf/gpu-packing").has(SchedulerRegistry.Flag.PREEMPTIVE))
                .isTrue();
        assertThat(SchedulerRegistry.names()).doesNotContain("sjf/fgd");
        assertThat(SchedulerRegistry.named("las/best-fit")).isSameAs(SchedulerRegistry.named("las"));
        assertThat(SchedulerRegistry.named("las/random")).isIn(SchedulerRegistry.entries());
    }

    /** Preemptive orders too, on whole GPUs; the simulator's audit checks the rest. */
    @ForSeeds
    void orders_with_placement_policies_finish_every_job(long seed) {
        RandomScenario world = RandomScenario.of(seed);
        for (String name :
                List.of("sjf/fgd", "srtf/fgd", "las/gpu-packing", "fifo/dot-product", "srtf/gpu-clustering")) {
            Simulator simulator = world.simulator();
            simulator.run(SchedulerRegistry.named(name).create(world.topology(), seed));

            assertThat(simulator.isDone()).as(name).isTrue();
        }
    }
}
