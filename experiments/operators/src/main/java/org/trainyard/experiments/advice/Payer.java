package org.trainyard.experiments.advice;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.metrics.Distribution;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * A group of jobs, as they wait in a replay of today and as they would under a scheduler.
 *
 * @param scheduler under which they would
 * @param by gpus, user, account or qos
 * @param name of the group
 * @param hasMoreMean whether its mean wait grows by more than a minute and a twentieth, and clearly by its paired
 *     interval
 * @param hasMoreP95 the same of its p95 wait
 * @param now as they wait today, simulated where a replay of today exists
 * @param then as they would under the scheduler
 */
public record Payer(
        String scheduler,
        String by,
        String name,
        int jobs,
        @JsonIgnore boolean hasMoreMean,
        @JsonIgnore boolean hasMoreP95,
        Waits now,
        Waits then) {
    /** Waits in seconds. */
    public record Waits(Distribution waitS) {}

    /** Groups with the most jobs of each kind. */
    private static final int MOST = 12;

    private static final int LEAST_JOBS = 5;

    private static Payer of(String by, String name, List<Integer> jobs, LogOutcome now, LogOutcome then) {
        int[] places = jobs.stream().mapToInt(Integer::intValue).toArray();
        LogOutcome before = now.over(places);
        LogOutcome after = then.over(places);
        return new Payer(
                then.name(),
                by,
                name,
                places.length,
                grows(before, after, RankingMetric.MEAN_WAIT),
                grows(before, after, RankingMetric.P95_WAIT),
                new Waits(before.waits()),
                new Waits(after.waits()));
    }

    /** Whether it waits longer. */
    @JsonProperty
    public boolean pays() {
        return hasMoreMean || hasMoreP95;
    }

    /** Whether it has enough jobs to be named. */
    boolean isLarge() {
        return jobs >= LEAST_JOBS;
    }

    private static boolean grows(LogOutcome now, LogOutcome then, RankingMetric metric) {
        return now.jobs() >= LEAST_JOBS
                && then.value(metric) > 1.05 * now.value(metric) + 60
                && BlockBootstrap.saved(now.values(metric.ofJob()), then.values(metric.ofJob()), metric, 1)
                                .high()
                        < 0;
    }

    /**
     * The groups of some jobs.
     *
     * @param now and {@code then} of the same jobs, in their order
     */
    static List<Payer> of(List<TraceJob> jobs, LogOutcome now, LogOutcome then) {
        Map<String, Function<TraceJob, @Nullable String>> kinds = Map.of(
                "user", TraceJob::user,
                "account", job -> job.terms().account(),
                "qos", job -> job.terms().qos());
        List<Payer> all = new ArrayList<>();
        SizeWaits.groups(jobs, IntStream.range(0, jobs.size()).toArray())
                .forEach((most, members) -> all.add(of("gpus", SizeWaits.gpus(most), members, now, then)));
        for (String kind : List.of("account", "qos", "user")) {
            largest(jobs, kinds.getOrDefault(kind, job -> null), MOST)
                    .forEach(group -> all.add(of(kind, group.getKey(), group.getValue(), now, then)));
        }
        return all;
    }

    /**
     * The places of the jobs of the groups with the most jobs, the largest first; jobs without a name have no group.
     */
    static List<Map.Entry<String, List<Integer>>> largest(
            List<TraceJob> jobs, Function<TraceJob, @Nullable String> name, int most) {
        Map<String, List<Integer>> groups = new TreeMap<>();
        for (int i = 0; i < jobs.size(); i++) {
            String group = name.apply(jobs.get(i));
            if (group != null) {
                groups.computeIfAbsent(group, key -> new ArrayList<>()).add(i);
            }
        }
        return groups.entrySet().stream()
                .sorted(Comparator.comparingInt(group -> -group.getValue().size()))
                .limit(most)
                .toList();
    }

    /** The group in words, such as {@code account a}. */
    public String words() {
        return by.equals("gpus")
                ? "jobs of %s GPU%s".formatted(name, name.equals("1") ? "" : "s")
                : "%s %s".formatted(by, name);
    }

    /** The increase of the group's wait from today to the scheduler, in words. */
    String payment() {
        List<String> grown = new ArrayList<>();
        if (hasMoreMean) {
            grown.add(change("", now.waitS.mean(), then.waitS.mean()));
        }
        if (hasMoreP95) {
            grown.add(change("p95 ", now.waitS.p95(), then.waitS.p95()));
        }
        return "%s (%,d) %s".formatted(words(), jobs, String.join(", ", grown));
    }

    private static String change(String what, double from, double to) {
        return "%sfrom %s to %s".formatted(what, Durations.human(from), Durations.human(to));
    }
}
