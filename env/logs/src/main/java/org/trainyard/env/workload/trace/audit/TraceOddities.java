package org.trainyard.env.workload.trace.audit;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.Counted;

/** Notices what is strange about the jobs of a trace. */
final class TraceOddities {
    /** Fewest jobs whose patterns are more than chance. */
    private static final int ENOUGH_JOBS = 50;

    private static final double SHARP_SECONDS = 300;
    private static final int BURST = 10;

    private final JobTally tally;
    private final List<String> found = new ArrayList<>();

    private TraceOddities(JobTally tally) {
        this.tally = tally;
    }

    /** A sentence for each. */
    static List<String> of(JobTally tally) {
        TraceOddities oddities = new TraceOddities(tally);
        if (tally.jobs() > 0) {
            oddities.durations();
            oddities.demands();
            oddities.submissions();
            oddities.names();
        }
        return List.copyOf(oddities.found);
    }

    private void say(boolean strange, String sentence, Object... arguments) {
        if (strange) {
            found.add(Counted.say(sentence, arguments));
        }
    }

    private void durations() {
        LogHistogram seconds = tally.durations();
        double shortest = seconds.min();
        boolean same = tally.jobs() > 1 && shortest == seconds.max();
        say(same, "All durations are the same (%s s).", shortest);
        say(
                !same && tally.jobs() >= ENOUGH_JOBS && (shortest >= SHARP_SECONDS || crowdedAtTheShortest(seconds)),
                "No job is shorter than %,.0f s; short ones were probably left out.",
                shortest);
    }

    /** Whether many jobs are nearly as short as the shortest: a tail that was cut, not one that ends. */
    private static boolean crowdedAtTheShortest(LogHistogram seconds) {
        return seconds.count() >= 1000
                && seconds.min() >= 30
                && seconds.atMost(2 * seconds.min()) >= 0.03 * seconds.count();
    }

    private void demands() {
        boolean powers = tally.widths().keySet().stream().allMatch(gpus -> Integer.bitCount(gpus) == 1);
        boolean single = tally.widths().keySet().stream().allMatch(gpus -> gpus == 1);
        say(tally.jobs() >= ENOUGH_JOBS && single, "Every job asks for one GPU.");
        say(tally.jobs() >= ENOUGH_JOBS && powers && !single, "GPU demands are powers of two only.");
    }

    private void submissions() {
        Submissions times = tally.submissions();
        long span = times.spanNanos();
        if (span == 0) {
            say(tally.jobs() > 1, "All jobs are submitted at one instant; there is no offered load.");
            return;
        }
        say(
                times.bursts() > 0,
                "%,d times %d jobs or more are submitted at one instant, at most %,d.",
                times.bursts(),
                BURST,
                times.mostAtOnce());
        say(
                tally.jobs() >= ENOUGH_JOBS && times.longestGapNanos() > span / 4,
                "For %s of %s nothing is submitted.",
                TraceStatistics.span(times.longestGapNanos() / 1e9),
                TraceStatistics.span(span / 1e9));
    }

    private void names() {
        int jobs = tally.jobs();
        long models = tally.models();
        say(!tally.namesUsers(), "No job names its user.");
        say(!tally.namesGroups(), "No job names the group it recurs in.");
        say(models == 0, "No job names its model.");
        say(models > 0 && models < jobs, "%,d of %,d jobs name no model.", jobs - models, jobs);
        int busiest = tally.ofBusiestUser();
        say(jobs >= ENOUGH_JOBS && busiest > jobs / 2, "One user submits %,d of %,d jobs.", busiest, jobs);
    }
}
