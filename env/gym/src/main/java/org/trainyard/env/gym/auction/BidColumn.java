package org.trainyard.env.gym.auction;

import static org.trainyard.env.gym.auction.ColumnScale.EXCESS;
import static org.trainyard.env.gym.auction.ColumnScale.FLAG;
import static org.trainyard.env.gym.auction.ColumnScale.MINUTES;
import static org.trainyard.env.gym.auction.ColumnScale.SAME;
import static org.trainyard.env.gym.auction.ColumnScale.computed;
import static org.trainyard.env.gym.auction.ColumnScale.log;
import static org.trainyard.env.gym.auction.ColumnScale.log2;
import static org.trainyard.env.gym.auction.ColumnScale.logOfMore;
import static org.trainyard.env.gym.auction.ColumnScale.over;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.trainyard.env.Column;
import org.trainyard.env.ColumnMeaning;
import org.trainyard.env.ColumnSchema;
import org.trainyard.env.InputException;

/**
 * The columns of a bid: of its job, of the set of servers it would take, and of the cluster. Columns that have no
 * meaning for a kind of bid are 0.
 *
 * <p>Durations are scaled as log(1 + minutes) / 10: 0 for none, 0.41 for an hour, 0.73 for a day. Pressures and
 * sensitivities are between 0 and 1. Remaining times are predictions times the Gittins index of their errors so far.
 */
public enum BidColumn implements Column {
    GPUS("GPUs", log2(6), "GPUs that the job demands."),
    REMAINING_TIME("minutes", MINUTES, "Remaining time of the job."),
    REMAINING_WORK("GPU minutes", MINUTES, "Remaining time times GPUs."),
    PREDICTED_TIME("minutes", MINUTES, "Predicted remaining time, with a floor after the prediction has passed."),
    WAITED("minutes", MINUTES, "Time since the job entered the queue."),
    WAITED_SHARE("ratio", SAME, "Time in the queue, as a share of it and the remaining time."),
    NETWORK_STRETCH("ratio", EXCESS, "Iteration time over the network, relative to inside a server."),
    PRESSURE_SOCKET("pressure", SAME, "Pressure on a socket."),
    PRESSURE_PCIE("pressure", SAME, "Pressure on PCIe and host memory."),
    PRESSURE_NIC("pressure", SAME, "Pressure on the network card."),
    SENSITIVITY_SOCKET("sensitivity", SAME, "Sensitivity to pressure on the socket."),
    SENSITIVITY_PCIE("sensitivity", SAME, "Sensitivity to pressure on PCIe."),
    SENSITIVITY_NIC("sensitivity", SAME, "Sensitivity to pressure on the network card."),
    PREEMPTIONS("preemptions", over(4).atMost(1), "Preemptions of the job so far."),
    POSITION("ratio", SAME, "Relative rank of the job by remaining time among the bidding jobs."),
    LONGER_THAN_SHORTEST("ratio", log(5).atMost(2), "Remaining time relative to the shortest bidding job."),
    CAN_CONSOLIDATE("flag", FLAG, "1 if a consolidated set is free for the job."),
    SERVERS("servers", over(4).atMost(2), "Servers of the set."),
    EXTRA_SERVERS("servers", over(4).atMost(2), "Servers of the set beyond the fewest on an empty cluster."),
    CONSOLIDATED("flag", FLAG, "1 if the set is consolidated: the fewest servers, in one rack if possible."),
    EXTRA_RACKS("racks", over(4).atMost(2), "Racks of the set beyond one."),
    OWN_SLOWDOWN("slowdown", EXCESS, "Predicted slowdown on the slowest server of the set, without GPU speed."),
    NEIGHBOUR_SLOWDOWN(
            "slowdown",
            SAME.atMost(2),
            "Predicted extra slowdown of all neighbours, weighted by their remaining time."),
    LEFTOVER("ratio", SAME.atMost(2), "Free GPUs left on the servers of the set, over the GPUs of the widest server."),
    FILLS("flag", FLAG, "1 if the set leaves no free GPU on its servers, or the job shares a GPU."),
    OPENS("servers", over(4).atMost(2), "Empty servers of the set; -1 if the job shares a GPU."),
    SPEED("ratio", SAME, "Speed of the slowest GPUs of the set, relative to the fastest of the cluster."),
    SLOW_FOR_LONG(
            "minutes",
            computed("(1 - SPEED / r) log(1 + x) / 10"),
            "Speed lost on the set times the remaining time; r is RING_SLOWDOWN + 1."),
    RINGS_ON_NIC("gangs", over(4).atMost(2), "Gangs that share the busiest network card of the set."),
    RINGS_ON_UPLINK("gangs", over(8).atMost(2), "Gangs that share the busiest rack uplink of the set."),
    STRETCH("ratio", EXCESS, "Predicted iteration time by the network of the set, relative to the ideal one."),
    SET_POSITION("ratio", SAME, "Relative rank of the set by cost among those of the job."),
    DEARER_THAN_CHEAPEST("cost", SAME.atMost(2), "Cost of the set beyond the job's cheapest."),
    FREE_AFTER("ratio", SAME.atLeast(-2), "Share of the GPUs that are free after the start."),
    EMPTY_AFTER("ratio", SAME, "Share of the servers that are empty after the start."),
    RACK_FREE_AFTER("ratio", SAME, "Share of the GPUs in the racks of the set that are free after the start."),
    PLAN_COST("cost", SAME.atMost(4), "Cost of the preemption plan."),
    PLAN_PREEMPTED("jobs", over(8).atMost(2), "Jobs that the plan preempts."),
    PLAN_MIGRATED("jobs", over(8).atMost(2), "Jobs that the plan migrates."),
    PLAN_LEAST_RUN("minutes", MINUTES, "Least run time so far of a victim of the plan, or of the moving job."),
    SPEED_UP("ratio", log(1).within(2), "Factor by which a move speeds the job up."),
    SAVED_TIME("minutes", MINUTES, "Time that a move saves."),
    PATIENT_HALF("flag", FLAG, "1 for delay scheduling over half of the remaining time."),
    PATIENT_ONCE("flag", FLAG, "1 for delay scheduling over the remaining time."),
    PATIENT_TWICE("flag", FLAG, "1 for delay scheduling over twice the remaining time."),
    PATIENT_FOR_EVER("flag", FLAG, "1 for delay scheduling without a limit."),
    FREE("ratio", SAME, "Share of the GPUs that are free."),
    EMPTY("ratio", SAME, "Share of the servers that are empty."),
    WAITING("jobs", logOfMore(5), "Waiting jobs."),
    RUNNING("jobs", logOfMore(5), "Running jobs."),
    WAITING_GPUS("GPUs per GPU", over(4).atMost(2), "GPUs that waiting jobs demand, over all GPUs."),
    PATIENT_SHARE("ratio", SAME, "Share of the waiting jobs under delay scheduling."),
    LARGEST_HOLE("ratio", SAME, "Greatest share of a server's GPUs that is free."),
    SHORTEST_TIME("minutes", MINUTES, "Remaining time of the shortest bidding job."),
    PART("ratio", SAME, "Fraction of a GPU that the job demands; 0 for whole GPUs."),
    PRESSURE_GPU("pressure", SAME, "Pressure on GPU time; 0 for whole GPUs."),
    SENSITIVITY_GPU("sensitivity", SAME, "Sensitivity to pressure on GPU time; 0 for whole GPUs."),
    SHARER_TIME("minutes", MINUTES, "Remaining time of the sharer: the longest-staying job on the GPU to share."),
    SHARER_PRESSURE_GPU("pressure", SAME, "Sharer's pressure on GPU time."),
    SHARER_PRESSURE_SOCKET("pressure", SAME, "Sharer's pressure on the socket."),
    SHARER_PRESSURE_PCIE("pressure", SAME, "Sharer's pressure on PCIe and host memory."),
    SHARER_SENSITIVITY_GPU("sensitivity", SAME, "Sharer's sensitivity to pressure on GPU time."),
    SHARER_SENSITIVITY_SOCKET("sensitivity", SAME, "Sharer's sensitivity to pressure on the socket."),
    SHARER_SENSITIVITY_PCIE("sensitivity", SAME, "Sharer's sensitivity to pressure on PCIe."),
    FRAGMENTATION("cost", SAME.within(2), "Cost of the fragmentation that the start adds."),
    CPU_LEFT("ratio", SAME, "Least share of CPU left on a server of the set; 0 if CPU is unlimited."),
    MEMORY_LEFT("ratio", SAME, "Least share of memory left on a server of the set; 0 if memory is unlimited."),
    SHARER_MEASURED("flag", FLAG, "1 if the slowdowns of this pair of models were measured in this run."),
    PAIR_ERROR("ratio", SAME.atMost(2), "Root mean square log error of the believed slowdowns of measured pairs."),
    RING_SLOWDOWN(
            "slowdown",
            EXCESS,
            "Slowdown by the ring of the set, relative to the widest ring; 0 if interiors are equal."),
    LINK_SENSITIVITY(
            "slowdown", EXCESS, "Slowdown of the job by the narrowest ring inside a server; 0 if interiors are equal."),
    LINKS_TAKEN("ratio", SAME, "Share of the widest rings of all sizes that the set takes from later gangs."),
    LINKS_FOR_LONG(
            "minutes",
            computed("x log(1 + minutes) / 10"),
            "Ring quality of the set's server when empty, times the remaining time."),
    WIDER_ELSEWHERE("flag", FLAG, "1 if a faster set of GPUs exists elsewhere, so waiting may pay off."),
    HOPS("forwards", over(2), "Times that the job has been forwarded."),
    SUMMARY_AGE("minutes", MINUTES, "Age of the other domain's summary."),
    LOAD_GAP("GPUs per GPU", SAME.within(2), "Waiting GPU demand per GPU of the own domain, less the other domain's."),
    FITS_THERE("flag", FLAG, "1 if the job fits into the free GPUs of the other domain."),
    FITS_HERE("flag", FLAG, "1 if the job also bids to start in the own domain."),
    NO_PREEMPTION("flag", FLAG, "1 if preemption is forbidden."),
    CHECKPOINT_INTERVAL(
            "minutes",
            MINUTES.atMost(1),
            "Time between two checkpoints; 0 if a preemption loses no work, 1 in the column if it loses all."),
    RESTART_TIME("minutes", MINUTES, "Restart cost of the job."),
    PAYS_RESTART("ratio", SAME.atMost(2), "Restart cost over the remaining time, if the job pays it at this start."),
    STAYS("flag", FLAG, "1 if the job has reached its limit of preemptions."),
    PLAN_RESTARTS(
            "cost",
            SAME.atMost(4),
            "Restart costs of the victims of the plan, or of the moving job, over their remaining times."),
    PLAN_LOST_WORK(
            "cost",
            SAME.atMost(4),
            "Lost work of the victims of the plan, or of the moving job, over their remaining times."),
    PLAN_OVERHEAD(
            "ratio",
            SAME.atMost(4),
            "GPU time of restarts and lost work, over the GPU time that the plan or move serves."),
    PLAN_PREEMPTIONS(
            "preemptions", over(4).atMost(1), "Most preemptions so far of a victim of the plan, or of the moving job."),
    PRIORITY("ratio", SAME, "Priority of the job, over the highest priority seen."),
    ACCOUNT_SHARE("ratio", SAME, "GPUs that the job's account holds, over all GPUs.");

    /** Number of columns. */
    public static final int COUNT = values().length;

    /** The numbers of columns that files of policies may have: shipped ones were saved with fewer. */
    private static final List<Integer> COUNTS = List.of(PLAN_PREEMPTIONS.index() + 1, COUNT);

    /**
     * Hand-crafted features: predicted slowdowns and stretches, those of links, ranks by them, products of two values,
     * and what a set leaves of its servers, racks and the cluster. The others say what the job, the shape of the set
     * and the cluster are, and what was measured of pairs.
     */
    public static final Set<BidColumn> ENGINEERED = Collections.unmodifiableSet(EnumSet.of(
            LONGER_THAN_SHORTEST,
            OWN_SLOWDOWN,
            NEIGHBOUR_SLOWDOWN,
            LEFTOVER,
            FILLS,
            OPENS,
            SLOW_FOR_LONG,
            RINGS_ON_NIC,
            RINGS_ON_UPLINK,
            STRETCH,
            SET_POSITION,
            DEARER_THAN_CHEAPEST,
            FREE_AFTER,
            EMPTY_AFTER,
            RACK_FREE_AFTER,
            LARGEST_HOLE,
            FRAGMENTATION,
            RING_SLOWDOWN,
            LINK_SENSITIVITY,
            LINKS_TAKEN,
            LINKS_FOR_LONG,
            WIDER_ELSEWHERE,
            LOAD_GAP));

    private final String unit;
    // A record of numbers and an enum.
    @SuppressWarnings("ImmutableEnumChecker")
    private final ColumnScale scale;

    private final String text;

    BidColumn(String unit, ColumnScale scale, String text) {
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

    /** A duration as columns have it. */
    static float scaledTime(double seconds) {
        return (float) MINUTES.value(seconds / 60);
    }

    /** The kinds of bids and their columns, by which files of policies are recognised. */
    public static ColumnSchema schema() {
        return schema(COUNT);
    }

    /**
     * The number of first columns that were all columns when a file with this hash was written.
     *
     * @throws InputException when no shipped policy has such columns
     */
    public static int count(Path file, String hash) {
        for (int count : COUNTS) {
            if (hash.equals(schema(count).hash())) {
                return count;
            }
        }
        schema().require(file.toString(), hash);
        return COUNT;
    }

    private static ColumnSchema schema(int columns) {
        BidColumn[] first = Arrays.copyOf(values(), columns);
        return ColumnSchema.of("bid", Arrays.toString(BidKind.values()) + "\n" + Arrays.toString(first));
    }
}
