package org.trainyard.env.gym.reward;

import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;

/**
 * The work that each running job does over all its work, so that every job earns one over its life (Y. Bao, Y. Peng, C.
 * Wu: Deep learning-based job placement in distributed machine learning clusters, INFOCOM 2019; Y. Peng et al.: DL2: A
 * deep learning-driven scheduler for deep learning clusters, 2019; both add up trained epochs over all epochs).
 *
 * <p>Deviations: 1. the work of a job is its predicted run time, because epochs are not known here; a job that outruns
 * its prediction is assumed to end now, so that its rate falls instead of becoming zero; 2. work done follows from the
 * speeds, which are predicted unless an ablation asks for the simulator's; 3. the reward is continuous and not paid
 * once per interval. So a job earns exactly one where predictions and speeds are right and no work is lost to outages
 * or restarts.
 *
 * <p>Undiscounted, the total does not depend on the schedule; with a discount, early progress earns more.
 */
public final class NormalisedProgressReward implements Reward {
    private static final double SECONDS_PER_HOUR = 3600;

    private final JobSpeeds speeds;

    public NormalisedProgressReward(JobSpeeds speeds) {
        this.speeds = speeds;
    }

    @Override
    public double perHour(SimView view, int job) {
        if (view.state(job) == JobState.WAITING) {
            return 0;
        }
        double seconds = Math.max(view.predictedSeconds(job), view.progressSeconds(job));
        return SECONDS_PER_HOUR * speeds.of(view, job) / seconds;
    }
}
