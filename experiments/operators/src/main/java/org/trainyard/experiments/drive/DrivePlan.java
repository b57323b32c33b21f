package org.trainyard.experiments.drive;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.service.live.ClusterView;
import org.trainyard.experiments.service.live.FreeGpus;
import org.trainyard.experiments.service.live.LiveEvent;
import org.trainyard.experiments.service.live.PlacementAnswer;
import org.trainyard.experiments.service.live.PlacementAnswer.ProposedDecision;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/** Asks the scheduler, and keeps of its decisions what the live state allows, until it is seen to be done. */
final class DrivePlan {
    static final String PREEMPT = "preempt";
    private static final String START = "start";
    private static final String FORWARD = "forward";
    private static final String NO_ROOM = "finds no cores or memory beside free GPUs on nodes that it may have";
    /** Time for which decisions that were asked for may be outstanding before the scheduler is asked anew. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private final Driving drive;
    private final Mirror mirror;
    private final DriveScope scope;
    private final LeftJobs left;
    private final LongSupplier ticks;
    /** Decisions that were asked for and have not been seen yet, in their order. */
    private List<ProposedDecision> plan = new ArrayList<>();

    private long askedNanos;
    /** Whether the last answer was not the scheduler's, so that the manager goes on by itself. */
    private boolean isLate;

    private double answerMillis;

    DrivePlan(Driving drive, Mirror mirror, DriveScope scope, LeftJobs left, LongSupplier ticks) {
        this.drive = drive;
        this.mirror = mirror;
        this.scope = scope;
        this.left = left;
        this.ticks = ticks;
    }

    List<ProposedDecision> decisions() {
        return plan;
    }

    boolean isLate() {
        return isLate;
    }

    /** Why a decision is carried out, for the log. */
    String why() {
        return "decided in %.0f ms".formatted(answerMillis);
    }

    void forget(LiveJob job) {
        plan.removeIf(decision -> Mirror.number(decision.job()).equals(job.id()));
    }

    /** Whether all is done, something else has happened, or it takes too long. */
    boolean isOver(int surprises, long now) {
        return plan.isEmpty() || surprises > 0 || now - askedNanos > PATIENCE_NANOS;
    }

    /** Takes note of jobs that have started or given way. */
    void see(LiveEvents.News news) {
        for (String number : news.started()) {
            boolean wasPlanned = plan.removeIf(decision -> decision.kind().equals(START)
                    && Mirror.number(decision.job()).equals(number));
            drive.counts()
                    .add(
                            wasPlanned || drive.log().of(number).isOpen
                                    ? "seen to start"
                                    : "started by %s itself"
                                            .formatted(drive.cluster().name()));
        }
        Set<String> running = new HashSet<>();
        mirror.view().running().forEach(job -> running.add(job.job()));
        plan.removeIf(decision -> decision.kind().equals(PREEMPT) && !running.contains(decision.job()));
    }

    /** Asks until no job is left for want of room, which lets those behind it go on. */
    void ask(long now, LiveSnapshot snapshot) {
        while (askOnce(now, snapshot)) {
            drive.counts().add("asked again without jobs that find no room");
        }
    }

    private boolean askOnce(long now, LiveSnapshot snapshot) {
        long from = ticks.getAsLong();
        PlacementAnswer answer = mirror.ask(Math.max(now, mirror.view().nowNanos()));
        answerMillis = (ticks.getAsLong() - from) / 1e6;
        askedNanos = now;
        if (!answer.decidedBy().equals("policy")) {
            drive.counts().add("late answers");
            drive.say()
                    .accept("no decision: the scheduler was late (%s, %.0f ms)"
                            .formatted(answer.reason(), answerMillis));
            plan = new ArrayList<>();
            isLate = true;
            return false;
        }
        isLate = false;
        drive.counts().add("answers");
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
                left.leave(job(decision, snapshot), NO_ROOM, now);
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
        drive.counts().add("dropped");
        DrivenJob known = drive.log().of(number);
        if (!why.equals(known.dropped)) {
            known.dropped = why;
            drive.say().accept("dropped %s %s: %s".formatted(decision.kind(), number, why));
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
        DrivenJob known = drive.log().of(job);
        if (known.isOpen) {
            placement = drive.settings().level() == DriveLevel.PRIORITY && free.has(decision.placement())
                    ? decision.placement()
                    : NodeRoom.kept(job, decision.placement(), known.nodes(), free);
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
            return drive.cluster().name() + " no longer knows it";
        }
        if (decision.kind().equals(PREEMPT)) {
            return preemptable(decision, job, free);
        }
        if (!decision.kind().equals(START) || decision.placement() == null) {
            return drive.cluster().name() + " cannot do that";
        }
        return "";
    }

    private String preemptable(ProposedDecision decision, LiveJob job, FreeGpus free) {
        if (drive.settings().level() != DriveLevel.PREEMPTION) {
            return "the level is " + drive.settings().level();
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
}
