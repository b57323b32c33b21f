package org.trainyard.env.gym.observation;

/**
 * What an agent observes of a waiting job: the columns of the sections {@code jobs} and {@code focus}.
 *
 * <p>Durations are scaled as {@link #scaledTime}. "Here" is the agent's own domain; a place is consolidated when it has as few servers
 * as any place for so many GPUs on the cluster's widest servers. All columns are 0 in an empty slot.
 */
public enum JobColumn implements ObservationColumn {
    /** 1: there is a job in the slot. */
    PRESENT,
    /** Demand, GPUs: its binary logarithm over 6, so that 64 GPUs are 1. */
    GPUS,
    /** Demand over the GPUs of the agent's domain. */
    GPUS_OF_DOMAIN,
    /** Predicted remaining run time at the ideal rate, at least a quarter of the progress so far; scaled time. */
    REMAINING_TIME,
    /** Estimated remaining run time (predicted run time times the Gittins index) times GPUs; scaled time. */
    REMAINING_WORK,
    /** Time since the job last entered the queue; scaled time. */
    WAITED,
    /** Time in the queue over the sum of it and the predicted remaining run time. */
    WAITED_SHARE,
    /** Iteration time over the network over that inside a server, less 1; at most 2. */
    NETWORK_STRETCH,
    /** Pressure on memory bandwidth, power and cooling of a socket, 0..1. */
    PRESSURE_SOCKET,
    /** Pressure on PCIe and host memory, 0..1. */
    PRESSURE_PCIE,
    /** Pressure on the NIC, 0..1. */
    PRESSURE_NIC,
    /** Sensitivity to pressure on the socket, 0..1. */
    SENSITIVITY_SOCKET,
    /** Sensitivity to pressure on PCIe, 0..1. */
    SENSITIVITY_PCIE,
    /** Sensitivity to pressure on the NIC, 0..1. */
    SENSITIVITY_NIC,
    /** How often the job has been forwarded, halved. */
    HOPS,
    /** 1: the job has more GPUs than any domain. */
    WIDE,
    /** How often the job has been preempted, a quarter of it; at most 1. */
    PREEMPTIONS,
    /** 1: the job waits in another domain. */
    WAITS_ELSEWHERE,
    /** 1: the job can start here now. */
    STARTABLE_HERE,
    /** 1: the job can start now, maybe on GPUs of other domains. */
    STARTABLE,
    /** 1: a consolidated place is free here. */
    CONSOLIDATED_HERE,
    /** 1: a consolidated place is free in the whole cluster and none is free here. */
    CONSOLIDATED_ACROSS,
    /** 1: a consolidated place is free inside another domain. */
    CONSOLIDATED_ELSEWHERE,
    /** Servers of the place here beyond those of a consolidated one, a quarter of them; at most 1, and 1 when the job cannot start here. */
    EXTRA_SERVERS,
    /** {@link #WAITED_SHARE} when the job can start here, but not consolidated; else 0. */
    WAITED_SHARE_IF_SPREAD,
    /** Free GPUs over all GPUs of the cluster. */
    FREE,
    /** Free GPUs over all GPUs of the cluster after the job has started; at least 0. */
    FREE_AFTER,
    /** {@link #REMAINING_TIME} times the part of the cluster's GPUs that are held. */
    LONG_WHEN_FULL,
    /** Predicted slowdown of the job on its best place here, less 1; at most 2. 0 when it cannot start here, as in the three after it. */
    OWN_SLOWDOWN,
    /** Predicted extra slowdown of all neighbours there, each weighted by the part of the job's time that it stays; at most 2. */
    NEIGHBOUR_SLOWDOWN,
    /** GPUs left free on the last server of that place, over the server's GPUs. */
    LEFTOVER,
    /** 1: that place takes GPUs of an empty server. */
    OPENS_SERVER,
    /** GPUs left free by the tightest server here beyond the tightest of the cluster, over the GPUs of the widest server. */
    LOOSER_THAN_ELSEWHERE,
    /** Cost of the preemption plan for the job, as {@code PreemptionPlan.cost}; at most 4. 0 without a plan, as in the three after it. */
    PREEMPTION_COST,
    /** Jobs that the plan preempts, an eighth of them; at most 1. */
    PREEMPTED_JOBS,
    /** 1: preempting running jobs makes a consolidated place for the job. */
    CAN_PREEMPT,
    /** Shortest time that any job of the plan has run; scaled time. */
    PREEMPTED_LEAST_RUN;

    private static final double MINUTE = 60;

    /** A duration as columns have it, log(1 + minutes) / 10: 0 for none, 0.41 for an hour, 0.73 for a day. */
    static float scaledTime(double seconds) {
        return (float) (Math.log1p(seconds / MINUTE) / 10);
    }
}
