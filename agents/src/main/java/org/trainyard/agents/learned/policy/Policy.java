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
     * Whether an agent without a selected job waits, unless it may preempt running jobs for a job or select one that can start on as few servers as any place has for
     * so many GPUs.
     */
    default boolean startsConsolidatedOnly() {
        return false;
    }

    /** Whether {@link #act(float[], int, ObservationSpace, PreemptionOffers)} can be asked in place of {@link #act(float[], int, ObservationSpace, int[])}. */
    default boolean comparesPlansByCost() {
        return false;
    }

    /**
     * Whether agents that have only one job to select choose alike, where it is the same job and all or none of them have a consolidated place for it at home.
     */
    default boolean choosesByJobAlone() {
        return false;
    }

    /**
     * The best action of one agent, planning only the preemptions that might be the best.
     *
     * @param rows a row at {@code at} without the columns of preemption plans, in whose mask preemptions are legal if there is a plan
     */
    default int act(float[] rows, int at, ObservationSpace spec, PreemptionOffers offers) {
        throw new UnsupportedOperationException("this policy reads all preemption plans at once");
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
