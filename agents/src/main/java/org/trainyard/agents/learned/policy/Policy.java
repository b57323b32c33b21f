package org.trainyard.agents.learned.policy;

import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.JobColumn;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.simulation.Scheduler;

/** Maps the observations of the agents, a row each, to one action each, deterministically. */
public interface Policy extends InferencePolicy {
    /** Whether it reads only the sections of the legal actions: candidates, jobs, focus and mask. */
    default boolean readsOffersOnly() {
        return false;
    }

    /** Whether it reads this column of jobs. */
    default boolean reads(JobColumn column) {
        return true;
    }

    /**
     * Whether the best action of an active agent might be another than {@link ActionSpace#WAIT}. Cheaper than {@link #act}, which need not be asked
     * otherwise.
     */
    default boolean mightAct(ActionExecutor executor, int agent) {
        return true;
    }

    /**
     * The best action of every agent in one joint state.
     *
     * @param rows {@code agents x spec.size()} floats, agent by agent
     * @param actions filled in, one per agent
     */
    void act(float[] rows, int agents, ObservationSpace spec, int[] actions);

    @Override
    default Scheduler scheduler(Deployment deployment) {
        return new LearnedScheduler(
                this,
                deployment.topology(),
                deployment.domains(),
                deployment.requireWindow(),
                deployment.requireMaxHops(),
                deployment.preemption(),
                deployment.belief());
    }
}
