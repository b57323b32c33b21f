package org.trainyard.experiments.evaluation;

import java.util.function.IntFunction;
import org.trainyard.agents.learned.policy.InferencePolicy;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.experiments.evaluation.SchedulerRuns.Role;
import org.trainyard.experiments.run.Experiment;

/**
 * Makes a scheduler for each run.
 *
 * @param name in tables and files
 * @param role what the scheduler is compared as
 * @param isThreadSafe whether several of its schedulers may run at once
 * @param fresh a new scheduler for the episode of this index
 */
public record SchedulerFactory(String name, Role role, boolean isThreadSafe, IntFunction<Scheduler> fresh) {
    private static final String RANDOM = "random";

    /** A heuristic; the one named {@code random} is a floor that is never the reference. */
    public static SchedulerFactory heuristic(String name, IntFunction<Scheduler> fresh) {
        return new SchedulerFactory(name, name.equals(RANDOM) ? Role.FLOOR : Role.HEURISTIC, true, fresh);
    }

    /** A heuristic of the registry with the seeds and the belief of an experiment. */
    static SchedulerFactory registered(Experiment experiment, String name) {
        return heuristic(name, episode -> experiment.scheduler(name, episode));
    }

    /** A trained policy with the agents of an experiment; the policy stays the caller's to close. */
    public static SchedulerFactory learned(Experiment experiment, String name, InferencePolicy policy) {
        return new SchedulerFactory(name, Role.LEARNED, policy.isThreadSafe(), episode -> experiment.scheduler(policy));
    }

    /** The same policy before its first update. */
    static SchedulerFactory untrained(Experiment experiment, String name, InferencePolicy policy) {
        return new SchedulerFactory(
                name, Role.UNTRAINED, policy.isThreadSafe(), episode -> experiment.scheduler(policy));
    }

    SchedulerFactory named(String other) {
        return new SchedulerFactory(other, role, isThreadSafe, fresh);
    }
}
