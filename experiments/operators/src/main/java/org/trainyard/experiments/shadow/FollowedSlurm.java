package org.trainyard.experiments.shadow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.log.BarredName;
import org.trainyard.env.workload.log.LogClock;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.trace.slurm.SlurmDuration;
import org.trainyard.experiments.drive.LiveJob;
import org.trainyard.experiments.drive.LiveSnapshot;
import org.trainyard.experiments.drive.slurm.SlurmSnapshot;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.journal.EntryLog;
import org.trainyard.experiments.slurm.SlurmCommands;
import org.trainyard.experiments.slurm.UnansweredException;

/**
 * Log of a real Slurm, followed by polls of its accounting. Every new or changed row is on the disk before it is used,
 * so that a killed process resumes from its last poll; polls ask from a day before the last one.
 */
public final class FollowedSlurm implements AutoCloseable {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter INSTANT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssXXX", Locale.ROOT);
    private static final List<String> HEADER = List.of(SlurmCommands.COLUMNS.split(",", -1));
    private static final BarredName BARRED = new BarredName(HEADER);
    private static final long NO_LIMIT_SECONDS = 86_400;

    /** An entry of the log: a row that is new or changed. */
    private record Row(String row) {}

    /** An entry of the log: a finished poll, with the state of the queue, where it is known. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Poll(
            String poll,
            @Nullable Map<String, Integer> pending,
            @Nullable Map<String, Integer> nodesOut) {}

    private final ZoneId zone;
    private final LogClock clock;
    private final EntryLog log;
    /** By job and submission, the last row. */
    private final Map<String, String> rows = new LinkedHashMap<>();

    private final Map<String, Integer> reasons = new TreeMap<>();
    private final Map<String, Integer> nodesOut = new TreeMap<>();
    private @Nullable LiveSnapshot seen;
    private @Nullable Instant lastPoll;
    private int polls;

    /**
     * Opens the log.
     *
     * @param file write-ahead, made when it is absent
     * @param zone in which Slurm's commands write times, by the rule of {@link LogClock}
     */
    public FollowedSlurm(Path file, ZoneId zone) {
        this.zone = zone;
        clock = new LogClock(zone);
        log = new EntryLog(file, this::take);
    }

    private void take(JsonNode entry) {
        if (entry.has("row")) {
            String row = entry.get("row").asText();
            rows.put(key(cells(row)), row);
        } else {
            lastPoll = Instant.ofEpochSecond(
                    0, clock.nanos("poll", entry.path("poll").asText(), 0));
            polls++;
            most(entry.path("pending"), reasons);
            most(entry.path("nodes_out"), nodesOut);
        }
    }

    private static void most(JsonNode counts, Map<String, Integer> most) {
        counts.properties()
                .forEach(one -> most.merge(one.getKey(), one.getValue().asInt(), Math::max));
    }

    private static String key(String[] cells) {
        return cell(cells, "JobIDRaw") + " " + cell(cells, "Submit");
    }

    private static String[] cells(String row) {
        List<String> cells = List.of(row.split("\\|", -1));
        return (cells.size() > HEADER.size() ? BARRED.mended(cells) : cells).toArray(String[]::new);
    }

    private static String cell(String[] cells, String column) {
        return cells[HEADER.indexOf(column)];
    }

    /** Polls once, at this time; returns the number of rows that are new or changed. */
    public int poll(SlurmCommands commands, Instant now, Instant first) {
        Instant since = lastPoll == null ? first : first.isAfter(oldest(now)) ? first : oldest(now);
        String text = commands.accounting(TIME.format(since.atZone(zone)));
        List<JsonNode> entries = new ArrayList<>();
        List<String> lines = text.lines().toList();
        if (lines.isEmpty() || !lines.get(0).equals(String.join("|", HEADER))) {
            throw InputException.at(
                    "sacct", lines.isEmpty() ? "nothing" : lines.get(0), "the header " + String.join("|", HEADER));
        }
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = cells(line);
            if (cells.length == HEADER.size() && !line.equals(rows.get(key(cells)))) {
                entries.add(JsonText.tree(new Row(line)));
            }
        }
        int changed = entries.size();
        seen = look(commands);
        Map<String, Integer> pending = seen == null
                ? null
                : counts(seen.jobs().values().stream()
                        .filter(job -> job.stage() == LiveJob.Stage.PENDING)
                        .map(LiveJob::reason));
        Map<String, Integer> out = seen == null
                ? null
                : counts(seen.nodes().values().stream()
                        .filter(LiveSnapshot.Node::isOut)
                        .map(node -> "out of order"));
        entries.add(JsonText.tree(new Poll(INSTANT.format(now.atZone(zone)), pending, out)));
        log.append(entries);
        entries.forEach(this::take);
        return changed;
    }

    /** Snapshot of the queue; null of older Slurms, which print no JSON: accounting alone selects the jobs compared. */
    private static @Nullable LiveSnapshot look(SlurmCommands commands) {
        try {
            return SlurmSnapshot.now(commands);
        } catch (UnansweredException unanswered) {
            throw unanswered;
        } catch (InputException withoutJson) {
            return null;
        }
    }

    private static Map<String, Integer> counts(Stream<String> words) {
        return words.collect(Collectors.toMap(word -> word, word -> 1, Integer::sum, TreeMap::new));
    }

    /** A day before the last poll, or the submission of the oldest job that had not ended then. */
    private Instant oldest(Instant now) {
        Instant oldest = (lastPoll == null ? now : lastPoll).minus(Duration.ofDays(1));
        for (String row : rows.values()) {
            String[] cells = cells(row);
            Instant submit = time(cell(cells, "Submit"), Instant.EPOCH);
            if (isOpen(cells) && submit != null && submit.isBefore(oldest)) {
                oldest = submit;
            }
        }
        return oldest;
    }

    public int polls() {
        return polls;
    }

    /** Remarks: the most pending jobs of a poll by reason, and the most nodes out of order by state. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (!reasons.isEmpty()) {
            remarks.add("pending jobs gave these reasons (most at once): %s".formatted(words(reasons)));
        }
        if (!nodesOut.isEmpty()) {
            remarks.add("nodes took no jobs, which the shadow used (most at once): %s".formatted(words(nodesOut)));
        }
        return remarks;
    }

    private static String words(Map<String, Integer> counts) {
        List<String> words = new ArrayList<>();
        counts.forEach((word, count) -> words.add("%s %,d".formatted(word, count)));
        return String.join(", ", words);
    }

    /**
     * The rows as a log in which every job has ended. One that runs gets an end at its limit, one that waits a run from
     * now to its limit.
     *
     * @param openSeconds of each job that has not ended, by id, how long it has run for sure
     */
    record Closed(String text, Map<String, Double> openSeconds) {}

    /** The log as of the last poll. */
    Closed closed() {
        Instant now = lastPoll;
        StringBuilder text = new StringBuilder(String.join("|", HEADER)).append('\n');
        Map<String, Double> open = new TreeMap<>();
        for (String row : rows.values()) {
            String[] cells = cells(row);
            if (now != null && isOpen(cells)) {
                Instant submit = time(cell(cells, "Submit"), Instant.EPOCH);
                Instant start = time(cell(cells, "Start"), submit == null ? Instant.EPOCH : submit);
                boolean runs = !cell(cells, "State").startsWith("PENDING");
                open.put(cell(cells, "JobID"), close(cells, start != null && runs ? start : now, now));
            }
            text.append(String.join("|", Arrays.asList(cells))).append('\n');
        }
        return new Closed(text.toString(), open);
    }

    /**
     * Gives a row the end at its limit; returns how long its job has run for sure. The clock of Slurm may be ahead of
     * ours.
     */
    private double close(String[] cells, Instant from, Instant now) {
        long elapsed = Math.max(0, Duration.between(from, now).toSeconds());
        long limit = Math.max(limitSeconds(cell(cells, "Timelimit")), elapsed + 1);
        set(cells, "Start", text(from));
        set(cells, "End", text(from.plusSeconds(limit)));
        set(cells, "State", "COMPLETED");
        if (cell(cells, "AllocTRES").isBlank()) {
            set(cells, "AllocTRES", cell(cells, "ReqTRES"));
        }
        return elapsed;
    }

    private static void set(String[] cells, String column, String value) {
        cells[HEADER.indexOf(column)] = value;
    }

    private boolean isOpen(String[] cells) {
        return time(cell(cells, "End"), Instant.EPOCH) == null;
    }

    private @Nullable Instant time(String text, Instant notBefore) {
        // Quickly, for every job that waits or runs has such cells.
        if (text.isEmpty() || text.equals("Unknown") || text.equals("None")) {
            return null;
        }
        try {
            return Instant.ofEpochSecond(0, clock.nanos("time", text, notBefore.getEpochSecond() * 1_000_000_000L));
        } catch (TraceFieldException unknown) {
            return null;
        }
    }

    /** A time as Slurm writes it; with its offset where clocks show it twice. */
    private String text(Instant time) {
        LocalDateTime shown = LocalDateTime.ofInstant(time, zone);
        boolean isTwice = zone.getRules().getValidOffsets(shown).size() > 1;
        return (isTwice ? INSTANT : TIME).format(time.atZone(zone));
    }

    private static long limitSeconds(String text) {
        Long seconds = SlurmDuration.secondsOfPlainMinutes(text);
        return seconds == null ? NO_LIMIT_SECONDS : seconds;
    }

    /** Ids of jobs that wait and are held, or depend on others. */
    Set<String> blocked() {
        Set<String> blocked = new TreeSet<>();
        Map<String, LiveJob> queue = seen == null ? Map.of() : seen.jobs();
        for (String row : rows.values()) {
            String[] cells = cells(row);
            LiveJob job = queue.get(cell(cells, "JobIDRaw"));
            if (job != null
                    && job.stage() == LiveJob.Stage.PENDING
                    && (job.isHeld() || job.reason().startsWith("Dependency"))) {
                blocked.add(cell(cells, "JobID"));
            }
        }
        return blocked;
    }

    /**
     * Snapshot of the queue at the last poll; null before the first of this process, and where Slurm prints no JSON.
     */
    @Nullable LiveSnapshot seen() {
        return seen;
    }

    @Override
    public void close() {
        log.close();
    }
}
