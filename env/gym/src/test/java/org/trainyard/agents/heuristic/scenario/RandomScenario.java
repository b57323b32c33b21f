package org.trainyard.agents.heuristic.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;

/**
 * A random workload on a small cluster, a function of its seed: 48 GPUs in three racks of two pods, up to 40 jobs with
 * interference.
 */
public record RandomScenario(Topology topology, Workload workload) {
    private static final int[] DEMANDS = {1, 1, 1, 2, 2, 3, 4, 4, 5, 8, 8, 12, 16, 48};
    private static final Topology TOPOLOGY = Topology.uniform("3x2x8", Fabric.DEFAULT, 3, 2, ServerSpec.ofV100(8), 2);

    public static RandomScenario of(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "workload");
        return draw(random, 5 + random.nextInt(36));
    }

    public static RandomScenario ofOneJob(long seed) {
        return draw(RandomStreams.stream(seed, "workload of one"), 1);
    }

    private static RandomScenario draw(RandomGenerator random, int count) {
        RingPerformance alone = new RingPerformance(TOPOLOGY, InterferenceModel.NONE);
        List<JobSpec> jobs = new ArrayList<>();
        double[] iterations = new double[count];
        long submit = 0;
        for (int job = 0; job < count; job++) {
            // A third of the jobs come together with the one before; times are not whole seconds.
            submit += random.nextInt(3) == 0 ? 0 : (long) (random.nextDouble() * 200e9);
            JobSpec draft = job(job, submit, DEMANDS[random.nextInt(DEMANDS.length)], model(random), 1);
            Placement best =
                    Placement.of(TOPOLOGY, IntStream.range(0, draft.gpus()).toArray());
            double ideal = alone.aloneRate(draft, best);
            jobs.add(job(job, submit, draft.gpus(), draft.model(), ideal));
            iterations[job] = Math.pow(10, 3.5 * random.nextDouble()) * ideal;
        }
        return new RandomScenario(TOPOLOGY, new Workload(jobs, iterations));
    }

    private static JobSpec job(int id, long submit, int gpus, ModelProfile model, double ideal) {
        TrainingPlan plan = TrainingPlan.RingAllReduce.INSTANCE;
        return new JobSpec(id, "job" + id, submit, Demand.ofGpus(gpus), model, plan, ideal);
    }

    private static ModelProfile model(RandomGenerator random) {
        double compute = 0.02 + random.nextDouble();
        return new ModelProfile("model", compute, 1e9 * random.nextDouble(), 1, pressure(random), pressure(random));
    }

    private static Pressure pressure(RandomGenerator random) {
        return new Pressure(random.nextDouble(), random.nextDouble(), random.nextDouble());
    }

    /** The same jobs with so many times the work. */
    public RandomScenario withWorkTimes(double factor) {
        List<JobSpec> jobs = new ArrayList<>();
        double[] iterations = new double[workload.size()];
        for (int job = 0; job < iterations.length; job++) {
            jobs.add(workload.job(job));
            iterations[job] = workload.trueIterations(job) * factor;
        }
        return new RandomScenario(topology, new Workload(jobs, iterations));
    }

    public Simulator simulator(RuntimePredictor predictor) {
        return new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30_000_000_000L, true))
                .telling(told -> predictor)
                .simulator(workload);
    }

    public Simulator simulator() {
        return simulator(RuntimePredictor.oracle(workload));
    }

    public Simulator simulatorWithoutAudit() {
        return new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30_000_000_000L, false))
                .simulator(workload);
    }
}
