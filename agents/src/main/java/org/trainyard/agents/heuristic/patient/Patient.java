package org.trainyard.agents.heuristic.patient;

import org.trainyard.agents.learned.policy.InitialRules;
import org.trainyard.agents.learned.policy.LearnedScheduler;
import org.trainyard.agents.learned.policy.LinearPolicy;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;

/**
 * Patient: the hand-written rule from which the searches of learned policies start ({@link InitialRules#patient}), played by one agent
 * per rack.
 *
 * <p>Jobs are taken up in order of the Gittins index of their remaining work. A job starts only on the fewest servers it fits on, if one
 * rack has them, else on those of several racks; it waits otherwise. Of the servers, it takes those that it leaves with the fewest free
 * GPUs. With preemption, a waiting job with little work left displaces running jobs with more: who has room on another server migrates
 * there, others return to the queue.
 *
 * <p>The rule reads the same observations and takes the same actions as a learned policy, so it is what such a policy is before its first
 * update. Source: ours; no paper describes it. Its parts are known ones: delay scheduling (M. Zaharia et al., EuroSys 2010) with an infinite
 * delay, the Gittins index (J. Gittins, 1979), migration as in Gandiva (W. Xiao et al., OSDI 2018). Jobs must demand a fixed number of
 * whole GPUs of any type.
 */
public final class Patient {
    /** Pending jobs that an agent observes, and the upper limit on forwards of a job: those of the shipped configs. */
    private static final int WINDOW = 32;

    private static final int MAX_HOPS = 2;

    private Patient() {}

    /**
     * Patient on a cluster.
     *
     * @param belief the interference model that its placements consult
     */
    public static Scheduler on(Topology topology, boolean preemption, InterferenceModel belief) {
        return new LearnedScheduler(
                new LinearPolicy(InitialRules.patient()),
                topology,
                Domains.racks(topology),
                WINDOW,
                MAX_HOPS,
                preemption,
                belief);
    }
}
