package org.trainyard.experiments.drive;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.service.live.FreeGpus;
import org.trainyard.experiments.service.live.PlacementAnswer.ProposedDecision;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.slurm.UnansweredException;
import org.trainyard.experiments.slurm.UnreadableAnswerException;

/**
 * Drives a live cluster: each step looks, makes the mirror equal to what it sees, asks the scheduler, and brings the
 * jobs into the state that the answer wants. It holds no truth of its own, so a step after a kill, a restart of the
 * manager or an hour of silence is a step like any other.
 */
public final class ClusterDriver implements AutoCloseable {
    private final Driving drive;
    private final LongSupplier ticks;
    private final Mirror mirror;
    private final Orders orders;
    private final DriveScope scope;
    private final LeftJobs left;
    private final DrivePlan plan;
    private final LostGpus lost;
    private final DriveMetrics metrics;
    private boolean isFirst = true;
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
        this.ticks = ticks;
        originTicks = ticks.getAsLong();
        if (!settings.isDry()) {
            driven.requireRights(settings.level());
        }
        String id = driven.name().toLowerCase(Locale.ROOT);
        LiveSnapshot seen = driven.look();
        driven.requireKnown(settings, seen);
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        registry.config().commonTags("out", String.valueOf(settings.folder().getFileName()));
        mirror = new Mirror(service, settings.folder(), id, settings.cluster(), seen, registry);
        DriveLog log;
        try {
            log = new DriveLog(settings.folder().resolve(DriveLog.NAME), settings.isDry());
        } catch (RuntimeException e) {
            mirror.close();
            throw e;
        }
        drive = new Driving(settings, driven, log, new DriveCounts(registry), clock, say);
        orders = new Orders(drive);
        scope = new DriveScope(settings, log, mirror);
        left = new LeftJobs(drive, scope, orders);
        plan = new DrivePlan(drive, mirror, scope, left, ticks);
        lost = new LostGpus(driven.name(), say);
        metrics = new DriveMetrics(drive, registry, mirror, scope);
        originNanos =
                Math.max(drive.clock().millis() * 1_000_000L, mirror.view().nowNanos());
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
        return drive.counts();
    }

    /** Does one step; returns why the manager did not answer, or an empty text. */
    public String step() {
        LiveSnapshot snapshot;
        Set<String> reused;
        try {
            snapshot = drive.cluster().look();
            reused = drive.log().forgetReused(snapshot.jobs().values());
            drive.log()
                    .recallHolds(
                            snapshot.jobs().values(),
                            drive.cluster()::startedMillis,
                            drive.clock().millis());
            boolean hasTakenBack = takeBack(snapshot);
            if (left.takeHeld(snapshot, drive.clock().millis() / 1000, now()) || hasTakenBack) {
                snapshot = drive.cluster().look();
            }
        } catch (UnansweredException | UnreadableAnswerException e) {
            drive.counts().add("looks without an answer");
            return String.valueOf(e.getMessage());
        }
        long now = now();
        ours = left.drivable(snapshot, drive.clock().millis() / 1000, now);
        Set<String> numbers = new HashSet<>();
        ours.forEach(job -> numbers.add(job.id()));
        LiveEvents.News news = new LiveEvents(
                        snapshot,
                        mirror,
                        mirror.view(),
                        drive.log(),
                        numbers,
                        reused,
                        plan.decisions(),
                        lost.seen(snapshot),
                        now)
                .since();
        mirror.feed(news.events()).forEach(words -> {
            drive.counts().add("events refused by the mirror");
            drive.say().accept("not understood: " + words);
        });
        plan.see(news);
        if (plan.isOver(news.surprises(), now)) {
            plan.ask(now, snapshot);
        }
        if (!plan.isLate()) {
            carryOut(snapshot, now);
        }
        drive.log().keepOnly(snapshot.jobs());
        drive.log().keepShort();
        metrics.write(snapshot, ours);
        return "";
    }

    /**
     * Takes starts back that have not come and, at the first look, all nodes that a driver before us told; whether
     * there were any.
     */
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
                    && !drive.settings().isDry()
                    && drive.log().of(job).isPlaced
                    && !job.requiredNodes().isEmpty()) {
                orders.takeBack(job, now);
                hasTaken = true;
            } else if (orders.isOverdue(job, now)) {
                List<String> nodes = drive.log().of(job).nodes();
                String where = nodes.isEmpty() ? "" : " on " + String.join(" ", nodes);
                drive.say()
                        .accept("take back %s: its start%s has not come (%s, limit %d s)"
                                .formatted(
                                        job.id(),
                                        where,
                                        job.reason(),
                                        drive.settings().startWithinSeconds()));
                scope.avoid(job, nodes, now);
                orders.takeBack(job, now);
                if (nodes.isEmpty()) {
                    left.leave(job, "was told to start and did not", now);
                }
                plan.forget(job);
                hasTaken = true;
            }
        }
        isFirst = false;
        return hasTaken;
    }

    private void carryOut(LiveSnapshot snapshot, long now) {
        Map<String, LiveJob> waiting = new LinkedHashMap<>();
        // What the mirror refuses is left to the manager: its lease, if it has one, ends by itself.
        Map<String, String> known = Mirror.waiting(mirror.view());
        ours.stream().filter(job -> known.containsKey(job.id())).forEach(job -> waiting.put(job.id(), job));
        FreeGpus free = mirror.free(mirror.view());
        for (ProposedDecision decision : plan.decisions()) {
            String number = Mirror.number(decision.job());
            LiveJob job = snapshot.jobs().get(number);
            if (job != null && decision.kind().equals(DrivePlan.PREEMPT)) {
                orders.requeue(job, plan.why());
            } else if (waiting.containsKey(number) && decision.placement() != null && free.has(decision.placement())) {
                free.take(decision.placement());
                start(decision.placement(), waiting, number, now);
            }
        }
        orders.defer(List.copyOf(waiting.values()), now);
    }

    /** Starts a job that has not been told to, or not there; one beyond the limit of starts waits on. */
    private void start(List<ServerGpus> placement, Map<String, LiveJob> waiting, String number, long now) {
        LiveJob job = Objects.requireNonNull(waiting.get(number));
        List<ServerGpus> where = drive.settings().level() == DriveLevel.PRIORITY ? List.of() : placement;
        List<String> nodes = where.stream().map(ServerGpus::server).toList();
        DrivenJob known = drive.log().of(job);
        if (known.isOpen && !drive.cluster().hasMissed(job) && known.nodes().equals(nodes)) {
            waiting.remove(number);
        } else if (orders.mayStart(now)) {
            waiting.remove(number);
            orders.start(job, where, ours, plan.why(), now);
            if (orders.isRefused(job)) {
                left.leave(job, "is refused its start by " + drive.cluster().name(), now);
            }
        } else {
            drive.counts().add("starts put off by --starts-per-minute");
        }
    }

    /** Gives all jobs of the log back to the manager; for an end in peace. */
    public GivenBack giveBack() {
        return new GivingBack(drive, orders).all();
    }

    @Override
    public void close() {
        metrics.close();
        try {
            drive.log().close();
        } finally {
            mirror.close();
        }
    }
}
