package org.trainyard.experiments.papers.marl;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/**
 * Trains and runs what the study compares, and keeps the mean JCT of every test episode in files, so that a study that
 * was stopped goes on where it was.
 */
final class MarlRuns {
    private static final long INTERVAL_NANOS = 600_000_000_000L;
    private static final String WAIT = "-wait";

    /** Clusters on which policies are tried that were trained on another. */
    static final List<String> OTHER_CLUSTERS = List.of("fat-tree", "leaf-spine", "dgx1v");

    private final Path config;
    private final List<String> overrides;
    private final Path folder;

    /**
     * @param config of ours
     * @param overrides of all
     * @param folder for the files
     */
    MarlRuns(Path config, List<String> overrides, Path folder) {
        this.config = config;
        this.overrides = overrides;
        this.folder = folder;
        AtomicFiles.makeFolder(folder);
        String ours = ConfigWriter.yaml(config(List.of()));
        Path kept = folder.resolve("config.yaml");
        if (Files.isRegularFile(kept) && !InputFiles.text(kept).equals(ours)) {
            throw InputException.at(
                    kept.toString(), "another config", "that of this study; --out names another folder");
        }
        AtomicFiles.write(kept, ours);
    }

    /** The setting in which a policy is evaluated. */
    enum Setting {
        /** Decisions at every event. */
        EVENTS,
        /** Decisions every ten minutes. */
        INTERVALS,
        /** Decisions at every event, before training. */
        UNTRAINED
    }

    /**
     * The results of a scheduler in the test episodes, seconds.
     *
     * @param jct mean JCT by episode
     * @param waited mean time in queues by episode
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Times(double[] jct, double[] waited) {}

    ExperimentConfig config(List<String> more) {
        return ConfigReader.read(
                config, Stream.concat(overrides.stream(), more.stream()).toList());
    }

    /** The cluster of ours. */
    Topology topology() {
        return Clusters.resolve(config(List.of()).cluster());
    }

    /** Mean JCTs of the test episodes under a scheduler of the registry, seconds. */
    double[] heuristic(String name, String scheduler, boolean isByInterval, List<String> more) {
        return kept(name + (isByInterval ? "-intervals" : ""), () -> {
            try (Experiment experiment = new Experiment(config(more))) {
                return seconds(experiment, isByInterval, episode -> experiment.scheduler(scheduler, episode));
            }
        });
    }

    /** The test episodes under {@link ShippedMarl}. */
    Times shipped(String setting, List<String> more) {
        String name = ShippedMarl.NAME + "-" + setting;
        if (!Files.isRegularFile(file(name + WAIT))) {
            BidPolicy policy = ShippedMarl.policy();
            try (Experiment experiment = new Experiment(config(more))) {
                List<RunResult> results = results(experiment, false, episode -> experiment.scheduler(policy));
                keep(name, seconds(results, RunResult::meanJctSeconds));
                keep(name + WAIT, seconds(results, MarlRuns::meanWaitSeconds));
            }
        }
        return new Times(read(name), read(name + WAIT));
    }

    private static double meanWaitSeconds(RunResult result) {
        return Statistics.meanSeconds(
                result.jobs().stream().mapToLong(JobOutcome::queueingNanos).toArray());
    }

    /**
     * Mean JCTs of the test episodes under a policy of one seed, seconds. All settings are run when one is not known,
     * and of ours also the other clusters.
     */
    double[] learned(MarlVariant variant, long seed, Setting setting) {
        String name = name(variant, seed);
        if (!Files.isRegularFile(file(name + setting))) {
            train(variant, seed);
        }
        return read(name + setting);
    }

    /** Mean JCTs under ours on another cluster than that of its training, seconds. */
    double[] elsewhere(long seed, String cluster) {
        learned(MarlVariant.OURS, seed, Setting.EVENTS);
        return read(name(MarlVariant.OURS, seed) + cluster);
    }

    private static String name(MarlVariant variant, long seed) {
        return "%s-%d-".formatted(variant, seed).toLowerCase(Locale.ROOT);
    }

    private void train(MarlVariant variant, long seed) {
        List<String> more = Stream.concat(variant.overrides().stream(), Stream.of("seed=" + seed))
                .toList();
        String name = name(variant, seed);
        try (Experiment experiment = new Experiment(config(more))) {
            experiment.requirePlaceableJobs();
            PolicyTraining training =
                    PolicyTraining.of(experiment, "train %s, seed %d".formatted(variant.title(), seed));
            BidPolicy trained = training.trained();
            BidPolicy untrained = training.untrained();
            keep(name + Setting.INTERVALS, seconds(experiment, true, episode -> experiment.scheduler(trained)));
            keep(name + Setting.UNTRAINED, seconds(experiment, false, episode -> experiment.scheduler(untrained)));
            if (variant == MarlVariant.OURS) {
                OTHER_CLUSTERS.forEach(cluster -> elsewhere(name, more, cluster, trained));
            }
            keep(name + Setting.EVENTS, seconds(experiment, false, episode -> experiment.scheduler(trained)));
        }
    }

    private void elsewhere(String name, List<String> more, String cluster, BidPolicy policy) {
        List<String> there =
                Stream.concat(more.stream(), Stream.of("cluster=" + cluster)).toList();
        try (Experiment other = new Experiment(config(there))) {
            keep(name + cluster, seconds(other, false, episode -> other.scheduler(policy)));
        }
    }

    private static double[] seconds(
            Experiment experiment, boolean isByInterval, Function<Integer, Scheduler> schedulers) {
        return seconds(results(experiment, isByInterval, schedulers), RunResult::meanJctSeconds);
    }

    private static double[] seconds(List<RunResult> results, ToDoubleFunction<RunResult> metric) {
        return results.stream().mapToDouble(metric).toArray();
    }

    private static List<RunResult> results(
            Experiment experiment, boolean isByInterval, Function<Integer, Scheduler> schedulers) {
        SchedulerFactory factory = SchedulerFactory.heuristic("", episode -> {
            Scheduler scheduler = schedulers.apply(episode);
            return isByInterval ? new IntervalScheduler(scheduler, INTERVAL_NANOS) : scheduler;
        });
        return new EvaluationRunner(experiment, EpisodeSet.test(experiment)).run(factory, Simulator::run);
    }

    /** Makes figures that are not known yet. */
    @FunctionalInterface
    interface Figures {
        double[] make();
    }

    /** The figures of this name, made once. */
    double[] kept(String name, Figures figures) {
        if (!Files.isRegularFile(file(name))) {
            keep(name, figures.make());
        }
        return read(name);
    }

    private Path file(String name) {
        return folder.resolve(name.toLowerCase(Locale.ROOT) + ".txt");
    }

    private void keep(String name, double[] seconds) {
        AtomicFiles.write(
                file(name),
                Arrays.stream(seconds).mapToObj(Double::toString).collect(Collectors.joining("\n", "", "\n")));
    }

    private double[] read(String name) {
        return InputFiles.text(file(name))
                .lines()
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    /** A scheduler that decides at the ends of equal intervals alone, as in the paper, and not at every event. */
    private static final class IntervalScheduler implements Scheduler {
        private final Scheduler inner;
        private final long nanos;

        IntervalScheduler(Scheduler inner, long nanos) {
            this.inner = inner;
            this.nanos = nanos;
        }

        @Override
        public Decision decide(SimView view) {
            long into = view.nowNanos() % nanos;
            Decision decision = into == 0 ? inner.decide(view) : Decision.WAIT;
            // With nothing left to do, time passes until the next job arrives.
            boolean isIdle = view.waitingCount() == 0;
            return decision instanceof Decision.Wait && !isIdle
                    ? Decision.waitUntil(view.nowNanos() - into + nanos)
                    : decision;
        }
    }
}
