package org.trainyard.agents.heuristic.composed;

import java.util.List;
import java.util.function.Consumer;
import org.trainyard.agents.heuristic.classic.Srtf;
import org.trainyard.env.InputException;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.scheduling.preemption.PreemptionPlanner;

/**
 * A member of the tuned family: every knob of {@link ComposedScheduler}.
 *
 * @param order order of pending jobs
 * @param placement preferred servers among the fewest possible
 * @param delay the longest wait for a placement on as few servers as the job would need on an empty cluster, in its predicted run times;
 *     infinite to accept no wider one while any job runs
 * @param limit predicted interference (the slowdown of the pending job plus what it adds to those of its neighbours) above which a job
 *     waits; infinite for no limit
 * @param patience the longest wait for less interference, in the job's predicted run times
 * @param share the fraction of all GPUs that long jobs may hold together, above 0 to 1; one of them may always run
 * @param longHours predicted run time above which a job is long, hours
 * @param marginSeconds least difference between the remaining times of the preempted and the pending job under {@link Order#SRTF}, seconds
 * @param migrate the greatest cost of a plan of {@link PreemptionPlanner} that is carried out to give a job a placement on the fewest
 *     servers, the sum over victims of remaining time of the newcomer over that of the victim; 0 to preempt one victim after another
 *     without migrating any; only for orders by remaining time
 * @param move the least time that the move of a running job to where it runs faster must save, minutes; infinite to move none; only for
 *     orders by remaining time
 * @param racks the most racks for which a delayed gang waits where one rack can hold it, and to which plans that make room keep where one can be
 *     cleared: 1, or infinite for no limit; only for {@link Placement#SETS}, and for orders that preempt with {@code migrate}. On a cluster whose GPUs are shared, plans then migrate jobs, too
 * @param width the exponent of a job's GPUs, by whose power its Gittins rank is multiplied: 0 for the least remaining time first, 1 for the least remaining
 *     work; only for orders by Gittins ranks. Costs of plans are then of such ranks, too
 * @param queueGpuSeconds service at which a job is demoted to the next queue under {@link Order#LAS}, ascending, GPU-seconds
 */
public record ComposedSettings(
        Order order,
        Placement placement,
        double delay,
        double limit,
        double patience,
        double share,
        double longHours,
        double marginSeconds,
        double migrate,
        double move,
        double racks,
        double width,
        List<Long> queueGpuSeconds) {
    /** The prefix of every name of the family. */
    public static final String PREFIX = "tuned:";

    private static final double MOST_WIDTH = 2;

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
        /** The same, at most what is left until the limit on run times that finished jobs show; preemptive. */
        GITTINS_LIMIT,
        /**
         * By predicted remaining run time over the factor by which the job is faster on the fastest GPUs of the cluster than on the slowest
         * ({@link GpuSpeeds}): jobs that gain most by fast GPUs go before others that are as short; preemptive.
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
        /** Those with the least room. */
        BEST_FIT,
        /** The first. */
        FIRST_FIT,
        /** Those with the most room. */
        SPREAD,
        /** Those with the least predicted interference. */
        LIF,
        /** The same, with the slowdown of a neighbour weighted by the fraction of the pending job's run time in which both run. */
        LIFW,
        /**
         * The cheapest whole set of {@link GangCandidates} among all racks, with the weights of {@code lifw}; for a gang on several servers in
         * one rack where a rack has one, else in two.
         */
        SETS,
        /** Those on whose GPUs the job trains fastest, of equals those with the least room. */
        FASTEST;

        /** Whether the slowdown of a neighbour is weighted by the fraction of the pending job's run time in which both run. */
        boolean isWeighted() {
            return this == LIFW || this == SETS;
        }

        /** Whether the preference differs from all others only where GPUs are of several types. */
        public boolean isForTypes() {
            return this == FASTEST;
        }
    }

    public ComposedSettings {
        require(delay >= 0, "delay", delay, "0 or more predicted run times, or never");
        require(limit >= 1, "limit", limit, "a slowdown of at least 1, or never");
        require(patience >= 0 && patience < Double.POSITIVE_INFINITY, "patience", patience, "0 or more run times");
        require(share > 0 && share <= 1, "share", share, "above 0, up to 1");
        require(longHours >= 0 && longHours < Double.POSITIVE_INFINITY, "long", longHours, "hours, 0 or more");
        require(marginSeconds >= 0, "margin", marginSeconds, "seconds, 0 or more");
        require(migrate >= 0, "migrate", migrate, "the greatest cost of a plan, 0 or more, or never for no limit");
        require(move >= 0, "move", move, "minutes, 0 or more, or never");
        boolean isByRemainingTime = order.isByRemainingTime();
        String word = ComposedNames.word(order);
        String byRemainingTime = "the order srtf, gittins or gittins-limit";
        require(migrate == 0 || isByRemainingTime, "migrate", word, byRemainingTime);
        require(move == Double.POSITIVE_INFINITY || isByRemainingTime, "move", word, byRemainingTime);
        require(racks == 1 || racks == Double.POSITIVE_INFINITY, "racks", racks, "1, or never for no limit");
        String where = ComposedNames.word(placement);
        require(racks > 1 || placement == Placement.SETS, "racks", where, "the placement sets");
        require(width >= 0 && width <= MOST_WIDTH, "width", width, "0 to %s".formatted(MOST_WIDTH));
        require(width == 0 || order.isByGittinsIndex(), "width", word, "the order gittins or gittins-limit");
        // One victim after another, without regard to racks, would be preempted for a gang that then does not start.
        require(racks > 1 || !order.isPreemptive() || migrate > 0, "racks", word, "migrate above 0 beside this order");
        queueGpuSeconds = List.copyOf(queueGpuSeconds);
        for (int i = 0; i < queueGpuSeconds.size(); i++) {
            long above = i == 0 ? 0 : queueGpuSeconds.get(i - 1);
            require(queueGpuSeconds.get(i) > above, "queues", queueGpuSeconds.get(i), "ascending GPU-seconds above 0");
        }
    }

    private static void require(boolean isRight, String key, Object value, String expected) {
        if (!isRight) {
            throw InputException.at(PREFIX + " " + key, value, expected);
        }
    }

    /** An order and a placement without delay; the other knobs have the values of {@code srtf} and {@code las} in the registry. */
    public static ComposedSettings of(Order order, Placement placement) {
        return new ComposedSettings(
                order,
                placement,
                0,
                Double.POSITIVE_INFINITY,
                2,
                1,
                4,
                Srtf.DEFAULT_MARGIN_SECONDS,
                0,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                0,
                List.of(3_600L, 36_000L));
    }

    /** The knobs of settings, to make others of. */
    static final class Knobs {
        private final Order order;
        private final Placement placement;
        double delay;
        double limit;
        double patience;
        double share;
        double longHours;
        double marginSeconds;
        double migrate;
        double move;
        double racks;
        double width;
        List<Long> queueGpuSeconds;

        private Knobs(ComposedSettings settings) {
            order = settings.order;
            placement = settings.placement;
            delay = settings.delay;
            limit = settings.limit;
            patience = settings.patience;
            share = settings.share;
            longHours = settings.longHours;
            marginSeconds = settings.marginSeconds;
            migrate = settings.migrate;
            move = settings.move;
            racks = settings.racks;
            width = settings.width;
            queueGpuSeconds = settings.queueGpuSeconds;
        }

        private ComposedSettings settings() {
            return new ComposedSettings(
                    order,
                    placement,
                    delay,
                    limit,
                    patience,
                    share,
                    longHours,
                    marginSeconds,
                    migrate,
                    move,
                    racks,
                    width,
                    queueGpuSeconds);
        }
    }

    /** These settings with some knobs turned. */
    ComposedSettings with(Consumer<Knobs> turn) {
        Knobs knobs = new Knobs(this);
        turn.accept(knobs);
        return knobs.settings();
    }

    /** These settings with another delay, in predicted run times. */
    public ComposedSettings withDelay(double newDelay) {
        return with(knobs -> knobs.delay = newDelay);
    }

    /** These settings with another interference limit, and the longest wait for less interference in predicted run times. */
    public ComposedSettings withLimit(double newLimit, double newPatience) {
        return with(knobs -> {
            knobs.limit = newLimit;
            knobs.patience = newPatience;
        });
    }

    /** These settings with another fraction of the GPUs for jobs above so many predicted hours. */
    public ComposedSettings withShare(double newShare, double newLongHours) {
        return with(knobs -> {
            knobs.share = newShare;
            knobs.longHours = newLongHours;
        });
    }

    /** These settings with another greatest cost of a plan that preempts and migrates. */
    public ComposedSettings withMigrate(double newMigrate) {
        return with(knobs -> knobs.migrate = newMigrate);
    }

    /** These settings with another least time that the move of a running job must save, minutes. */
    public ComposedSettings withMove(double newMove) {
        return with(knobs -> knobs.move = newMove);
    }

    /** These settings with another exponent of the GPUs in the order. */
    public ComposedSettings withWidth(double newWidth) {
        return with(knobs -> knobs.width = newWidth);
    }

    /** These settings with placements together in one rack, where one can hold the gang. */
    public ComposedSettings withOneRack() {
        return with(knobs -> knobs.racks = 1);
    }

    /** Whether these settings can have one rack; see {@link #racks}. */
    public boolean canKeepToRack() {
        return placement == Placement.SETS && (!order.isPreemptive() || migrate > 0);
    }

    /** Whether placements together keep to one rack, where one can hold the gang. */
    boolean keepsToRack() {
        return racks == 1;
    }

    /** Whether the scheduler reads predicted run times. */
    public boolean needsPredictions() {
        boolean byOrder =
                order == Order.SJF || order == Order.SPWF || order == Order.SPEEDUP || order.isByRemainingTime();
        boolean byDelay = delay > 0 && delay < Double.POSITIVE_INFINITY;
        return byOrder || byDelay || placement.isWeighted() || limit < Double.POSITIVE_INFINITY || share < 1;
    }

    /** The name, such as {@code tuned:spwf+lif+delay=2}; knobs with the values of {@link #of} are omitted. */
    public String name() {
        return ComposedNames.of(this);
    }

    /**
     * The member of a name: {@code tuned:ORDER+PLACEMENT}, then any of {@code +delay=}, {@code +limit=}, {@code +patience=},
     * {@code +share=}, {@code +long=}, {@code +margin=}, {@code +migrate=}, {@code +move=}, {@code +racks=1}, {@code +width=},
     * {@code +queues=1/2/...}.
     *
     * @throws InputException when the name is not valid
     */
    public static ComposedSettings parse(String name) {
        return ComposedNames.parse(name);
    }
}
