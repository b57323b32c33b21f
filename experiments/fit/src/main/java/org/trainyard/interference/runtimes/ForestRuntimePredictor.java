package org.trainyard.interference.runtimes;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.interference.forest.RegressionForest;
import org.trainyard.interference.runtime.HistoryRuntimePredictor;
import org.trainyard.interference.runtime.RunHistory;

/**
 * Predicts run times by a random forest that is grown anew as jobs finish, from finished jobs alone.
 *
 * <p>A job's features are computed at its arrival and become a training row when it finishes, so no row and no
 * feature depends on a job that still waits or runs. Until enough jobs have finished, the prediction is that of
 * {@link HistoryRuntimePredictor}. A forest that is due is grown at the next prediction: predictions are a function
 * of the calls, their order and the seed. The retraining interval is that of the A-SRPT specification.
 */
public final class ForestRuntimePredictor implements RuntimePredictor {
    private static final long NEVER = Long.MIN_VALUE;

    private final ForestSettings settings;
    private final long seed;
    private final RunHistory history = new RunHistory();
    private final RuntimeRows rows = new RuntimeRows();
    // By job; looked up, never iterated.
    private final Map<Integer, float[]> unfinished = new HashMap<>();
    private @Nullable RegressionForest forest;
    private long grownNanos = NEVER;
    private int grownRows;
    private int forests;

    /** A predictor without history; one per run. */
    public ForestRuntimePredictor(ForestSettings settings, long seed) {
        this.settings = settings;
        this.seed = seed;
    }

    @Override
    public double predictSeconds(JobSpec job) {
        float[] row = arrive(job);
        return Math.exp(forest == null ? history.estimate(job) : forest.mean(row));
    }

    /** As {@link #predictSeconds}, in its place, with quantiles; before the first forest they equal the prediction. */
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

    /** All training rows so far. */
    RuntimeRows rows() {
        return rows;
    }
}
