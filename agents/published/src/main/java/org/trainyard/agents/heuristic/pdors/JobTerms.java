package org.trainyard.agents.heuristic.pdors;

import org.trainyard.agents.heuristic.slots.PredictedUtility;
import org.trainyard.agents.heuristic.slots.WorkerSpeed;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.synchronisation.ParameterServer;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.utility.JobUtility;

/** Jobs of the simulator as the instances of PD-ORS, in slots; samples are iterations. */
final class JobTerms {
    /** Processes for which a server has places, for each of its GPUs. */
    static final double PLACES = 2;

    private static final double KEPT = 1e-3;
    private static final double[] WORKER = {1, 1, 0};
    private static final double[] SERVER = {0, 1, 0};
    /** A server on a machine of its own; memory, of which the others have none then, stands for its place. */
    private static final double[] SERVER_APART = {0, 0, 1};

    private static final double[] NO_SERVER = {0, 0, 0};

    private final WorkerSpeed speed;
    private final double slotSeconds;
    private final boolean knowsLocality;
    private final boolean limitsHosts;
    private final int gpus;

    JobTerms(Topology topology, double slotSeconds, boolean knowsLocality) {
        speed = new WorkerSpeed(topology);
        this.slotSeconds = slotSeconds;
        this.knowsLocality = knowsLocality;
        limitsHosts = limitsHosts(topology);
        gpus = topology.gpus();
    }

    /** Whether all servers have so many cores and no more. */
    private static boolean limitsHosts(Topology topology) {
        for (int server = 0; server < topology.servers(); server++) {
            if (topology.server(server).cpuMilli() >= ServerSpec.UNLIMITED) {
                return false;
            }
        }
        return true;
    }

    /**
     * Capacity of each machine in GPUs, in cores or places for processes, and in MiB.
     *
     * @param apart whether the second half of the machines is for servers alone, where hosts are not limited
     */
    static double[][] capacity(Topology topology, boolean apart) {
        double[][] capacity = new double[topology.servers()][];
        boolean limitsHosts = limitsHosts(topology);
        for (int server = 0; server < capacity.length; server++) {
            int gpus = topology.gpusOn(server);
            ServerSpec spec = topology.server(server);
            if (limitsHosts) {
                capacity[server] = new double[] {gpus, spec.cpuMilli() / 1e3, spec.memoryMib()};
            } else if (apart && 2 * server >= capacity.length) {
                capacity[server] = new double[] {0, 0, PLACES * gpus};
            } else {
                capacity[server] = new double[] {gpus, PLACES * gpus, 0};
            }
        }
        return capacity;
    }

    /** Host share of a worker with its part of the servers; none where the job keeps its own demand. */
    HostShare perWorker(JobSpec spec) {
        if (!limitsHosts || !(spec.plan() instanceof ParameterServer plan) || plan.hosts() == null) {
            return HostShare.NONE;
        }
        int each = plan.workersPerServer();
        return plan.hosts().of(each, 1).wholePart(each);
    }

    /** The job, whose utility starts to count at its submission. */
    ServerJob of(SimView view, int job, int now) {
        JobSpec spec = view.job(job);
        Demand demand = spec.demand();
        ParameterServer plan = spec.plan() instanceof ParameterServer servers ? servers : null;
        int most = Math.min(demand.maxGpus(), gpus);
        HostShare share = perWorker(spec);
        int workers = share.equals(HostShare.NONE) ? spec.gpus() : most;
        double across = perSlot(spec, false, workers);
        double inside = knowsLocality ? perSlot(spec, true, workers) : across;
        return new ServerJob(
                limitsHosts ? onHost(spec, share) : WORKER,
                limitsHosts || plan == null ? NO_SERVER : knowsLocality ? SERVER : SERVER_APART,
                demand.minGpus(),
                most,
                plan == null ? 1 : plan.workersPerServer(),
                inside,
                across,
                view.predictedRemainingSeconds(job) * spec.idealIterationsPerSecond(),
                slots -> PredictedUtility.ofCompletion(
                        view, job, (now + slots + 1) * slotSeconds - spec.submitNanos() / 1e9));
    }

    private static double[] onHost(JobSpec spec, HostShare share) {
        Demand demand = spec.demand();
        double gpus = spec.gpus();
        return share.equals(HostShare.NONE)
                ? new double[] {1, demand.cpuMilli() / 1e3 / gpus, demand.memoryMib() / gpus}
                : new double[] {1, share.cpuMilli() / 1e3, share.memoryMib()};
    }

    /**
     * Iterations that one of so many workers does in a slot: of those for which the job was submitted, or of as many as
     * it may have where more of them are each slower, so that a schedule suffices.
     */
    private double perSlot(JobSpec spec, boolean isInside, int workers) {
        double iterations = spec.plan() instanceof ParameterServer plan
                ? plan.iterationsPerSecond(workers, isInside, spec.demand())
                : speed.of(spec, workers, isInside);
        return iterations / workers * slotSeconds * (1 - KEPT);
    }

    /** The last slot that ends by the horizon. */
    int lastSlot(SimView view, int job) {
        JobSpec spec = view.job(job);
        JobUtility utility = spec.of(JobUtility.class);
        double horizon = utility == null ? Double.POSITIVE_INFINITY : utility.horizonSeconds();
        double slots = (spec.submitNanos() / 1e9 + horizon) / slotSeconds;
        return (int) Math.min(Integer.MAX_VALUE, Math.floor(slots + KEPT)) - 1;
    }
}
