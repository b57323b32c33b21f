package org.trainyard.env.simulation;

import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/** The complete state of a simulation between two events or decisions. */
public final class Snapshot {
    /** Never goes on. */
    private final Simulator simulator;

    private final Workload workload;

    Snapshot(Simulator simulator, Workload workload) {
        this.simulator = simulator;
        this.workload = workload;
    }

    /** A simulation of a world that goes on from here; refuses a cluster or jobs other than those of the snapshot. */
    Simulator in(World world, Workload jobs) {
        if (!isOf(world.topology(), jobs)) {
            throw new InputException(
                    "the snapshot is of another simulation: expected one of the same jobs (%d) on the same cluster (%s)"
                            .formatted(jobs.size(), world.topology().name()));
        }
        return new Simulator(world, jobs, simulator);
    }

    private boolean isOf(Topology topology, Workload jobs) {
        Topology own = simulator.view().topology();
        boolean isSame = topology.gpus() == own.gpus()
                && topology.servers() == own.servers()
                && topology.racks() == own.racks()
                && jobs.size() == workload.size();
        for (int job = 0; isSame && job < jobs.size(); job++) {
            JobSpec spec = jobs.job(job);
            JobSpec before = workload.job(job);
            isSame = spec.name().equals(before.name())
                    && spec.submitNanos() == before.submitNanos()
                    && spec.demand().equals(before.demand())
                    && spec.idealIterationsPerSecond() == before.idealIterationsPerSecond()
                    && jobs.trueIterations(job) == workload.trueIterations(job);
        }
        return isSame;
    }
}
