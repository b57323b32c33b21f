package org.trainyard.env.gym.auction;

import java.util.Arrays;
import org.trainyard.env.ColumnSchema;

/**
 * The columns of a bid: of its job, of the set of servers it would take, and of the cluster. Columns that have no meaning for a kind of bid are
 * 0.
 *
 * <p>Durations are scaled as log(1 + minutes) / 10: 0 for none, 0.41 for an hour, 0.73 for a day. Remaining times are predictions times the
 * Gittins index of their errors so far.
 */
public enum BidColumn {
    /** Demand: binary logarithm of the GPUs over 6. */
    GPUS,
    /** Remaining time of the job; scaled. */
    REMAINING_TIME,
    /** Remaining time times GPUs; scaled. */
    REMAINING_WORK,
    /** Predicted remaining time with a floor for jobs that outran their prediction; scaled. */
    PREDICTED_TIME,
    /** Time since the job last entered the queue; scaled. */
    WAITED,
    /** Time in the queue over the sum of it and the remaining time. */
    WAITED_SHARE,
    /** Iteration time over the network over that inside a server, less 1; at most 2. */
    NETWORK_STRETCH,
    /** Pressure on a socket, 0..1. */
    PRESSURE_SOCKET,
    /** Pressure on PCIe and host memory, 0..1. */
    PRESSURE_PCIE,
    /** Pressure on the network card, 0..1. */
    PRESSURE_NIC,
    /** Sensitivity to pressure on the socket, 0..1. */
    SENSITIVITY_SOCKET,
    /** Sensitivity to pressure on PCIe, 0..1. */
    SENSITIVITY_PCIE,
    /** Sensitivity to pressure on the network card, 0..1. */
    SENSITIVITY_NIC,
    /** How often the job has been preempted, a quarter of it; at most 1. */
    PREEMPTIONS,
    /** Place of the job among those that bid, by remaining time, over their greatest number. */
    POSITION,
    /** Natural logarithm of the remaining time over the shortest of all jobs that bid, a fifth of it; at most 2. */
    LONGER_THAN_SHORTEST,
    /** 1: a consolidated set is free for the job. */
    CAN_CONSOLIDATE,
    /** Servers of the set, a quarter of them; at most 2. */
    SERVERS,
    /** Servers of the set beyond the fewest on an empty cluster, a quarter of them; at most 2. */
    EXTRA_SERVERS,
    /** 1: the set is consolidated: the fewest servers, in one rack where a rack has so many. */
    CONSOLIDATED,
    /** Racks of the set beyond one, a quarter of them; at most 2. */
    EXTRA_RACKS,
    /** Predicted slowdown on the slowest server of the set, GPU speed left out, less 1; at most 2. */
    OWN_SLOWDOWN,
    /** Predicted extra slowdown of all neighbours, weighted by the time that they stay; at most 2. */
    NEIGHBOUR_SLOWDOWN,
    /** Free GPUs left on the servers of the set over the GPUs of the widest server; at most 2. */
    LEFTOVER,
    /** 1: no GPU stays free on any server of the set. */
    FILLS,
    /** Empty servers of the set, a quarter of them; at most 2. */
    OPENS,
    /** Speed of the slowest GPUs of the set over the fastest of the cluster. */
    SPEED,
    /** 1 - SPEED, times the scaled remaining time. */
    SLOW_FOR_LONG,
    /** Gangs that already share the busiest network card of a set of several servers, a quarter of them; at most 2. */
    RINGS_ON_NIC,
    /** Gangs that already share the busiest rack uplink of a set of several racks, an eighth of them; at most 2. */
    RINGS_ON_UPLINK,
    /** Predicted iteration time of the set by its network, beside its ideal one, less 1; at most 2. */
    STRETCH,
    /** Place of the set among those of the job, cheapest first, over their greatest number. */
    SET_POSITION,
    /** Cost of the set beyond that of the job's cheapest; at most 2. */
    DEARER_THAN_CHEAPEST,
    /** Free GPUs of the cluster after the start, over all its GPUs. */
    FREE_AFTER,
    /** Empty servers of the cluster after the start, over all servers. */
    EMPTY_AFTER,
    /** Free GPUs in the racks of the set after the start, over the GPUs there. */
    RACK_FREE_AFTER,
    /** Cost of the preemption plan; at most 4. */
    PLAN_COST,
    /** Jobs that the plan preempts, an eighth of them; at most 2. */
    PLAN_PREEMPTED,
    /** Jobs that the plan migrates, an eighth of them; at most 2. */
    PLAN_MIGRATED,
    /** Shortest time that any victim of the plan, or the job that moves, has run so far; scaled. */
    PLAN_LEAST_RUN,
    /** Natural logarithm of the factor by which a move speeds the job up; at most 2. */
    SPEED_UP,
    /** Time that a move saves; scaled. */
    SAVED_TIME,
    /** 1: patience for half of the remaining time. */
    PATIENT_HALF,
    /** 1: patience for the remaining time. */
    PATIENT_ONCE,
    /** 1: patience for twice the remaining time. */
    PATIENT_TWICE,
    /** 1: patience for ever. */
    PATIENT_FOR_EVER,
    /** Free GPUs over all GPUs. */
    FREE,
    /** Empty servers over all servers. */
    EMPTY,
    /** Natural logarithm of 1 + waiting jobs, a fifth of it. */
    WAITING,
    /** Natural logarithm of 1 + running jobs, a fifth of it. */
    RUNNING,
    /** GPUs that waiting jobs demand over all GPUs, a quarter of it; at most 2. */
    WAITING_GPUS,
    /** Jobs that are patient now, over all waiting jobs. */
    PATIENT_SHARE,
    /** Free GPUs on the server with most of them, over its GPUs. */
    LARGEST_HOLE,
    /** Remaining time of the shortest job that bids; scaled. */
    SHORTEST_TIME;

    /** Number of columns. */
    public static final int COUNT = values().length;

    /** Where the column is among those of a bid: the order of the constants. */
    @SuppressWarnings("EnumOrdinal")
    public int index() {
        return ordinal();
    }

    /** A duration as columns have it. */
    static float scaledTime(double seconds) {
        return (float) (Math.log1p(seconds / 60) / 10);
    }

    /** The kinds of bids and their columns, by which files of policies are recognised. */
    public static ColumnSchema schema() {
        return ColumnSchema.of("bid", Arrays.toString(BidKind.values()) + "\n" + Arrays.toString(values()));
    }
}
