package org.trainyard.env.gym.reward;

import java.util.Arrays;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.simulation.SimView;

/**
 * What each running job gets done, as a part of all it has to do: one for every job over its life (Y. Bao, Y. Peng, C. Wu: Deep
 * learning-based job placement in distributed machine learning clusters, INFOCOM 2019; Y. Peng et al.: DL2: A deep learning-driven
 * scheduler for deep learning clusters, 2019; both add up epochs done over epochs to do).
 *
 * <p>Deviations: 1. what there is to do is the predicted run time, for nobody tells epochs here; a job that outruns its prediction is
 * taken to end now, so that it earns ever more slowly and not nothing; 2. what is done is what the speeds say, which are believed and
 * not measured unless an ablation wants it; 3. paid as it flows and not once an interval. So a job's pay adds up to one exactly where
 * predictions and speeds are right and nothing done is lost to outages or restarts.
 *
 * <p>Short jobs pay more per hour, so undiscounted it would be the same whatever anybody does: only a discount makes it say anything.
 */
public final class NormalisedProgressReward implements Reward {
    private static final double SECONDS_PER_HOUR = 3600;

    private final JobSpeeds speeds;

    public NormalisedProgressReward(JobSpeeds speeds) {
        this.speeds = speeds;
    }

    @Override
    public void rate(SimView view, DomainQueues queues, double[] perHour) {
        Arrays.fill(perHour, 0);
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            double seconds = Math.max(view.predictedSeconds(job), view.progressSeconds(job));
            perHour[queues.domainOf(job)] += SECONDS_PER_HOUR * speeds.of(view, job) / seconds;
        }
    }
}
