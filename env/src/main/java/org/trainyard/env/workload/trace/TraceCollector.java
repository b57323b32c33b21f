package org.trainyard.env.workload.trace;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.log.TraceColumns;
import org.trainyard.env.workload.trace.log.TraceFieldException;
import org.trainyard.env.workload.trace.log.TraceRow;

/** Gathers the rows of one trace file into a {@link Trace}, and what is wrong with them. */
final class TraceCollector {
    private static final int BAD_LINES_KEPT = 20;

    private final String file;
    private final TraceReader.Options options;
    private final TraceFormat format;
    private final TraceColumns columns;
    /** Null for one job a row. */
    private final @Nullable RowFolder folder;

    private final List<TraceJob> jobs = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private final SortedMap<String, Integer> virtualClusters = new TreeMap<>();
    private final List<BadLine> badLines = new ArrayList<>();
    /** Whether submissions are dates in this file, where the format allows both. */
    private boolean dated;

    private long badLineCount;
    private long zeroDurations;
    private long unsorted;
    private long lastSubmitNanos;
    private long earliestNanos = Long.MAX_VALUE;

    TraceCollector(String file, TraceReader.Options options, TraceFormat format, TraceColumns columns) {
        this.file = file;
        this.options = options;
        this.format = format;
        this.columns = columns;
        folder = format.folder();
    }

    /** Takes one row: a job, or a bad line. */
    void add(List<String> fields, int line) {
        try {
            checkShape(fields);
            TraceRow row = new TraceRow(columns, fields, line);
            if (folder != null) {
                folder.add(row);
                return;
            }
            TraceJob job = format.parse(row);
            if (ids.isEmpty()) {
                dated = row.isDated();
            } else if (dated != row.isDated()) {
                throw new TraceFieldException(
                        "line",
                        fields.get(0),
                        dated ? "instants, as in the first job" : "times in seconds, as in the first job");
            }
            if (!ids.add(job.id())) {
                throw new TraceFieldException(idColumn(), job.id(), "an id that no line above has");
            }
            take(job);
        } catch (TraceFieldException e) {
            bad(new BadLine(file, line, e.field(), e.value(), e.expected()), linesIn(fields));
            if (e.expected().equals(TraceRow.NOT_ZERO)) {
                zeroDurations++;
            }
        }
    }

    private void checkShape(List<String> fields) {
        if (linesIn(fields) > 1) {
            throw new TraceFieldException(
                    "line", fields.get(0), "a closing quote on the same line; the lines up to it are lost");
        }
        boolean longer = fields.size() > columns.count()
                && fields.subList(columns.count(), fields.size()).stream().anyMatch(extra -> !extra.isBlank());
        if (fields.size() < columns.count() || longer) {
            throw new TraceFieldException(
                    "line",
                    "%d fields".formatted(fields.size()),
                    "%d, as %s has".formatted(columns.count(), format.headless() ? format.label() : "the header"));
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
        return format.required().get(0);
    }

    private void take(TraceJob job) {
        if (job.submitNanos() < lastSubmitNanos) {
            unsorted++;
        }
        lastSubmitNanos = job.submitNanos();
        earliestNanos = Math.min(earliestNanos, job.submitNanos());
        if (job.virtualCluster() != null) {
            virtualClusters.merge(job.virtualCluster(), 1, Integer::sum);
        }
        if (options.virtualCluster() == null || options.virtualCluster().equals(job.virtualCluster())) {
            jobs.add(job);
        }
    }

    private void bad(BadLine line, int lines) {
        if (options.strict()) {
            throw new InputException(line.toString());
        }
        badLineCount += lines;
        if (badLines.size() < BAD_LINES_KEPT) {
            badLines.add(line);
        }
    }

    /** The trace; to be called once, after the last row. */
    Trace finish() {
        if (folder != null) {
            for (TraceJob job : folder.jobs()) {
                ids.add(job.id());
                take(job);
            }
        }
        if (ids.isEmpty()) {
            throw noJobs();
        }
        String wanted = options.virtualCluster();
        if (wanted != null && jobs.isEmpty()) {
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
        return new Trace(name(), format, jobs, badLineCount, badLines, oddities());
    }

    private InputException noJobs() {
        String first = badLines.isEmpty() ? "" : "; the first is " + badLines.get(0);
        String left = folder == null || folder.remarks().isEmpty() ? "" : "; " + String.join(" ", folder.remarks());
        String found = badLineCount == 0 ? "no jobs" : "%d bad lines".formatted(badLineCount);
        return InputException.at(file, found, "at least one readable job" + first + left);
    }

    private String name() {
        int slash = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'));
        String name = file.substring(slash + 1);
        for (String ending : List.of(".gz", ".csv", ".txt", ".json", ".trace")) {
            name = name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
        }
        return name;
    }

    /** Whether submissions are since 1970: always in some formats, and in others when they are dates in this file. */
    private boolean isWallClock() {
        return format.wallClock() || dated;
    }

    private List<String> oddities() {
        List<@Nullable String> said = new ArrayList<>();
        said.add(unsorted == 0 ? null : "%d rows are submitted before the row above them; sorted.".formatted(unsorted));
        said.add(zeroDurations == 0 ? null : "%d rows have a duration of zero; left out.".formatted(zeroDurations));
        String wanted = options.virtualCluster();
        said.add(
                wanted == null
                        ? null
                        : "Only virtual cluster %s: %d of %d jobs.".formatted(wanted, jobs.size(), ids.size()));
        said.add(isWallClock() ? "Submission is a date; shown from the earliest row on." : null);
        if (folder != null) {
            said.addAll(folder.remarks());
        }
        said.add(format.remark(jobs));
        List<String> unused = columns.names().stream()
                .filter(name ->
                        !format.required().contains(name) && !format.optional().contains(name))
                .map(BadLine::printable)
                .toList();
        said.add(unused.isEmpty() ? null : "Columns not used: %s.".formatted(String.join(", ", unused)));
        return said.stream().filter(Objects::nonNull).toList();
    }
}
