package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.metrics.Distribution;

/**
 * A group of jobs, as they waited and as they would wait under a scheduler.
 *
 * @param scheduler under which they would
 * @param by gpus, user, account or qos
 * @param name of the group
 * @param pays whether its mean or p95 grows by more than a minute and a twentieth
 * @param past as they waited
 * @param then as they would under the scheduler
 */
public record Payer(String scheduler, String by, String name, int jobs, boolean pays, Waits past, Waits then) {
    /** Waits in seconds. */
    public record Waits(Distribution waitS) {}

    /** Groups with the most jobs of each kind. */
    private static final int MOST = 12;

    private static final int LEAST_JOBS = 5;

    private static Payer of(String scheduler, String by, String name, int jobs, Distribution past, Distribution then) {
        boolean pays = jobs >= LEAST_JOBS && (grows(past.mean(), then.mean()) || grows(past.p95(), then.p95()));
        return new Payer(scheduler, by, name, jobs, pays, new Waits(past), new Waits(then));
    }

    /** Whether it has enough jobs to be named. */
    boolean isLarge() {
        return jobs >= LEAST_JOBS;
    }

    private static boolean grows(double was, double is) {
        return is > 1.05 * was + 60;
    }

    /**
     * The groups of some jobs.
     *
     * @param past and {@code then} of the same jobs, in their order
     */
    static List<Payer> of(List<TraceJob> jobs, LogOutcome past, LogOutcome then) {
        Map<String, Function<TraceJob, @Nullable String>> kinds = Map.of(
                "user", TraceJob::user,
                "account", job -> job.terms().account(),
                "qos", job -> job.terms().qos());
        List<Payer> all = new ArrayList<>();
        for (SizeWaits size : SizeWaits.of(jobs, IntStream.range(0, jobs.size()).toArray(), List.of(past, then))) {
            List<Distribution> waits = List.copyOf(size.waits().values());
            all.add(of(then.name(), "gpus", size.gpus(), size.jobs(), waits.get(0), waits.get(1)));
        }
        for (String kind : List.of("account", "qos", "user")) {
            all.addAll(named(kind, kinds.getOrDefault(kind, job -> null), jobs, past, then));
        }
        return all;
    }

    private static List<Payer> named(
            String kind,
            Function<TraceJob, @Nullable String> name,
            List<TraceJob> jobs,
            LogOutcome past,
            LogOutcome then) {
        Map<String, List<Integer>> groups = new TreeMap<>();
        for (int i = 0; i < jobs.size(); i++) {
            String group = name.apply(jobs.get(i));
            if (group != null) {
                groups.computeIfAbsent(group, key -> new ArrayList<>()).add(i);
            }
        }
        return groups.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, List<Integer>> one) ->
                        -one.getValue().size()))
                .limit(MOST)
                .map(one -> {
                    int[] places =
                            one.getValue().stream().mapToInt(Integer::intValue).toArray();
                    return of(
                            then.name(),
                            kind,
                            one.getKey(),
                            places.length,
                            past.over(places).waits(),
                            then.over(places).waits());
                })
                .toList();
    }

    /** Such as {@code account a}. */
    public String words() {
        return by.equals("gpus")
                ? "jobs of %s GPU%s".formatted(name, name.equals("1") ? "" : "s")
                : "%s %s".formatted(by, name);
    }

    /** Wait of the group in the past and under the scheduler. */
    String payment() {
        return "%s (%,d) from %s to %s, p95 from %s to %s"
                .formatted(
                        words(),
                        jobs,
                        Durations.human(past.waitS.mean()),
                        Durations.human(then.waitS.mean()),
                        Durations.human(past.waitS.p95()),
                        Durations.human(then.waitS.p95()));
    }
}
