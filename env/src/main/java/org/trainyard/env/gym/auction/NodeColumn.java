package org.trainyard.env.gym.auction;

import java.util.Arrays;
import org.trainyard.env.ColumnSchema;

/**
 * The columns of a node of {@link ClusterGraph}: a server, a rack, or the core, which stands for the whole cluster. Columns that have no meaning
 * for a kind of node are 0.
 *
 * <p>Remaining times are predictions with a floor for jobs that outran theirs, scaled as in {@link BidColumn} and rounded to {@value #TIME_STEPS}
 * steps per unit, so that a busy server stays in one state for a while.
 */
public enum NodeColumn {
    /** GPUs that are not out of order over all GPUs of the node. */
    IN_ORDER,
    /** Binary logarithm of the GPUs, a tenth of it. */
    GPUS,
    /** Free GPUs over all GPUs. */
    FREE,
    /** Empty servers over all servers; of a server 1 when it is empty. */
    EMPTY,
    /** Speed of the GPUs relative to the fastest of the cluster, mean over GPUs. */
    SPEED,
    /** Jobs: log(1 + jobs) / 5; of a rack those of its servers, summed. */
    JOBS,
    /** Rings that pass the uplink: of a server the NIC, of the core those of gangs in several racks; log(1 + rings) / 3. */
    RINGS,
    /** Bandwidth of the uplink over that of the widest NIC, by GPU; at most 1, and 1 for an uplink without limit. */
    BANDWIDTH,
    /** Sum of the jobs' pressures on sockets, a quarter of it; of racks and the core the mean over servers. */
    PRESSURE_SOCKET,
    /** Sum of the jobs' pressures on PCIe, likewise. */
    PRESSURE_PCIE,
    /** Sum of the gangs' pressures on the NIC, likewise. */
    PRESSURE_NIC,
    /** Greatest sensitivity of a job to pressure on the socket; of racks and the core the mean over servers. */
    SENSITIVITY_SOCKET,
    /** Greatest sensitivity of a job to pressure on PCIe, likewise. */
    SENSITIVITY_PCIE,
    /** Greatest sensitivity of a gang to pressure on the NIC, likewise. */
    SENSITIVITY_NIC,
    /** Remaining time of the first job that ends; scaled, 0 without jobs. */
    FIRST_END,
    /** Remaining times of the jobs, mean over busy GPUs; scaled. */
    MEAN_END,
    /** Remaining time of the last job that ends; scaled. */
    LAST_END,
    /** GPUs that are free or belong to jobs with less than an hour left, over all GPUs. */
    FREE_IN_AN_HOUR,
    /** Of the core: waiting jobs, log(1 + jobs) / 5. */
    WAITING,
    /** Of the core: GPUs that waiting jobs demand over all GPUs, a quarter of it; at most 2. */
    WAITING_GPUS;

    /** Steps per unit of a scaled time: one is about a third of the time. */
    static final int TIME_STEPS = 32;

    /** Number of columns. */
    public static final int COUNT = values().length;

    /** Where the column is among those of a node: the order of the constants. */
    @SuppressWarnings("EnumOrdinal")
    public int index() {
        return ordinal();
    }

    /** The columns, by which files of policies with an encoder are recognised. */
    public static ColumnSchema schema() {
        return ColumnSchema.of("node", Arrays.toString(values()));
    }
}
