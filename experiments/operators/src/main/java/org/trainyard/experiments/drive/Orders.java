package org.trainyard.experiments.drive;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.trainyard.env.InputException;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/**
 * Carries decisions out. A job that is to wait is postponed by a lease, again and again; one that is to start may begin now,
 * before all others that are ours.
 */
final class Orders {
    private static final long SECOND = 1_000_000_000L;

    private final DriveSettings settings;
    private final DrivenCluster driven;
    private final DriveLog log;
    private final DriveCounts counts;
    private final Clock clock;
    private final Consumer<String> say;
    /** By job, when its lease was renewed last, by the time of the driver. */
    private final Map<String, Long> leased = new HashMap<>();
    /** By job that was told to start, its priority. */
    private final Map<String, Long> priorities = new HashMap<>();

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

    /** Asks for something; what is refused is counted and said, and nothing else happens. */
    private boolean ask(Runnable what) {
        String refusal = refusal(what);
        if (!refusal.isEmpty()) {
            counts.add("refused by " + driven.name());
            say.accept("refused: " + refusal);
        }
        return refusal.isEmpty();
    }

    /** The same where a refusal says that a job was cancelled or started meanwhile; the next look says which. */
    private void askQuietly(Runnable what) {
        if (!refusal(what).isEmpty()) {
            counts.add("waits refused by " + driven.name());
        }
    }

    /** Why the manager refuses something, or an empty text. */
    private String refusal(Runnable what) {
        if (settings.isDry()) {
            return "";
        }
        try {
            what.run();
            return "";
        } catch (InputException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void note(LiveJob job, String deed) {
        log.note(job, deed, clock.millis());
    }

    /** Lets jobs wait until somebody says otherwise; leases that are still long are left. */
    void defer(List<LiveJob> jobs, long nowNanos) {
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
                if (!log.knows(job.id()) || log.isOpen(job.id())) {
                    note(job, "wait");
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
        askQuietly(() -> driven.postpone(due, settings.leaseSeconds()));
        due.forEach(job -> {
            leased.put(job.id(), nowNanos);
            priorities.remove(job.id());
        });
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
        held.forEach(job -> note(job, "take"));
        log.write();
        askQuietly(() -> driven.postpone(held, settings.leaseSeconds()));
        askQuietly(() -> driven.release(held));
        held.forEach(job -> {
            leased.put(job.id(), nowNanos);
            counts.add("taken over held");
        });
        return true;
    }

    /**
     * Lets a job start now.
     *
     * @param placement where, or none for where the manager likes
     * @param ours the pending jobs of the driver, whose highest priority it gets
     */
    void start(LiveJob job, List<ServerGpus> placement, List<LiveJob> ours, String why) {
        long first = ours.stream().mapToLong(LiveJob::priority).max().orElse(1);
        long last =
                priorities.values().stream().mapToLong(Long::longValue).min().orElse(first + 1);
        long priority = Math.max(1, Math.min(first, last - 1));
        note(job, placement.isEmpty() ? "start" : "start on");
        log.write();
        if (ask(() -> driven.start(job, priority, placement))) {
            List<String> servers = placement.stream().map(ServerGpus::server).toList();
            String where = servers.isEmpty() ? "" : " on " + String.join(" ", servers);
            counts.add(settings.isDry() ? "starts proposed" : "told to start");
            say.accept("start %s: %d GPUs%s, priority %d%s".formatted(job.id(), job.gpus(), where, priority, why));
            priorities.put(job.id(), priority);
        } else {
            note(job, "refused");
            log.write();
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
        if (ask(() -> driven.requeue(job))) {
            counts.add("told to requeue");
            say.accept("requeue %s: %d GPUs%s".formatted(job.id(), job.gpus(), why));
        }
    }

    /** Gives the jobs back that wait for us: the manager orders and starts them by itself. */
    void giveBack(List<LiveJob> jobs) {
        List<LiveJob> ours = jobs.stream()
                .filter(job -> log.knows(job.id()) && !job.isHeld())
                .toList();
        if (!ours.isEmpty()) {
            askQuietly(() -> driven.giveBack(ours));
        }
    }
}
