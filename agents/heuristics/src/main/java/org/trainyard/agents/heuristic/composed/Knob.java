package org.trainyard.agents.heuristic.composed;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.backfill.Backfill;
import org.trainyard.agents.heuristic.classic.Srtf;
import org.trainyard.env.InputException;
import org.trainyard.env.scheduling.gpusets.GpuRule;
import org.trainyard.env.scheduling.preemption.PreemptionPlanner;

/**
 * A number of a member of the tuned family, {@link ComposedSettings}, with the value that its name omits and the values
 * that it may have.
 */
public enum Knob {
    /**
     * The longest wait for a placement on as few servers as the job would need on an empty cluster, in its predicted
     * run times; infinite to accept no wider one while any job runs.
     */
    DELAY(0, 0, "0 or more predicted run times, or never"),
    /**
     * Predicted interference (the slowdown of the pending job plus what it adds to those of its neighbours) above which
     * a job waits; infinite for no limit.
     */
    LIMIT(Double.POSITIVE_INFINITY, 1, "a slowdown of at least 1, or never"),
    /** The longest wait for less interference, in the job's predicted run times. */
    PATIENCE(2, 0, Double.MAX_VALUE, "0 or more run times"),
    /** The fraction of all GPUs that long jobs may hold together; one of them may always run. */
    SHARE(1, Double.MIN_VALUE, 1, "above 0, up to 1"),
    /** Predicted run time above which a job is long, hours. */
    LONG(4, 0, Double.MAX_VALUE, "hours, 0 or more"),
    /**
     * Least difference between the remaining times of the preempted and the pending job, seconds; for orders by
     * remaining time.
     */
    MARGIN(Srtf.DEFAULT_MARGIN_SECONDS, 0, "seconds, 0 or more"),
    /**
     * The greatest cost of a plan of {@link PreemptionPlanner} that is carried out to give a job a placement on the
     * fewest servers, the sum over victims of remaining time of the pending job over that of the victim; 0 to preempt
     * one victim after another without migrating any; only for orders by remaining time.
     */
    MIGRATE(0, 0, "the greatest cost of a plan, 0 or more, or never for no limit"),
    /**
     * The least time that the move of a running job to where it runs faster must save, minutes; infinite to move none;
     * only for orders by remaining time.
     */
    MOVE(Double.POSITIVE_INFINITY, 0, "minutes, 0 or more, or never"),
    /**
     * Factor on the restart and the lost work of a job, which count before it is preempted or moved: they lower its
     * remaining time, and raise the cost of a plan by their share of it, or what a move must save; only for orders by
     * remaining time.
     */
    CHARGE(0, 0, Double.MAX_VALUE, "0 or more"),
    /**
     * The most racks for which a delayed gang waits where one rack can hold it, and to which plans that make room keep
     * where one can be cleared: 1, or infinite for no limit; only for the placement {@code sets}, and for orders that
     * preempt with {@code migrate}. On a cluster whose GPUs are shared, plans then migrate jobs, too.
     */
    RACKS(Double.POSITIVE_INFINITY, 1, "1, or never for no limit"),
    /**
     * The exponent of a job's GPUs, by whose power its Gittins rank is multiplied: 0 for the least remaining time
     * first, 1 for the least remaining work; only for orders by Gittins ranks. Costs of plans are then of such ranks,
     * too.
     */
    WIDTH(0, 0, 2, "0 to 2"),
    /**
     * The most jobs that have reservations at once: the first in the order that cannot start; 0 for none, so that who
     * fits may pass, 1 for EASY backfill, infinite for one for every job, conservative backfill ({@link Backfill}). Not
     * beside migrate and move.
     */
    RESERVATIONS(0, 0, "0 or more jobs, or never for no limit"),
    /** Whether reservations go by predicted run times, 1, or by the time limits of jobs that have one, 0. */
    PREDICTED(0, 0, 1, "0 or 1"),
    /** The wait after which a job goes before all that wait less, whatever the order says; hours. */
    AGE(Double.POSITIVE_INFINITY, 0, "hours, 0 or more, or never"),
    /**
     * Which free GPUs of a server a gang takes where their links differ, and with that which server: the place of a
     * {@link GpuRule}. Their cost comes before that of the placement where this is not in slowdowns.
     */
    GPUS(GpuRule.SOCKET.number(), 0, GpuRule.PRESERVE.number(), "socket, widest or preserve"),
    /**
     * Slowdown by the ring of its GPUs above which a placement is slow: a job that is delayed, or held, does not take
     * it, as if it were not on the fewest servers; infinite for no placement.
     */
    SLOW(Double.POSITIVE_INFINITY, 1, "a slowdown of at least 1, or never"),
    /** The longest wait for a placement that is not slow, in predicted run times. */
    HOLD(0, 0, Double.MAX_VALUE, "0 or more predicted run times");

    private static final String NEVER = "never";

    private final double plain;
    private final double least;
    private final double most;
    private final String range;

    Knob(double plain, double least, String range) {
        this(plain, least, Double.POSITIVE_INFINITY, range);
    }

    Knob(double plain, double least, double most, String range) {
        this.plain = plain;
        this.least = least;
        this.most = most;
        this.range = range;
    }

    /** The value that names omit. */
    double plain() {
        return plain;
    }

    /** Key of the knob in names of schedulers. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The knob of this key; null when there is none. */
    static @Nullable Knob byKey(String key) {
        return Arrays.stream(values())
                .filter(knob -> knob.key().equals(key))
                .findFirst()
                .orElse(null);
    }

    /** All keys, for messages. */
    static String keys() {
        return Arrays.stream(values()).map(Knob::key).collect(Collectors.joining(", "));
    }

    /** Checks that a value is in the range of this knob. */
    void check(double value) {
        boolean isOneOfTwo = this == RACKS
                ? value == 1 || value == Double.POSITIVE_INFINITY
                : this != PREDICTED || value == 0 || value == 1;
        if (!(value >= least && value <= most && isOneOfTwo)) {
            throw InputException.at(ComposedSettings.PREFIX + " " + key(), value, range);
        }
    }

    /** A value of this knob as names have it. */
    String textOf(double value) {
        return this == GPUS ? ComposedNames.word(GpuRule.of(value)) : text(value);
    }

    /** The value of a text in a name, for messages. */
    double valueOf(String name, String text) {
        if (this != GPUS) {
            return parse(name, text);
        }
        for (GpuRule rule : GpuRule.values()) {
            if (rule != GpuRule.BOTH && ComposedNames.word(rule).equals(text)) {
                return rule.number();
            }
        }
        throw InputException.at("scheduler " + name, text, range);
    }

    private static String text(double value) {
        if (Double.isInfinite(value)) {
            return NEVER;
        }
        return value == Math.rint(value) && value < 1e9 ? String.valueOf((long) value) : String.valueOf(value);
    }

    /**
     * The value of a text in a name.
     *
     * @param name for messages
     */
    static double parse(String name, String text) {
        if (text.equals(NEVER)) {
            return Double.POSITIVE_INFINITY;
        }
        try {
            double number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with infinite values.
        }
        throw InputException.at("scheduler " + name, text, "a number, or never");
    }
}
