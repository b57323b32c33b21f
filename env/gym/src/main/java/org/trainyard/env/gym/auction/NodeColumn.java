package org.trainyard.env.gym.auction;

import static org.trainyard.env.gym.auction.ColumnScale.SAME;
import static org.trainyard.env.gym.auction.ColumnScale.computed;
import static org.trainyard.env.gym.auction.ColumnScale.log2;
import static org.trainyard.env.gym.auction.ColumnScale.logOfMore;
import static org.trainyard.env.gym.auction.ColumnScale.over;

import java.util.Arrays;
import org.trainyard.env.Column;
import org.trainyard.env.ColumnMeaning;
import org.trainyard.env.ColumnSchema;

/**
 * The columns of a node of {@link ClusterGraph}: a server, a rack, or the core, which stands for the whole cluster.
 * Columns that have no meaning for a kind of node are 0.
 *
 * <p>Remaining times are predictions with a floor for jobs that outran theirs, scaled as in {@link BidColumn} and
 * rounded to {@value #TIME_STEPS} steps per unit, so that a busy server stays in one state for a while.
 */
public enum NodeColumn implements Column {
    IN_ORDER("ratio", SAME, "GPUs that are not out of order over all GPUs of the node."),
    GPUS("GPUs", log2(10), "Binary logarithm of the GPUs, a tenth of it."),
    FREE("ratio", SAME, "Free GPUs over all GPUs."),
    EMPTY("ratio", SAME, "Empty servers over all servers; of a server 1 when it is empty."),
    SPEED("ratio", SAME, "Speed of the GPUs relative to the fastest of the cluster, mean over GPUs."),
    JOBS("jobs", logOfMore(5), "Jobs: log(1 + jobs) / 5; of a rack those of its servers, summed."),
    RINGS(
            "rings",
            logOfMore(3),
            "Rings that pass the uplink: of a server the NIC, of the core those of gangs in several racks; log(1 + rings) / 3."),
    BANDWIDTH(
            "ratio",
            SAME.atMost(1),
            "Bandwidth of the uplink over that of the widest NIC, by GPU; at most 1, and 1 for an uplink without limit."),
    PRESSURE_SOCKET(
            "pressure",
            over(4),
            "Sum of the jobs' pressures on sockets, a quarter of it; of racks and the core the mean over servers."),
    PRESSURE_PCIE("pressure", over(4), "Sum of the jobs' pressures on PCIe, likewise."),
    PRESSURE_NIC("pressure", over(4), "Sum of the gangs' pressures on the NIC, likewise."),
    SENSITIVITY_SOCKET(
            "sensitivity",
            SAME,
            "Greatest sensitivity of a job to pressure on the socket; of racks and the core the mean over servers."),
    SENSITIVITY_PCIE("sensitivity", SAME, "Greatest sensitivity of a job to pressure on PCIe, likewise."),
    SENSITIVITY_NIC("sensitivity", SAME, "Greatest sensitivity of a gang to pressure on the NIC, likewise."),
    FIRST_END(
            "minutes",
            computed("log(1 + x) / 10, rounded to 1/32"),
            "Remaining time of the first job that ends; scaled, 0 without jobs."),
    MEAN_END(
            "minutes",
            computed("log(1 + x) / 10, rounded to 1/32"),
            "Remaining times of the jobs, mean over busy GPUs; scaled."),
    LAST_END(
            "minutes",
            computed("log(1 + x) / 10, rounded to 1/32"),
            "Remaining time of the last job that ends; scaled."),
    FREE_IN_AN_HOUR("ratio", SAME, "GPUs that are free or belong to jobs with less than an hour left, over all GPUs."),
    WAITING("jobs", logOfMore(5), "Of the core: waiting jobs, log(1 + jobs) / 5."),
    WAITING_GPUS(
            "GPUs per GPU",
            over(4).atMost(2),
            "Of the core: GPUs that waiting jobs demand over all GPUs, a quarter of it; at most 2.");

    /** Steps per unit of a scaled time: one is about a third of the time. */
    static final int TIME_STEPS = 32;

    /** Number of columns. */
    public static final int COUNT = values().length;

    private final String unit;
    // A record of numbers and an enum.
    @SuppressWarnings("ImmutableEnumChecker")
    private final ColumnScale scale;

    private final String text;

    NodeColumn(String unit, ColumnScale scale, String text) {
        this.unit = unit;
        this.scale = scale;
        this.text = text;
    }

    @Override
    public ColumnMeaning meaning() {
        return new ColumnMeaning(unit, scale.formula(), text);
    }

    /** The value of a quantity in the column's unit. */
    double value(double x) {
        return scale.value(x);
    }

    /** The columns, by which files of policies with an encoder are recognised. */
    public static ColumnSchema schema() {
        return ColumnSchema.of("node", Arrays.toString(values()));
    }
}
