package org.trainyard.agents.heuristic.slurm;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.scheduling.order.OrderedScheduler;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * The rules of Slurm as a scheduler of the simulator: main loop, backfill loop, priorities and preemption by QOS, as
 * {@code slurm.conf} and the tables beside it say.
 *
 * <p>Simplified, beside what {@link SimulatedJobs} and {@link LivelockGuard} say: (1) a cycle takes no time, and the
 * nodes of a job that ends or gives way are clean at once; (2) a job that Slurm would cancel to make room waits again;
 * (3) there are no reservations, and priorities that a trace names have no effect; (4) a node with a GPU out of order
 * takes no job.
 */
public final class SlurmScheduler implements OrderedScheduler {
    private final SlurmFiles files;
    private final Topology topology;
    /** The cluster of the files, in which nothing has run. */
    private final SlurmCluster cluster;

    private final PastUsage past;
    private @Nullable SlurmController controller;
    /** A state in which nothing runs. */
    private @Nullable SlurmState empty;

    private @Nullable SimulatedJobs requests;

    /** @throws org.trainyard.env.InputException when the files do not suit the topology */
    public SlurmScheduler(SlurmFiles files, Topology topology) {
        this(files, topology, files.on(topology), PastUsage.NONE);
    }

    private SlurmScheduler(SlurmFiles files, Topology topology, SlurmCluster cluster, PastUsage past) {
        this.files = files;
        this.topology = topology;
        this.cluster = cluster;
        this.past = past;
    }

    /** Decayed usage of the associations under these rules at an instant, by the runs until then. O(runs). */
    public PastUsage usage(List<PastUsage.Run> runs, long nowNanos) {
        return new PastUsage(files, topology, runs, nowNanos);
    }

    /** A new scheduler of these rules whose associations begin with past usage. */
    public SlurmScheduler after(PastUsage usage) {
        return new SlurmScheduler(files, topology, cluster, usage);
    }

    @Override
    public @Nullable String refusal(JobSpec spec) {
        SlurmState state = empty;
        SimulatedJobs translation = requests;
        if (state == null || translation == null) {
            state = new SlurmState(cluster.unused());
            translation = new SimulatedJobs(topology, state.cluster());
            empty = state;
            requests = translation;
        }
        long nanos = spec.terms().limitNanos();
        SlurmJob.Request request = translation.request(spec, nanos > 0 ? nanos / 1_000_000_000L : -1);
        SlurmJob job = state.job(request, spec.terms().account(), null, 0);
        job.askedSeconds = SimulatedJobs.askedSeconds(spec, request);
        return state.refusal(job);
    }

    @Override
    public Decision decide(SimView view) {
        SlurmController current = controller;
        if (current == null || !current.update(view)) {
            current = new SlurmController(cluster.unused(), view, past);
            controller = current;
        }
        return current.decide();
    }

    /** The tier of the partition, then the priority; zero before the first decision. */
    @Override
    public double rank(SimView view, int job) {
        return controller == null ? 0 : -controller.priority(job);
    }

    @Override
    public String rankName() {
        return "Slurm's priority";
    }

    @Override
    public @Nullable String hindrance(SimView view, int job) {
        return controller == null ? null : controller.hindrance(job);
    }
}
