package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.linkestimates.Bandwidths;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.experiments.config.ConfigReader;

/** Who tells schedulers the bandwidths inside servers, by a config and by names of schedulers. */
class BandwidthsTest {
    private static final Path CONFIG = Path.of(
            System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction", "mixed-interiors.yaml");
    private static final String TUNED = "tuned:srtf+best-fit+delay=never+gpus=widest+slow=1.15+hold=1";

    private record Start(long nanos, int job, int firstGpu) {}

    /** All starts of an episode, and the end of the last job. */
    private static List<Start> starts(String scheduler, String bandwidths) {
        List<Start> starts = new ArrayList<>();
        try (Experiment experiment = new Experiment(ConfigReader.read(
                CONFIG, List.of("episodes.jobs=60", "episodes.test=1", "environment.bandwidths=" + bandwidths)))) {
            Simulator simulator = experiment.world().simulator(experiment.test().get(0));
            Scheduler deciding = experiment.scheduler(scheduler, 0);
            while (simulator.advance()) {
                simulator.decide(view -> {
                    Decision decision = deciding.decide(view);
                    if (decision instanceof Decision.Start start) {
                        int gpu = start.placement().gpu(0);
                        starts.add(new Start(view.nowNanos(), start.job(), gpu));
                    }
                    return decision;
                });
            }
            starts.add(new Start(simulator.view().nowNanos(), -1, -1));
        }
        return starts;
    }

    @ParameterizedTest
    @CsvSource({"rings", "mapa", "flat", "graph", "none"})
    void a_scheduler_with_a_belief_decides_as_all_do_where_the_config_has_it(String belief) {
        for (String scheduler : List.of(TUNED, "patient-moves")) {
            assertThat(starts("bandwidths=%s:%s".formatted(belief, scheduler), "null"))
                    .as(scheduler)
                    .isEqualTo(starts(scheduler, belief))
                    .isEqualTo(starts("bandwidths=%s:%s".formatted(belief, scheduler), "truth"));
        }
    }

    @Test
    void who_is_told_the_truth_decides_as_without_a_belief_and_others_decide_otherwise() {
        for (String scheduler : List.of(TUNED, "patient")) {
            List<Start> told = starts(scheduler, "null");
            assertThat(starts("bandwidths=truth:" + scheduler, "graph")).isEqualTo(told);
            assertThat(starts(scheduler, "truth")).isEqualTo(told);
            assertThat(starts("bandwidths=none:" + scheduler, "null")).isNotEqualTo(told);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bandwidths=guess:patient", "bandwidths=rings", "bandwidths=rings:nobody"})
    void another_name_is_refused(String name) {
        assertThatThrownBy(() -> SchedulerRegistry.named(name)).isInstanceOf(InputException.class);
    }

    @Test
    void where_no_server_has_an_interior_nothing_is_believed() {
        try (Experiment experiment = new Experiment(
                ConfigReader.read(CONFIG, List.of("cluster=small", "episodes.jobs=10", "episodes.test=1")))) {
            for (Bandwidths bandwidths : Bandwidths.values()) {
                assertThat(bandwidths.seen(experiment.topology())).isSameAs(experiment.topology());
            }
        }
    }
}
