package org.trainyard.env.workload.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.BadLine;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;

/**
 * A trace as read: its jobs, and everything about the file that was not as it should be.
 *
 * @param name the file's name without its endings
 * @param format what it was read as
 * @param jobs sorted by submission, equal ones in the order of the file; empty only where the {@link LogEnd} has jobs
 * @param badLineCount lines that were not used
 * @param badLines the first of them, at most 20
 * @param oddities what else a careful reader would notice in the file, as sentences
 * @param leftOut jobs of the file that were left out, by reason
 * @param ranOn types of GPUs on which jobs ran that had asked for no type, where the file says so
 */
public record Trace(
        String name,
        LogFormat format,
        List<TraceJob> jobs,
        long badLineCount,
        List<BadLine> badLines,
        List<String> oddities,
        List<LeftOut> leftOut,
        SortedSet<String> ranOn,
        LogEnd end) {
    public Trace {
        jobs = List.copyOf(jobs);
        badLines = List.copyOf(badLines);
        oddities = List.copyOf(oddities);
        leftOut = List.copyOf(leftOut);
        ranOn = Collections.unmodifiableSortedSet(new TreeSet<>(ranOn));
    }

    /** A trace of which nothing was left out. */
    public Trace(
            String name,
            LogFormat format,
            List<TraceJob> jobs,
            long badLineCount,
            List<BadLine> badLines,
            List<String> oddities) {
        this(
                name,
                format,
                jobs,
                badLineCount,
                badLines,
                oddities,
                List.of(),
                Collections.emptySortedSet(),
                LogEnd.NONE);
    }

    /** Returns this trace with further remarks, as sentences. */
    public Trace noting(List<String> more) {
        List<String> all = new ArrayList<>(oddities);
        all.addAll(more);
        return new Trace(name, format, jobs, badLineCount, badLines, all, leftOut, ranOn, end);
    }

    /** Returns this trace with other jobs. */
    public Trace with(List<TraceJob> newJobs) {
        return new Trace(name, format, newJobs, badLineCount, badLines, oddities, leftOut, ranOn, end);
    }

    /** Refuses a trace of which no job has ended, though some run or wait. */
    public Trace requireEnded(String file) {
        if (jobs.isEmpty()) {
            throw noneEnded(file, format, ended().leftOut);
        }
        return this;
    }

    static InputException noneEnded(String file, LogFormat format, List<LeftOut> leftOut) {
        return InputException.at(
                file,
                "no job that ended",
                "a log of jobs that ended, such as sacct -a -P prints; this (format %s) lists jobs that run or wait, as for when --squeue FILE. %s"
                        .formatted(
                                format.label(),
                                String.join(
                                        " ",
                                        leftOut.stream().map(LeftOut::sentence).toList())));
    }

    /** Returns this trace as it is read where jobs that ran or waited at its end are left out. */
    public Trace ended() {
        if (end.leftOut().isEmpty()) {
            return this;
        }
        long zero = end.zeroNanos() == 0 ? 0 : end.firstNanos();
        List<String> said = new ArrayList<>(oddities);
        end.leftOut().forEach(one -> said.add(one.sentence()));
        List<LeftOut> left = new ArrayList<>(end.leftOut());
        left.addAll(leftOut);
        left.sort(Comparator.comparing((LeftOut one) -> one.reason().equals(LeftOut.UNREADABLE))
                .thenComparing(one -> !one.reason().startsWith(LeftOut.WAITING))
                .thenComparing(LeftOut::reason));
        return new Trace(
                name,
                format,
                jobs.stream()
                        .map(job -> job.submittedAt(job.submitNanos() - zero))
                        .toList(),
                badLineCount,
                badLines,
                said,
                left,
                ranOn,
                new LogEnd(end.nanos() - zero, end.zeroNanos() + zero, 0, List.of(), List.of(), List.of()));
    }
}
