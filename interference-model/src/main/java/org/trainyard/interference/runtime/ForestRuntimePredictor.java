package org.trainyard.interference.runtime;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.interference.forest.RegressionForest;

/**
 * Predicts the iterations of jobs, and with their ideal rates their run times, by a random forest that is grown anew as
 * jobs finish, from finished jobs alone.
 *
 * <p>Source: Z. Luo, J. Liu, M. Lee, N. B. Shroff: Prediction-assisted online distributed deep learning workload
 * scheduling in GPU clusters, INFOCOM 2025. From the abstract: most jobs recur, and random-forest regression predicts
 * their iterations. Inferred: the kinds of features. Ours: (1) the forest learns the logarithm of iterations over those
 * expected from the history of group and user (see {@link JobsSoFar}), so that it need not learn their averages, and
 * may predict run times beyond those of all finished jobs; (2) its correction is followed as far as it has been right
 * lately, for jobs with and without finished runs of their group apart, so that a log without signal costs little; (3)
 * schedulers get mean iterations, those of the trees' leaves, instead of the exponential of mean logarithms: unknown
 * jobs may be very long, and queues pay for the sum.
 *
 * <p>A job's features are computed at its arrival and become a training row when it finishes, so no row depends on a
 * job that waits or runs but for its submission. A forest that is due is grown at the next prediction: predictions are
 * a function of the calls, their order and the seed. Cost: a prediction walks every tree twice; a forest is grown after
 * a tenth more finished jobs, at least 30 and at most 1,000, in O(trees x levels x features per split x rows).
 */
public final class ForestRuntimePredictor implements RuntimePredictor {
    /** The longest run that counts as it is in a mean, as a logarithm over a typical run. */
    private static final double LONGEST = 5;

    private final ForestSettings settings;
    private final long seed;
    private final JobsSoFar others;
    private final RuntimeRows rows = new RuntimeRows();
    /** Trust for jobs without and with a finished run of their group. */
    private final ForestTrust[] trusts = {new ForestTrust(), new ForestTrust()};
    // By job; looked up, never iterated.
    private final Map<Integer, Answer> unfinished = new HashMap<>();
    private @Nullable RegressionForest forest;
    private long nextAt;
    private int forests;

    /**
     * Estimates of a job; logarithms of iterations.
     *
     * @param expected before the forest
     * @param weight the part of the correction that is followed
     */
    @SuppressWarnings("ArrayRecordComponent") // The row is handed over to the table of rows.
    private record Answer(float[] row, double expected, double correction, double weight, ForestTrust trust) {
        double typical() {
            return expected + weight * correction;
        }
    }

    /** A predictor without history; one per run. */
    public ForestRuntimePredictor(ForestSettings settings, long seed) {
        this.settings = settings;
        this.seed = seed;
        others = new JobsSoFar();
        nextAt = settings.leastJobs();
    }

    @Override
    public double predictSeconds(JobSpec job) {
        return predictIterations(job) / job.idealIterationsPerSecond();
    }

    /** Predicted mean iterations of such jobs; to be called in place of {@link #predictSeconds}. */
    public double predictIterations(JobSpec job) {
        Answer answer = arrive(job);
        return Math.exp(answer.typical()) * (forest == null ? 1 : meanOverTypical(forest.distribution(answer.row())));
    }

    /** Prediction in place of {@link #predictSeconds}, with quantiles, all equal before the first forest. */
    public RuntimeGuess guess(JobSpec job) {
        return guess(job, arrive(job));
    }

    /** The guess for a job that is not submitted: nothing changes. */
    public RuntimeGuess ask(JobSpec job) {
        return guess(job, answer(job));
    }

    private RuntimeGuess guess(JobSpec job, Answer answer) {
        double typical = answer.typical() - JobsSoFar.logRate(job);
        double seconds = Math.exp(typical);
        if (forest == null) {
            return new RuntimeGuess(seconds, seconds, seconds, seconds);
        }
        double[] distribution = forest.distribution(answer.row());
        double shift = typical - answer.correction();
        return new RuntimeGuess(
                seconds,
                seconds * meanOverTypical(distribution),
                Math.exp(shift + RegressionForest.quantile(distribution, 0.5)),
                Math.exp(shift + RegressionForest.quantile(distribution, 0.9)));
    }

    /** Mean over geometric mean of a sample of logarithms. */
    private static double meanOverTypical(double[] logs) {
        double centre = Arrays.stream(logs).average().orElseThrow();
        return Arrays.stream(logs)
                .map(log -> Math.exp(Math.min(LONGEST, log - centre)))
                .average()
                .orElseThrow();
    }

    /** The features of a job in the order of {@link SubmissionFeatures#NAMES}, if it were submitted now. */
    public float[] features(JobSpec job) {
        return SubmissionFeatures.row(job, others);
    }

    private Answer arrive(JobSpec job) {
        if (rows.size() >= nextAt) {
            grow();
        }
        Answer answer = answer(job);
        unfinished.put(job.id(), answer);
        others.arrive(job);
        return answer;
    }

    private Answer answer(JobSpec job) {
        float[] row = SubmissionFeatures.row(job, others);
        ForestTrust trust = trusts[others.knowsGroup(job) ? 1 : 0];
        return new Answer(row, others.expected(job), forest == null ? 0 : forest.mean(row), trust.weight(), trust);
    }

    /** Grows a forest from the finished jobs of now. */
    public void grow() {
        forest = ForestGrower.grow(
                rows.newest(settings.mostJobs()), settings, RandomStreams.derive(seed, "forest " + forests));
        forests++;
        nextAt = settings.nextAt(rows.size());
    }

    @Override
    public void finished(JobSpec job, double idealSeconds) {
        Answer answer = unfinished.remove(job.id());
        if (answer == null) {
            throw new IllegalStateException("job (%d) finished and had not arrived".formatted(job.id()));
        }
        double ratio = Math.log(idealSeconds) + JobsSoFar.logRate(job) - answer.expected();
        answer.trust().learn(ratio, answer.correction());
        rows.add(answer.row(), ratio);
        others.finish(job, idealSeconds);
    }

    /** Writes the state that predictions need, after all jobs that arrived are over; a forest must have been grown. */
    public void write(DataOutputStream out) throws IOException {
        if (forest == null || !unfinished.isEmpty()) {
            throw new IllegalStateException(
                    "(%d) jobs are not over, or no forest is grown".formatted(unfinished.size()));
        }
        forest.write(out);
        others.write(out);
        for (ForestTrust trust : trusts) {
            trust.write(out);
        }
    }

    /** Reads a predictor that {@link #write} wrote; it answers {@link #ask} alone. */
    public static ForestRuntimePredictor read(DataInputStream in) throws IOException {
        return new ForestRuntimePredictor(in);
    }

    private ForestRuntimePredictor(DataInputStream in) throws IOException {
        settings = ForestSettings.DEFAULT;
        seed = 0;
        nextAt = Long.MAX_VALUE;
        forest = RegressionForest.read(in);
        others = new JobsSoFar(in);
        for (ForestTrust trust : trusts) {
            trust.read(in);
        }
    }

    /** The last forest; null before the first. */
    public @Nullable RegressionForest forest() {
        return forest;
    }

    /** Forests grown so far. */
    int forests() {
        return forests;
    }

    /** All training rows so far. */
    RuntimeRows rows() {
        return rows;
    }
}
