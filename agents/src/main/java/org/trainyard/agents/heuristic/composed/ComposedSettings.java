package org.trainyard.agents.heuristic.composed;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.trainyard.agents.heuristic.classic.Srtf;
import org.trainyard.env.InputException;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.scheduling.placement.GangCandidates;
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
 *     without migrating any; only for {@link Order#SRTF} and {@link Order#GITTINS}
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
        List<Long> queueGpuSeconds) {
    /** The prefix of every name of the family. */
    public static final String PREFIX = "tuned:";

    private static final String NEVER = "never";
    private static final List<String> KEYS =
            List.of("delay", "limit", "patience", "share", "long", "margin", "migrate", "queues");

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
        GITTINS;

        /** Whether running jobs are preempted. */
        public boolean isPreemptive() {
            return this == LAS || isByRemainingTime();
        }

        /** Whether the order is that of estimated remaining times. */
        public boolean isByRemainingTime() {
            return this == SRTF || this == GITTINS;
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
        SETS;

        /** Whether the slowdown of a neighbour is weighted by the fraction of the pending job's run time in which both run. */
        boolean isWeighted() {
            return this == LIFW || this == SETS;
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
        if (migrate > 0 && !order.isByRemainingTime()) {
            throw InputException.at(
                    PREFIX + " migrate", order.name().toLowerCase(Locale.ROOT), "the order srtf or gittins");
        }
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
                List.of(3_600L, 36_000L));
    }

    /** These settings with another delay, in predicted run times. */
    public ComposedSettings withDelay(double newDelay) {
        return new ComposedSettings(
                order, placement, newDelay, limit, patience, share, longHours, marginSeconds, migrate, queueGpuSeconds);
    }

    /** These settings with another interference limit, and the longest wait for less interference in predicted run times. */
    public ComposedSettings withLimit(double newLimit, double newPatience) {
        return new ComposedSettings(
                order,
                placement,
                delay,
                newLimit,
                newPatience,
                share,
                longHours,
                marginSeconds,
                migrate,
                queueGpuSeconds);
    }

    /** These settings with another fraction of the GPUs for jobs above so many predicted hours. */
    public ComposedSettings withShare(double newShare, double newLongHours) {
        return new ComposedSettings(
                order,
                placement,
                delay,
                limit,
                patience,
                newShare,
                newLongHours,
                marginSeconds,
                migrate,
                queueGpuSeconds);
    }

    /** These settings with another greatest cost of a plan that preempts and migrates. */
    public ComposedSettings withMigrate(double newMigrate) {
        return new ComposedSettings(
                order, placement, delay, limit, patience, share, longHours, marginSeconds, newMigrate, queueGpuSeconds);
    }

    /** Whether the scheduler reads predicted run times. */
    public boolean needsPredictions() {
        boolean byOrder = order == Order.SJF || order == Order.SPWF || order.isByRemainingTime();
        boolean byDelay = delay > 0 && delay < Double.POSITIVE_INFINITY;
        return byOrder || byDelay || placement.isWeighted() || limit < Double.POSITIVE_INFINITY || share < 1;
    }

    /** The name, such as {@code tuned:spwf+lif+delay=2}; knobs with the values of {@link #of} are omitted. */
    public String name() {
        ComposedSettings plain = of(order, placement);
        StringBuilder name =
                new StringBuilder(PREFIX).append(word(order)).append('+').append(word(placement));
        for (String key : KEYS) {
            if (!value(key).equals(plain.value(key))) {
                name.append('+').append(key).append('=').append(value(key));
            }
        }
        return name.toString();
    }

    private String value(String key) {
        return switch (key) {
            case "delay" -> number(delay);
            case "limit" -> number(limit);
            case "patience" -> number(patience);
            case "share" -> number(share);
            case "long" -> number(longHours);
            case "margin" -> number(marginSeconds);
            case "migrate" -> number(migrate);
            default -> queueGpuSeconds.stream().map(String::valueOf).collect(Collectors.joining("/"));
        };
    }

    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return NEVER;
        }
        return value == Math.rint(value) && value < 1e9 ? String.valueOf((long) value) : String.valueOf(value);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The member of a name: {@code tuned:ORDER+PLACEMENT}, then any of {@code +delay=}, {@code +limit=}, {@code +patience=},
     * {@code +share=}, {@code +long=}, {@code +margin=}, {@code +migrate=}, {@code +queues=1/2/...}.
     *
     * @throws InputException when the name is not valid
     */
    public static ComposedSettings parse(String name) {
        String[] parts = name.substring(PREFIX.length()).split("\\+", -1);
        if (!name.startsWith(PREFIX) || parts.length < 2) {
            throw InputException.at("scheduler", name, "tuned:ORDER+PLACEMENT, such as tuned:spwf+lif+delay=2");
        }
        ComposedSettings settings =
                of(constant(name, parts[0], Order.values()), constant(name, parts[1], Placement.values()));
        for (String part : Arrays.asList(parts).subList(2, parts.length)) {
            int equals = part.indexOf('=');
            String key = equals < 0 ? part : part.substring(0, equals);
            if (equals < 0 || !KEYS.contains(key)) {
                throw InputException.at("scheduler " + name, part, "KEY=VALUE with a key of " + KEYS);
            }
            settings = settings.with(name, key, part.substring(equals + 1));
        }
        return settings;
    }

    private static <E extends Enum<E>> E constant(String name, String word, E[] constants) {
        for (E constant : constants) {
            if (word(constant).equals(word)) {
                return constant;
            }
        }
        String known = Arrays.stream(constants).map(ComposedSettings::word).collect(Collectors.joining(", "));
        throw InputException.at("scheduler " + name, word, "one of " + known);
    }

    private ComposedSettings with(String name, String key, String value) {
        Function<String, Double> number = asked -> key.equals(asked) ? number(name, value) : Double.NaN;
        return new ComposedSettings(
                order,
                placement,
                either(number.apply("delay"), delay),
                either(number.apply("limit"), limit),
                either(number.apply("patience"), patience),
                either(number.apply("share"), share),
                either(number.apply("long"), longHours),
                either(number.apply("margin"), marginSeconds),
                either(number.apply("migrate"), migrate),
                key.equals("queues") ? queues(name, value) : queueGpuSeconds);
    }

    private static double either(double given, double otherwise) {
        return Double.isNaN(given) ? otherwise : given;
    }

    private static List<Long> queues(String name, String value) {
        return Arrays.stream(value.split("/", -1))
                .map(limit -> (long) number(name, limit))
                .toList();
    }

    private static double number(String name, String value) {
        if (value.equals(NEVER)) {
            return Double.POSITIVE_INFINITY;
        }
        try {
            double number = Double.parseDouble(value);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with infinite values.
        }
        throw InputException.at("scheduler " + name, value, "a number, or never");
    }
}
