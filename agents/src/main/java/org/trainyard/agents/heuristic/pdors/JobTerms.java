package org.trainyard.agents.heuristic.pdors;

import org.trainyard.agents.heuristic.slots.PredictedUtility;
import org.trainyard.agents.heuristic.slots.WorkerSpeed;
import org.trainyard.env.simulation.SimView;
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
    private final int gpus;

    JobTerms(Topology topology, double slotSeconds, boolean knowsLocality) {
        speed = new WorkerSpeed(topology);
        this.slotSeconds = slotSeconds;
        this.knowsLocality = knowsLocality;
        gpus = topology.gpus();
    }

    /** The job, whose utility starts to count at its submission. */
    ServerJob of(SimView view, int job, int now) {
        JobSpec spec = view.job(job);
        Demand demand = spec.demand();
        TrainingPlan.ParameterServer plan =
                spec.plan() instanceof TrainingPlan.ParameterServer servers ? servers : null;
        double across = perSlot(spec, false);
        return new ServerJob(
                WORKER,
                plan == null ? NO_SERVER : SERVER,
                demand.minGpus(),
                Math.min(demand.maxGpus(), gpus),
                plan == null ? 1 : plan.workersPerServer(),
                knowsLocality ? perSlot(spec, true) : across,
                across,
                view.predictedRemainingSeconds(job) * spec.idealIterationsPerSecond(),
                slots -> PredictedUtility.ofCompletion(
                        view, job, (now + slots + 1) * slotSeconds - spec.submitNanos() / 1e9));
    }

    /** Iterations that one worker does in a slot, as one of those for which the job was submitted. */
    private double perSlot(JobSpec spec, boolean isInside) {
        return speed.of(spec, spec.gpus(), isInside) / spec.gpus() * slotSeconds * (1 - KEPT);
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
