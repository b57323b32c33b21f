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
 * <p>Durations are scaled as log(1 + minutes) / 10: 0 for none, 0.41 for an hour, 0.73 for a day. Remaining times
 * are predictions times the Gittins index of their errors so far.
 */
public enum BidColumn implements Column {
    GPUS("GPUs", log2(6), "Demand: binary logarithm of the GPUs over 6."),
    REMAINING_TIME("minutes", MINUTES, "Remaining time of the job; scaled."),
    REMAINING_WORK("GPU minutes", MINUTES, "Remaining time times GPUs; scaled."),
    PREDICTED_TIME(
            "minutes", MINUTES, "Predicted remaining time with a floor for jobs that outran their prediction; scaled."),
    WAITED("minutes", MINUTES, "Time since the job last entered the queue; scaled."),
    WAITED_SHARE("ratio", SAME, "Time in the queue over the sum of it and the remaining time."),
    NETWORK_STRETCH("ratio", EXCESS, "Iteration time over the network over that inside a server, less 1; at most 2."),
    PRESSURE_SOCKET("pressure", SAME, "Pressure on a socket, 0..1."),
    PRESSURE_PCIE("pressure", SAME, "Pressure on PCIe and host memory, 0..1."),
    PRESSURE_NIC("pressure", SAME, "Pressure on the network card, 0..1."),
    SENSITIVITY_SOCKET("sensitivity", SAME, "Sensitivity to pressure on the socket, 0..1."),
    SENSITIVITY_PCIE("sensitivity", SAME, "Sensitivity to pressure on PCIe, 0..1."),
    SENSITIVITY_NIC("sensitivity", SAME, "Sensitivity to pressure on the network card, 0..1."),
    PREEMPTIONS("preemptions", over(4).atMost(1), "How often the job has been preempted, a quarter of it; at most 1."),
    POSITION("ratio", SAME, "Place of the job among those that bid, by remaining time, over their greatest number."),
    LONGER_THAN_SHORTEST(
            "ratio",
            log(5).atMost(2),
            "Natural logarithm of the remaining time over the shortest of all jobs that bid, a fifth of it; at most 2."),
    CAN_CONSOLIDATE("flag", FLAG, "1 when a consolidated set is free for the job."),
    SERVERS("servers", over(4).atMost(2), "Servers of the set, a quarter of them; at most 2."),
    EXTRA_SERVERS(
            "servers",
            over(4).atMost(2),
            "Servers of the set beyond the fewest on an empty cluster, a quarter of them; at most 2."),
    CONSOLIDATED(
            "flag", FLAG, "1 when the set is consolidated: the fewest servers, in one rack where a rack has so many."),
    EXTRA_RACKS("racks", over(4).atMost(2), "Racks of the set beyond one, a quarter of them; at most 2."),
    OWN_SLOWDOWN(
            "slowdown",
            EXCESS,
            "Predicted slowdown on the slowest server of the set, GPU speed left out, less 1; at most 2."),
    NEIGHBOUR_SLOWDOWN(
            "slowdown",
            SAME.atMost(2),
            "Predicted extra slowdown of all neighbours, weighted by the time that they stay; at most 2."),
    LEFTOVER(
            "ratio",
            SAME.atMost(2),
            "Free GPUs left on the servers of the set over the GPUs of the widest server; at most 2."),
    FILLS(
            "flag",
            FLAG,
            "1 when no GPU stays free on any server of the set, or when the job goes beside another on its GPU."),
    OPENS(
            "servers",
            over(4).atMost(2),
            "Empty servers of the set, a quarter of them; at most 2. -1 when the job goes beside another on its GPU."),
    SPEED("ratio", SAME, "Speed of the slowest GPUs of the set over the fastest of the cluster."),
    SLOW_FOR_LONG(
            "minutes",
            computed("(1 - SPEED / r) log(1 + x) / 10"),
            "1 - SPEED, over the slowdown by the ring of GPUs where the links inside servers differ, times the scaled remaining time."),
    RINGS_ON_NIC(
            "gangs",
            over(4).atMost(2),
            "Gangs that already share the busiest network card of a set of several servers, a quarter of them; at most 2."),
    RINGS_ON_UPLINK(
            "gangs",
            over(8).atMost(2),
            "Gangs that already share the busiest rack uplink of a set of several racks, an eighth of them; at most 2."),
    STRETCH(
            "ratio",
            EXCESS,
            "Predicted iteration time of the set by its network, beside its ideal one, less 1; at most 2."),
    SET_POSITION("ratio", SAME, "Place of the set among those of the job, cheapest first, over their greatest number."),
    DEARER_THAN_CHEAPEST("cost", SAME.atMost(2), "Cost of the set beyond that of the job's cheapest; at most 2."),
    FREE_AFTER("ratio", SAME.atLeast(-2), "Free GPUs of the cluster after the start, over all its GPUs."),
    EMPTY_AFTER("ratio", SAME, "Empty servers of the cluster after the start, over all servers."),
    RACK_FREE_AFTER("ratio", SAME, "Free GPUs in the racks of the set after the start, over the GPUs there."),
    PLAN_COST("cost", SAME.atMost(4), "Cost of the preemption plan; at most 4."),
    PLAN_PREEMPTED("jobs", over(8).atMost(2), "Jobs that the plan preempts, an eighth of them; at most 2."),
    PLAN_MIGRATED("jobs", over(8).atMost(2), "Jobs that the plan migrates, an eighth of them; at most 2."),
    PLAN_LEAST_RUN(
            "minutes",
            MINUTES,
            "Shortest time that any victim of the plan, or the job that moves, has run so far; scaled."),
    SPEED_UP(
            "ratio", log(1).within(2), "Natural logarithm of the factor by which a move speeds the job up; at most 2."),
    SAVED_TIME("minutes", MINUTES, "Time that a move saves; scaled."),
    PATIENT_HALF("flag", FLAG, "1 when patience for half of the remaining time."),
    PATIENT_ONCE("flag", FLAG, "1 when patience for the remaining time."),
    PATIENT_TWICE("flag", FLAG, "1 when patience for twice the remaining time."),
    PATIENT_FOR_EVER("flag", FLAG, "1 when patience for ever."),
    FREE("ratio", SAME, "Free GPUs over all GPUs."),
    EMPTY("ratio", SAME, "Empty servers over all servers."),
    WAITING("jobs", logOfMore(5), "Natural logarithm of 1 + waiting jobs, a fifth of it."),
    RUNNING("jobs", logOfMore(5), "Natural logarithm of 1 + running jobs, a fifth of it."),
    WAITING_GPUS(
            "GPUs per GPU",
            over(4).atMost(2),
            "GPUs that waiting jobs demand over all GPUs, a quarter of it; at most 2."),
    PATIENT_SHARE("ratio", SAME, "Jobs that are patient now, over all waiting jobs."),
    LARGEST_HOLE("ratio", SAME, "Free GPUs on the server with most of them, over its GPUs."),
    SHORTEST_TIME("minutes", MINUTES, "Remaining time of the shortest job that bids; scaled."),
    PART("ratio", SAME, "Part of one GPU that the job asks for; 0 for whole GPUs."),
    PRESSURE_GPU("pressure", SAME, "Pressure on the time of the GPU, 0..1; 0 for whole GPUs."),
    SENSITIVITY_GPU("sensitivity", SAME, "Sensitivity to pressure on the time of the GPU, 0..1; 0 for whole GPUs."),
    SHARER_TIME(
            "minutes",
            MINUTES,
            "Remaining time of the sharer, the job that stays longest on the GPU that the job would share; scaled."),
    SHARER_PRESSURE_GPU("pressure", SAME, "Pressure of the sharer on the time of the GPU, 0..1."),
    SHARER_PRESSURE_SOCKET("pressure", SAME, "Pressure of the sharer on the socket, 0..1."),
    SHARER_PRESSURE_PCIE("pressure", SAME, "Pressure of the sharer on PCIe and host memory, 0..1."),
    SHARER_SENSITIVITY_GPU("sensitivity", SAME, "Sensitivity of the sharer to pressure on the time of the GPU, 0..1."),
    SHARER_SENSITIVITY_SOCKET("sensitivity", SAME, "Sensitivity of the sharer to pressure on the socket, 0..1."),
    SHARER_SENSITIVITY_PCIE("sensitivity", SAME, "Sensitivity of the sharer to pressure on PCIe, 0..1."),
    FRAGMENTATION(
            "cost", SAME.within(2), "Cost of the growth of fragmentation by the start; 0 where that does not count."),
    CPU_LEFT("ratio", SAME, "Least part of a server's CPU left free on the set; 0 where CPU has no limit."),
    MEMORY_LEFT("ratio", SAME, "Least part of a server's memory left free on the set; 0 where memory has no limit."),
    SHARER_MEASURED(
            "flag",
            FLAG,
            "1 when the slowdowns of the job's model and the sharer's beside each other were measured in this run."),
    PAIR_ERROR(
            "ratio",
            SAME.atMost(2),
            "Root mean square of the logarithms of measured over believed slowdowns, over the pairs of models measured in this run; at most 2."),
    RING_SLOWDOWN(
            "slowdown",
            EXCESS,
            "Slowdown by the ring of the set's GPUs beside the widest anywhere, less 1; at most 2. 0 where the links inside servers do not differ, as in the next four."),
    LINK_SENSITIVITY(
            "slowdown",
            EXCESS,
            "Slowdown of the job by the narrowest ring that it could have inside a server, less 1; at most 2."),
    LINKS_TAKEN("ratio", SAME, "What the next gangs lose by the set: the part of the widest rings of all sizes."),
    LINKS_FOR_LONG(
            "minutes",
            computed("x log(1 + minutes) / 10"),
            "The part of the widest rings that the set's server has when all its GPUs are free, times the scaled remaining time."),
    WIDER_ELSEWHERE(
            "flag", FLAG, "1 when the ring of the set is slower than another of the data centre: a wait may give it."),
    HOPS(
            "forwards",
            over(2),
            "How often the job has been forwarded, half of it. Of bids to forward, as the next four."),
    SUMMARY_AGE("minutes", MINUTES, "Age of what the agent knows of the other domain; scaled."),
    LOAD_GAP(
            "GPUs per GPU",
            SAME.within(2),
            "GPUs that waiting jobs of the own domain demand over its GPUs, less the same of the other domain."),
    FITS_THERE("flag", FLAG, "1 when the other domain has as many free GPUs as the job demands."),
    FITS_HERE("flag", FLAG, "1 when the job bids to start in the own domain."),
    NO_PREEMPTION("flag", FLAG, "1 when no job may be preempted."),
    CHECKPOINT_INTERVAL(
            "minutes",
            MINUTES.atMost(1),
            "Time between two checkpoints of a running job, whose work since the last is lost when it is preempted; scaled, 0 when it saves all, 1 when it saves nothing."),
    RESTART_TIME("minutes", MINUTES, "What a restart costs the job; scaled."),
    PAYS_RESTART(
            "ratio",
            SAME.atMost(2),
            "What a restart costs over the remaining time, for a job that pays it as it starts: one that has run before, or moves; at most 2."),
    STAYS("flag", FLAG, "1 when the job may not be preempted once it has started, for it has been as often as it may."),
    PLAN_RESTARTS(
            "cost",
            SAME.atMost(4),
            "What restarts cost the victims of the plan, or the job that moves, each over its remaining time; at most 4."),
    PLAN_LOST_WORK(
            "cost",
            SAME.atMost(4),
            "Work that the victims of the plan, or the job that moves, lose, each over its remaining time; at most 4."),
    PLAN_OVERHEAD(
            "ratio",
            SAME.atMost(4),
            "GPU time of restarts and lost work over the remaining GPU time of the job for which the plan makes room, or over that which a move saves; at most 4."),
    PLAN_PREEMPTIONS(
            "preemptions",
            over(4).atMost(1),
            "Most preemptions so far of any victim of the plan, or of the job that moves, a quarter of them; at most 1."),
    PRIORITY(
            "ratio",
            SAME,
            "Priority that the job says, over the highest that any job has said so far; 0 when it says none."),
    ACCOUNT_SHARE(
            "ratio", SAME, "GPUs that jobs of the job's account hold now, over all GPUs; 0 when it names no account.");

    /** Number of columns. */
    public static final int COUNT = values().length;

    /** The numbers of columns that files of policies may have: shipped ones were saved with fewer. */
    private static final List<Integer> COUNTS = List.of(PLAN_PREEMPTIONS.index() + 1, COUNT);

    /**
     * The columns that somebody thought out: predicted slowdowns and stretches, those of links, ranks by them, products of two
     * values, and what a set leaves of its servers, racks and the cluster. The others say what the job, the shape
     * of the set and the cluster are, and what was measured of pairs.
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

    /** Where the column is among those of a bid: the order of the constants. */
    @Override
    @SuppressWarnings("EnumOrdinal")
    public int index() {
        return ordinal();
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
