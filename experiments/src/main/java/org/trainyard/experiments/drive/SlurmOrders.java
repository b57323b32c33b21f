package org.trainyard.experiments.drive;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.slurm.LiveJob;
import org.trainyard.experiments.slurm.SlurmCommands;

/**
 * Carries decisions out by {@code scontrol}. A job that is to wait gets a begin time a lease ahead, again and again, so that
 * Slurm goes on by itself when nobody renews it; one that is to start may begin now, before all others that are ours.
 */
final class SlurmOrders {
    private static final long SECOND = 1_000_000_000L;
    private static final String UPDATE = "update";

    private final DriveSettings settings;
    private final SlurmCommands commands;
    private final DriveLog log;
    private final DriveCounts counts;
    private final Clock clock;
    private final Consumer<String> say;
    /** By job, when its lease was renewed last, by the time of the driver. */
    private final Map<String, Long> leased = new HashMap<>();
    /** By job that was told to start, its priority. */
    private final Map<String, Long> priorities = new HashMap<>();

    SlurmOrders(
            DriveSettings settings,
            SlurmCommands commands,
            DriveLog log,
            DriveCounts counts,
            Clock clock,
            Consumer<String> say) {
        this.settings = settings;
        this.commands = commands;
        this.log = log;
        this.counts = counts;
        this.clock = clock;
        this.say = say;
    }

    /** Runs a command of Slurm; one that it refuses is counted and said, and nothing else happens. */
    private boolean run(List<String> words) {
        String refusal = refusal(words);
        if (!refusal.isEmpty()) {
            counts.add("refused by Slurm");
            say.accept("refused: " + refusal);
        }
        return refusal.isEmpty();
    }

    /** The same where a refusal says that a job was cancelled or started meanwhile; the next snapshot says which. */
    private void quietly(List<String> words) {
        if (!refusal(words).isEmpty()) {
            counts.add("waits refused by Slurm");
        }
    }

    /** Why Slurm refuses a command, or an empty text. */
    private String refusal(List<String> words) {
        if (settings.isDry()) {
            return "";
        }
        try {
            commands.control(words);
            return "";
        } catch (InputException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void note(LiveJob job, String deed) {
        log.note(job.id(), deed, job.restarts(), clock.millis());
    }

    private static String list(List<LiveJob> jobs) {
        return String.join(",", jobs.stream().map(LiveJob::id).toList());
    }

    /** Lets jobs wait until somebody says otherwise; leases that are still long are left. */
    void defer(List<LiveJob> jobs, long nowNanos) {
        List<LiveJob> due = new ArrayList<>();
        List<String> told = new ArrayList<>();
        long half = settings.leaseSeconds() * SECOND / 2;
        long wallSeconds = clock.millis() / 1000;
        for (LiveJob job : jobs) {
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
        if (due.isEmpty()) {
            return;
        }
        log.write();
        if (!told.isEmpty()) {
            say.accept("wait %s".formatted(String.join(" ", told)));
        }
        // One that has ended meanwhile makes Slurm refuse its own part of the list only.
        lease(due);
        due.forEach(job -> {
            leased.put(job.id(), nowNanos);
            priorities.remove(job.id());
        });
    }

    private void lease(List<LiveJob> jobs) {
        for (int from = 0; from < jobs.size(); from += 200) {
            List<LiveJob> part = jobs.subList(from, Math.min(jobs.size(), from + 200));
            quietly(List.of(UPDATE, "JobId=" + list(part), "StartTime=now+" + settings.leaseSeconds()));
        }
    }

    /**
     * Takes jobs over that were submitted held: they wait by a lease from now on, so that they go on without us, too. Returns
     * whether there were any.
     */
    boolean take(List<LiveJob> held, long nowNanos) {
        if (held.isEmpty() || settings.isDry()) {
            return false;
        }
        held.forEach(job -> note(job, "wait"));
        log.write();
        lease(held);
        quietly(List.of("release", list(held)));
        held.forEach(job -> {
            leased.put(job.id(), nowNanos);
            counts.add("taken over held");
        });
        return true;
    }

    /**
     * Lets a job start now.
     *
     * @param nodes on which, or null where Slurm likes
     * @param ours the pending jobs of the driver, whose highest priority it gets
     */
    void start(LiveJob job, @Nullable List<ServerGpus> nodes, List<LiveJob> ours, String why) {
        long first = ours.stream().mapToLong(LiveJob::priority).max().orElse(1);
        long last =
                priorities.values().stream().mapToLong(Long::longValue).min().orElse(first + 1);
        long priority = Math.max(1, Math.min(first, last - 1));
        note(job, nodes == null ? "start" : "start on");
        log.write();
        List<String> words =
                new ArrayList<>(List.of(UPDATE, "JobId=" + job.id(), "Priority=" + priority, "StartTime=now"));
        String where = "";
        if (nodes != null) {
            List<String> servers = nodes.stream().map(ServerGpus::server).toList();
            words.add("ReqNodeList=" + String.join(",", servers));
            where = " on " + String.join(" ", servers);
        }
        if (run(words)) {
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
        if (run(List.of("requeue", job.id()))) {
            counts.add("told to requeue");
            say.accept("requeue %s: %d GPUs%s".formatted(job.id(), job.gpus(), why));
        }
    }

    /** Gives the jobs back that wait for us: Slurm orders and starts them by itself. */
    void giveBack(List<LiveJob> jobs) {
        List<LiveJob> ours = jobs.stream()
                .filter(job -> log.knows(job.id()) && !job.isHeld())
                .toList();
        if (!ours.isEmpty()) {
            quietly(List.of(UPDATE, "JobId=" + list(ours), "StartTime=now"));
            quietly(List.of("release", list(ours)));
        }
    }
}
