package org.trainyard.agents.learned.expert;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.Workload;

/**
 * Draws other futures of a running episode, as likely as its own by all that a scheduler can know.
 *
 * <p>1. The run time of an unfinished job is drawn from the errors of the predictions so far, given the time that it has run. 2. Later jobs
 * change places in the order of submission, each with its own work: the generator draws that order uniformly, so every order is as likely. The
 * times of submission stay.
 */
final class FutureDraw {
    private final Workload workload;
    private final SimView view;
    private final RemainingTimeEstimator errors = new RemainingTimeEstimator();

    /** @param view of a simulation of the workload, which stays in its state */
    FutureDraw(Workload workload, SimView view) {
        this.workload = workload;
        this.view = view;
    }

    Workload draw(RandomGenerator random) {
        double[] iterations = new double[workload.size()];
        Arrays.fill(iterations, Double.NaN);
        for (int job = 0; job < view.arrived(); job++) {
            if (view.state(job) != JobState.DONE) {
                iterations[job] = errors.quantileSeconds(view, job, random.nextDouble())
                        * workload.job(job).idealIterationsPerSecond();
            }
        }
        return workload.rearranged(laterJobsShuffled(random), iterations);
    }

    /** The order of all jobs, in which those that have arrived keep their places. */
    private int[] laterJobsShuffled(RandomGenerator random) {
        int[] order = new int[workload.size()];
        int arrived = view.arrived();
        for (int place = 0; place < order.length; place++) {
            order[place] = place;
            if (place >= arrived) {
                int other = arrived + random.nextInt(place - arrived + 1);
                order[place] = order[other];
                order[other] = place;
            }
        }
        return order;
    }
}
