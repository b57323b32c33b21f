package org.trainyard.experiments.drive;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.InputException;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.forecast.Quantiles;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.service.live.ClusterView;
import org.trainyard.experiments.service.live.FreeGpus;
import org.trainyard.experiments.service.live.LiveEvent;
import org.trainyard.experiments.service.live.PlacementAnswer;
import org.trainyard.experiments.service.live.PlacementAnswer.ProposedDecision;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.slurm.UnansweredException;

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
    private static final String LOG = "drive.log";
    private static final String NO_ROOM = "finds no cores or memory beside free GPUs on nodes that it may have";
    /** Metrics of the last look, in the format of Prometheus. */
    private static final String METRICS = "metrics.prom";

    private final DriveSettings settings;
    private final DrivenCluster driven;
    private final Clock clock;
    private final LongSupplier ticks;
    private final Consumer<String> say;
    private final Mirror mirror;
    private final DriveLog log;
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final DriveCounts counts = new DriveCounts(metrics);
    private final WaitMetrics waits = new WaitMetrics(metrics, "trainyard.drive");
    private final Orders orders;
    private final DriveScope scope;
    /** By job that is left to the manager, why. */
    private final Map<String, String> left = new HashMap<>();
    /** By reason, how many jobs were left for it, of which a power of two was said last. */
    private final Map<String, Integer> leftFor = new HashMap<>();
    /** By job, why its decision was dropped last. */
    private final Map<String, String> dropped = new HashMap<>();
    /** By node, GPUs of which the manager had lost count at the last look. */
    private Map<String, Integer> lost = Map.of();
    /** GPUs of which the manager has lost count, as they were said last. */
    private Map<String, Integer> saidLost = Map.of();

    private boolean isFirst = true;
    private final AtomicLong heartbeatSeconds = new AtomicLong();
    private final AtomicInteger standstill = new AtomicInteger();
    private final AtomicInteger waitingJobs = new AtomicInteger();
    /** Decisions that were asked for and have not been seen yet, in their order. */
    private List<ProposedDecision> plan = new ArrayList<>();

    private long askedNanos;
    /** Whether the last answer was not the scheduler's, so that the manager goes on by itself. */
    private boolean isLate;

    private double answerMillis;
    private List<LiveJob> ours = List.of();
    private final long originNanos;
    private final long originTicks;

    /**
     * Looks at the cluster and opens the folder.
     *
     * @param driven is not closed with it
     * @param ticks nanoseconds from an arbitrary origin, which never go back
     * @param say is given a line for each decision
     */
    public ClusterDriver(
            DriveSettings settings,
            ServiceSettings service,
            DrivenCluster driven,
            Clock clock,
            LongSupplier ticks,
            Consumer<String> say) {
        this.settings = settings;
        this.driven = driven;
        this.clock = clock;
        this.ticks = ticks;
        originTicks = ticks.getAsLong();
        this.say = say;
        if (!settings.isDry()) {
            driven.requireRights(settings.level());
        }
        String id = driven.name().toLowerCase(Locale.ROOT);
        LiveSnapshot seen = driven.look();
        driven.requireKnown(settings, seen);
        metrics.config().commonTags("out", String.valueOf(settings.folder().getFileName()));
        mirror = new Mirror(service, settings.folder(), id, settings.cluster(), seen, metrics);
        try {
            log = new DriveLog(settings.folder().resolve(LOG), settings.isDry());
        } catch (RuntimeException e) {
            mirror.close();
            throw e;
        }
        orders = new Orders(settings, driven, log, counts, clock, say);
        scope = new DriveScope(settings, log, mirror);
        gauge("heartbeat.seconds", "Time of the last answered look, since 1970.", heartbeatSeconds::get);
        gauge(
                "standstill.looks",
                "Looks in a row at which jobs wait, nothing runs and no start is under way.",
                standstill::get);
        gauge("waiting.jobs", "Jobs that wait for the driver.", waitingJobs::get);
        gauge("left.jobs", "Waiting jobs that are left to the manager.", left::size);
        originNanos = Math.max(clock.millis() * 1_000_000L, mirror.view().nowNanos());
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder("trainyard.drive." + name, value)
                .description(description)
                .strongReference(true)
                .register(metrics);
    }

    /** The time of the driver, which a step of the clock does not change while it runs, and which never goes back. */
    private long now() {
        return originNanos + ticks.getAsLong() - originTicks;
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
            log.recallHolds(snapshot.jobs().values(), driven::startedMillis, clock.millis());
            boolean hasTakenBack = takeBack(snapshot);
            if (takeHeld(snapshot) || hasTakenBack) {
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
        LiveEvents.News news = new LiveEvents(
                        snapshot, mirror, mirror.view(), log, numbers, reused, plan, lostGpus(snapshot), now)
                .since();
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
        log.keepShort();
        scope.keepOnly(snapshot.jobs().keySet());
        left.keySet().retainAll(pending(snapshot));
        dropped.keySet().retainAll(snapshot.jobs().keySet());
        orders.keepOnly(pending(snapshot));
        measure(snapshot);
        return "";
    }

    private static Set<String> pending(LiveSnapshot snapshot) {
        Set<String> pending = new HashSet<>();
        snapshot.jobs().values().stream()
                .filter(job -> job.stage() == Stage.PENDING)
                .forEach(job -> pending.add(job.id()));
        return pending;
    }

    /** A cluster stands still when jobs of ours wait, nothing runs on it, and no start is under way. */
    private void measure(LiveSnapshot snapshot) {
        ClusterView view = mirror.view();
        boolean isStill = !view.waiting().isEmpty()
                && view.running().isEmpty()
                && ours.stream().noneMatch(job -> log.isOpen(job.id()));
        standstill.set(isStill ? standstill.get() + 1 : 0);
        waitingJobs.set(view.waiting().size());
        waits.count(snapshot.jobs().values());
        waits.forecast(mirror.topology().widestServer(), () -> forecast(snapshot));
        heartbeatSeconds.set(clock.millis() / 1000);
        try {
            AtomicFiles.write(settings.folder().resolve(METRICS), metrics.scrape());
        } catch (FailedWriteException e) {
            // A full disk stops the driver at its next order; until then an old heartbeat tells of it.
            counts.add("metrics that could not be written");
        }
    }

    /**
     * By number of GPUs, the wait of a new job. Nobody knows it where the queue of the partition has jobs that the mirror lacks, nor
     * a start at once where nodes with free GPUs have no cores or memory.
     */
    private IntFunction<@Nullable Quantiles> forecast(LiveSnapshot snapshot) {
        Map<String, LiveJob> jobs = snapshot.jobs();
        ClusterView view = mirror.view();
        Set<String> ours = Mirror.waiting(view).keySet();
        boolean hasOthers = jobs.values().stream()
                .anyMatch(job -> job.isInQueue() && !ours.contains(job.id()) && scope.isInPartition(job));
        FreeGpus free = mirror.free(view);
        boolean hasRoom = snapshot.nodes().values().stream()
                .anyMatch(node -> node.freeCpus() > 0
                        && node.freeMemoryMib() > 0
                        && !free.of(node.name()).isEmpty());
        return gpus -> {
            Quantiles wait = hasOthers ? null : mirror.forecast(gpus, jobs);
            return wait == null || (wait.p10() == 0 && !hasRoom) ? null : wait;
        };
    }

    /** Counts may differ for a moment, as one command comes after the other; those that differ twice are lost. */
    private Map<String, Integer> lostGpus(LiveSnapshot snapshot) {
        Map<String, Integer> now = snapshot.lostGpus();
        Map<String, Integer> both = new TreeMap<>();
        now.forEach((node, gpus) -> {
            int least = Math.min(gpus, lost.getOrDefault(node, 0));
            if (least > 0) {
                both.put(node, least);
            }
        });
        lost = now;
        if (!both.equals(saidLost)) {
            say.accept(
                    both.isEmpty()
                            ? "%s counts its GPUs as its jobs do again".formatted(driven.name())
                            : "%s counts GPUs as held that no job has, and they are left out: %s"
                                    .formatted(driven.name(), both));
            saidLost = both;
        }
        return both;
    }

    /** Takes starts back that have not come and, at the first look, all nodes that a driver before us told; whether there were any. */
    private boolean takeBack(LiveSnapshot snapshot) {
        long now = now();
        boolean hasTaken = false;
        for (LiveJob job : snapshot.jobs().values()) {
            if (job.stage() != Stage.PENDING) {
                continue;
            }
            if (orders.isBeingCleaned(job)) {
                hasTaken |= orders.clearNodes(List.of(job));
            } else if (isFirst
                    && !settings.isDry()
                    && log.placed(job.id())
                    && !job.requiredNodes().isEmpty()) {
                orders.takeBack(job, now);
                hasTaken = true;
            } else if (orders.isOverdue(job, now)) {
                List<String> nodes = log.nodes(job.id());
                String where = nodes.isEmpty() ? "" : " on " + String.join(" ", nodes);
                say.accept("take back %s: its start%s has not come (%s, limit %d s)"
                        .formatted(job.id(), where, job.reason(), settings.startWithinSeconds()));
                scope.avoid(job, nodes, now);
                orders.takeBack(job, now);
                if (nodes.isEmpty()) {
                    leave(job, "was told to start and did not", now);
                }
                plan.removeIf(decision -> Mirror.number(decision.job()).equals(job.id()));
                hasTaken = true;
            }
        }
        isFirst = false;
        return hasTaken;
    }

    /** Leaves a job to the manager for a while. */
    private void leave(LiveJob job, String why, long now) {
        String words = "%s; it is tried again after %d s".formatted(why, scope.pauseSeconds());
        scope.leave(job, words, now);
        isNewlyLeft(job, words);
        sayLeft(words, List.of(job.id()));
        orders.giveBack(List.of(job));
    }

    /** Takes jobs over that were submitted held, and releases those of them that are left to the manager; whether there were any. */
    private boolean takeHeld(LiveSnapshot snapshot) {
        List<LiveJob> taken = new ArrayList<>();
        List<LiveJob> released = new ArrayList<>();
        for (LiveJob job : snapshot.jobs().values()) {
            if (job.stage() == Stage.PENDING && scope.covers(job) && scope.takes(job)) {
                boolean isOurs = scope.leaves(job, clock.millis() / 1000, now()).isEmpty();
                (isOurs ? taken : released).add(job);
            }
        }
        orders.release(released);
        return orders.take(taken, now()) || !released.isEmpty();
    }

    /** The pending jobs that it may touch and understands. */
    private List<LiveJob> drivable(LiveSnapshot snapshot) {
        List<LiveJob> drivable = new ArrayList<>();
        Map<String, List<String>> news = new LinkedHashMap<>();
        for (LiveJob job : snapshot.jobs().values()) {
            // One that is held and is taken over at the next look was submitted after this one began.
            if (job.stage() == Stage.PENDING && scope.covers(job) && !scope.takes(job)) {
                String why = scope.leaves(job, clock.millis() / 1000, now());
                if (why.isEmpty()) {
                    drivable.add(job);
                    left.remove(job.id());
                } else if (isNewlyLeft(job, why)) {
                    news.computeIfAbsent(why, words -> new ArrayList<>()).add(job.id());
                    // A lease may be on another job than the one that was seen, where its number was given twice
                    // meanwhile.
                    boolean isLeased = log.isLeased(job.id()) && !job.isHeld();
                    if (isLeased || (!job.requiredNodes().isEmpty() && log.placed(job.id()))) {
                        orders.giveBack(List.of(job));
                    } else if (log.isTaken(job.id()) && !job.isHeld()) {
                        orders.released(job);
                    }
                }
            }
        }
        news.forEach(this::sayLeft);
        return drivable;
    }

    /** Whether a job is left for another reason than before; each job is counted once until it is taken again. */
    private boolean isNewlyLeft(LiveJob job, String why) {
        String before = left.put(job.id(), why);
        if (before == null) {
            counts.add("left to " + driven.name());
        }
        return !why.equals(before);
    }

    /** Says a reason at its first jobs, and again when there are twice as many. */
    private void sayLeft(String why, List<String> jobs) {
        int before = leftFor.getOrDefault(why, 0);
        int now = before + jobs.size();
        leftFor.put(why, now);
        if (Integer.highestOneBit(now) > before) {
            String all = before == 0 ? "" : Counted.say(" (%d jobs so far)", now);
            say.accept("left %s to %s: it %s%s".formatted(String.join(" ", jobs), driven.name(), why, all));
        }
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

    /** Asks until no job is left for want of room, which lets those behind it go on. */
    private void ask(long now, LiveSnapshot snapshot) {
        while (askOnce(now, snapshot)) {
            counts.add("asked again without jobs that find no room");
        }
    }

    private boolean askOnce(long now, LiveSnapshot snapshot) {
        long from = ticks.getAsLong();
        PlacementAnswer answer = mirror.ask(Math.max(now, mirror.view().nowNanos()));
        answerMillis = (ticks.getAsLong() - from) / 1e6;
        askedNanos = now;
        if (!answer.decidedBy().equals("policy")) {
            counts.add("late answers");
            say.accept("no decision: the scheduler was late (%s, %.0f ms)".formatted(answer.reason(), answerMillis));
            plan = new ArrayList<>();
            isLate = true;
            return false;
        }
        isLate = false;
        counts.add("answers");
        plan = new ArrayList<>();
        ClusterView view = mirror.view();
        FreeGpus free = mirror.free(view);
        NodeRoom room = new NodeRoom(snapshot, (job, node) -> scope.avoids(job, node, now));
        List<LiveEvent> gone = new ArrayList<>();
        for (ProposedDecision decision : answer.decisions()) {
            if (decision.kind().equals(FORWARD)) {
                mirror.feed(List.of(forwarded(decision)));
                continue;
            }
            String why = forbidden(decision, free, snapshot);
            if (!why.isEmpty()) {
                drop(decision, why);
                continue;
            }
            // Another may have been moved onto its GPUs, or its shape is not to be had: then it waits, and is left only
            // where nothing will make room.
            boolean isIdle = view.running().isEmpty() && plan.isEmpty();
            boolean isFree = decision.placement() != null
                    && free.has(decision.placement())
                    && (isIdle || NodeRoom.hasShape(job(decision, snapshot), decision.placement()));
            ProposedDecision fitted = fitted(decision, free, room, snapshot);
            if (fitted != null) {
                plan.add(fitted);
            } else if (isFree
                    && scope.isRoomlessFor(decision.job(), now, view.running().isEmpty())) {
                leave(job(decision, snapshot), NO_ROOM, now);
                gone.add(new LiveEvent.OfJob(
                        "cancelled", decision.job(), mirror.view().nowNanos()));
            } else {
                drop(decision, isFree ? "it " + NO_ROOM : "its GPUs, or so many nodes as it asks for, are not free");
            }
        }
        mirror.feed(gone);
        return !gone.isEmpty();
    }

    private void drop(ProposedDecision decision, String why) {
        String number = Mirror.number(decision.job());
        counts.add("dropped");
        if (!why.equals(dropped.put(number, why))) {
            say.accept("dropped %s %s: %s".formatted(decision.kind(), number, why));
        }
    }

    private static LiveJob job(ProposedDecision decision, LiveSnapshot snapshot) {
        return Objects.requireNonNull(snapshot.jobs().get(Mirror.number(decision.job())));
    }

    /** The decision, on other nodes where its own have no room for the job; null where none has. */
    private @Nullable ProposedDecision fitted(
            ProposedDecision decision, FreeGpus free, NodeRoom room, LiveSnapshot snapshot) {
        if (decision.placement() == null) {
            return decision;
        }
        LiveJob job = job(decision, snapshot);
        // Slurm may be about to start it there, so its own cores may already be gone.
        List<ServerGpus> placement = null;
        if (log.isOpen(job.id())) {
            placement = settings.level() == DriveLevel.PRIORITY && free.has(decision.placement())
                    ? decision.placement()
                    : NodeRoom.kept(job, decision.placement(), log.nodes(job.id()), free);
        }
        if (placement == null) {
            placement = room.fitted(job, decision.placement(), free);
        }
        if (placement == null) {
            return null;
        }
        scope.hasRoom(decision.job());
        free.take(placement);
        room.take(job, placement);
        return new ProposedDecision(
                decision.kind(),
                decision.job(),
                placement,
                decision.domain(),
                decision.predictedRunSeconds(),
                decision.predictedSlowdown());
    }

    /** A job of another domain now, of which the manager knows nothing. */
    private LiveEvent forwarded(ProposedDecision decision) {
        return new LiveEvent.Forwarded(
                "forwarded", decision.job(), decision.domain(), mirror.view().nowNanos());
    }

    /** Why the live state forbids a decision, or an empty text; the GPUs of one that is preempted are free. */
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
            String why = "decided in %.0f ms".formatted(answerMillis);
            LiveJob job = snapshot.jobs().get(number);
            if (job != null && decision.kind().equals(PREEMPT)) {
                orders.requeue(job, why);
            } else if (waiting.containsKey(number) && decision.placement() != null && free.has(decision.placement())) {
                free.take(decision.placement());
                start(decision.placement(), waiting, number, why, now);
            }
        }
        orders.defer(List.copyOf(waiting.values()), now);
    }

    /** Starts a job that has not been told to, or not there; one beyond the limit of starts waits on. */
    private void start(List<ServerGpus> placement, Map<String, LiveJob> waiting, String number, String why, long now) {
        LiveJob job = Objects.requireNonNull(waiting.get(number));
        List<ServerGpus> where = settings.level() == DriveLevel.PRIORITY ? List.of() : placement;
        List<String> nodes = where.stream().map(ServerGpus::server).toList();
        if (log.isOpen(number) && !driven.hasMissed(job) && log.nodes(number).equals(nodes)) {
            waiting.remove(number);
        } else if (orders.mayStart(now)) {
            waiting.remove(number);
            orders.start(job, where, ours, why, now);
            if (orders.isRefused(job)) {
                leave(job, "is refused its start by " + driven.name(), now);
            }
        } else {
            counts.add("starts put off by --starts-per-minute");
        }
    }

    /** Gives all jobs of the log back to the manager; for an end in peace. */
    public GivenBack giveBack() {
        return orders.giveAllBack();
    }

    /**
     * Gives all jobs of a log back, without a driver.
     *
     * @throws InputException when the manager does not answer, or some may still wait
     */
    public static void giveBack(DriveSettings settings, DrivenCluster driven, Clock clock, Consumer<String> say) {
        Path path = settings.folder().resolve(LOG);
        if (Files.notExists(path)) {
            throw InputException.at("--out", settings.folder(), "a folder with the log of a driver, " + LOG);
        }
        DriveCounts counts = new DriveCounts(new SimpleMeterRegistry());
        FolderLock lock = FolderLock.take(settings.folder());
        try (DriveLog log = new DriveLog(path, false)) {
            GivenBack given =
                    giveBack(log, new Orders(settings, driven, log, counts, clock, say), settings, driven, clock);
            if (!given.left().isEmpty()) {
                throw new InputException("--give-back: not all jobs were given back: " + given.left());
            }
            say.accept(Counted.say("given back: %d jobs", given.jobs()));
            if (!given.remark().isEmpty()) {
                say.accept(given.remark());
            }
        } finally {
            lock.close();
        }
    }

    private static GivenBack giveBack(
            DriveLog log, Orders orders, DriveSettings settings, DrivenCluster driven, Clock clock) {
        Collection<LiveJob> jobs;
        try {
            driven.requireRights(settings.level());
            jobs = driven.look().jobs().values();
        } catch (UnansweredException e) {
            return new GivenBack(
                    0, List.of(), "%s; %s".formatted(e.getMessage(), log.unfinished(settings.leaseSeconds())));
        }
        log.forgetReused(jobs);
        log.recallHolds(jobs, driven::startedMillis, clock.millis());
        return orders.giveAllBack();
    }

    @Override
    public void close() {
        waits.close();
        try {
            log.close();
        } finally {
            mirror.close();
        }
    }
}
