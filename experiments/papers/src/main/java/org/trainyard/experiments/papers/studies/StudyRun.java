package org.trainyard.experiments.papers.studies;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.evaluation.EpisodeSample;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimVerdict;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.claims.Yardstick;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/**
 * How a study is run.
 *
 * @param isQuick whether few episodes, seeds or clusters will do
 * @param configs the folder of the shipped configs
 * @param data the folder of public data
 */
public record StudyRun(boolean isQuick, Path configs, Path data) {
    /** A run that needs no data. */
    public StudyRun(boolean isQuick, Path configs) {
        this(isQuick, configs, Path.of("data"));
    }

    private static final EpisodeSample SAMPLE = EpisodeSample.independent(1);

    /** Rows of one system. */
    public record Rows(String system, List<ClaimRow> all, String command) {
        /** A claim with a verdict of its own. */
        void add(
                String claim,
                double ours,
                String unit,
                @Nullable Interval interval,
                @Nullable Yardstick yardstick,
                ClaimVerdict verdict,
                String reason) {
            all.add(new ClaimRow(system, claim, ours, unit, interval, yardstick, verdict, reason, command));
        }

        /** A figure of which nothing is claimed. */
        void addFigure(String claim, double ours, String unit, @Nullable Interval interval, String reason) {
            add(claim, ours, unit, interval, null, ClaimVerdict.NOT_COMPARABLE, reason);
        }

        /** A claim about a figure that does not vary. */
        void addExact(String claim, double ours, Yardstick yardstick, String unit, String reason) {
            add(claim, ours, unit, null, yardstick, yardstick.verdict(ours, ours), reason);
        }

        /** A row of the record book. */
        public void add(
                String scheduler,
                double ours,
                String unit,
                @Nullable Interval interval,
                String remark,
                Evidence evidence) {
            all.add(new ClaimRow(
                    system,
                    scheduler,
                    ours,
                    unit,
                    interval,
                    null,
                    ClaimVerdict.NOT_COMPARABLE,
                    remark,
                    command,
                    evidence));
        }

        /**
         * A claim that a figure is lower than another, per cent; negative where it is.
         *
         * @param differences of ours, one for each episode, seed or batch
         * @param claimed what the paper claims, or {@link Yardstick#NO_FIGURE}
         */
        void addReduction(String claim, double[] differences, double claimed, String unit, String reason) {
            add(claim, differences, Yardstick.reduction(claimed), unit, reason);
        }

        /** A claim that a figure is higher than another, per cent; positive where it is. */
        void addGain(String claim, double[] differences, double claimed, String unit, String reason) {
            add(claim, differences, Yardstick.gain(claimed), unit, reason);
        }

        private void add(String claim, double[] differences, Yardstick yardstick, String unit, String reason) {
            double mean = Statistics.mean(differences);
            Interval interval = interval(differences);
            ClaimVerdict verdict = interval == null
                    ? yardstick.verdict(mean, mean)
                    : yardstick.verdict(interval.low(), interval.high());
            add(claim, mean, unit, interval, yardstick, verdict, reason);
        }
    }

    public Rows rows(Study study) {
        String command = "./trainyard %s %s%s".formatted(study.command(), study.system(), isQuick ? " --quick" : "");
        return new Rows(study.system(), new ArrayList<>(), command);
    }

    /** The numbers of both, the one for a quick run or the one for a full run. */
    int few(int quick, int full) {
        return isQuick ? quick : full;
    }

    /** The interval of the mean; null for one value. */
    public static @Nullable Interval interval(double[] values) {
        return values.length < 2 ? null : Interval.ofMean(values, SAMPLE);
    }

    /** The excess of ours over theirs, per cent, one by one. */
    public static double[] percent(double[] ours, double[] theirs) {
        double[] percent = new double[ours.length];
        for (int i = 0; i < percent.length; i++) {
            percent[i] = 100 * (ours[i] / theirs[i] - 1);
        }
        return percent;
    }

    /** The measure of an episode. */
    enum Metric {
        MEAN_JCT,
        UTILITY
    }

    /** A metric by scheduler and episode. */
    record Figures(Map<String, double[]> all) {
        double[] of(String scheduler) {
            return Objects.requireNonNull(all.get(scheduler), scheduler);
        }
    }

    /** A metric of the test episodes of a config under schedulers of the registry, by the scheduler. */
    Figures episodes(String config, List<String> overrides, Metric metric, List<String> schedulers) {
        Map<String, double[]> figures = new LinkedHashMap<>();
        try (Experiment experiment = new Experiment(ConfigReader.read(configs.resolve(config), overrides))) {
            EvaluationRunner runner = new EvaluationRunner(experiment, EpisodeSet.test(experiment));
            List<List<Double>> runs = runner.run(
                    schedulers.stream()
                            .map(name -> SchedulerFactory.registered(experiment, name))
                            .toList(),
                    (simulator, scheduler) -> {
                        var result = simulator.run(scheduler);
                        return metric == Metric.MEAN_JCT
                                ? result.meanJctSeconds()
                                : result.jobs().stream()
                                        .mapToDouble(job -> job.utility())
                                        .sum();
                    },
                    () -> {});
            for (int i = 0; i < schedulers.size(); i++) {
                figures.put(
                        schedulers.get(i),
                        runs.get(i).stream().mapToDouble(value -> value).toArray());
            }
        }
        return new Figures(figures);
    }
}
