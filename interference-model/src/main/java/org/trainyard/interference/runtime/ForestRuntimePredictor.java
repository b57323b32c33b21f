package org.trainyard.interference.runtime;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.interference.model.forest.RegressionForest;

/**
 * Guesses run times with a random forest that is grown anew, as jobs finish, from finished jobs alone.
 *
 * <p>A job's features are taken when it arrives and kept until it finishes; then they become a row to learn from. So no row and no
 * feature ever knows of a job that is still waiting or running. Until enough jobs have finished, the guess is the smoothed estimate of
 * {@link HistoryRuntimePredictor}. A forest that is due is grown at the next question, in that question's simulated time: everything is
 * a function of the calls, their order and the seed. The rhythm is that of the A-SRPT specification.
 */
public final class ForestRuntimePredictor implements RuntimePredictor {
    private static final long NEVER = Long.MIN_VALUE;

    private final ForestSettings settings;
    private final long seed;
    private final RunHistory history = new RunHistory();
    private final RuntimeRows rows = new RuntimeRows();
    // By job, looked up and never walked.
    private final Map<Integer, float[]> unfinished = new HashMap<>();
    private @Nullable RegressionForest forest;
    private long grownNanos = NEVER;
    private int grownRows;
    private int forests;

    /** A predictor that has seen nothing; one per run. */
    public ForestRuntimePredictor(ForestSettings settings, long seed) {
        this.settings = settings;
        this.seed = seed;
    }

    @Override
    public double predictSeconds(JobSpec job) {
        float[] row = arrive(job);
        return Math.exp(forest == null ? history.estimate(job) : forest.mean(row));
    }

    /** As {@link #predictSeconds}, and instead of it, with quantiles; they are the guess itself before the first forest. */
    public RuntimeGuess guess(JobSpec job) {
        float[] row = arrive(job);
        return RuntimeModel.guess(forest, row, history.estimate(job));
    }

    private float[] arrive(JobSpec job) {
        if (grownNanos == NEVER) {
            grownNanos = job.submitNanos();
        }
        if (isDue(job.submitNanos())) {
            forest = ForestGrower.grow(
                    rows.newest(settings.mostJobs()), settings, RandomStreams.derive(seed, "forest " + forests));
            forests++;
            grownNanos = job.submitNanos();
            grownRows = rows.size();
        }
        float[] row = SubmissionFeatures.row(job, history);
        unfinished.put(job.id(), row);
        return row;
    }

    private boolean isDue(long nowNanos) {
        int fresh = rows.size() - grownRows;
        return rows.size() >= settings.leastJobs()
                && fresh > 0
                && (fresh >= settings.retrainJobs() || nowNanos - grownNanos >= settings.retrainNanos());
    }

    @Override
    public void finished(JobSpec job, double idealSeconds) {
        float[] row = unfinished.remove(job.id());
        if (row == null) {
            throw new IllegalStateException("job (%d) finished and had not arrived".formatted(job.id()));
        }
        rows.add(row, Math.log(idealSeconds));
        history.add(job, idealSeconds);
    }

    /** Forests grown so far. */
    int forests() {
        return forests;
    }

    /** Everything that was learned from so far. */
    RuntimeRows rows() {
        return rows;
    }
}
