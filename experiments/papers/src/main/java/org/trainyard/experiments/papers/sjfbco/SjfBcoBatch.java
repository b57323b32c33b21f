package org.trainyard.experiments.papers.sjfbco;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.Counted;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.IdealPlacement;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.layered.RingOverheads;
import org.trainyard.env.performance.layered.WholeIterations;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;
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
 * One random batch of SJF-BCO's evaluation: servers, jobs submitted at time zero, and their estimated run times.
 *
 * <p>A slot is a second. Rates are exact unless the config says otherwise, and jobs start and end at any time, not only
 * at slots. The gradients of a job are sized so that communication and overhead add {@code communication_share} to its
 * compute time in the worst case: {@code worst_rings} rings on a link, and one server for each of the job's GPUs.
 */
final class SjfBcoBatch {
    /** Seconds. */
    static final double SLOT = 1;

    private static final Pressure NONE = new Pressure(0, 0, 0);

    private final SjfBcoConfig config;
    private final Topology topology;
    private final Workload workload;
    private final double[] iterations;
    private final double[] estimateSeconds;

    /** The batch of this index; with fewer servers it has the first of the servers and the same jobs. */
    SjfBcoBatch(SjfBcoConfig config, int index, int servers) {
        this.config = config;
        topology = topology(config, index, servers);
        PerformanceModel truth = truth();
        IdealPlacement ideal = new IdealPlacement(topology);
        RandomGenerator random = RandomStreams.stream(config.seed(), "sjf-bco/jobs/" + index);
        List<JobSpec> jobs = new ArrayList<>();
        int[] sizes = shuffledSizes(random);
        iterations = new double[sizes.length];
        estimateSeconds = new double[sizes.length];
        for (int job = 0; job < sizes.length; job++) {
            SjfBcoConfig.Batch drawn = config.batch();
            iterations[job] = random.nextInt(drawn.fewestIterations(), drawn.mostIterations() + 1);
            double most = drawn.mostIterationSeconds();
            double compute =
                    drawn.leastIterationSeconds() + random.nextDouble() * (most - drawn.leastIterationSeconds());
            estimateSeconds[job] = iterations[job] * drawn.estimateSeconds();
            JobSpec draft = job(job, sizes[job], compute, 1);
            jobs.add(job(job, sizes[job], compute, ideal.bestRate(draft, truth)));
        }
        workload = new Workload(jobs, iterations);
    }

    private static Topology topology(SjfBcoConfig config, int index, int servers) {
        RandomGenerator random = RandomStreams.stream(config.seed(), "sjf-bco/servers/" + index);
        List<Integer> choices = config.batch().serverGpus();
        List<ServerSpec> rack = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
            rack.add(ServerSpec.ofV100(choices.get(random.nextInt(choices.size()))));
        }
        Link inside = new Link(config.physics().nvlinkBytesPerSecond(), 0);
        Link between = new Link(config.physics().nicBytesPerSecond(), 0);
        return new Topology.Builder(
                        Counted.say("%d servers of batch %d", servers, index),
                        new Fabric(inside, inside, between, between, between))
                .rack(rack)
                .build();
    }

    private int[] shuffledSizes(RandomGenerator random) {
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < config.batch().sizes().size(); i++) {
            for (int n = 0; n < config.batch().counts().get(i); n++) {
                sizes.add(
                        random.nextInt(sizes.size() + 1), config.batch().sizes().get(i));
            }
        }
        return sizes.stream().mapToInt(size -> size).toArray();
    }

    private JobSpec job(int id, int gpus, double computeSeconds, double idealRate) {
        ModelProfile model =
                new ModelProfile("drawn", computeSeconds, gradientBytes(gpus, computeSeconds), 1, NONE, NONE);
        TrainingPlan plan = TrainingPlan.RingAllReduce.INSTANCE;
        return new JobSpec(id, "job" + id, 0, Demand.ofGpus(gpus), model, plan, idealRate);
    }

    /** Gradients of a job that reach the communication share in the worst case, bytes. */
    private double gradientBytes(int gpus, double computeSeconds) {
        SjfBcoConfig.Physics physics = config.physics();
        double left = physics.communicationShare() * computeSeconds
                - physics.serverSeconds() * Math.min(gpus, topology.servers());
        double worst = law().divisor(physics.worstRings()) / physics.nicBytesPerSecond();
        double secondsPerByte = (gpus - 1.0) / gpus * (2 * worst + 1 / physics.reduceBytesPerSecond());
        return gpus == 1 ? 0 : Math.max(0, left) / secondsPerByte;
    }

    private Contention.SjfBco law() {
        return new Contention.SjfBco(config.physics().loss(), config.physics().overlap());
    }

    private PerformanceModel truth() {
        PerformanceModel rings = new RingPerformance(topology, InterferenceModel.NONE, law());
        SjfBcoConfig.Physics physics = config.physics();
        PerformanceModel exact = new RingOverheads(rings, physics.serverSeconds(), physics.reduceBytesPerSecond());
        return physics.exactRate() ? exact : new WholeIterations(exact, SLOT);
    }

    Topology topology() {
        return topology;
    }

    /** Share of a job's run time that was not computing: communication, contention and overhead. */
    double lostShare(JobOutcome outcome) {
        double computed = iterations[outcome.job().id()] * outcome.job().model().computeSeconds();
        return 1 - computed / (outcome.runNanos() / 1e9);
    }

    Workload workload() {
        return workload;
    }

    /** The world of the batch, whose run times are as estimated. */
    World world() {
        RuntimePredictor estimates = new RuntimePredictor() {
            @Override
            public double predictSeconds(JobSpec job) {
                return estimateSeconds[job.id()];
            }

            @Override
            public void finished(JobSpec job, double idealSeconds) {}
        };
        return new World(topology, truth(), Simulator.Options.DEFAULT).telling(jobs -> estimates);
    }
}
