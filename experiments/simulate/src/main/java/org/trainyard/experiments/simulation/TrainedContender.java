package org.trainyard.experiments.simulation;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.World;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.run.Experiment;

/**
 * A trained policy that runs beside schedulers, on another cluster and other jobs than those of its training.
 *
 * @param policy stays the caller's
 * @param config of its training, which says how its agents divide a cluster and whether they preempt
 */
public record TrainedContender(BidPolicy policy, ExperimentConfig config) {
    /** Name in tables and files. */
    public static final String NAME = "learned";

    /**
     * The policy as a scheduler for one run in a world.
     *
     * @param listener to which it reports its choices, or null
     */
    public Scheduler scheduler(World world, @Nullable ChoiceListener listener) {
        Deployment deployment = Experiment.deployment(config, world.topology(), world.belief());
        return listener == null ? policy.scheduler(deployment) : policy.scheduler(deployment, listener);
    }

    /** Refuses a job that no trained policy places. */
    static void requirePlaceable(TraceJob job) {
        String more = job.demand().notFixedGpus();
        if (more != null) {
            throw InputException.at("job " + job.id(), more, "a fixed number of whole GPUs, for --checkpoint");
        }
    }
}
