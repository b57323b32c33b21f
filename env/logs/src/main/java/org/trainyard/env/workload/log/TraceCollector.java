package org.trainyard.env.workload.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.BadLine;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;

/** Gathers the rows of one trace file into a {@link Trace}, and their errors. */
public final class TraceCollector {
    private static final int BAD_LINES_KEPT = 20;
    private static final Comparator<TraceJob> BY_SUBMISSION = Comparator.comparingLong(TraceJob::submitNanos);
    private static final int IDS_OF_STREAM = 500_000;

    private final String file;
    private final TraceReader.Options options;
    private final RowFormat format;
    private final TraceColumns columns;
    private final LogNotes notes;
    private final LogRows rows;
    private final @Nullable Consumer<TraceJob> stream;

    private final List<TraceJob> jobs = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private final SortedMap<String, Integer> virtualClusters = new TreeMap<>();
    private final List<BadLine> badLines = new ArrayList<>();
    /** Whether submissions are dates in this file, where the format allows both. */
    private boolean dated;

    private long taken;
    private long kept;
    private long badLineCount;
    private long zeroDurations;
    private long unsorted;
    private long lastSubmitNanos;
    private long earliestNanos = Long.MAX_VALUE;

    /** @param stream is given each job, as its file has it, in place of the trace; or null */
    public TraceCollector(
            String file,
            TraceReader.Options options,
            RowFormat format,
            TraceColumns columns,
            @Nullable Consumer<TraceJob> stream) {
        this.file = file;
        this.options = options;
        this.format = format;
        this.columns = columns;
        this.stream = stream;
        notes = new LogNotes(new LogClock(options.zone()));
        rows = format.rows(new LogRows.Source(file, columns, options, notes, stream == null ? null : this::take));
    }

    /** The converter of the rows to jobs. */
    public LogRows rows() {
        return rows;
    }

    /** Takes one row: a job, a part of one, or a bad line. */
    public void add(List<String> fields, int line) {
        try {
            checkShape(fields);
            TraceRow row = new TraceRow(columns, fields, line);
            TraceJob job = rows.add(row);
            if (job == null) {
                return;
            }
            if (taken == 0) {
                dated = row.isDated();
            } else if (dated != row.isDated()) {
                throw new TraceFieldException(
                        "line",
                        fields.get(0),
                        dated ? "instants, as in the first job" : "times in seconds, as in the first job");
            }
            boolean keeps = stream == null || ids.size() < IDS_OF_STREAM;
            if (keeps ? !ids.add(job.id()) : ids.contains(job.id())) {
                throw new TraceFieldException(format.idColumn(), job.id(), "an id that no line above has");
            }
            take(job);
        } catch (TraceFieldException e) {
            bad(e, line, linesIn(fields));
        }
    }

    /** Counts a line that repeats the header, as in files put together. */
    void repeatedHeader() {
        note("%,d lines repeat the header; skipped.");
    }

    /** Counts something to be said: a sentence with one {@code %,d}. */
    void note(String sentence) {
        notes.note(sentence);
    }

    /** Reads an entry of a line that is not a row; an unusable entry is counted as a bad line. */
    public void read(int line, Runnable reading) {
        try {
            reading.run();
        } catch (TraceFieldException e) {
            bad(e, line, 1);
        }
    }

    private void bad(TraceFieldException e, int line, int lines) {
        zeroDurations += e.expected().equals(TraceRow.NOT_ZERO) ? 1 : 0;
        badLineCount += lines;
        // No text for the many that follow in a bad file.
        if (options.strict() || badLines.size() < BAD_LINES_KEPT) {
            BadLine bad = new BadLine(file, line, e.field(), e.value(), e.expected());
            if (options.strict()) {
                throw new InputException(bad.toString());
            }
            badLines.add(bad);
        }
    }

    private void checkShape(List<String> fields) {
        if (format.isOfSingleRows() && linesIn(fields) > 1) {
            throw new TraceFieldException(
                    "line", fields.get(0), "a closing quote on the same line; the lines up to it are lost");
        }
        boolean longer = fields.size() > columns.count()
                && fields.subList(columns.count(), fields.size()).stream().anyMatch(extra -> !extra.isBlank());
        if (fields.size() < columns.count() || longer) {
            throw new TraceFieldException(
                    "line", fields.size() + " fields", "%d, as %s has".formatted(columns.count(), format.shape()));
        }
    }

    private static int linesIn(List<String> fields) {
        int lines = 1;
        for (String field : fields) {
            for (int i = 0; i < field.length(); i++) {
                lines += field.charAt(i) == '\n' || field.charAt(i) == '\r' ? 1 : 0;
            }
        }
        return lines;
    }

    private void take(TraceJob job) {
        taken++;
        if (job.submitNanos() < lastSubmitNanos) {
            unsorted++;
        }
        lastSubmitNanos = job.submitNanos();
        earliestNanos = Math.min(earliestNanos, job.submitNanos());
        if (job.virtualCluster() != null && virtualClusters.size() < 100_000) {
            virtualClusters.merge(job.virtualCluster(), 1, Integer::sum);
        }
        if (options.virtualCluster() == null || options.virtualCluster().equals(job.virtualCluster())) {
            kept++;
            if (stream == null) {
                jobs.add(job);
            } else {
                stream.accept(job);
            }
        }
    }

    /** The trace; to be called once, after the last row. A streamed one has no jobs of its own. */
    public Trace finish() {
        rows.finish(this::take);
        LogEnd end = rows.end();
        if (taken == 0 && end.open().isEmpty()) {
            throw noJobs();
        }
        String wanted = options.virtualCluster();
        if (wanted != null && kept == 0 && end.open().isEmpty()) {
            throw InputException.at(
                    file + ", virtual cluster",
                    BadLine.printable(wanted),
                    virtualClusters.isEmpty()
                            ? "none, for the trace names no virtual clusters"
                            : "one of " + String.join(", ", virtualClusters.keySet()));
        }
        long earliest = earliestNanos;
        for (TraceJob job : end.open()) {
            earliest = Math.min(earliest, job.submitNanos());
        }
        long zero = isWallClock() ? earliest : 0;
        jobs.replaceAll(job -> job.submittedAt(job.submitNanos() - zero));
        jobs.sort(BY_SUBMISSION);
        return new Trace(
                name(), format, jobs, badLineCount, badLines, oddities(), leftOut(), rows.ranOn(), end(end, zero));
    }

    private LogEnd end(LogEnd end, long zero) {
        long last = end.nanos() - zero;
        for (TraceJob job : jobs) {
            LoggedRun past = job.past();
            last = Math.max(last, past == null ? job.submitNanos() : past.endNanos());
        }
        String wanted = options.virtualCluster();
        List<TraceJob> open = end.open().stream()
                .filter(job -> wanted == null || wanted.equals(job.virtualCluster()))
                .map(job -> job.submittedAt(job.submitNanos() - zero))
                .sorted(BY_SUBMISSION)
                .toList();
        return new LogEnd(last, zero, taken == 0 ? 0 : earliestNanos - zero, open, end.leftOut(), end.cancelledNanos());
    }

    private List<LeftOut> leftOut() {
        List<LeftOut> left = new ArrayList<>(rows.leftOut());
        if (badLineCount > 0) {
            left.add(new LeftOut(LeftOut.UNREADABLE, badLineCount, 0));
        }
        return left;
    }

    private InputException noJobs() {
        String first = badLines.isEmpty() ? "" : "; the first is " + badLines.get(0);
        List<LeftOut> left = rows.leftOut();
        String out = left.isEmpty()
                ? ""
                : "; " + String.join(" ", left.stream().map(LeftOut::sentence).toList());
        if (left.stream().anyMatch(LeftOut::isOpen)) {
            return Trace.noneEnded(file, format, left);
        }
        String found = badLineCount == 0 ? "no jobs" : Counted.of(badLineCount, "bad line");
        return InputException.at(file, found, "at least one readable job" + first + out);
    }

    private String name() {
        int slash = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'));
        String name = file.substring(slash + 1);
        for (String ending : List.of(".gz", ".csv", ".parquet", ".txt", ".json", ".trace", ".swf", ".log")) {
            name = name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
        }
        return name;
    }

    /** Whether submissions are since 1970: always in some formats, and in others when they are dates in this file. */
    private boolean isWallClock() {
        return format.wallClock() || dated || rows.isDated();
    }

    private List<String> oddities() {
        List<@Nullable String> said = new ArrayList<>();
        said.add(
                unsorted == 0
                        ? null
                        : Counted.say("%d rows are submitted before the row above them; sorted.", unsorted));
        said.add(zeroDurations == 0 ? null : Counted.say("%d rows have a duration of zero; left out.", zeroDurations));
        String wanted = options.virtualCluster();
        said.add(wanted == null ? null : Counted.say("Only virtual cluster %s: %d of %d jobs.", wanted, kept, taken));
        said.add(isWallClock() ? "Times are shown from the earliest submission on." : null);
        rows.leftOut().forEach(left -> said.add(left.sentence()));
        said.addAll(notes.remarks());
        said.addAll(rows.remarks(taken));
        List<String> unused = columns.names().stream()
                .filter(name -> !name.isEmpty() && !format.reads(name, columns))
                .map(BadLine::printable)
                .toList();
        said.add(unused.isEmpty() ? null : "Columns not used: %s.".formatted(String.join(", ", unused)));
        return said.stream().filter(Objects::nonNull).toList();
    }
}
