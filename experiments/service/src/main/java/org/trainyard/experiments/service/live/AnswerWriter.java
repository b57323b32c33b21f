package org.trainyard.experiments.service.live;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.service.live.PlacementAnswer.HeldJob;
import org.trainyard.experiments.service.live.PlacementAnswer.ProposedDecision;

/** Writes decisions as answers, by the names of jobs and servers; a decision that is impossible is refused. */
final class AnswerWriter {
    private static final int HELD = 20;

    /** Source of an answer: the scheduler or the fallback that decided, and the reason for the fallback. */
    record Source(
            String decidedBy, String scheduler, @Nullable String reason) {}

    private final String id;
    private final Topology topology;
    private final LiveCluster cluster;
    private final SimView view;

    AnswerWriter(String id, Topology topology, LiveCluster cluster) {
        this.id = id;
        this.topology = topology;
        this.cluster = cluster;
        view = cluster.view();
    }

    /**
     * An answer with the decisions of a plan, each of which is tried on the state after those before it.
     *
     * @throws IllegalArgumentException when a decision is impossible
     */
    PlacementAnswer answer(Source source, long sequence, Question.Plan plan) {
        List<Decision> decisions = plan.decisions();
        List<ProposedDecision> proposed = new ArrayList<>();
        List<HeldJob> hold = new ArrayList<>();
        int[] held = {0};
        cluster.suppose(decisions, () -> {
            decisions.forEach(decision -> {
                ProposedDecision one = proposed(decision);
                if (one != null) {
                    proposed.add(one);
                }
            });
            held[0] = view.waitingCount();
            for (int job = view.firstWaiting();
                    job != SimView.NONE && hold.size() < HELD;
                    job = view.nextWaiting(job)) {
                hold.add(new HeldJob(
                        view.job(job).name(),
                        (view.nowNanos() - view.queuedSinceNanos(job)) / 1e9,
                        view.predictedRemainingSeconds(job)));
            }
        });
        Decision wait = decisions.get(decisions.size() - 1);
        Long wake =
                wait instanceof Decision.Wait until && until.untilNanos() != Long.MAX_VALUE ? until.untilNanos() : null;
        return new PlacementAnswer(
                id,
                sequence,
                view.nowNanos(),
                source.decidedBy(),
                source.scheduler(),
                source.reason(),
                plan.isComplete(),
                proposed,
                hold,
                held[0],
                wake,
                plan.why());
    }

    private @Nullable ProposedDecision proposed(Decision decision) {
        if (decision instanceof Decision.Start start) {
            return placed("start", start.job(), start.placement());
        } else if (decision instanceof Decision.Resize resize) {
            return placed("resize", resize.job(), resize.placement());
        } else if (decision instanceof Decision.Preempt preempt) {
            return new ProposedDecision("preempt", view.job(preempt.job()).name(), null, null, null, null);
        } else if (decision instanceof Decision.Forward forward) {
            return new ProposedDecision("forward", view.job(forward.job()).name(), null, forward.domain(), null, null);
        } else if (decision instanceof Decision.Reject reject) {
            return new ProposedDecision("reject", view.job(reject.job()).name(), null, null, null, null);
        }
        return null;
    }

    private ProposedDecision placed(String kind, int job, Placement placement) {
        double rate = view.rate(job);
        double ideal = view.job(job).idealIterationsPerSecond();
        // A later decision of the same answer may have taken the job off again.
        boolean isRunning = rate > 0 && view.placement(job).equals(placement);
        return new ProposedDecision(
                kind,
                view.job(job).name(),
                ServerNames.described(topology, placement),
                null,
                isRunning ? view.predictedRemainingSeconds(job) * ideal / rate : null,
                isRunning ? view.slowdown(job) : null);
    }

    ClusterView view(long sequence) {
        List<String> waiting = new ArrayList<>();
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            waiting.add(view.job(job).name());
        }
        List<ClusterView.RunningJob> running = new ArrayList<>();
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            running.add(new ClusterView.RunningJob(
                    view.job(job).name(),
                    ServerNames.described(topology, view.placement(job)),
                    view.progressSeconds(job)));
        }
        return new ClusterView(
                id,
                sequence,
                view.nowNanos(),
                topology.servers(),
                topology.gpus(),
                view.cluster().free(),
                view.cluster().down(),
                view.arrived(),
                waiting,
                running,
                cluster.eventLog().sha256());
    }
}
