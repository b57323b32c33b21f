package org.trainyard.experiments.drive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/**
 * Carries decisions out. A job that is to wait is postponed by a lease, again and again; one that is to start may begin
 * now, before all others that are ours.
 */
final class Orders {
    private static final long SECOND = 1_000_000_000L;
    /** Seconds by which a manager may carry out a lease later than it was told. */
    private static final long MARGIN_SECONDS = 10;

    private final Driving drive;
    /** Whether it was said that others change begin times of ours. */
    private boolean isForeignSaid;
    /** When jobs were told to start in the last minute, by the time of the driver. */
    private final Deque<Long> starts = new ArrayDeque<>();
    /** By what was asked for many jobs, the last refusal that was said. */
    private final Map<String, String> refusals = new HashMap<>();

    Orders(Driving drive) {
        this.drive = drive;
    }

    /**
     * Asks for a change to a job; what is not done is counted, and said once in the same words. Returns whether it is
     * done.
     */
    private boolean ask(String deed, LiveJob job, Runnable what) {
        if (drive.settings().isDry()) {
            return true;
        }
        DrivenJob known = drive.log().of(job);
        String words;
        String line = "";
        try {
            what.run();
            drive.log().noteAnswer(job, false, "done", drive.clock().millis());
            known.saidRefusal = "";
            return true;
        } catch (RefusedException e) {
            words = e.words();
            drive.counts()
                    .add((e.isLate() ? "too late for " : "refused by ")
                            + drive.cluster().name());
            if (!e.isLate()) {
                known.isRefused = true;
                line = "%s refused %s %s: %s".formatted(drive.cluster().name(), deed, job.id(), words);
            }
        } catch (InputException e) {
            words = String.valueOf(e.getMessage());
            drive.counts().add("orders without an answer");
            line = "no answer to the order %s %s: %s".formatted(deed, job.id(), words);
        }
        if (!line.isEmpty() && !line.equals(known.saidRefusal)) {
            known.saidRefusal = line;
            drive.say().accept(line);
        }
        drive.log().noteAnswer(job, true, words, drive.clock().millis());
        drive.log().write();
        return false;
    }

    /** Gives an order for many jobs, of which some may have ended or started meanwhile. */
    private void askForAll(String deed, Runnable what) {
        if (drive.settings().isDry()) {
            return;
        }
        try {
            what.run();
            refusals.remove(deed);
        } catch (RefusedException e) {
            drive.counts()
                    .add((e.isLate() ? "too late for " : "refused by ")
                            + drive.cluster().name());
            String line = "%s refused %s: %s".formatted(drive.cluster().name(), deed, e.words());
            if (!e.isLate() && !line.equals(refusals.put(deed, line))) {
                drive.say().accept(line);
            }
        } catch (InputException e) {
            drive.counts().add("orders without an answer");
        }
    }

    /** The job's start was refused for a reason that another look does not mend; said once. */
    boolean isRefused(LiveJob job) {
        DrivenJob known = drive.log().of(job);
        boolean isRefused = known.isRefused;
        known.isRefused = false;
        return isRefused;
    }

    private void note(LiveJob job, String deed) {
        drive.log().note(job, deed, drive.clock().millis());
    }

    /** Lets jobs wait until somebody says otherwise; leases that are still long are left. */
    void defer(List<LiveJob> jobs, long nowNanos) {
        sayForeign(jobs);
        List<LiveJob> due = new ArrayList<>();
        List<String> told = new ArrayList<>();
        long half = drive.settings().leaseSeconds() * SECOND / 2;
        long wallSeconds = drive.clock().millis() / 1000;
        for (LiveJob job : jobs) {
            DrivenJob known = drive.log().of(job);
            if (known.isTaken) {
                note(job, "wait");
            }
            Long since = known.leasedNanos;
            boolean isShort = job.eligible() - wallSeconds < drive.settings().leaseSeconds() / 4;
            boolean isRecent = since != null && nowNanos - since < Math.min(half, 3 * SECOND);
            if (since == null || nowNanos - since >= half || (isShort && !isRecent)) {
                due.add(job);
                if (!known.isKnown() || known.isOpen || known.isGivenBack()) {
                    drive.log().note(job, "wait", drive.clock().millis()).put("why", "not in the plan");
                    drive.counts().add("told to wait");
                    told.add(job.id());
                }
            }
        }
        drive.log().write();
        if (due.isEmpty()) {
            return;
        }
        if (!told.isEmpty()) {
            drive.say().accept("wait %s".formatted(String.join(" ", told)));
        }
        askForAll(
                "to let jobs wait",
                () -> drive.cluster().postpone(due, drive.settings().leaseSeconds()));
        due.forEach(job -> waits(job, nowNanos));
    }

    /** Says once that others, such as a second driver, let jobs of ours wait longer than we told them. */
    private void sayForeign(List<LiveJob> jobs) {
        List<String> foreign = jobs.stream()
                .filter(job -> job.eligible() > drive.log().of(job).untilSeconds + MARGIN_SECONDS)
                .map(LiveJob::id)
                .toList();
        if (!foreign.isEmpty() && !isForeignSaid) {
            isForeignSaid = true;
            drive.say()
                    .accept("begin times of ours are changed by others, perhaps by a second driver: "
                            + String.join(" ", foreign));
        }
    }

    private void waits(LiveJob job, long nowNanos) {
        drive.log()
                .of(job)
                .waits(
                        nowNanos,
                        drive.clock().millis() / 1000 + drive.settings().leaseSeconds());
    }

    /**
     * Takes jobs over that were submitted held: they wait by a lease from now on, so that they go on without us, too.
     * Returns whether there were any.
     */
    boolean take(List<LiveJob> held, long nowNanos) {
        if (held.isEmpty() || drive.settings().isDry()) {
            return false;
        }
        // A manager that dies now may forget it; the job is taken again until it was seen to wait without a hold.
        held.forEach(job -> note(job, DrivenJob.TAKE));
        drive.log().write();
        askForAll(
                "to let jobs wait",
                () -> drive.cluster().postpone(held, drive.settings().leaseSeconds()));
        askForAll("to release jobs", () -> drive.cluster().release(held));
        held.forEach(job -> {
            drive.log().of(job).leasedNanos = nowNanos;
            drive.counts().add("taken over held");
        });
        return true;
    }

    /** Ends the hold of jobs that were submitted held and are left to the manager. */
    void release(List<LiveJob> held) {
        if (!held.isEmpty() && !drive.settings().isDry()) {
            held.forEach(job -> note(job, DrivenJob.RELEASE));
            drive.log().write();
            askForAll("to release jobs", () -> drive.cluster().release(held));
        }
    }

    /** Notes that a job which was submitted held waits without a hold, so that a later hold is not ours. */
    void released(LiveJob job) {
        note(job, DrivenJob.GIVE_BACK);
        drive.log().write();
    }

    /**
     * Whether a start that a waiting job was told has not come in time, or the manager has given it up: Slurm then
     * holds the job.
     *
     * @param nowNanos by the driver's clock; the time begins when this driver first sees the job open
     */
    boolean isOverdue(LiveJob job, long nowNanos) {
        DrivenJob known = drive.log().of(job);
        if (drive.settings().isDry() || !known.isOpen) {
            return false;
        }
        long told = Objects.requireNonNullElse(known.toldNanos, nowNanos);
        known.toldNanos = told;
        return isGivenUp(job)
                || (!job.isHeld() && nowNanos - told >= drive.settings().startWithinSeconds() * SECOND);
    }

    /** Slurm holds a job whose nodes, which we named, cannot have it. */
    boolean isGivenUp(LiveJob job) {
        return job.isHeld()
                && job.reason().equals("BadConstraints")
                && drive.log().of(job).isPlaced;
    }

    /** Takes a start back: the job waits on, on any nodes. */
    void takeBack(LiveJob job, long nowNanos) {
        note(job, "take back");
        drive.log().write();
        if (ask(
                        "to take back the start of",
                        job,
                        () -> drive.cluster()
                                .postpone(List.of(job), drive.settings().leaseSeconds()))
                && job.isHeld()) {
            askForAll("to release jobs", () -> drive.cluster().release(List.of(job)));
        }
        waits(job, nowNanos);
        drive.counts().add("starts taken back");
    }

    /** Whether another job may start in this minute. */
    boolean mayStart(long nowNanos) {
        starts.removeIf(at -> nowNanos - at >= 60 * SECOND);
        return drive.settings().startsPerMinute() == 0
                || starts.size() < drive.settings().startsPerMinute();
    }

    /**
     * Lets a job start now.
     *
     * @param placement where, or none for where the manager likes
     * @param ours the pending jobs of the driver, whose highest priority it gets
     */
    void start(LiveJob job, List<ServerGpus> placement, List<LiveJob> ours, String why, long nowNanos) {
        long first = ours.stream().mapToLong(LiveJob::priority).max().orElse(1);
        long last = drive.log().all().stream()
                .mapToLong(known -> known.priority == null ? first + 1 : known.priority)
                .min()
                .orElse(first + 1);
        long priority = Math.max(1, Math.min(first, last - 1));
        List<String> servers = placement.stream().map(ServerGpus::server).toList();
        DrivenJob known = drive.log().of(job);
        drive.log().noteStart(job, servers, priority, why, drive.clock().millis());
        drive.log().write();
        if (ask("to start", job, () -> drive.cluster().start(job, priority, placement))) {
            String where = servers.isEmpty() ? "" : " on " + String.join(" ", servers);
            drive.counts().add(drive.settings().isDry() ? "starts proposed" : "told to start");
            drive.say()
                    .accept(Counted.say(
                            "start %s: %d GPUs%s, priority %d, %s", job.id(), job.gpus(), where, priority, why));
            known.priority = priority;
            known.toldNanos = Objects.requireNonNullElse(known.toldNanos, nowNanos);
            starts.add(nowNanos);
        }
        known.leasedNanos = null;
    }

    /**
     * Takes a job off its nodes, once: one that leaves them counts as requeued anew, and would be taken for another job
     * later.
     */
    void requeue(LiveJob job, String why) {
        if (job.stage() != LiveJob.Stage.RUNNING || drive.log().of(job).isRequeued(job.restarts())) {
            return;
        }
        note(job, "requeue");
        drive.log().write();
        if (ask("to requeue", job, () -> drive.cluster().requeue(job))) {
            drive.counts().add("told to requeue");
            drive.say().accept(Counted.say("requeue %s: %d GPUs, %s", job.id(), job.gpus(), why));
        }
    }

    /** Gives jobs that we started, and that wait again at once when they are requeued, the priority of the manager. */
    void resetPriorities(LiveSnapshot seen) {
        List<LiveJob> started = seen.jobs().values().stream()
                .filter(job -> drive.log().of(job).isStarted() && !job.isHeld())
                .filter(job -> job.stage() == LiveJob.Stage.RUNNING
                        || (job.stage() == LiveJob.Stage.PENDING && isBeingCleaned(job)))
                .toList();
        if (!started.isEmpty()) {
            started.stream()
                    .filter(job -> job.stage() == LiveJob.Stage.RUNNING)
                    .forEach(job -> note(job, DrivenJob.GIVE_BACK));
            drive.log().write();
            askForAll("to take jobs back", () -> drive.cluster().release(started));
        }
    }

    /**
     * Whether the manager has requeued a job and gave it a begin time, until which its nodes may still have its first
     * copy.
     */
    boolean isBeingCleaned(LiveJob job) {
        return drive.log().of(job).isRequeuedByOthers(job)
                && job.eligible() > drive.clock().millis() / 1000 + 1;
    }

    /**
     * Lets jobs that are being cleaned start on any nodes then, where they have nodes of ours; whether there were any.
     */
    boolean clearNodes(List<LiveJob> cleaned) {
        List<LiveJob> named = cleaned.stream()
                .filter(job -> !drive.settings().isDry()
                        && !job.requiredNodes().isEmpty()
                        && drive.log().of(job).isPlaced)
                .toList();
        named.forEach(job -> {
            note(job, DrivenJob.CLEAR);
            drive.log().write();
            long seconds =
                    Math.min(Integer.MAX_VALUE, job.eligible() - drive.clock().millis() / 1000);
            askForAll("to take jobs back", () -> drive.cluster().postpone(List.of(job), (int) seconds));
        });
        return !named.isEmpty();
    }

    /** Gives jobs back: the manager orders and starts them by itself, on any nodes. */
    void giveBack(List<LiveJob> all) {
        if (all.isEmpty() || drive.settings().isDry() || !drive.cluster().startsByItself()) {
            return;
        }
        clearNodes(all.stream().filter(this::isBeingCleaned).toList());
        List<LiveJob> jobs = all.stream().filter(job -> !isBeingCleaned(job)).toList();
        if (jobs.isEmpty()) {
            return;
        }
        jobs.forEach(
                job -> note(job, job.isHeld() && drive.log().of(job).isTaken ? DrivenJob.TAKE : DrivenJob.GIVE_BACK));
        drive.log().write();
        askForAll("to take jobs back", () -> drive.cluster().giveBack(jobs));
        jobs.forEach(job -> drive.log().of(job).startsByItself());
    }
}
