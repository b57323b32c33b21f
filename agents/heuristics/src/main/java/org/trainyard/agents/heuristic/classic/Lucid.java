package org.trainyard.agents.heuristic.classic;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.Invalid;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.placement.Placer;
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
 * Lucid: least predicted GPU time first, without preemption. A job that needs only parts of GPUs shares GPUs with one
 * other job if neither job's predicted slowdown exceeds a limit; otherwise it gets free GPUs.
 *
 * <p>Source: Q. Hu, M. Zhang, P. Sun, Y. Wen, T. Zhang: Lucid: a non-intrusive, scalable and interpretable scheduler
 * for deep learning training jobs, ASPLOS 2023. Our deviations: (1) a predicted slowdown decides, where Lucid adds
 * classes of GPU load; (2) jobs declare the part of a GPU that they need instead of being profiled; (3) partners need
 * not have equally many GPUs, and a job stays on one server; (4) packed jobs are never separated again. Where GPUs are
 * allocated whole no jobs are packed. O(pending jobs of parts x GPUs) per decision.
 */
public final class Lucid implements Scheduler {
    /**
     * Our bound: at up to a third more run time each, two jobs that share a GPU still finish sooner than one after the
     * other.
     */
    static final double DEFAULT_MOST_SLOWDOWN = 1.33;

    private final InterferenceModel belief;
    private final double mostSlowdown;
    private final WaitingJobs waiting = new WaitingJobs((view, job) ->
            view.predictedSeconds(job) * Math.max(1, view.job(job).gpus()));
    private final Placer whole = new BestFit();
    private final Colocation row = new Colocation();

    public Lucid(InterferenceModel belief) {
        this(belief, DEFAULT_MOST_SLOWDOWN);
    }

    /** @param mostSlowdown largest predicted slowdown of either job with which two jobs share GPUs, at least 1 */
    public Lucid(InterferenceModel belief, double mostSlowdown) {
        Invalid.when(!(mostSlowdown >= 1), "slowdown (%s) must be at least 1", mostSlowdown);
        this.belief = belief;
        this.mostSlowdown = mostSlowdown;
    }

    @Override
    public Decision decide(SimView view) {
        waiting.update(view);
        int most =
                view.cluster().isShared() ? Integer.MAX_VALUE : view.cluster().free();
        for (int job = waiting.first(most); job != SimView.NONE; job = waiting.first(most)) {
            JobSpec spec = view.job(job);
            boolean isAllowed = view.isWithinQuota(job, spec.gpus());
            boolean isPart = view.cluster().isShared() && spec.demand().gpuMilli() < Demand.WHOLE && spec.gpus() > 0;
            Placement where = !isAllowed ? null : isPart ? packed(view, spec) : whole.place(view, spec);
            if (where != null) {
                return new Decision.Start(job, where);
            }
            if (isPart && isAllowed) {
                // Another job of the same demand may be a better neighbour.
                waiting.passOver(view, job);
            } else {
                waiting.refuse(view, job);
            }
        }
        return Decision.WAIT;
    }

    /** GPUs of the server where most of them are shared, the first of equals. */
    private @Nullable Placement packed(SimView view, JobSpec job) {
        Topology topology = view.topology();
        IntArrayList best = new IntArrayList();
        int mostShared = -1;
        for (int server = 0; server < topology.servers(); server++) {
            if (view.cluster().room(job.demand(), server) >= job.gpus()) {
                IntArrayList gpus = new IntArrayList();
                int shared = collect(view, job, server, gpus);
                if (gpus.size() >= job.gpus() && shared > mostShared) {
                    mostShared = shared;
                    best = gpus;
                }
            }
        }
        if (mostShared >= 0) {
            best.size(job.gpus());
            return Placement.of(topology, best.toIntArray());
        }
        boolean needsMore = job.gpus() > topology.widestServer();
        return needsMore || view.runningCount() == 0 ? whole.place(view, job) : null;
    }

    /**
     * Adds shared GPUs with a compatible partner first, then free ones; returns how many shared GPUs the job would use.
     */
    private int collect(SimView view, JobSpec job, int server, IntArrayList gpus) {
        Cluster cluster = view.cluster();
        int first = view.topology().firstGpu(server);
        int end = first + view.topology().gpusOn(server);
        for (int gpu = first; gpu < end; gpu++) {
            int partner = cluster.owner(gpu) == Cluster.SHARED ? soleHolder(view, server, gpu - first) : SimView.NONE;
            if (partner != SimView.NONE
                    && cluster.fitsOn(gpu, job.demand())
                    && isCompatible(view, job, partner, server)) {
                gpus.add(gpu);
            }
        }
        int shared = Math.min(job.gpus(), gpus.size());
        for (int gpu = first; gpu < end; gpu++) {
            if (cluster.owner(gpu) == Cluster.FREE) {
                gpus.add(gpu);
            }
        }
        return shared;
    }

    /** The one job that holds a part of the GPU, or {@link SimView#NONE} when two or more do. */
    private static int soleHolder(SimView view, int server, int gpu) {
        int user = SimView.NONE;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int job = view.cluster().jobOn(server, n);
            Placement placement = view.placement(job);
            if ((placement.maskOn(placement.indexOf(server)) & (1L << gpu)) != 0) {
                if (user != SimView.NONE) {
                    return SimView.NONE;
                }
                user = job;
            }
        }
        return user;
    }

    private boolean isCompatible(SimView view, JobSpec job, int partner, int server) {
        JobSpec other = view.job(partner);
        Placement placement = view.placement(partner);
        int gpus = placement.gpusOn(placement.indexOf(server));
        int serverGpus = view.topology().gpusOn(server);
        boolean spans = placement.serverCount() > 1;
        row.reset(serverGpus, job.gpus(), false);
        row.add(other.model(), gpus, spans, true, true);
        if (belief.slowdown(job.model(), row) > mostSlowdown) {
            return false;
        }
        row.reset(serverGpus, gpus, spans);
        row.add(job.model(), job.gpus(), false, true, true);
        return belief.slowdown(other.model(), row) <= mostSlowdown;
    }
}
