package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.distributed.FleetTask;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.sweep.ThreadFleet;

/** Runs that go to a fleet and come back as bytes, beside those of the experiment's own threads. */
class EpisodeFleetTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));

    private static <R> R on(@Nullable Fleet fleet, String config, List<String> values, Function<Experiment, R> work) {
        Path file = ROOT.resolve("experiments/configs").resolve(config);
        try (Experiment experiment = new Experiment(ConfigReader.read(file, values), fleet)) {
            return work.apply(experiment);
        }
    }

    private static <R> void is_the_same_on_a_fleet(String config, List<String> values, Function<Experiment, R> work) {
        R here = on(null, config, values, work);
        try (CountingFleet fleet = new CountingFleet()) {
            assertThat(on(fleet, config, values, work)).isEqualTo(here);
            assertThat(fleet.tasks).isPositive();
        }
    }

    /** Threads, and how many tasks they were given. */
    private static final class CountingFleet implements Fleet {
        private final Fleet threads = new ThreadFleet(2);
        private int tasks;

        @Override
        public void run(FleetTask task, byte[] broadcast, List<byte[]> inputs, Gather gather) {
            tasks += inputs.size();
            threads.run(task, broadcast, inputs, gather);
        }

        @Override
        public void close() {
            threads.close();
        }
    }

    private static List<SchedulerRuns> runs(Experiment experiment, List<String> schedulers, @Nullable Path policy) {
        Supplier<BidPolicy> trained =
                () -> BidPolicy.load(ROOT.resolve("checkpoints").resolve(policy));
        return ExperimentEvaluation.of(
                        experiment,
                        new ExperimentEvaluation.Plan(
                                policy == null
                                        ? Map.of()
                                        : Map.of("learned", new ExperimentEvaluation.Trained(trained, null)),
                                null,
                                schedulers,
                                false))
                .evaluation()
                .runs();
    }

    @Test
    void results_of_schedulers_are_the_same_to_the_last_figure() {
        is_the_same_on_a_fleet(
                "auction/small.yaml",
                List.of("episodes.jobs=30", "episodes.test=3"),
                experiment -> runs(experiment, List.of("sjf", "random", "tiresias"), null));
    }

    @Test
    void jobs_that_share_gpus_or_do_not_are_the_same() {
        is_the_same_on_a_fleet(
                "auction/shared.yaml",
                List.of("episodes.jobs=30", "episodes.test=2"),
                experiment -> runs(experiment, List.of("sjf", "lucid"), Path.of("default", "policy.bin")));
    }

    @Test
    void rejected_jobs_and_utilities_are_the_same() {
        List<List<RunResult.RejectedJob>> rejected = on(
                        null,
                        "utility.yaml",
                        List.of("episodes.jobs=12", "episodes.test=1", "workload.generator.offered_load=3"),
                        experiment -> runs(experiment, List.of("oasis"), null))
                .get(0)
                .episodes()
                .stream()
                .map(RunResult::rejected)
                .toList();
        assertThat(rejected).allSatisfy(jobs -> assertThat(jobs).isNotEmpty());
        is_the_same_on_a_fleet(
                "utility.yaml",
                List.of("episodes.jobs=12", "episodes.test=1", "workload.generator.offered_load=3"),
                experiment -> runs(experiment, List.of("oasis"), null));
    }

    @Test
    void tuning_chooses_the_same() {
        is_the_same_on_a_fleet(
                "auction/small.yaml", List.of("episodes.jobs=20", "episodes.validation=3"), Tuning.installed()::of);
    }
}
