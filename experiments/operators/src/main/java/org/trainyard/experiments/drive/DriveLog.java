package org.trainyard.experiments.drive;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
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
import org.jspecify.annotations.Nullable;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;
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
    private static final String START = "start";
    private static final String START_ON = "start on";
    /** Jobs that a message names at most. */
    private static final int MOST_NAMED = 40;
    /** The deed that ends what a driver did to a job. */
    static final String GIVE_BACK = "give back";

    /** Ends the hold with which a job was submitted, and lets it wait by a lease. */
    static final String TAKE = "take";
    /** The same of a job that is left to the manager, without a lease. */
    static final String RELEASE = "release";

    /** Clears the nodes of a job that the manager has requeued, which stays so. */
    static final String CLEAR = "clear nodes";

    private static final String NODES = "nodes";
    private static final String AT = "at";
    private static final String DRY = "dry";
    /** Slurm writes its state down every five seconds, and its clock is not ours. */
    private static final long FORGOTTEN_MILLIS = 15_000;
    /** The file is begun anew when it is longer; the one before stays beside it. */
    private static final long MOST_BYTES = 16 << 20;

    /**
     * An entry.
     *
     * @param nodes on which the job is to start
     * @param answer of the manager
     * @param dry true where nothing was done
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Entry(
            long at,
            @JsonProperty(DEED) String deed,
            String job,
            int restarts,
            long submit,
            @Nullable List<String> nodes,
            @Nullable Long priority,
            @Nullable String why,
            @Nullable String answer,
            @Nullable Boolean dry) {}

    private final Path path;
    private final boolean isDry;
    private EntryLog file;
    /** By job, the last that was noted of it. */
    private final Map<String, JsonNode> known = new HashMap<>();

    private final Set<String> placed = new HashSet<>();
    private final Set<String> open = new HashSet<>();
    private final Set<String> taken = new HashSet<>();
    /** By job whose hold was ended, when, milliseconds since 1970. */
    private final Map<String, Long> takenMillis = new HashMap<>();
    /** By job, how often it had been requeued when it was told to requeue. */
    private final Map<String, Integer> requeued = new HashMap<>();

    /** When the jobs of the manager were last seen, or something was last written, milliseconds since 1970. */
    private long lookedMillis;

    private final List<JsonNode> unwritten = new ArrayList<>();

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
        String job = entry.path(JOB).asText();
        long at = entry.path(AT).asLong();
        lookedMillis = Math.max(lookedMillis, at);
        if (deed.equals(CLEAR)) {
            open.remove(job);
            return;
        }
        known.put(job, entry);
        taken.remove(job);
        switch (deed) {
            case TAKE, RELEASE -> {
                open.remove(job);
                taken.add(job);
                takenMillis.put(job, at);
            }
            case START -> open.add(job);
            case START_ON -> {
                open.add(job);
                placed.add(job);
            }
            case "requeue" -> requeued.put(job, entry.path(RESTARTS).asInt());
            default -> open.remove(job);
        }
    }

    /** Notes the coming change to a job; {@link #write} has to follow. */
    void note(LiveJob job, String deed, long wallMillis) {
        note(job, deed, wallMillis, null, null, null, null);
    }

    /** Notes the coming change to a job with its reason, likewise. */
    void note(LiveJob job, String deed, String why, long wallMillis) {
        note(job, deed, wallMillis, null, null, why, null);
    }

    /** Notes the coming start of a job, likewise. */
    void noteStart(LiveJob job, List<String> nodes, long priority, String why, long wallMillis) {
        note(job, nodes.isEmpty() ? START : START_ON, wallMillis, nodes.isEmpty() ? null : nodes, priority, why, null);
    }

    /** Notes what the manager said to the last change of a job; it is on the disk with the next change. */
    void noteAnswer(LiveJob job, boolean isRefused, String answer, long wallMillis) {
        note(job, isRefused ? "refused" : "answer", wallMillis, null, null, null, answer);
    }

    private void note(
            LiveJob job,
            String deed,
            long wallMillis,
            @Nullable List<String> nodes,
            @Nullable Long priority,
            @Nullable String why,
            @Nullable String answer) {
        Boolean dry = isDry ? true : null;
        unwritten.add(JsonText.tree(new Entry(
                wallMillis, deed, job.id(), job.restarts(), job.submit(), nodes, priority, why, answer, dry)));
    }

    /** The nodes on which the job was told to start last; none when it was told none. */
    List<String> nodes(String job) {
        JsonNode last = known.get(job);
        List<String> nodes = new ArrayList<>();
        if (last != null) {
            last.path(NODES).forEach(node -> nodes.add(node.asText()));
        }
        return nodes;
    }

    /** All jobs that anything was done to. */
    Set<String> jobs() {
        return Set.copyOf(known.keySet());
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

    /** Whether anything was ever done to the job. */
    boolean knows(String job) {
        return known.containsKey(job);
    }

    /** Whether the last that was done to the job was to end the hold with which it was submitted, or that was forgotten. */
    boolean isTaken(String job) {
        return taken.contains(job);
    }

    /** Whether it was taken and waits by a lease of ours. */
    boolean isLeased(String job) {
        return isTaken(job) && !isLast(job, RELEASE);
    }

    private boolean isLast(String job, String deed) {
        JsonNode last = known.get(job);
        return last != null && last.path(DEED).asText().equals(deed);
    }

    /** Whether the manager has the job back, so that a begin time of it is not ours. */
    boolean isGivenBack(String job) {
        return isLast(job, GIVE_BACK);
    }

    /** Whether the job was told to start and not told to wait since. */
    boolean isOpen(String job) {
        return open.contains(job);
    }

    /** Whether the last that was done to the job was to start it, so that its priority is ours. */
    boolean isStarted(String job) {
        return isLast(job, START) || isLast(job, START_ON);
    }

    /**
     * The jobs that nobody has given back, as far as the log knows, and how to free them by hand, for a message.
     *
     * @param leaseSeconds after which waiting ones are free without it
     */
    String unfinished(int leaseSeconds) {
        List<String> waiting = named(job -> !isGivenBack(job) && !isLast(job, RELEASE) && !isStarted(job));
        List<String> pinned = named(job -> isLast(job, START_ON));
        if (waiting.isEmpty() && pinned.isEmpty()) {
            return "no job of the log waits for a driver";
        }
        return "told to wait: %s, for at most %d s; named nodes, which jobs that wait keep: %s; run --give-back later, or"
                        .formatted(words(waiting), leaseSeconds, words(pinned))
                + " scontrol update JobId=N StartTime=now ReqNodeList= and scontrol release N";
    }

    private List<String> named(Predicate<String> which) {
        return known.keySet().stream().filter(which).sorted().toList();
    }

    private static String words(List<String> jobs) {
        String first = String.join(" ", jobs.subList(Math.max(0, jobs.size() - MOST_NAMED), jobs.size()));
        return jobs.isEmpty()
                ? "none"
                : jobs.size() > MOST_NAMED ? "%s and %,d more".formatted(first, jobs.size() - MOST_NAMED) : first;
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

    /**
     * Marks, in memory, held jobs as taken whose hold was ended so shortly before a look that a manager which was started anew
     * since may have forgotten it; a hold that came otherwise is not ours.
     *
     * @param startedMillis of the manager, milliseconds since 1970; asked only where there may be such jobs
     * @param wallMillis of the look
     */
    void recallHolds(Collection<LiveJob> jobs, LongSupplier startedMillis, long wallMillis) {
        List<String> held = jobs.stream()
                .filter(job -> job.isHeld() && !taken.contains(job.id()))
                .map(LiveJob::id)
                .filter(job -> takenMillis.getOrDefault(job, Long.MIN_VALUE) > lookedMillis - FORGOTTEN_MILLIS)
                .toList();
        if (!held.isEmpty()) {
            long started = startedMillis.getAsLong();
            held.stream()
                    .filter(job -> takenMillis.getOrDefault(job, started) < started)
                    .forEach(taken::add);
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
            known.forEach((job, last) -> {
                if (placed.contains(job) && !open.contains(job)) {
                    kept.add(((ObjectNode) last.deepCopy()).put(DEED, START_ON));
                }
                kept.add(last);
            });
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

    /** Forgets, in memory, all jobs but these. */
    void keepOnly(Collection<String> jobs) {
        known.keySet().retainAll(jobs);
        placed.retainAll(jobs);
        open.retainAll(jobs);
        taken.retainAll(jobs);
        takenMillis.keySet().retainAll(jobs);
        requeued.keySet().retainAll(jobs);
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
