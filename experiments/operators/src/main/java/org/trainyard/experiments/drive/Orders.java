package org.trainyard.experiments.drive;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/**
 * Carries decisions out. A job that is to wait is postponed by a lease, again and again; one that is to start may begin now,
 * before all others that are ours.
 */
final class Orders {
    /** Looks after which jobs that are not given back are said. */
    private static final int ATTEMPTS = 3;

    private static final long SECOND = 1_000_000_000L;
    /** For which a manager may carry out a lease later than it was told. */
    private static final long MARGIN_SECONDS = 10;

    private static final long NEVER = Long.MAX_VALUE / 2;

    private final DriveSettings settings;
    private final DrivenCluster driven;
    private final DriveLog log;
    private final DriveCounts counts;
    private final Clock clock;
    private final Consumer<String> say;
    /** By job, when its lease was renewed last, by the time of the driver. */
    private final Map<String, Long> leased = new HashMap<>();
    /** By job, until when it was told to wait last, seconds since 1970. */
    private final Map<String, Long> untilSeconds = new HashMap<>();
    /** Whether it was said that others change begin times of ours. */
    private boolean isForeignSaid;
    /** By job that was told to start, its priority. */
    private final Map<String, Long> priorities = new HashMap<>();
    /** By job, when it was told to start since it last waited, by the time of the driver. */
    private final Map<String, Long> toldNanos = new HashMap<>();
    /** When jobs were told to start in the last minute, likewise. */
    private final Deque<Long> starts = new ArrayDeque<>();
    /** By job, or what was asked for many, the last refusal that was said. */
    private final Map<String, String> said = new HashMap<>();
    /** Jobs whose last order was refused for good. */
    private final Set<String> refused = new HashSet<>();

    Orders(
            DriveSettings settings,
            DrivenCluster driven,
            DriveLog log,
            DriveCounts counts,
            Clock clock,
            Consumer<String> say) {
        this.settings = settings;
        this.driven = driven;
        this.log = log;
        this.counts = counts;
        this.clock = clock;
        this.say = say;
    }

    /** Asks for a change to a job; what is not done is counted, and said once in the same words. Returns whether it is done. */
    private boolean ask(String deed, LiveJob job, Runnable what) {
        if (settings.isDry()) {
            return true;
        }
        String words;
        try {
            what.run();
            log.noteAnswer(job, false, "done", clock.millis());
            said.remove(job.id());
            return true;
        } catch (RefusedException e) {
            words = e.words();
            counts.add((e.isLate() ? "too late for " : "refused by ") + driven.name());
            if (!e.isLate()) {
                refused.add(job.id());
                sayOnce(job.id(), "%s refused %s %s: %s".formatted(driven.name(), deed, job.id(), words));
            }
        } catch (InputException e) {
            words = String.valueOf(e.getMessage());
            counts.add("orders without an answer");
            sayOnce(job.id(), "no answer to the order %s %s: %s".formatted(deed, job.id(), words));
        }
        log.noteAnswer(job, true, words, clock.millis());
        log.write();
        return false;
    }

    private void sayOnce(String key, String words) {
        if (!words.equals(said.put(key, words))) {
            say.accept(words);
        }
    }

    /** The same for many jobs, of which some may have ended or started meanwhile. */
    private void askForAll(String deed, Runnable what) {
        if (settings.isDry()) {
            return;
        }
        try {
            what.run();
            said.remove(deed);
        } catch (RefusedException e) {
            counts.add((e.isLate() ? "too late for " : "refused by ") + driven.name());
            if (!e.isLate()) {
                sayOnce(deed, "%s refused %s: %s".formatted(driven.name(), deed, e.words()));
            }
        } catch (InputException e) {
            counts.add("orders without an answer");
        }
    }

    /** The job's start was refused for a reason that another look does not mend; said once. */
    boolean isRefused(LiveJob job) {
        return refused.remove(job.id());
    }

    private void note(LiveJob job, String deed) {
        log.note(job, deed, clock.millis());
    }

    /** Lets jobs wait until somebody says otherwise; leases that are still long are left. */
    void defer(List<LiveJob> jobs, long nowNanos) {
        sayForeign(jobs);
        List<LiveJob> due = new ArrayList<>();
        List<String> told = new ArrayList<>();
        long half = settings.leaseSeconds() * SECOND / 2;
        long wallSeconds = clock.millis() / 1000;
        for (LiveJob job : jobs) {
            if (log.isTaken(job.id())) {
                note(job, "wait");
            }
            Long since = leased.get(job.id());
            boolean isShort = job.eligible() - wallSeconds < settings.leaseSeconds() / 4;
            boolean isRecent = since != null && nowNanos - since < Math.min(half, 3 * SECOND);
            if (since == null || nowNanos - since >= half || (isShort && !isRecent)) {
                due.add(job);
                if (!log.knows(job.id()) || log.isOpen(job.id()) || log.isGivenBack(job.id())) {
                    log.note(job, "wait", "not in the plan", clock.millis());
                    counts.add("told to wait");
                    told.add(job.id());
                }
            }
        }
        log.write();
        if (due.isEmpty()) {
            return;
        }
        if (!told.isEmpty()) {
            say.accept("wait %s".formatted(String.join(" ", told)));
        }
        askForAll("to let jobs wait", () -> driven.postpone(due, settings.leaseSeconds()));
        due.forEach(job -> waits(job, nowNanos));
    }

    /** Says once that others, such as a second driver, let jobs of ours wait longer than we told them. */
    private void sayForeign(List<LiveJob> jobs) {
        List<String> foreign = jobs.stream()
                .filter(job -> job.eligible() > untilSeconds.getOrDefault(job.id(), NEVER) + MARGIN_SECONDS)
                .map(LiveJob::id)
                .toList();
        if (!foreign.isEmpty() && !isForeignSaid) {
            isForeignSaid = true;
            say.accept("begin times of ours are changed by others, perhaps by a second driver: "
                    + String.join(" ", foreign));
        }
    }

    private void waits(LiveJob job, long nowNanos) {
        leased.put(job.id(), nowNanos);
        untilSeconds.put(job.id(), clock.millis() / 1000 + settings.leaseSeconds());
        priorities.remove(job.id());
        toldNanos.remove(job.id());
    }

    /**
     * Takes jobs over that were submitted held: they wait by a lease from now on, so that they go on without us, too. Returns
     * whether there were any.
     */
    boolean take(List<LiveJob> held, long nowNanos) {
        if (held.isEmpty() || settings.isDry()) {
            return false;
        }
        // A manager that dies now may forget it; the job is taken again until it was seen to wait without a hold.
        held.forEach(job -> note(job, DriveLog.TAKE));
        log.write();
        askForAll("to let jobs wait", () -> driven.postpone(held, settings.leaseSeconds()));
        askForAll("to release jobs", () -> driven.release(held));
        held.forEach(job -> {
            leased.put(job.id(), nowNanos);
            counts.add("taken over held");
        });
        return true;
    }

    /** Ends the hold of jobs that were submitted held and are left to the manager. */
    void release(List<LiveJob> held) {
        if (!held.isEmpty() && !settings.isDry()) {
            held.forEach(job -> note(job, DriveLog.RELEASE));
            log.write();
            askForAll("to release jobs", () -> driven.release(held));
        }
    }

    /** Notes that a job which was submitted held waits without a hold, so that a later hold is not ours. */
    void released(LiveJob job) {
        note(job, DriveLog.GIVE_BACK);
        log.write();
    }

    /**
     * Whether a start that a waiting job was told has not come in time, or the manager has given it up: Slurm then holds the job.
     *
     * @param nowNanos by the driver's clock; the time begins when this driver first sees the job open
     */
    boolean isOverdue(LiveJob job, long nowNanos) {
        if (settings.isDry() || !log.isOpen(job.id())) {
            return false;
        }
        long told = toldNanos.computeIfAbsent(job.id(), id -> nowNanos);
        return isGivenUp(job) || (!job.isHeld() && nowNanos - told >= settings.startWithinSeconds() * SECOND);
    }

    /** Slurm holds a job whose nodes, which we named, cannot have it. */
    private boolean isGivenUp(LiveJob job) {
        return job.isHeld() && job.reason().equals("BadConstraints") && log.placed(job.id());
    }

    /** Takes a start back: the job waits on, on any nodes. */
    void takeBack(LiveJob job, long nowNanos) {
        note(job, "take back");
        log.write();
        if (ask("to take back the start of", job, () -> driven.postpone(List.of(job), settings.leaseSeconds()))
                && job.isHeld()) {
            askForAll("to release jobs", () -> driven.release(List.of(job)));
        }
        waits(job, nowNanos);
        counts.add("starts taken back");
    }

    /** Whether another job may start in this minute. */
    boolean mayStart(long nowNanos) {
        starts.removeIf(at -> nowNanos - at >= 60 * SECOND);
        return settings.startsPerMinute() == 0 || starts.size() < settings.startsPerMinute();
    }

    /**
     * Lets a job start now.
     *
     * @param placement where, or none for where the manager likes
     * @param ours the pending jobs of the driver, whose highest priority it gets
     */
    void start(LiveJob job, List<ServerGpus> placement, List<LiveJob> ours, String why, long nowNanos) {
        long first = ours.stream().mapToLong(LiveJob::priority).max().orElse(1);
        long last =
                priorities.values().stream().mapToLong(Long::longValue).min().orElse(first + 1);
        long priority = Math.max(1, Math.min(first, last - 1));
        List<String> servers = placement.stream().map(ServerGpus::server).toList();
        log.noteStart(job, servers, priority, why, clock.millis());
        log.write();
        if (ask("to start", job, () -> driven.start(job, priority, placement))) {
            String where = servers.isEmpty() ? "" : " on " + String.join(" ", servers);
            counts.add(settings.isDry() ? "starts proposed" : "told to start");
            say.accept(Counted.say("start %s: %d GPUs%s, priority %d, %s", job.id(), job.gpus(), where, priority, why));
            priorities.put(job.id(), priority);
            toldNanos.putIfAbsent(job.id(), nowNanos);
            starts.add(nowNanos);
        }
        leased.remove(job.id());
    }

    /** Takes a job off its nodes, once. */
    void requeue(LiveJob job, String why) {
        if (log.isRequeued(job.id(), job.restarts())) {
            return;
        }
        note(job, "requeue");
        log.write();
        if (ask("to requeue", job, () -> driven.requeue(job))) {
            counts.add("told to requeue");
            say.accept(Counted.say("requeue %s: %d GPUs, %s", job.id(), job.gpus(), why));
        }
    }

    /** Forgets all jobs but these, which wait: the priority of one that runs bounds no other's. */
    void keepOnly(Set<String> waiting) {
        leased.keySet().retainAll(waiting);
        untilSeconds.keySet().retainAll(waiting);
        priorities.keySet().retainAll(waiting);
        toldNanos.keySet().retainAll(waiting);
        refused.retainAll(waiting);
        said.keySet().removeIf(key -> !key.contains(" ") && !waiting.contains(key));
    }

    /** The jobs of the log that wait for us, or on nodes of ours. */
    List<LiveJob> withheld(LiveSnapshot snapshot) {
        return snapshot.jobs().values().stream()
                .filter(job -> job.stage() == LiveJob.Stage.PENDING && log.knows(job.id()))
                .filter(job -> log.isLeased(job.id())
                        || (job.requiredNodes().isEmpty()
                                ? !log.isGivenBack(job.id()) && !isBeingCleaned(job)
                                : log.placed(job.id())))
                .filter(job -> !job.isHeld() || isGivenUp(job) || log.isLeased(job.id()))
                .toList();
    }

    /** Gives all jobs of the log back, and asks until it sees that none waits for us. */
    GivenBack giveAllBack() {
        if (settings.isDry() || !driven.startsByItself()) {
            return GivenBack.NOTHING;
        }
        Set<String> given = new HashSet<>();
        List<String> named = List.of();
        String left = "";
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                LiveSnapshot seen = driven.look();
                List<LiveJob> all = withheld(seen);
                if (attempt == 0) {
                    all.forEach(job -> given.add(job.id()));
                    named = named(seen);
                    giveBack(all);
                    resetPriorities(seen);
                } else {
                    List<LiveJob> rest = rest(seen, all, given);
                    giveBack(rest);
                    if (rest.isEmpty()) {
                        return new GivenBack(given.size(), named, "");
                    }
                    left = "still waiting for a driver: %s; run --give-back again"
                            .formatted(String.join(
                                    " ", rest.stream().map(LiveJob::id).toList()));
                }
            }
        } catch (InputException e) {
            left = "%s; %s".formatted(e.getMessage(), log.unfinished(settings.leaseSeconds()));
        }
        return new GivenBack(given.size(), named, left);
    }

    /** Jobs that still wait for us: what was not answered may not have been done, though it is noted. */
    private List<LiveJob> rest(LiveSnapshot seen, List<LiveJob> withheld, Set<String> given) {
        return seen.jobs().values().stream()
                .filter(job -> withheld.contains(job)
                        || (given.contains(job.id()) && job.stage() == LiveJob.Stage.PENDING && !job.isHeld()))
                .filter(job -> !job.requiredNodes().isEmpty()
                        || job.isHeld()
                        || (job.eligible() > clock.millis() / 1000 + 2 && !isBeingCleaned(job)))
                .toList();
    }

    /** Running jobs that were named nodes, which a manager keeps for when they wait again. */
    private List<String> named(LiveSnapshot seen) {
        return seen.jobs().values().stream()
                .filter(job -> job.stage() == LiveJob.Stage.RUNNING
                        && !job.requiredNodes().isEmpty()
                        && log.placed(job.id()))
                .map(LiveJob::id)
                .toList();
    }

    /** Gives jobs that we started, and that wait again at once when they are requeued, the priority of the manager. */
    private void resetPriorities(LiveSnapshot seen) {
        List<LiveJob> started = seen.jobs().values().stream()
                .filter(job -> log.isStarted(job.id()) && !job.isHeld())
                .filter(job -> job.stage() == LiveJob.Stage.RUNNING
                        || (job.stage() == LiveJob.Stage.PENDING && isBeingCleaned(job)))
                .toList();
        if (!started.isEmpty()) {
            started.stream()
                    .filter(job -> job.stage() == LiveJob.Stage.RUNNING)
                    .forEach(job -> note(job, DriveLog.GIVE_BACK));
            log.write();
            askForAll("to take jobs back", () -> driven.release(started));
        }
    }

    /** Whether the manager has requeued a job and gave it a begin time, until which its nodes may still have its first copy. */
    boolean isBeingCleaned(LiveJob job) {
        return log.isRequeuedByOthers(job) && job.eligible() > clock.millis() / 1000 + 1;
    }

    /** Lets jobs that are being cleaned start on any nodes then, where they have nodes of ours; whether there were any. */
    boolean clearNodes(List<LiveJob> cleaned) {
        List<LiveJob> named = cleaned.stream()
                .filter(job -> !settings.isDry() && !job.requiredNodes().isEmpty() && log.placed(job.id()))
                .toList();
        named.forEach(job -> {
            note(job, DriveLog.CLEAR);
            log.write();
            long seconds = Math.min(Integer.MAX_VALUE, job.eligible() - clock.millis() / 1000);
            askForAll("to take jobs back", () -> driven.postpone(List.of(job), (int) seconds));
        });
        return !named.isEmpty();
    }

    /** Gives jobs back: the manager orders and starts them by itself, on any nodes. */
    void giveBack(List<LiveJob> all) {
        if (all.isEmpty() || settings.isDry() || !driven.startsByItself()) {
            return;
        }
        clearNodes(all.stream().filter(this::isBeingCleaned).toList());
        List<LiveJob> jobs = all.stream().filter(job -> !isBeingCleaned(job)).toList();
        if (jobs.isEmpty()) {
            return;
        }
        jobs.forEach(job -> note(job, job.isHeld() && log.isTaken(job.id()) ? DriveLog.TAKE : DriveLog.GIVE_BACK));
        log.write();
        askForAll("to take jobs back", () -> driven.giveBack(jobs));
        jobs.forEach(job -> {
            leased.remove(job.id());
            priorities.remove(job.id());
            toldNanos.remove(job.id());
        });
    }
}
