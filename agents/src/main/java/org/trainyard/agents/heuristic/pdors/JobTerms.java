package org.trainyard.agents.heuristic.pdors;

import org.trainyard.agents.heuristic.slots.PredictedUtility;
import org.trainyard.agents.heuristic.slots.WorkerSpeed;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.utility.JobUtility;

/** Jobs of the simulator as the instances of PD-ORS, in slots; samples are iterations. */
final class JobTerms {
    /** Processes for which a server has places, for each of its GPUs. */
    static final double PLACES = 2;

    private static final double KEPT = 1e-3;
    private static final double[] WORKER = {1, 1};
    private static final double[] SERVER = {0, 1};
    private static final double[] NO_SERVER = {0, 0};

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

    /** What a machine has of GPUs, and of cores or of places for processes. */
    static double[][] capacity(Topology topology) {
        double[][] capacity = new double[topology.servers()][];
        boolean limitsHosts = limitsHosts(topology);
        for (int server = 0; server < capacity.length; server++) {
            int gpus = topology.gpusOn(server);
            double cores = topology.server(server).cpuMilli() / 1e3;
            capacity[server] = new double[] {gpus, limitsHosts ? cores : PLACES * gpus};
        }
        return capacity;
    }

    /** Host CPU of a worker with its part of the servers, thousandths of a core; 0 for what the job asked for. */
    long cpuMilliPerWorker(JobSpec spec) {
        if (!limitsHosts || !(spec.plan() instanceof TrainingPlan.ParameterServer plan) || plan.hosts() == null) {
            return 0;
        }
        int each = plan.workersPerServer();
        return -Math.floorDiv(-plan.hosts().cpuMilli(each, 1), each);
    }

    /** The job, whose utility starts to count at its submission. */
    ServerJob of(SimView view, int job, int now) {
        JobSpec spec = view.job(job);
        Demand demand = spec.demand();
        TrainingPlan.ParameterServer plan =
                spec.plan() instanceof TrainingPlan.ParameterServer servers ? servers : null;
        int most = Math.min(demand.maxGpus(), gpus);
        long cpuMilli = cpuMilliPerWorker(spec);
        double across = perSlot(spec, false, cpuMilli == 0 ? spec.gpus() : most);
        double inside = knowsLocality ? perSlot(spec, true, cpuMilli == 0 ? spec.gpus() : most) : across;
        return new ServerJob(
                limitsHosts ? new double[] {1, hostCores(spec, cpuMilli)} : WORKER,
                limitsHosts || plan == null ? NO_SERVER : SERVER,
                demand.minGpus(),
                most,
                plan == null ? 1 : plan.workersPerServer(),
                inside,
                across,
                view.predictedRemainingSeconds(job) * spec.idealIterationsPerSecond(),
                slots -> PredictedUtility.ofCompletion(
                        view, job, (now + slots + 1) * slotSeconds - spec.submitNanos() / 1e9));
    }

    private static double hostCores(JobSpec spec, long cpuMilli) {
        return cpuMilli > 0 ? cpuMilli / 1e3 : spec.demand().cpuMilli() / 1e3 / spec.gpus();
    }

    /**
     * Iterations that one of so many workers does in a slot: of those for which the job was submitted, or of as many as it
     * may have where more of them are each slower, so that a schedule suffices.
     */
    private double perSlot(JobSpec spec, boolean isInside, int workers) {
        double iterations = spec.plan() instanceof TrainingPlan.ParameterServer plan
                ? plan.iterationsPerSecond(workers, isInside, spec.demand())
                : speed.of(spec, workers, isInside);
        return iterations / workers * slotSeconds * (1 - KEPT);
    }

    /** The last slot that ends by the horizon. */
    int lastSlot(SimView view, int job) {
        JobSpec spec = view.job(job);
        JobUtility utility = spec.utility();
        double horizon = utility == null ? Double.POSITIVE_INFINITY : utility.horizonSeconds();
        double slots = (spec.submitNanos() / 1e9 + horizon) / slotSeconds;
        return (int) Math.min(Integer.MAX_VALUE, Math.floor(slots + KEPT)) - 1;
    }
}
