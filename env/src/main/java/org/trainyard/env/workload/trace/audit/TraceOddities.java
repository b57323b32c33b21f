package org.trainyard.env.workload.trace.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.trainyard.env.workload.trace.TraceJob;

/** Notices what is strange about the jobs of a trace. */
final class TraceOddities {
    /** With fewer jobs, chance alone makes patterns. */
    private static final int ENOUGH_JOBS = 50;

    private static final double SHARP_SECONDS = 300;
    private static final int BURST = 10;

    private final List<TraceJob> jobs;
    private final List<String> found = new ArrayList<>();

    private TraceOddities(List<TraceJob> jobs) {
        this.jobs = jobs;
    }

    /** A sentence for each. */
    static List<String> of(List<TraceJob> jobs) {
        TraceOddities oddities = new TraceOddities(jobs);
        if (!jobs.isEmpty()) {
            oddities.durations();
            oddities.demands();
            oddities.submissions();
            oddities.names();
        }
        return List.copyOf(oddities.found);
    }

    private void say(boolean strange, String sentence, Object... arguments) {
        if (strange) {
            found.add(String.format(Locale.ROOT, sentence, arguments));
        }
    }

    private void durations() {
        double[] seconds = jobs.stream()
                .mapToDouble(job -> job.durationNanos() / 1e9)
                .sorted()
                .toArray();
        double shortest = seconds[0];
        boolean same = jobs.size() > 1 && shortest == seconds[seconds.length - 1];
        say(same, "All durations are the same (%s s).", shortest);
        say(
                !same && jobs.size() >= ENOUGH_JOBS && (shortest >= SHARP_SECONDS || crowdedAtTheShortest(seconds)),
                "No job is shorter than %,.0f s; short ones were probably left out.",
                shortest);
    }

    /** Whether many jobs are nearly as short as the shortest: a tail that was cut, not one that ends. */
    private static boolean crowdedAtTheShortest(double[] sorted) {
        long near =
                Arrays.stream(sorted).filter(value -> value <= 2 * sorted[0]).count();
        return sorted.length >= 1000 && sorted[0] >= 30 && near >= 0.03 * sorted.length;
    }

    private void demands() {
        boolean powers = jobs.stream().allMatch(job -> Integer.bitCount(job.gpus()) == 1);
        boolean single = jobs.stream().allMatch(job -> job.gpus() == 1);
        say(jobs.size() >= ENOUGH_JOBS && single, "Every job asks for one GPU.");
        say(jobs.size() >= ENOUGH_JOBS && powers && !single, "GPU demands are powers of two only.");
    }

    private void submissions() {
        long[] times = jobs.stream().mapToLong(TraceJob::submitNanos).sorted().toArray();
        long span = times[times.length - 1] - times[0];
        if (span == 0) {
            say(jobs.size() > 1, "All jobs are submitted at one instant; there is no offered load.");
            return;
        }
        int longest = 0;
        int bursts = 0;
        long gap = 0;
        for (int from = 0, to = 0; from < times.length; from = to) {
            while (to < times.length && times[to] == times[from]) {
                to++;
            }
            bursts += to - from >= BURST ? 1 : 0;
            longest = Math.max(longest, to - from);
            gap = to < times.length ? Math.max(gap, times[to] - times[from]) : gap;
        }
        say(bursts > 0, "%,d times %d jobs or more are submitted at one instant, at most %,d.", bursts, BURST, longest);
        say(
                jobs.size() >= ENOUGH_JOBS && gap > span / 4,
                "For %s of %s nothing is submitted.",
                TraceStatistics.span(gap / 1e9),
                TraceStatistics.span(span / 1e9));
    }

    private void names() {
        long models =
                jobs.stream().map(TraceJob::model).filter(Objects::nonNull).count();
        say(jobs.stream().allMatch(job -> job.user() == null), "No job names its user.");
        say(jobs.stream().allMatch(job -> job.group() == null), "No job names the group it recurs in.");
        say(models == 0, "No job names its model.");
        say(models > 0 && models < jobs.size(), "%,d of %,d jobs name no model.", jobs.size() - models, jobs.size());
        int[] users = jobs.stream()
                .filter(job -> job.user() != null)
                .collect(Collectors.groupingBy(job -> Objects.requireNonNull(job.user()), Collectors.counting()))
                .values()
                .stream()
                .mapToInt(Long::intValue)
                .toArray();
        int busiest = Arrays.stream(users).max().orElse(0);
        say(
                users.length > 1 && jobs.size() >= ENOUGH_JOBS && busiest > jobs.size() / 2,
                "One user submits %,d of %,d jobs.",
                busiest,
                jobs.size());
    }
}
