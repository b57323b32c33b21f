package org.trainyard.agents.heuristic.classic;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.packing.LargestServer;
import org.trainyard.agents.heuristic.placing.ConsolidatingPlacer;
import org.trainyard.agents.heuristic.placing.ServerScore;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Tetris, multi-resource packing: of all pairs of a pending job and its placement, the one with the best alignment of
 * demand and free resources starts first, with a bonus for jobs with little remaining work.
 *
 * <p>Alignment is the dot product of the resources that the job would take on a server (GPUs and CPU, each as a
 * fraction of the largest server's) and the free resources of that server, summed over its servers, less a penalty when
 * it spans several. The bonus is {@code weight x mean alignment / mean work} per unit of the job's predicted work, as
 * in the paper, with means over the heads of the queue.
 *
 * <p>Source: R. Grandl, G. Ananthanarayanan, S. Kandula, S. Rao, A. Akella: Multi-resource packing for cluster
 * schedulers, SIGCOMM 2014. Our deviations: (1) gangs instead of tasks: alignment is summed over a gang's workers and
 * divided by the number of its servers; (2) of jobs of equal demand only the one with the least work is scored, because
 * the others score less; (3) memory, disk and network are no resources here; a gang over several servers counts as
 * remote; (4) no fairness knob. O(different demands x servers) per decision.
 */
public final class Tetris implements Scheduler {
    /** The value of the paper: 10 % for remote resources. */
    static final double DEFAULT_REMOTE_PENALTY = 0.1;
    /** The value of the paper: alignment and work have equal weight. */
    static final double DEFAULT_WORK_WEIGHT = 1;

    private final double remotePenalty;
    private final double workWeight;
    private final LargestServer largest;
    private final WaitingJobs waiting = new WaitingJobs((view, job) ->
            view.predictedSeconds(job) * Math.max(1, view.job(job).gpus()));
    private final ConsolidatingPlacer placer = new ConsolidatingPlacer(
            (view, job, server, available, workers, spans) -> -alignment(view, job.demand(), server, workers));

    public Tetris(Topology topology) {
        this(topology, DEFAULT_REMOTE_PENALTY, DEFAULT_WORK_WEIGHT);
    }

    /**
     * @param remotePenalty fraction of the alignment that a gang over several servers loses, 0 to 1
     * @param workWeight weight of remaining work relative to alignment; 0 ignores work
     */
    public Tetris(Topology topology, double remotePenalty, double workWeight) {
        if (!(remotePenalty >= 0 && remotePenalty <= 1) || !(workWeight >= 0)) {
            throw new IllegalArgumentException("remote penalty (%s) must be 0 to 1, work weight (%s) 0 or more"
                    .formatted(remotePenalty, workWeight));
        }
        this.remotePenalty = remotePenalty;
        this.workWeight = workWeight;
        largest = LargestServer.of(topology);
    }

    private record Candidate(int job, Placement where, double alignment, double work) {}

    @Override
    public Decision decide(SimView view) {
        waiting.update(view);
        int most =
                view.cluster().isShared() ? Integer.MAX_VALUE : view.cluster().free();
        List<Candidate> candidates = new ArrayList<>();
        for (int job = waiting.first(most); job != SimView.NONE; job = waiting.first(most)) {
            Candidate candidate = candidate(view, job);
            if (candidate != null) {
                candidates.add(candidate);
            }
            waiting.refuse(view, job);
        }
        Candidate best = best(candidates);
        return best == null ? Decision.WAIT : new Decision.Start(best.job(), best.where());
    }

    private @Nullable Candidate best(List<Candidate> candidates) {
        double alignments = 0;
        double works = 0;
        for (Candidate candidate : candidates) {
            alignments += candidate.alignment();
            works += candidate.work();
        }
        double perWork = works > 0 ? workWeight * alignments / works : 0;
        Candidate best = null;
        for (Candidate candidate : candidates) {
            if (best == null
                    || candidate.alignment() - perWork * candidate.work() > best.alignment() - perWork * best.work()) {
                best = candidate;
            }
        }
        return best;
    }

    private @Nullable Candidate candidate(SimView view, int job) {
        JobSpec spec = view.job(job);
        Placement where = view.isWithinQuota(job, spec.gpus()) ? placer.place(view, spec) : null;
        if (where == null) {
            return null;
        }
        double sum = 0;
        for (int i = 0; i < where.serverCount(); i++) {
            sum += alignment(view, spec.demand(), where.server(i), Math.max(1, where.gpusOn(i)));
        }
        double aligned = sum / where.serverCount() * (where.serverCount() > 1 ? 1 - remotePenalty : 1);
        return new Candidate(job, where, aligned, waiting.rank(job));
    }

    private double alignment(SimView view, Demand demand, int server, int workers) {
        Cluster cluster = view.cluster();
        long gpus = demand.gpus() == 0 ? 0 : (long) workers * demand.gpuMilli();
        long free = cluster.isShared()
                ? ServerScore.freeMilliOn(view, server)
                : (long) Demand.WHOLE * cluster.freeOn(server);
        return largest.gpuPart(gpus) * largest.gpuPart(free)
                + largest.cpuPart(demand.cpuMilliOf(workers)) * largest.cpuPart(cluster.freeCpuMilli(server));
    }
}
