package org.trainyard.experiments.drive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.service.journal.EntryLog;

/**
 * Write-ahead log of a driver's changes to jobs: after a crash, the driver knows which begin times, nodes and requeues
 * are its own, and repeats none of them.
 */
final class DriveLog implements AutoCloseable {
    /** Name of the log in the folder of a driver. */
    static final String NAME = "drive.log";

    static final String DEED = "do";
    static final String RESTARTS = "restarts";
    static final String SUBMIT = "submit";
    static final String NODES = "nodes";
    static final String AT = "at";
    private static final String JOB = "job";
    /** Jobs that a message names at most. */
    private static final int MOST_NAMED = 40;

    private static final String DRY = "dry";
    /** Slurm writes its state down every five seconds, and its clock is not ours. */
    private static final long FORGOTTEN_MILLIS = 15_000;
    /** The file is begun anew when it is longer; the one before stays beside it. */
    private static final long MOST_BYTES = 16 << 20;

    private final Path path;
    private final boolean isDry;
    private EntryLog file;
    /** Jobs of the log and those that the manager has now, by number. */
    private final Map<String, DrivenJob> jobs = new HashMap<>();

    /** When the jobs of the manager were last seen, or something was last written, milliseconds since 1970. */
    private long lookedMillis;

    private final List<ObjectNode> unwritten = new ArrayList<>();

    /** @param isDry whether nothing is done of what is noted; a driver that is not dry does not believe such entries */
    DriveLog(Path path, boolean isDry) {
        this.path = path;
        this.isDry = isDry;
        file = new EntryLog(path, this::take);
    }

    private void take(JsonNode entry) {
        String deed = entry.path(DEED).asText();
        if ((entry.path(DRY).asBoolean() && !isDry) || deed.equals("answer")) {
            return;
        }
        lookedMillis = Math.max(lookedMillis, entry.path(AT).asLong());
        of(entry.path(JOB).asText()).note(entry);
    }

    /** The state of a job, new where nothing is known of it. */
    DrivenJob of(String job) {
        return jobs.computeIfAbsent(job, number -> new DrivenJob());
    }

    DrivenJob of(LiveJob job) {
        return of(job.id());
    }

    /** The states of all jobs. */
    Collection<DrivenJob> all() {
        return jobs.values();
    }

    /** Notes the coming change to a job, with more of it; {@link #write} has to follow. */
    ObjectNode note(LiveJob job, String deed, long wallMillis) {
        ObjectNode entry = JsonNodeFactory.instance
                .objectNode()
                .put(AT, wallMillis)
                .put(DEED, deed)
                .put(JOB, job.id())
                .put(RESTARTS, job.restarts())
                .put(SUBMIT, job.submit());
        unwritten.add(entry);
        return entry;
    }

    /** Notes the coming start of a job, likewise. */
    void noteStart(LiveJob job, List<String> nodes, long priority, String why, long wallMillis) {
        ObjectNode entry = note(job, nodes.isEmpty() ? DrivenJob.START : DrivenJob.START_ON, wallMillis);
        if (!nodes.isEmpty()) {
            nodes.forEach(entry.putArray(NODES)::add);
        }
        entry.put("priority", priority).put("why", why);
    }

    /** All jobs that anything was done to. */
    Set<String> jobs() {
        return Set.copyOf(named(DrivenJob::isKnown));
    }

    /** Notes what the manager said to the last change of a job; it is on the disk with the next change. */
    void noteAnswer(LiveJob job, boolean isRefused, String answer, long wallMillis) {
        note(job, isRefused ? "refused" : "answer", wallMillis).put("answer", answer);
    }

    /**
     * Writes the noted changes; they are on the disk when this returns.
     *
     * @throws InputException when it cannot, as on a full disk: what was done would be forgotten, so the driver has to
     *     end
     */
    void write() {
        if (!unwritten.isEmpty()) {
            if (isDry) {
                unwritten.forEach(entry -> entry.put(DRY, true));
            }
            try {
                file.append(unwritten);
            } catch (FailedWriteException e) {
                throw unwritable(Objects.requireNonNull(e.getCause()));
            }
            unwritten.forEach(this::take);
            unwritten.clear();
        }
    }

    private InputException unwritable(IOException why) {
        return InputException.at(
                "--out",
                path,
                "a file that can be written (%s); free the disk and start again"
                        .formatted(FailedWriteException.reason(why)));
    }

    /**
     * The jobs that nobody has given back, as far as the log knows, and how to free them by hand, for a message.
     *
     * @param leaseSeconds after which waiting ones are free without it
     */
    String unfinished(int leaseSeconds) {
        List<String> waiting = named(DrivenJob::isWaiting);
        List<String> pinned = named(DrivenJob::isStartedOnNodes);
        if (waiting.isEmpty() && pinned.isEmpty()) {
            return "no job of the log waits for a driver";
        }
        return "told to wait: %s, for at most %d s; named nodes, which jobs that wait keep: %s; run --give-back later, or"
                        .formatted(words(waiting), leaseSeconds, words(pinned))
                + " scontrol update JobId=N StartTime=now ReqNodeList= and scontrol release N";
    }

    private List<String> named(Predicate<DrivenJob> which) {
        return jobs.entrySet().stream()
                .filter(job -> which.test(job.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static String words(List<String> jobs) {
        String first = String.join(" ", jobs.subList(Math.max(0, jobs.size() - MOST_NAMED), jobs.size()));
        return jobs.isEmpty()
                ? "none"
                : jobs.size() > MOST_NAMED ? "%s and %,d more".formatted(first, jobs.size() - MOST_NAMED) : first;
    }

    /**
     * Forgets, in memory, jobs that the manager itself has forgotten, as one may that was killed: their numbers are
     * those of others now, submitted later and not requeued since.
     *
     * @return their numbers
     */
    Set<String> forgetReused(Collection<LiveJob> live) {
        Set<String> reused = new HashSet<>();
        live.stream().filter(job -> of(job).isReusedBy(job)).forEach(job -> reused.add(job.id()));
        jobs.keySet().removeAll(reused);
        return reused;
    }

    /**
     * Marks, in memory, held jobs as taken whose hold was ended so shortly before a look that a manager which was
     * started anew since may have forgotten it; a hold that came otherwise is not ours.
     *
     * @param startedMillis of the manager, milliseconds since 1970; asked only where there may be such jobs
     * @param wallMillis of the look
     */
    void recallHolds(Collection<LiveJob> live, LongSupplier startedMillis, long wallMillis) {
        long recent = lookedMillis - FORGOTTEN_MILLIS;
        List<DrivenJob> held = live.stream()
                .filter(LiveJob::isHeld)
                .map(this::of)
                .filter(job -> job.wasReleasedIn(recent, Long.MAX_VALUE))
                .toList();
        if (!held.isEmpty()) {
            long started = startedMillis.getAsLong();
            held.stream().filter(job -> job.wasReleasedIn(recent, started)).forEach(job -> job.isTaken = true);
        }
        lookedMillis = wallMillis;
    }

    /** Begins a long file anew with what is known of these jobs; the old one becomes {@code drive.log.1}. */
    void keepShort() {
        try {
            if (Files.size(path) <= MOST_BYTES) {
                return;
            }
            List<JsonNode> kept = new ArrayList<>();
            jobs.values().forEach(job -> kept.addAll(job.entries()));
            Path next = path.resolveSibling(path.getFileName() + ".next");
            Files.deleteIfExists(next);
            try (EntryLog shorter = new EntryLog(next, entry -> {})) {
                shorter.append(kept);
            }
            AtomicFiles.copy(path, path.resolveSibling(path.getFileName() + ".1"));
            file.close();
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (FailedWriteException e) {
            throw unwritable(Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw unwritable(e);
        }
        file = new EntryLog(path, entry -> {});
    }

    /**
     * Forgets, in memory, all jobs but those that the manager has, and what concerns a wait of those that do not wait.
     */
    void keepOnly(Map<String, LiveJob> live) {
        jobs.keySet().retainAll(live.keySet());
        jobs.forEach((id, job) -> {
            if (Objects.requireNonNull(live.get(id)).stage() != LiveJob.Stage.PENDING) {
                job.leavesQueue();
            }
        });
    }

    @Override
    public void close() {
        try {
            write();
        } finally {
            file.close();
        }
    }
}
