package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.scenario.RandomScenario;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
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
    void every_scheduler_stands_on_its_page_with_its_source() throws IOException {
        String page = Files.readString(Path.of("../experiments/docs/reference/schedulers.md"));
        for (SchedulerRegistry.Entry entry : SchedulerRegistry.entries()) {
            String name = entry.name().replaceFirst("/.*", "");

            assertThat(page).as(entry.name()).contains("`" + name + "`");
            assertThat(page).as(entry.name()).contains(entry.source().replaceFirst(" in Shockwave's.*", ""));
        }
    }

    @Test
    void only_rows_of_this_project_may_lack_a_source() {
        assertThat(SchedulerRegistry.entries())
                .filteredOn(entry -> entry.source().isEmpty())
                .extracting(SchedulerRegistry.Entry::name)
                .containsExactly(
                        "random",
                        "a-srpt-tuned",
                        "spwf-delay",
                        "dally-renew",
                        "patient",
                        "patient-moves",
                        "patient-no-preemption");
    }

    @Test
    void presets_that_replay_a_simulator_are_checked_against_it() {
        assertThat(SchedulerRegistry.entries())
                .filteredOn(SchedulerRegistry.Entry::replaysTrace)
                .allMatch(entry -> entry.kind() == SchedulerRegistry.Kind.AS_PUBLISHED);
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
        assertThat(SchedulerRegistry.named("sjf/fgd").description())
                .isEqualTo(
                        "shortest predicted run time first; every job that fits may start; where fragmentation grows least (FGD)");
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
