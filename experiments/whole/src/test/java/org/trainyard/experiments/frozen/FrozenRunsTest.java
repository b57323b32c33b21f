package org.trainyard.experiments.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.benchmark.BenchmarkTask;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.metrics.Fairness;
import org.trainyard.experiments.metrics.JctParts;
import org.trainyard.experiments.run.Experiment;

/**
 * What schedulers do in small worlds stays as it is: event logs, and what event logs do not hold, the figures of all
 * jobs.
 */
class FrozenRunsTest {
    /** Together they turn every knob of the tuned family, and take every rule that goes in front of a scheduler. */
    private static final List<String> COMPOSED = List.of(
            "tuned:fifo+first-fit",
            "tuned:sjf+spread+delay=2",
            "tuned:spwf+lif+delay=1+limit=1.2+patience=2",
            "tuned:spwf+best-fit+share=0.5+long=2",
            "tuned:las+best-fit+queues=1800/36000",
            "tuned:srtf+lifw+margin=600",
            "tuned:srtf+lif+delay=never+move=10",
            "tuned:speedup+fastest",
            "tuned:gittins+lif+delay=never+migrate=1",
            "tuned:gittins+sets+delay=never+migrate=0.5+move=10+racks=1",
            "tuned:gittins-limit+sets+delay=never+migrate=0.5+move=10+racks=1+width=0.5",
            "tuned:gittins+sets+limit=2+patience=100+delay=never+migrate=1+move=10+racks=1+width=1.5",
            "posted-price:sjf",
            "tiresias:promote=8",
            "tiresias-gittins:promote=8",
            "srtf/fgd",
            "sjf/dot-product");

    private static Stream<String> catalogue() {
        return Stream.concat(
                SchedulerRegistry.entries().stream()
                        .filter(entry -> !entry.replaysTrace())
                        .map(SchedulerRegistry.Entry::name),
                COMPOSED.stream());
    }

    private static Experiment experiment(String task, String... values) {
        return new Experiment(ConfigReader.read(BenchmarkTask.folder().resolve(task + ".yaml"), List.of(values)));
    }

    private static RunResult run(Experiment experiment, String scheduler) {
        return new EvaluationRunner(experiment, experiment.test().subList(0, 1))
                .run(SchedulerFactory.registered(experiment, scheduler))
                .episodes()
                .get(0);
    }

    @ParameterizedTest
    @CsvSource({
        "generations-with-outages, failing-v1, three-generations.yaml, 60, 1.5",
        "elastic, elastic-v1, 4x4:T4, 16, 0.9",
        "parts-of-gpus, ../configs/auction/fragmented, fragmented.yaml, 80, 10"
    })
    void the_catalogue_decides_as_ever(String world, String task, String cluster, int jobs, double load) {
        String own = cluster.endsWith(".yaml")
                ? FrozenText.ROOT
                        .resolve("experiments/clusters")
                        .resolve(cluster)
                        .toString()
                : cluster;
        List<String> lines = new ArrayList<>();
        try (Experiment experiment = experiment(
                task, "cluster=" + own, "episodes.jobs=" + jobs, "workload.generator.offered_load=" + load)) {
            catalogue().filter(experiment::serves).forEach(name -> {
                RunResult run = run(experiment, name);
                lines.add(FrozenText.line(
                        name, run.eventLogSha256().substring(0, 16) + " " + new Fingerprint().add(run)));
            });
        }
        assertThat(lines).hasSizeGreaterThan(60);
        FrozenText.assertFrozen("catalogue-" + world, lines);
    }

    @Test
    void the_parts_of_the_jct_utilisation_and_fairness_are_those_of_ever() {
        List<String> lines = new ArrayList<>();
        for (String task : BenchmarkTask.names()) {
            try (Experiment experiment = experiment(task)) {
                RunResult run = run(experiment, task.startsWith("shared") ? "gandiva" : "tiresias");
                JctParts parts = JctParts.of(run.jobs());
                Fairness fairness = Fairness.of(List.of(run));
                assertThat(parts.waiting()
                                + parts.restart()
                                + parts.interference()
                                + parts.placement()
                                + parts.undisturbed())
                        .isCloseTo(run.meanJctSeconds(), org.assertj.core.api.Assertions.within(1e-6));
                assertThat(run.jobs()).allSatisfy(FrozenRunsTest::assertParts);
                lines.add(FrozenText.line(
                        task,
                        String.format(
                                Locale.ROOT,
                                "waiting %.3f, restart %.3f, interference %.3f, placement %.3f, undisturbed %.3f, busy"
                                        + " %.6f, users %.6f, unfair %.6f, finish time %.6f",
                                parts.waiting(),
                                parts.restart(),
                                parts.interference(),
                                parts.placement(),
                                parts.undisturbed(),
                                run.gpuUtilisation(),
                                fairness.jainUsers(),
                                fairness.unfairShare(),
                                fairness.finishTime().mean())));
            }
        }
        FrozenText.assertFrozen("figures", lines);
    }

    private static void assertParts(JobOutcome job) {
        assertThat(job.queueingNanos()).isNotNegative();
        assertThat(job.onGpus().restartNanos()).isNotNegative();
        assertThat(job.onGpus().interferenceNanos()).isNotNegative();
        assertThat(job.onGpus().undisturbedNanos()).isPositive();
    }
}
