package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.run.Experiment;

/** Episodes times schedulers, on several threads and on one. */
class EvaluationRunnerTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction/small.yaml");

    private final Experiment experiment =
            new Experiment(ConfigReader.read(CONFIG, List.of("episodes.jobs=30", "episodes.test=3")));
    private final List<Workload> episodes = experiment.test();
    private final EvaluationRunner runner = new EvaluationRunner(experiment, episodes);

    private SchedulerFactory scheduler(String name) {
        return SchedulerFactory.registered(experiment, name);
    }

    @Test
    void results_stand_by_scheduler_and_episode_whatever_thread_was_first() {
        List<List<Double>> seconds = runner.meanJctSeconds(
                Stream.of("fifo", "random", "srtf").map(this::scheduler).toList(), () -> {});

        List<List<Double>> oneByOne = new ArrayList<>();
        for (String name : List.of("fifo", "random", "srtf")) {
            List<Double> row = new ArrayList<>();
            for (int i = 0; i < episodes.size(); i++) {
                row.add(experiment
                        .world()
                        .simulator(episodes.get(i))
                        .run(experiment.scheduler(name, i))
                        .meanJctSeconds());
            }
            oneByOne.add(row);
        }
        assertThat(seconds).isEqualTo(oneByOne);
        assertThat(seconds.get(0)).doesNotHaveDuplicates();
    }

    @Test
    void every_run_is_announced_in_the_callers_thread() {
        List<Thread> announced = new ArrayList<>();
        runner.meanJctSeconds(
                List.of(scheduler("fifo"), scheduler("las")), () -> announced.add(Thread.currentThread()));

        assertThat(announced).hasSize(6).allMatch(thread -> thread == Thread.currentThread());
    }
}
