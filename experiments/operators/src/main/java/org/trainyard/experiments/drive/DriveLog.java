package org.trainyard.experiments.drive;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.journal.EntryLog;

/**
 * Write-ahead log of a driver's changes to jobs: after a crash, the driver knows which begin times, nodes and requeues
 * are its own, and repeats none of them.
 */
final class DriveLog implements AutoCloseable {
    private static final String JOB = "job";
    private static final String DEED = "do";
    private static final String RESTARTS = "restarts";
    private static final String SUBMIT = "submit";

    private record Entry(long at, @JsonProperty(DEED) String deed, String job, int restarts, long submit) {}

    private final Path path;
    private final EntryLog file;
    /** By job, the last that was noted of it. */
    private final Map<String, JsonNode> known = new HashMap<>();

    private final Set<String> placed = new HashSet<>();
    private final Set<String> open = new HashSet<>();
    private final Set<String> taken = new HashSet<>();
    /** By job, how often it had been requeued when it was told to requeue. */
    private final Map<String, Integer> requeued = new HashMap<>();

    private final List<JsonNode> unwritten = new ArrayList<>();

    DriveLog(Path path) {
        this.path = path;
        file = new EntryLog(path, this::take);
    }

    private void take(JsonNode entry) {
        String job = entry.path(JOB).asText();
        known.put(job, entry);
        taken.remove(job);
        switch (entry.path(DEED).asText()) {
            case "take" -> taken.add(job);
            case "start" -> open.add(job);
            case "start on" -> {
                open.add(job);
                placed.add(job);
            }
            case "requeue" -> requeued.put(job, entry.path(RESTARTS).asInt());
            default -> open.remove(job);
        }
    }

    /** Notes the coming change to a job; {@link #write} has to follow. */
    void note(LiveJob job, String deed, long wallMillis) {
        unwritten.add(JsonText.tree(new Entry(wallMillis, deed, job.id(), job.restarts(), job.submit())));
    }

    /**
     * Writes the noted changes; they are on the disk when this returns.
     *
     * @throws InputException when it cannot be written, as on a full disk
     */
    void write() {
        if (!unwritten.isEmpty()) {
            try {
                file.append(unwritten);
            } catch (FailedWriteException e) {
                throw InputException.at(
                        "--out",
                        path,
                        "a file that can be written (%s); free the disk and start again"
                                .formatted(FailedWriteException.reason(Objects.requireNonNull(e.getCause()))));
            }
            unwritten.forEach(this::take);
            unwritten.clear();
        }
    }

    /** Whether anything was ever done to the job. */
    boolean knows(String job) {
        return known.containsKey(job);
    }

    /** Whether the last that was done to the job was to end the hold with which it was submitted. */
    boolean isTaken(String job) {
        return taken.contains(job);
    }

    /** Whether the job was told to start and not told to wait since. */
    boolean isOpen(String job) {
        return open.contains(job);
    }

    /** Whether the nodes that the job must have are ours. */
    boolean placed(String job) {
        return placed.contains(job);
    }

    /** Whether the job was told to requeue when it had been requeued so often. */
    boolean isRequeued(String job, int restarts) {
        return requeued.getOrDefault(job, -1) == restarts;
    }

    /** Whether the manager itself requeued the job since anything was done to it. */
    boolean isRequeuedByOthers(LiveJob job) {
        JsonNode last = known.get(job.id());
        return last != null
                && last.path(RESTARTS).asInt() < job.restarts()
                && !isRequeued(job.id(), job.restarts() - 1);
    }

    /** Whether the job was ever told to requeue. */
    boolean wasRequeued(String job) {
        return requeued.containsKey(job);
    }

    /**
     * Forgets, in memory, jobs that the manager itself has forgotten, as one may that was killed: their numbers are those of
     * others now, submitted later and not requeued since.
     *
     * @return their numbers
     */
    Set<String> forgetReused(Collection<LiveJob> jobs) {
        Set<String> reused = new HashSet<>();
        for (LiveJob job : jobs) {
            JsonNode last = known.get(job.id());
            if (last != null
                    && job.submit() > last.path(SUBMIT).asLong(Long.MAX_VALUE)
                    && job.restarts() <= last.path(RESTARTS).asInt()) {
                reused.add(job.id());
            }
        }
        if (!reused.isEmpty()) {
            Set<String> rest = new HashSet<>(known.keySet());
            rest.removeAll(reused);
            keepOnly(rest);
        }
        return reused;
    }

    /** Forgets, in memory, all jobs but these. */
    void keepOnly(Collection<String> jobs) {
        known.keySet().retainAll(jobs);
        placed.retainAll(jobs);
        open.retainAll(jobs);
        taken.retainAll(jobs);
        requeued.keySet().retainAll(jobs);
    }

    @Override
    public void close() {
        file.close();
    }
}
