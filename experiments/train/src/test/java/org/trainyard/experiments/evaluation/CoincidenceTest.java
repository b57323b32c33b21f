package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.RunResult;

class CoincidenceTest {
    @Test
    void schedulers_with_equal_event_logs_in_every_episode_coincide() {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("las", Runs.episode(3, 4), Runs.episode(5)),
                        Runs.heuristic("fifo", Runs.episode(3, 4), Runs.episode(6)),
                        Runs.heuristic("tiresias", Runs.episode(3, 4), Runs.episode(5))),
                1);

        assertThat(evaluation.coincidences())
                .containsExactly(new Coincidence(List.of("las", "tiresias"), true))
                .extracting(Coincidence::sentence)
                .containsExactly("las and tiresias made the same decisions in all episodes.");
    }

    @Test
    void other_decisions_with_the_same_completion_times_are_told_apart() {
        RunResult episode = Runs.episode(3, 4);
        RunResult elsewhere = new RunResult(
                episode.jobs(), List.of(), 4, episode.busyGpuSeconds(), 2, 6, "the hash of other servers");
        List<SchedulerRuns> runs = List.of(
                Runs.heuristic("a", episode), Runs.heuristic("b", elsewhere), Runs.heuristic("c", Runs.episode(3, 5)));

        assertThat(Coincidence.of(runs))
                .containsExactly(new Coincidence(List.of("a", "b"), false))
                .extracting(Coincidence::sentence)
                .containsExactly("a and b decided otherwise but completed every job at the same time in all episodes.");
    }

    @Test
    void schedulers_that_differ_do_not_coincide() {
        assertThat(Runs.example(3, 20).coincidences()).isEmpty();
    }
}
