package org.trainyard.agents.heuristic.composed;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.trainyard.env.InputException;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.gpusets.GpuRule;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.scheduling.placement.GpuSpeeds;

/**
 * A member of the tuned family: what {@link ComposedScheduler} is composed of.
 *
 * @param order order of pending jobs
 * @param placement preferred servers among the fewest possible
 * @param knobs values that are not {@link Knob#plain}
 * @param queueGpuSeconds service at which a job is demoted to the next queue under {@link Order#LAS}, ascending,
 *     GPU-seconds
 */
public record ComposedSettings(Order order, Placement placement, Map<Knob, Double> knobs, List<Long> queueGpuSeconds) {
    /** The prefix of every name of the family. */
    public static final String PREFIX = "tuned:";

    static final String QUEUES = "queues";
    private static final List<Long> PLAIN_QUEUES = List.of(3_600L, 36_000L);

    /** The order of pending jobs, with backfilling. */
    public enum Order {
        /** By submission. */
        FIFO,
        /** By predicted run time. */
        SJF,
        /** By predicted run time times GPUs. */
        SPWF,
        /** By attained GPU time, in queues; preemptive. */
        LAS,
        /** By predicted remaining run time; preemptive. */
        SRTF,
        /** By the Gittins rank of predictions and their errors so far ({@link RemainingTimeEstimator}); preemptive. */
        GITTINS,
        /**
         * By the Gittins rank, but at most the time left until the limit on run times that finished jobs show;
         * preemptive.
         */
        GITTINS_LIMIT,
        /**
         * By predicted remaining run time over the factor by which the job is faster on the fastest GPUs of the cluster
         * than on the slowest ({@link GpuSpeeds}): jobs that gain most by fast GPUs go before others that are as short;
         * preemptive.
         */
        SPEEDUP;

        /** Whether running jobs are preempted. */
        public boolean isPreemptive() {
            return this == LAS || this == SPEEDUP || isByRemainingTime();
        }

        /** Whether the order differs from all others only where GPUs are of several types. */
        public boolean isForTypes() {
            return this == SPEEDUP;
        }

        /** Whether the order is that of estimated remaining times. */
        public boolean isByRemainingTime() {
            return this == SRTF || isByGittinsIndex();
        }

        /** Whether the order is that of Gittins ranks. */
        public boolean isByGittinsIndex() {
            return this == GITTINS || this == GITTINS_LIMIT;
        }
    }

    /** The preferred servers. */
    public enum Placement {
        /** The servers with the least room. */
        BEST_FIT,
        /** The first. */
        FIRST_FIT,
        /** The servers with the most room. */
        SPREAD,
        /** The servers with the least predicted interference. */
        LIF,
        /**
         * The servers with the least predicted interference, where the slowdown of a neighbour is weighted by the
         * fraction of the pending job's run time in which both run.
         */
        LIFW,
        /**
         * The cheapest whole set of {@link GangCandidates} among all racks, with the weights of {@code lifw}; for a
         * gang on several servers in one rack where a rack has one, else in two.
         */
        SETS,
        /** The servers on whose GPUs the job trains fastest, of equals those with the least room. */
        FASTEST;

        /**
         * Whether the slowdown of a neighbour is weighted by the fraction of the pending job's run time in which both
         * run.
         */
        boolean isWeighted() {
            return this == LIFW || this == SETS;
        }

        /** Whether the preference differs from all others only where GPUs are of several types. */
        public boolean isForTypes() {
            return this == FASTEST;
        }
    }

    public ComposedSettings {
        knobs.forEach((knob, value) -> knob.check(value));
        knobs = knobs.entrySet().stream()
                .filter(knob -> knob.getValue() != knob.getKey().plain())
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        String byRemainingTime = "the order srtf, gittins or gittins-limit";
        requireOrder(order.isByRemainingTime(), knobs, Knob.MIGRATE, order, byRemainingTime);
        requireOrder(order.isByRemainingTime(), knobs, Knob.MOVE, order, byRemainingTime);
        requireOrder(order.isByRemainingTime(), knobs, Knob.CHARGE, order, byRemainingTime);
        requireOrder(order.isByGittinsIndex(), knobs, Knob.WIDTH, order, "the order gittins or gittins-limit");
        requireOrder(knobs.containsKey(Knob.SLOW), knobs, Knob.HOLD, placement, "slow beside hold");
        requireOrder(placement == Placement.SETS, knobs, Knob.RACKS, placement, "the placement sets");
        // One victim after another, without regard to racks, would be preempted for a gang that then does not start.
        boolean clears = !order.isPreemptive() || knobs.containsKey(Knob.MIGRATE);
        requireOrder(clears, knobs, Knob.RACKS, order, "migrate above 0 beside this order");
        boolean reserves = knobs.containsKey(Knob.RESERVATIONS);
        boolean moves = knobs.containsKey(Knob.MIGRATE) || knobs.containsKey(Knob.MOVE);
        requireOrder(!moves, knobs, Knob.RESERVATIONS, order, "neither migrate nor move beside them");
        requireOrder(reserves, knobs, Knob.PREDICTED, order, "reservations above 0 beside it");
        queueGpuSeconds = List.copyOf(queueGpuSeconds);
        for (int i = 0; i < queueGpuSeconds.size(); i++) {
            if (queueGpuSeconds.get(i) <= (i == 0 ? 0 : queueGpuSeconds.get(i - 1))) {
                throw InputException.at(PREFIX + " " + QUEUES, queueGpuSeconds.get(i), "ascending GPU-seconds above 0");
            }
        }
    }

    private static void requireOrder(
            boolean isRight, Map<Knob, Double> knobs, Knob knob, Enum<?> with, String expected) {
        if (!isRight && knobs.containsKey(knob)) {
            throw InputException.at(PREFIX + " " + knob.key(), ComposedNames.word(with), expected);
        }
    }

    /**
     * An order and a placement with {@link Knob#plain plain} values, which are those of {@code srtf} and {@code las} in
     * the registry.
     */
    public static ComposedSettings of(Order order, Placement placement) {
        return new ComposedSettings(order, placement, Map.of(), PLAIN_QUEUES);
    }

    public double value(Knob knob) {
        return knobs.getOrDefault(knob, knob.plain());
    }

    /** Returns these settings with another value of a knob. */
    public ComposedSettings with(Knob knob, double value) {
        Map<Knob, Double> turned = new EnumMap<>(Knob.class);
        turned.putAll(knobs);
        turned.put(knob, value);
        return new ComposedSettings(order, placement, turned, queueGpuSeconds);
    }

    /** Returns these settings with other queues. */
    ComposedSettings withQueues(List<Long> queues) {
        return new ComposedSettings(order, placement, knobs, queues);
    }

    /** Whether the queues are those that names omit. */
    boolean hasPlainQueues() {
        return queueGpuSeconds.equals(PLAIN_QUEUES);
    }

    /** Whether these settings can have one rack; see {@link Knob#RACKS}. */
    public boolean canKeepToRack() {
        return placement == Placement.SETS && (!order.isPreemptive() || value(Knob.MIGRATE) > 0);
    }

    /** Whether placements together keep to one rack, where one can hold the gang. */
    boolean keepsToRack() {
        return value(Knob.RACKS) == 1;
    }

    /** Which free GPUs of a server a gang takes. */
    public GpuRule gpus() {
        return GpuRule.of(value(Knob.GPUS));
    }

    /** Whether the scheduler reads predicted run times. */
    public boolean needsPredictions() {
        boolean byOrder =
                order == Order.SJF || order == Order.SPWF || order == Order.SPEEDUP || order.isByRemainingTime();
        double delay = value(Knob.DELAY);
        boolean byDelay = delay > 0 && delay < Double.POSITIVE_INFINITY;
        return byOrder
                || byDelay
                || value(Knob.RESERVATIONS) > 0
                || placement.isWeighted()
                || value(Knob.LIMIT) < Double.POSITIVE_INFINITY
                || value(Knob.SHARE) < 1
                || value(Knob.HOLD) > 0;
    }

    /**
     * The name: {@code tuned-default} and the like for members that ship, else such as {@code tuned:spwf+lif+delay=2},
     * where knobs with the values of {@link #of} are omitted.
     */
    public String name() {
        return ComposedNames.of(this);
    }

    /** The name that says all knobs, of members that ship too. */
    public String nameWithKnobs() {
        return ComposedNames.withKnobs(this);
    }

    /** The short names of the members that ship. */
    public static List<String> shipped() {
        return List.copyOf(ComposedNames.SHIPPED.keySet());
    }

    /**
     * The member of a name: one of {@link #shipped}, or {@code tuned:ORDER+PLACEMENT}, then any of {@code +KEY=VALUE}
     * with the key of a {@link Knob}, and {@code +queues=1/2/...}.
     *
     * @throws InputException when the name is not valid
     */
    public static ComposedSettings parse(String name) {
        return ComposedNames.parse(name);
    }
}
