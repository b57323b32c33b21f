package org.trainyard.env.workload.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.trace.log.LeftOut;
import org.trainyard.env.workload.trace.log.LogClock;
import org.trainyard.env.workload.trace.log.LogJob;
import org.trainyard.env.workload.trace.log.LogJobs;
import org.trainyard.env.workload.trace.log.TraceColumns;
import org.trainyard.env.workload.trace.log.TraceFieldException;
import org.trainyard.env.workload.trace.log.TraceRow;

/** Gathers the rows of one trace file into a {@link Trace}, and what is wrong with them. */
final class TraceCollector {
    private static final int BAD_LINES_KEPT = 20;
    private static final int IDS_OF_STREAM = 500_000;

    private final String file;
    private final TraceReader.Options options;
    private final TraceFormat format;
    private final TraceColumns columns;
    private final LogJobs log;
    private final RowJobs rows;
    private final @Nullable Consumer<TraceJob> stream;
    private final boolean single;

    private final List<TraceJob> jobs = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private final SortedMap<String, Integer> virtualClusters = new TreeMap<>();
    private final List<BadLine> badLines = new ArrayList<>();
    /** Whether submissions are dates in this file, where the format allows both. */
    private boolean dated;

    private final ShockwaveRow.Tally adaptive = new ShockwaveRow.Tally();
    private long taken;
    private long kept;
    private long badLineCount;
    private long zeroDurations;
    private long unsorted;
    private long lastSubmitNanos;
    private long earliestNanos = Long.MAX_VALUE;

    /** @param stream is given each job, as its file has it, in place of the trace; or null */
    TraceCollector(
            String file,
            TraceReader.Options options,
            TraceFormat format,
            TraceColumns columns,
            @Nullable Consumer<TraceJob> stream) {
        this.file = file;
        this.options = options;
        this.format = format;
        this.columns = columns;
        this.stream = stream;
        single = format.isOfSingleRows();
        log = new LogJobs(new LogClock(options.zone()), stream == null ? null : this::take);
        rows = new RowJobs(file, format, columns, options, log);
    }

    /** Takes one row: a job, a part of one, or a bad line. */
    void add(List<String> fields, int line) {
        try {
            checkShape(fields);
            TraceRow row = new TraceRow(columns, fields, line);
            TraceJob job = rows.add(row);
            if (job == null) {
                return;
            }
            if (taken == 0) {
                dated = row.isDated();
            } else if (dated != row.isDated() && format == TraceFormat.TRAINYARD) {
                throw new TraceFieldException(
                        "line",
                        fields.get(0),
                        dated ? "instants, as in the first job" : "times in seconds, as in the first job");
            }
            boolean keeps = stream == null || ids.size() < IDS_OF_STREAM;
            if (keeps ? !ids.add(job.id()) : ids.contains(job.id())) {
                throw new TraceFieldException(idColumn(), job.id(), "an id that no line above has");
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
        log.note(sentence);
    }

    /** Takes one object of a file of JSON, with what stands beside the list that it is from. */
    void add(JsonNode object, JsonNode beside, int line) {
        try {
            rows.add(object, beside, line);
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
        if (single && linesIn(fields) > 1) {
            throw new TraceFieldException(
                    "line", fields.get(0), "a closing quote on the same line; the lines up to it are lost");
        }
        boolean longer = fields.size() > columns.count()
                && fields.subList(columns.count(), fields.size()).stream().anyMatch(extra -> !extra.isBlank());
        if (fields.size() < columns.count() || longer) {
            throw new TraceFieldException(
                    "line",
                    fields.size() + " fields",
                    columns.count() + ", as "
                            + (format.hasHeader() || format == TraceFormat.NAMED ? "the header" : format.label())
                            + " has");
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

    private String idColumn() {
        return format == TraceFormat.NAMED ? "job" : format.required().get(0);
    }

    private void take(LogJob job) {
        take(RowJobs.traceJob(job));
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
            adaptive.add(job);
            if (stream == null) {
                jobs.add(job);
            } else {
                stream.accept(job);
            }
        }
    }

    /** The trace; to be called once, after the last row. A streamed one has no jobs of its own. */
    Trace finish() {
        rows.finish();
        log.finish(job -> take(job));
        if (taken == 0) {
            throw noJobs();
        }
        String wanted = options.virtualCluster();
        if (wanted != null && kept == 0) {
            throw InputException.at(
                    file + ", virtual cluster",
                    BadLine.printable(wanted),
                    virtualClusters.isEmpty()
                            ? "none, for the trace names no virtual clusters"
                            : "one of " + String.join(", ", virtualClusters.keySet()));
        }
        if (isWallClock()) {
            jobs.replaceAll(job -> job.submittedAt(job.submitNanos() - earliestNanos));
        }
        jobs.sort((a, b) -> Long.compare(a.submitNanos(), b.submitNanos()));
        return new Trace(name(), format, jobs, badLineCount, badLines, oddities(), leftOut(), log.ranOn());
    }

    private List<LeftOut> leftOut() {
        List<LeftOut> left = new ArrayList<>(log.leftOut());
        if (badLineCount > 0) {
            left.add(new LeftOut(LeftOut.UNREADABLE, badLineCount, 0));
        }
        return left;
    }

    private InputException noJobs() {
        String first = badLines.isEmpty() ? "" : "; the first is " + badLines.get(0);
        List<LeftOut> left = log.leftOut();
        String out = left.isEmpty()
                ? ""
                : "; " + String.join(" ", left.stream().map(RowJobs::sentence).toList());
        String found = badLineCount == 0 ? "no jobs" : "%d bad lines".formatted(badLineCount);
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
        said.add(unsorted == 0 ? null : "%d rows are submitted before the row above them; sorted.".formatted(unsorted));
        said.add(zeroDurations == 0 ? null : "%d rows have a duration of zero; left out.".formatted(zeroDurations));
        String wanted = options.virtualCluster();
        said.add(wanted == null ? null : "Only virtual cluster %s: %d of %d jobs.".formatted(wanted, kept, taken));
        said.add(isWallClock() ? "Times are shown from the earliest submission on." : null);
        log.leftOut().forEach(left -> said.add(RowJobs.sentence(left)));
        said.addAll(log.remarks(taken));
        said.add(format == TraceFormat.SHOCKWAVE ? adaptive.remark() : null);
        List<String> unused = columns.names().stream()
                .filter(name -> !name.isEmpty() && !rows.reads(name))
                .map(BadLine::printable)
                .toList();
        said.add(unused.isEmpty() ? null : "Columns not used: %s.".formatted(String.join(", ", unused)));
        return said.stream().filter(Objects::nonNull).toList();
    }
}
