package org.trainyard.env.synchronisation;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * When the workers of a job commit their updates to the parameter servers, and what their steps are worth.
 *
 * <p>Source: the models that ADSP (H. Hu, D. Wang, C. Wu: Distributed machine learning through heterogeneous edge
 * systems, AAAI 2020, 1911.06949) is compared with. Our readings and deviations: (1) a pace is that of the steady
 * state; (2) staleness is ours, see each model; (3) all commits take as long as one alone, whoever else commits.
 */
public sealed interface SynchronisationModel {
    /** ADSP's check period, seconds. */
    double CHECK_SECONDS = 60;

    /** The name in traces, with its parameter. */
    String label();

    /** The pace of these workers, in the steady state or as the mean over a training. */
    Pace pace(UnevenWorkers workers, StatisticalEfficiency efficiency);

    /** The pace with the usual weights of staleness. */
    default Pace pace(UnevenWorkers workers) {
        return pace(workers, StatisticalEfficiency.DEFAULT);
    }

    /**
     * An upper bound on effective steps per second of workers none of which is faster, or commits faster, than these,
     * which are equal.
     */
    default double mostEffectiveSteps(UnevenWorkers equal) {
        return mostEffectiveSteps(equal, StatisticalEfficiency.DEFAULT);
    }

    /** Effective steps per second at most, by the given value of a step. */
    default double mostEffectiveSteps(UnevenWorkers equal, StatisticalEfficiency efficiency) {
        return pace(equal, efficiency).effectiveStepsPerSecond();
    }

    /** Bulk synchronous parallel: all workers wait for the slowest at every step. A step is worth a step. */
    record Bsp() implements SynchronisationModel {
        @Override
        public String label() {
            return "bsp";
        }

        @Override
        public Pace pace(UnevenWorkers workers, StatisticalEfficiency efficiency) {
            double steps = workers.count() / (workers.longestStepSeconds() + workers.longestCommitSeconds());
            return new Pace(steps, steps, 1);
        }
    }

    /**
     * Stale synchronous parallel: the fastest worker may be so many steps ahead of the slowest. Every step is
     * committed.
     *
     * <p>In the steady state the slack is used up and all workers commit as often as the slowest: a worker misses one
     * commit of each other.
     */
    record Ssp(int slack) implements SynchronisationModel {
        public Ssp {
            requirePositive(slack);
        }

        @Override
        public String label() {
            return "ssp:" + slack;
        }

        @Override
        public Pace pace(UnevenWorkers workers, StatisticalEfficiency efficiency) {
            double slowest = Double.POSITIVE_INFINITY;
            for (int i = 0; i < workers.count(); i++) {
                slowest = Math.min(slowest, 1 / (1 / workers.stepsPerSecond(i) + workers.commitSeconds(i)));
            }
            double steps = workers.count() * slowest;
            return new Pace(steps, steps, efficiency.atStaleness(workers.count() - 1, workers.count()));
        }
    }

    /**
     * Totally asynchronous parallel: nobody waits. Every step is committed.
     *
     * <p>A worker's staleness is the number of commits of others during one of its steps; each worker counts as much as
     * any other, for each has data of its own.
     */
    record Tap() implements SynchronisationModel {
        @Override
        public String label() {
            return "tap";
        }

        @Override
        public Pace pace(UnevenWorkers workers, StatisticalEfficiency efficiency) {
            double steps = 0;
            double seconds = 0;
            for (int i = 0; i < workers.count(); i++) {
                double each = 1 / workers.stepsPerSecond(i) + workers.commitSeconds(i);
                steps += 1 / each;
                seconds += each;
            }
            double staleness = steps * seconds / workers.count() - 1;
            return new Pace(steps, steps, efficiency.atStaleness(staleness, workers.count()));
        }
    }

    /**
     * Periodic averaging with a fixed number of local steps between two barriers (Fixed ADACOMM).
     *
     * <p>Staleness is the mean number of local steps since the last barrier. The same times the others of m workers
     * would be as good a reading; the published numbers of steps speak for this one.
     */
    record FixedAdacomm(int localSteps) implements SynchronisationModel {
        public FixedAdacomm {
            requirePositive(localSteps);
        }

        @Override
        public String label() {
            return "fixed-adacomm:" + localSteps;
        }

        @Override
        public Pace pace(UnevenWorkers workers, StatisticalEfficiency efficiency) {
            double seconds = localSteps * workers.longestStepSeconds() + workers.longestCommitSeconds();
            return new Pace(
                    workers.count() * localSteps / seconds,
                    workers.count() / seconds,
                    efficiency.atStaleness((localSteps - 1) / 2.0, workers.count()));
        }
    }

    /**
     * Periodic averaging whose number of local steps falls with the loss: see {@link AdaptiveLocalSteps}. Its pace is
     * the mean over a training.
     */
    record Adacomm() implements SynchronisationModel {
        @Override
        public String label() {
            return "adacomm";
        }

        @Override
        public Pace pace(UnevenWorkers workers, StatisticalEfficiency efficiency) {
            return AdaptiveLocalSteps.meanPace(workers, efficiency);
        }

        @Override
        public double mostEffectiveSteps(UnevenWorkers equal, StatisticalEfficiency efficiency) {
            return AdaptiveLocalSteps.mostEffectiveSteps(equal, efficiency);
        }
    }

    /**
     * Batches in proportion to the workers' speeds, so that all steps take as long (BatchTune, as R2SP), under a model
     * with barriers.
     */
    record BatchTune(SynchronisationModel barriers) implements SynchronisationModel {
        public BatchTune {
            if (!(barriers instanceof Bsp || barriers instanceof FixedAdacomm || barriers instanceof Adacomm)) {
                throw new IllegalArgumentException("batches are tuned for barriers, not for (%s)".formatted(barriers));
            }
        }

        @Override
        public String label() {
            return "batch-tune:" + barriers.label();
        }

        @Override
        public Pace pace(UnevenWorkers workers, StatisticalEfficiency efficiency) {
            return barriers.pace(workers.withTunedBatches(), efficiency);
        }

        @Override
        public double mostEffectiveSteps(UnevenWorkers equal, StatisticalEfficiency efficiency) {
            return barriers.mostEffectiveSteps(equal, efficiency);
        }
    }

    /**
     * ADSP: every worker trains until its timer says that a commit is due; timers are set so that all commit equally
     * often.
     *
     * <p>With {@code c} commits in a check period {@code Gamma} a worker trains {@code Gamma / c - O} between two
     * commits, or one step if that takes longer. Its pace is that of the rate which the search of
     * {@link CommitRateSearch} stops at, where no rate is given. Deviation: (1) a pace does not count the periods of
     * the search; {@link TimeToTarget} does.
     *
     * @param commits in a check period; 0 to search
     */
    record Adsp(int commits) implements SynchronisationModel {
        public Adsp {
            Invalid.when(commits < 0, "commits (%d) must not be negative", commits);
        }

        @Override
        public String label() {
            return commits == 0 ? "adsp" : "adsp:" + commits;
        }

        @Override
        public Pace pace(UnevenWorkers workers, StatisticalEfficiency efficiency) {
            return at(commits == 0 ? searched(workers, efficiency) : commits, workers, efficiency);
        }

        @Override
        public double mostEffectiveSteps(UnevenWorkers equal, StatisticalEfficiency efficiency) {
            int most = Math.max(commits, CommitRateSearch.MOST_COMMITS);
            return IntStream.rangeClosed(1, most)
                    .mapToDouble(rate -> at(rate, equal, efficiency).effectiveStepsPerSecond())
                    .max()
                    .orElseThrow();
        }

        /** Commit rate at which the search stops when rewards are exact. */
        static int searched(UnevenWorkers workers, StatisticalEfficiency efficiency) {
            return CommitRateSearch.climb(
                    CommitRateSearch.most(workers, CHECK_SECONDS),
                    commits -> at(commits, workers, efficiency).effectiveStepsPerSecond());
        }

        /** The pace with so many commits in a check period. */
        static Pace at(int commits, UnevenWorkers workers, StatisticalEfficiency efficiency) {
            double steps = 0;
            double made = 0;
            for (int i = 0; i < workers.count(); i++) {
                double local = localSteps(commits, workers, i);
                double period = local / workers.stepsPerSecond(i) + workers.commitSeconds(i);
                steps += local / period;
                made += 1 / period;
            }
            double momentum = ImplicitMomentum.ofScript(workers.count(), commits);
            return new Pace(steps, made, efficiency.atMomentum(momentum));
        }

        /** Steps of a worker between two of its commits, at least 1. */
        static double localSteps(int commits, UnevenWorkers workers, int worker) {
            double training = CHECK_SECONDS / commits - workers.commitSeconds(worker);
            return Math.max(1, workers.stepsPerSecond(worker) * training);
        }
    }

    /** A model whose steps are worth what {@link StatisticalEfficiency#OURS} says, whoever asks. */
    record OurWorth(SynchronisationModel model) implements SynchronisationModel {
        private static final String PREFIX = "ours:";

        @Override
        public String label() {
            return PREFIX + model.label();
        }

        @Override
        public Pace pace(UnevenWorkers workers, StatisticalEfficiency efficiency) {
            return model.pace(workers, StatisticalEfficiency.OURS);
        }

        @Override
        public double mostEffectiveSteps(UnevenWorkers equal, StatisticalEfficiency efficiency) {
            return model.mostEffectiveSteps(equal, StatisticalEfficiency.OURS);
        }
    }

    /** Labels of all models, with their usual parameters. */
    static List<String> labels() {
        return List.of(
                "bsp", "ssp:40", "tap", "fixed-adacomm:40", "adacomm", "batch-tune:bsp", "batch-tune:adacomm", "adsp");
    }

    /**
     * The model of a {@link #label}; the parameters of {@code ssp}, {@code fixed-adacomm} and {@code adsp} may be left
     * out, and {@code ours:} may come before. Null when there is none.
     */
    static @Nullable SynchronisationModel parse(String label) {
        if (label.startsWith(OurWorth.PREFIX)) {
            SynchronisationModel model = parse(label.substring(OurWorth.PREFIX.length()));
            return model == null || model instanceof OurWorth ? null : new OurWorth(model);
        }
        int colon = label.indexOf(':');
        String name = colon < 0 ? label : label.substring(0, colon);
        String parameter = colon < 0 ? null : label.substring(colon + 1);
        if (name.equals("batch-tune")) {
            SynchronisationModel barriers = parameter == null ? new Bsp() : parse(parameter);
            return barriers instanceof Bsp || barriers instanceof FixedAdacomm || barriers instanceof Adacomm
                    ? new BatchTune(barriers)
                    : null;
        }
        if (parameter != null && !parameter.matches("[1-9][0-9]{0,5}")) {
            return null;
        }
        int number = parameter == null ? 0 : Integer.parseInt(parameter);
        return switch (name) {
            case "ssp" -> new Ssp(number == 0 ? 40 : number);
            case "fixed-adacomm" -> new FixedAdacomm(number == 0 ? 40 : number);
            case "adsp" -> new Adsp(number);
            case "bsp" -> parameter == null ? new Bsp() : null;
            case "tap" -> parameter == null ? new Tap() : null;
            case "adacomm" -> parameter == null ? new Adacomm() : null;
            default -> null;
        };
    }

    private static void requirePositive(int steps) {
        Invalid.when(steps < 1, "steps (%d) must be at least 1", steps);
    }

    /**
     * The momentum that stale updates add to those of rare commits: {@code 1 - 1 / (1 + (1 - 1/m) sum_i Gamma /
     * (commits_i v_i))}.
     *
     * <p>Source: ADSP (1911.06949), theorem on implicit momentum; the paper's constants are not all known, those of its
     * authors' plotting script are: every term of the sum is {@value #SCRIPT_TERM} over the commits of a check period.
     */
    static final class ImplicitMomentum {
        /** A worker's {@code Gamma / v} in the plotting script. */
        public static final double SCRIPT_TERM = 0.05;

        private ImplicitMomentum() {}

        /** Implicit momentum of workers that commit equally often, with the terms of the script. */
        public static double ofScript(int workers, double commits) {
            double sum = (1 - 1.0 / workers) * workers * SCRIPT_TERM / commits;
            return 1 - 1 / (1 + sum);
        }
    }
}
