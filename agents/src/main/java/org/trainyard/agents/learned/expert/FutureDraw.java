package org.trainyard.agents.learned.expert;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.JobSpec;
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
        List<JobSpec> jobs = new ArrayList<>(workload.size());
        double[] iterations = new double[workload.size()];
        for (int job = 0; job < view.arrived(); job++) {
            JobSpec spec = workload.job(job);
            jobs.add(spec);
            iterations[job] = view.state(job) == JobState.DONE
                    ? workload.trueIterations(job)
                    : errors.quantileSeconds(view, job, random.nextDouble()) * spec.idealIterationsPerSecond();
        }
        int[] order = laterJobs(random);
        for (int job = view.arrived(); job < workload.size(); job++) {
            int other = order[job - view.arrived()];
            jobs.add(movedTo(job, workload.job(other)));
            iterations[job] = workload.trueIterations(other);
        }
        return new Workload(jobs, iterations);
    }

    private int[] laterJobs(RandomGenerator random) {
        int[] order = new int[workload.size() - view.arrived()];
        for (int i = 0; i < order.length; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = view.arrived() + i;
        }
        return order;
    }

    /** The job with another place in the order of submission. */
    private JobSpec movedTo(int place, JobSpec job) {
        return new JobSpec(
                place,
                job.name(),
                workload.job(place).submitNanos(),
                job.demand(),
                job.model(),
                job.plan(),
                job.idealIterationsPerSecond(),
                job.user(),
                job.group(),
                job.virtualCluster());
    }
}
