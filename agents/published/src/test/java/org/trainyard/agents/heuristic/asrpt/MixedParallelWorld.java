package org.trainyard.agents.heuristic.asrpt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.UndisturbedPerformance;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;
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
 * Jobs of five families, parallel by pipeline and by data, on 16 servers of 8 GPUs behind 12.5 Gb/s, in a world where
 * A-SRPT's model of an iteration is the truth.
 *
 * <p>Parameters are those published with the models; activations and compute times are our own, round.
 */
record MixedParallelWorld(Topology topology, Workload workload, StagedJob.Source shapes) {
    /** Compute seconds and activations of the whole model for one GPU's share of the mini-batch; stages at most. */
    private record Family(
            String name, double computeSeconds, double parameterBytes, double activationBytes, int stages) {
        StagedJob on(int gpus) {
            int depth = Math.min(stages, gpus);
            int replicas = gpus / depth;
            Stage stage =
                    new Stage(replicas, computeSeconds / depth, activationBytes * replicas, parameterBytes / depth);
            return new StagedJob(IntStream.range(0, depth).mapToObj(s -> stage).toList());
        }
    }

    private static final List<Family> FAMILIES = List.of(
            new Family("vgg19", 0.25, 575e6, 0, 1),
            new Family("resnet152", 0.6, 241e6, 0, 1),
            new Family("bert-large", 0.5, 1360e6, 32e6, 2),
            new Family("xlnet-large", 0.6, 1440e6, 32e6, 4),
            new Family("gpt2-xl", 1.2, 6200e6, 50e6, 8));
    private static final int[] GPUS = {1, 1, 1, 2, 2, 4, 4, 8, 8, 16};
    /** Cards of 12.5 Gb/s, an eighth of the usual ones: being spread costs. */
    private static final Fabric FABRIC = new Fabric(
            Fabric.DEFAULT.nvlink(),
            Fabric.DEFAULT.pcie(),
            Link.of(12.5 / 8, 5),
            Fabric.DEFAULT.tor(),
            Fabric.DEFAULT.spine());

    private static final Pressure NONE = new Pressure(0, 0, 0);
    private static final double MEDIAN_SECONDS = 900;
    private static final double LOG_SIGMA = 1.2;

    /**
     * @param load work on best placements over what the cluster could do in the time of the arrivals
     * @param servers of 8 GPUs
     */
    static MixedParallelWorld of(long seed, int servers, int jobs, double load) {
        Topology topology = Topology.uniform("rack", FABRIC, 1, servers, ServerSpec.ofV100(8), 1);
        SpreadCost cost = new SpreadCost(IterationTime.of(topology));
        RandomGenerator random = RandomStreams.stream(seed, "mixed parallel jobs");
        Map<String, StagedJob> shapes = new HashMap<>();
        List<JobSpec> drafts = new ArrayList<>();
        double[] iterations = new double[jobs];
        double gpuSeconds = 0;
        for (int i = 0; i < jobs; i++) {
            Family family = FAMILIES.get(random.nextInt(FAMILIES.size()));
            int gpus = GPUS[random.nextInt(GPUS.length)];
            String name = family.name() + " on " + gpus;
            StagedJob shape = shapes.computeIfAbsent(name, n -> family.on(gpus));
            double best = cost.of(shape).best();
            double seconds = MEDIAN_SECONDS * Math.exp(LOG_SIGMA * random.nextGaussian());
            iterations[i] = seconds / best;
            gpuSeconds += seconds * gpus;
            drafts.add(spec(i, 0, gpus, new ModelProfile(name, 1, 0, 1, NONE, NONE), 1 / best));
        }
        double gap = gpuSeconds / (load * topology.gpus()) / jobs;
        List<JobSpec> specs = new ArrayList<>();
        double at = 0;
        for (JobSpec draft : drafts) {
            at -= gap * Math.log(1 - random.nextDouble());
            specs.add(spec(
                    draft.id(), Math.round(1e9 * at), draft.gpus(), draft.model(), draft.idealIterationsPerSecond()));
        }
        return new MixedParallelWorld(topology, new Workload(specs, iterations), job -> shape(shapes, job));
    }

    private static StagedJob shape(Map<String, StagedJob> shapes, JobSpec job) {
        StagedJob shape = shapes.get(job.model().name());
        if (shape == null) {
            throw new AssertionError("unknown model " + job.model().name());
        }
        return shape;
    }

    private static JobSpec spec(int id, long submitNanos, int gpus, ModelProfile model, double rate) {
        TrainingPlan plan = TrainingPlan.RingAllReduce.INSTANCE;
        return new JobSpec(id, "job" + id, submitNanos, Demand.ofGpus(gpus), model, plan, rate);
    }

    double bestSeconds(int job) {
        return workload.trueIdealSeconds(job);
    }

    /** The worst that being spread does to any job here. */
    double worstRatio() {
        SpreadCost cost = new SpreadCost(IterationTime.of(topology));
        return IntStream.range(0, workload.size())
                .mapToDouble(job -> cost.of(shapes.of(workload.job(job))).ratio())
                .max()
                .orElseThrow();
    }

    /** @param errorSigma of the natural logarithm of predictions over truth */
    RunResult run(Scheduler scheduler, double errorSigma) {
        return new World(topology, new Physics(topology, shapes), Simulator.Options.DEFAULT)
                .telling(told -> RuntimePredictor.lognormal(workload, errorSigma, 1))
                .simulator(workload)
                .run(scheduler);
    }

    /** The heavy-edge mapping of a job to the servers it got, and its time there. */
    private static final class Physics implements UndisturbedPerformance {
        private record Where(StagedJob job, List<Integer> caps) {}

        private final Topology topology;
        private final StagedJob.Source shapes;
        private final IterationTime time;
        private final Map<Where, Double> seconds = new HashMap<>();

        Physics(Topology topology, StagedJob.Source shapes) {
            this.topology = topology;
            this.shapes = shapes;
            time = IterationTime.of(topology);
        }

        @Override
        public double aloneRate(JobSpec job, Placement placement) {
            int[] caps = IntStream.range(0, placement.serverCount())
                    .map(i -> -placement.gpusOn(i))
                    .sorted()
                    .map(cap -> -cap)
                    .toArray();
            StagedJob shape = shapes.of(job);
            return 1
                    / seconds.computeIfAbsent(
                            new Where(shape, IntStream.of(caps).boxed().toList()),
                            where -> time.seconds(shape, HeavyEdge.map(shape, caps)));
        }

        @Override
        public PerformanceModel copy() {
            return new Physics(topology, shapes);
        }
    }
}
