package org.trainyard.env.scheduling.placement;

import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * What a belief says that jobs would lose to each other: the newcomer's own slowdown beyond 1, and what it adds to the slowdown of each
 * job already there.
 *
 * <p>The aim is that of the least-interference-first baseline of X. Zhao, C. Wu: Large-scale machine learning cluster scheduling via
 * multi-agent graph reinforcement learning, arXiv 2112.13354, 2021, with any belief instead of a linear one. Ours: (1) before its GPUs are known, a newcomer counts as on a socket with every neighbour; (2) a job
 * met on several servers counts on each. O(neighbours squared) per server.
 */
public final class InterferenceServerCost implements ServerCost {
    private final InterferenceModel belief;
    private final boolean byOverlap;
    private final Colocation row = new Colocation();

    /** @param byOverlap whether a neighbour's loss counts by the part of the newcomer's predicted run time that both are there */
    public InterferenceServerCost(InterferenceModel belief, boolean byOverlap) {
        this.belief = belief;
        this.byOverlap = byOverlap;
    }

    @Override
    public double of(SimView view, JobSpec job, int server, int available, int workers, boolean spans) {
        if (isQuiet(view, server)) {
            return 0;
        }
        return own(view, job, server, workers, spans) + harm(view, job, server, workers, spans);
    }

    /** The same of a whole placement: the newcomer loses where it is slowed down most, its neighbours everywhere. */
    public double of(SimView view, JobSpec job, Placement placement) {
        double own = 0;
        double harm = 0;
        boolean spans = placement.serverCount() > 1;
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            if (!isQuiet(view, server)) {
                own = Math.max(own, own(view, job, server, placement.gpusOn(i), spans));
                harm += harm(view, job, server, placement.gpusOn(i), spans);
            }
        }
        return own + harm;
    }

    private static boolean isQuiet(SimView view, int server) {
        return view.cluster().jobsOn(server) == 0 || view.topology().gpusOn(server) == 0;
    }

    private double own(SimView view, JobSpec job, int server, int workers, boolean spans) {
        row.reset(view.topology().gpusOn(server), workers, spans);
        row.addAllOn(server, SimView.NONE, view);
        return belief.slowdown(job.model(), row) - 1;
    }

    private double harm(SimView view, JobSpec job, int server, int workers, boolean spans) {
        double harm = 0;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int victim = view.cluster().jobOn(server, n);
            Placement placement = view.placement(victim);
            int gpus = placement.gpusOn(placement.indexOf(server));
            row.reset(view.topology().gpusOn(server), gpus, placement.serverCount() > 1);
            row.addAllOn(server, victim, view);
            double before = belief.slowdown(view.job(victim).model(), row);
            row.add(job.model(), workers, spans, true);
            harm += (belief.slowdown(view.job(victim).model(), row) - before) * weight(view, job.id(), victim);
        }
        return harm;
    }

    private double weight(SimView view, int newcomer, int victim) {
        return byOverlap
                ? Math.min(1, view.predictedRemainingSeconds(victim) / view.predictedRemainingSeconds(newcomer))
                : 1;
    }
}
