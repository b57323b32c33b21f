package org.trainyard.experiments.drive;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.service.live.ClusterView;
import org.trainyard.experiments.service.live.PlacementAnswer;
import org.trainyard.experiments.service.live.PlacementAnswer.ProposedDecision;
import org.trainyard.experiments.service.live.ServiceSettings;

/**
 * Drives a live cluster: each step looks, makes the mirror equal to what it sees, asks the scheduler, and brings the jobs into
 * the state that the answer wants. It holds no truth of its own, so a step after a kill, a restart of the manager or an hour of
 * silence is a step like any other.
 */
public final class ClusterDriver implements AutoCloseable {
    /** For which decisions that were asked for may be outstanding before the scheduler is asked anew. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private static final String START = "start";
    private static final String PREEMPT = "preempt";
    private static final String FORWARD = "forward";

    private final DriveSettings settings;
    private final DrivenCluster driven;
    private final Clock clock;
    private final Consumer<String> say;
    private final Mirror mirror;
    private final DriveLog log;
    private final DriveCounts counts = new DriveCounts();
    private final Orders orders;
    private final DriveScope scope;
    private final Map<String, String> left = new HashMap<>();
    /** Decisions that were asked for and have not been seen yet, in their order. */
    private List<ProposedDecision> plan = new ArrayList<>();

    private long askedNanos;
    /** Whether the last answer was not the scheduler's, so that the manager goes on by itself. */
    private boolean isLate;

    private double answerMillis;
    private List<LiveJob> ours = List.of();
    private final long originNanos;
    private final long originTicks = System.nanoTime();

    /**
     * Looks at the cluster and opens the folder.
     *
     * @param driven is not closed with it
     * @param say is given a line for each decision
     */
    public ClusterDriver(
            DriveSettings settings, ServiceSettings service, DrivenCluster driven, Clock clock, Consumer<String> say) {
        this.settings = settings;
        this.driven = driven;
        this.clock = clock;
        this.say = say;
        String id = driven.name().toLowerCase(Locale.ROOT);
        String described = settings.cluster() == null ? SeenTopology.described(id, driven.look()) : "";
        mirror = new Mirror(service, settings.folder(), id, settings.cluster(), described);
        try {
            log = new DriveLog(settings.folder().resolve("drive.log"));
        } catch (RuntimeException e) {
            mirror.close();
            throw e;
        }
        orders = new Orders(settings, driven, log, counts, clock, say);
        scope = new DriveScope(
                settings.partition(),
                settings.qos(),
                settings.takesHeld(),
                mirror.topology().gpus());
        originNanos = Math.max(clock.millis() * 1_000_000L, mirror.view().nowNanos());
    }

    /** The time of the driver, which a step of the clock does not change while it runs, and which never goes back. */
    private long now() {
        return originNanos + System.nanoTime() - originTicks;
    }

    /** Number of events that the mirror knows. */
    public long events() {
        return mirror.events();
    }

    public DriveCounts counts() {
        return counts;
    }

    /** One step; returns why the manager did not answer, or an empty text. */
    public String step() {
        LiveSnapshot snapshot;
        Set<String> reused;
        try {
            snapshot = driven.look();
            reused = log.forgetReused(snapshot.jobs().values());
            if (orders.take(held(snapshot), now())) {
                snapshot = driven.look();
            }
        } catch (InputException e) {
            counts.add("looks without an answer");
            return String.valueOf(e.getMessage());
        }
        long now = now();
        ours = drivable(snapshot);
        Set<String> numbers = new HashSet<>();
        ours.forEach(job -> numbers.add(job.id()));
        LiveEvents.News news = new LiveEvents(snapshot, mirror, mirror.view(), log, numbers, reused, plan, now).since();
        mirror.feed(news.events()).forEach(words -> {
            counts.add("events refused by the mirror");
            say.accept("not understood: " + words);
        });
        seen(news);
        if (plan.isEmpty() || news.surprises() > 0 || now - askedNanos > PATIENCE_NANOS) {
            ask(now, snapshot);
        }
        if (!isLate) {
            carryOut(snapshot, now);
        }
        log.keepOnly(snapshot.jobs().keySet());
        left.keySet().retainAll(snapshot.jobs().keySet());
        return "";
    }

    /** Jobs that were submitted held and that it takes over now. */
    private List<LiveJob> held(LiveSnapshot snapshot) {
        return snapshot.jobs().values().stream()
                .filter(job -> job.stage() == Stage.PENDING && job.isHeld() && scope.covers(job))
                .filter(job -> scope.leaves(job, log, clock.millis() / 1000).isEmpty())
                .toList();
    }

    /** The pending jobs that it may touch and understands. */
    private List<LiveJob> drivable(LiveSnapshot snapshot) {
        List<LiveJob> drivable = new ArrayList<>();
        for (LiveJob job : snapshot.jobs().values()) {
            if (job.stage() == Stage.PENDING && scope.covers(job) && !isTaken(job)) {
                String why = scope.leaves(job, log, clock.millis() / 1000);
                if (why.isEmpty()) {
                    drivable.add(job);
                    left.remove(job.id());
                } else if (!why.equals(left.put(job.id(), why))) {
                    counts.add("left to " + driven.name());
                    say.accept("left %s to %s: it %s".formatted(job.id(), driven.name(), why));
                }
            }
        }
        return drivable;
    }

    /** Whether it is held and is taken over at the next look; it was submitted after this one began. */
    private boolean isTaken(LiveJob job) {
        return job.isHeld() && scope.takesHeld() && (!log.knows(job.id()) || log.isTaken(job.id()));
    }

    private void seen(LiveEvents.News news) {
        for (String number : news.started()) {
            boolean wasPlanned = plan.removeIf(decision -> decision.kind().equals(START)
                    && Mirror.number(decision.job()).equals(number));
            counts.add(
                    wasPlanned || log.isOpen(number)
                            ? "seen to start"
                            : "started by %s itself".formatted(driven.name()));
        }
        Set<String> running = new HashSet<>();
        mirror.view().running().forEach(job -> running.add(job.job()));
        plan.removeIf(decision -> decision.kind().equals(PREEMPT) && !running.contains(decision.job()));
    }

    private void ask(long now, LiveSnapshot snapshot) {
        long from = System.nanoTime();
        PlacementAnswer answer = mirror.ask(now);
        answerMillis = (System.nanoTime() - from) / 1e6;
        askedNanos = now;
        if (!answer.decidedBy().equals("policy")) {
            counts.add("late answers");
            say.accept("no decision: the scheduler was late (%s, %.0f ms)".formatted(answer.reason(), answerMillis));
            plan = new ArrayList<>();
            isLate = true;
            return;
        }
        isLate = false;
        counts.add("answers");
        plan = new ArrayList<>();
        FreeGpus free = mirror.free(mirror.view());
        for (ProposedDecision decision : answer.decisions()) {
            if (decision.kind().equals(FORWARD)) {
                mirror.feed(List.of(forwarded(decision)));
                continue;
            }
            String why = forbidden(decision, free, snapshot);
            if (why.isEmpty()) {
                plan.add(decision);
            } else {
                counts.add("dropped");
                say.accept("dropped %s %s: %s".formatted(decision.kind(), Mirror.number(decision.job()), why));
            }
        }
    }

    /** A job of another domain now, of which the manager knows nothing. */
    private LiveEvent forwarded(ProposedDecision decision) {
        return new LiveEvent.Forwarded(
                "forwarded", decision.job(), decision.domain(), mirror.view().nowNanos());
    }

    /** Why the live state forbids a decision, or an empty text; the GPUs of one that it allows are no longer free. */
    private String forbidden(ProposedDecision decision, FreeGpus free, LiveSnapshot snapshot) {
        LiveJob job = snapshot.jobs().get(Mirror.number(decision.job()));
        if (job == null) {
            return driven.name() + " no longer knows it";
        }
        if (decision.kind().equals(PREEMPT)) {
            return preemptable(decision, job, free);
        }
        if (!decision.kind().equals(START) || decision.placement() == null) {
            return driven.name() + " cannot do that";
        }
        int nodes = decision.placement().size();
        if (settings.level() != DriveLevel.PRIORITY
                && job.mostNodes() > 0
                && (nodes < job.leastNodes() || nodes > job.mostNodes())) {
            return "it asks for %d nodes, not %d".formatted(job.leastNodes(), nodes);
        }
        if (!free.has(decision.placement())) {
            return "its GPUs are not free";
        }
        free.take(decision.placement());
        return "";
    }

    private String preemptable(ProposedDecision decision, LiveJob job, FreeGpus free) {
        if (settings.level() != DriveLevel.PREEMPTION) {
            return "the level is " + settings.level();
        }
        if (!scope.covers(job) || job.stage() != Stage.RUNNING) {
            return "it is not a running job of ours";
        }
        for (ClusterView.RunningJob running : mirror.view().running()) {
            if (running.job().equals(decision.job())) {
                free.give(running.placement());
            }
        }
        return "";
    }

    private void carryOut(LiveSnapshot snapshot, long now) {
        Map<String, LiveJob> waiting = new LinkedHashMap<>();
        // What the mirror refuses is left to the manager: its lease, if it has one, ends by itself.
        Map<String, String> known = Mirror.waiting(mirror.view());
        ours.stream().filter(job -> known.containsKey(job.id())).forEach(job -> waiting.put(job.id(), job));
        FreeGpus free = mirror.free(mirror.view());
        for (ProposedDecision decision : plan) {
            String number = Mirror.number(decision.job());
            String why = ", decided in %.0f ms".formatted(answerMillis);
            LiveJob job = snapshot.jobs().get(number);
            if (job != null && decision.kind().equals(PREEMPT)) {
                orders.requeue(job, why);
            } else if (waiting.containsKey(number) && decision.placement() != null && free.has(decision.placement())) {
                free.take(decision.placement());
                LiveJob told = waiting.remove(number);
                if (told != null && (!log.isOpen(number) || driven.hasMissed(told))) {
                    orders.start(
                            told,
                            settings.level() == DriveLevel.PRIORITY ? List.of() : decision.placement(),
                            ours,
                            why);
                }
            }
        }
        orders.defer(List.copyOf(waiting.values()), now);
    }

    /** Gives all waiting jobs back to the manager; for an end in peace. */
    public void giveBack() {
        orders.giveBack(ours);
    }

    @Override
    public void close() {
        log.close();
        mirror.close();
    }

    /**
     * Which pending jobs a driver may touch.
     *
     * @param partition outside which it touches none, or null
     * @param qos outside which it touches none, or null
     * @param takesHeld whether it takes jobs over that are submitted held
     * @param gpus of the cluster
     */
    private record DriveScope(
            @Nullable String partition, @Nullable String qos, boolean takesHeld, int gpus) {
        /** Whether a job is in the partition and the QOS. */
        boolean covers(LiveJob job) {
            return (partition == null || partition.equals(job.partition())) && (qos == null || qos.equals(job.qos()));
        }

        /**
         * Why a pending job that it covers is left to the manager, or an empty text.
         *
         * @param log of what was done to jobs before
         * @param nowSeconds since 1970
         */
        String leaves(LiveJob job, DriveLog log, long nowSeconds) {
            if (!job.special().isEmpty()) {
                return job.special();
            }
            if (job.gpus() == 0) {
                return "asks for no GPUs";
            }
            if (job.gpus() > gpus) {
                return "asks for more GPUs than there are";
            }
            if (job.isHeld()) {
                return takesHeld && (!log.knows(job.id()) || log.isTaken(job.id())) ? "" : "is held";
            }
            if (job.eligible() > Math.max(nowSeconds, job.submit()) + 1) {
                if (!log.knows(job.id())) {
                    return "has a begin time of its own";
                }
                // Its nodes may not have ended it yet, and Slurm holds what it cannot launch beside its first copy.
                if (log.isRequeuedByOthers(job)) {
                    return "was requeued and waits until its nodes are clean";
                }
            }
            if (!job.requiredNodes().isEmpty() && !log.placed(job.id())) {
                return "asks for certain nodes";
            }
            if (job.reason().startsWith("Assoc")
                    || job.reason().startsWith("QOS")
                    || job.reason().contains("Limit")) {
                return "is at a limit (%s)".formatted(job.reason());
            }
            return "";
        }
    }
}
