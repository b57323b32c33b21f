package org.trainyard.agents.heuristic.slots;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.utility.ConcaveFamily;
import org.trainyard.env.workload.utility.JobUtility;

/**
 * The utility that a scheduler expects of a job from its predicted work.
 *
 * <p>Ours: a scheduler that knows utilities of the other kind only takes a utility of training as one of a completion
 * by its horizon, and one of time as proportional fairness weighted with its priority; a job without a utility counts
 * as one of weight 1.
 */
public final class PredictedUtility {
    private static final double NANOS = 1e9;

    private PredictedUtility() {}

    /** Time from the submission of a job to now, seconds. */
    public static double ageSeconds(SimView view, int job) {
        return (view.nowNanos() - view.job(job).submitNanos()) / NANOS;
    }

    /** The utility when the job completes so many seconds after its submission. */
    public static double ofCompletion(SimView view, int job, double delaySeconds) {
        JobUtility utility = view.job(job).of(JobUtility.class);
        double work = view.predictedSeconds(job);
        if (utility == null) {
            return 1 / (1 + delaySeconds / work);
        }
        return delaySeconds <= utility.horizonSeconds() ? utility.of(delaySeconds, work) : 0;
    }

    /**
     * The utility of training, seconds at the ideal rate.
     *
     * @param trained all of it so far
     */
    public static double ofTraining(SimView view, int job, double trained) {
        JobUtility utility = view.job(job).of(JobUtility.class);
        if (utility instanceof JobUtility.Concave concave) {
            return concave.ofTraining(trained);
        }
        double weight = utility instanceof JobUtility.Sigmoid sigmoid ? sigmoid.priority() : 1;
        double work = view.predictedSeconds(job);
        return new JobUtility.Concave(ConcaveFamily.LOGARITHM, weight, work, Double.POSITIVE_INFINITY)
                .ofTraining(Math.min(trained, work));
    }

    /** Time left until the horizon of a job, seconds; not negative. */
    public static double secondsToHorizon(SimView view, int job) {
        JobUtility utility = view.job(job).of(JobUtility.class);
        return utility == null
                ? Double.POSITIVE_INFINITY
                : Math.max(0, utility.horizonSeconds() - ageSeconds(view, job));
    }
}
