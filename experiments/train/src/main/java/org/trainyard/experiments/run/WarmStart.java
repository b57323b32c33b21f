package org.trainyard.experiments.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;

/**
 * What ran and waited when a window of a trace begins. Jobs that ran then are submitted at its zero with the time
 * they still needed, in the order of their starts; jobs that waited follow with all of theirs, in the order of
 * their submissions. A trace that does not say when jobs ran counts them as running from their submission on, which
 * leaves out the queue.
 *
 * <p>What a job had received before, its place and its waiting so far are not known to the schedulers.
 */
final class WarmStart {
    /** Every window begins with an empty cluster. */
    static final WarmStart NONE = new WarmStart(null);

    /**
     * By job, the last end of all jobs up to it, nanoseconds: no job further ahead can reach a window that begins
     * later. Null without warm starts.
     */
    private final long @Nullable [] lastEnds;

    private WarmStart(long @Nullable [] lastEnds) {
        this.lastEnds = lastEnds;
    }

    /** @param trace sorted by submission */
    static WarmStart of(List<TraceJob> trace) {
        long[] lastEnds = new long[trace.size()];
        long last = 0;
        for (int job = 0; job < lastEnds.length; job++) {
            last = Math.max(last, run(trace.get(job)).endNanos());
            lastEnds[job] = last;
        }
        return new WarmStart(lastEnds);
    }

    private static LoggedRun run(TraceJob job) {
        LoggedRun past = job.past();
        return past != null ? past : new LoggedRun(job.submitNanos(), job.submitNanos() + job.durationNanos());
    }

    /** The window of so many jobs from {@code first} on. O(jobs ahead that may still run). */
    Episodes.Jobs episode(List<TraceJob> trace, int first, int jobs) {
        long zero = trace.get(first).submitNanos();
        List<TraceJob> episode = new ArrayList<>();
        if (lastEnds != null) {
            for (int job = first - 1; job >= 0 && lastEnds[job] > zero; job--) {
                if (run(trace.get(job)).endNanos() > zero) {
                    episode.add(trace.get(job));
                }
            }
            episode.sort(Comparator.comparingLong((TraceJob job) -> Math.min(zero, run(job).startNanos()))
                    .thenComparingLong(TraceJob::submitNanos));
            episode.replaceAll(job -> atStart(job, zero));
        }
        int warm = episode.size();
        for (TraceJob job : trace.subList(first, first + jobs)) {
            episode.add(job.submittedAt(job.submitNanos() - zero));
        }
        return new Episodes.Jobs(List.copyOf(episode), warm);
    }

    private static TraceJob atStart(TraceJob job, long zero) {
        LoggedRun run = run(job);
        long left =
                run.startNanos() >= zero ? job.durationNanos() : Math.min(job.durationNanos(), run.endNanos() - zero);
        return job.ran(null).submittedAt(0).lasting(Math.max(1, left));
    }
}
