package org.trainyard.agents.learned;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.policy.LearnedScheduler;
import org.trainyard.agents.learned.policy.Policy;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.ClusterScenario;
import org.trainyard.env.gym.EpisodeSource;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Small clusters and workloads to learn on. */
public final class LearnedWorlds {
    public static final AnalyticInterference BELIEF = AnalyticInterference.DEFAULT;
    public static final PolicyNetwork.Settings NETWORK =
            new PolicyNetwork.Settings(PolicyNetwork.Encoder.HIERARCHICAL, 32, 2);
    public static final int WINDOW = 8;
    public static final int HOPS = 2;
    private static final int[] DEMANDS = {1, 1, 1, 2, 2, 3, 4, 6, 8, 12};

    private LearnedWorlds() {}

    public static ClusterScenario world(Topology topology) {
        return new ClusterScenario(
                topology,
                new RingPerformance(topology, BELIEF),
                BELIEF,
                RuntimePredictor::oracle,
                Simulator.Options.DEFAULT);
    }

    /** An environment with one agent per rack. */
    public static ClusterEnv env(Topology topology, double horizonHours, EpisodeSource episodes) {
        ClusterEnv.Settings settings =
                new ClusterEnv.Settings(Domains.racks(topology), WINDOW, HOPS, false, horizonHours, 0.5, 0);
        return new ClusterEnv(world(topology), settings, episodes, new DelayReward(topology, BELIEF));
    }

    static List<ClusterEnv> all(int count, Topology topology, double horizonHours, EpisodeSource episodes) {
        List<ClusterEnv> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(env(topology, horizonHours, episodes));
        }
        return all;
    }

    /** Environments with two agents on the preset {@code small}, 20 random jobs an episode. */
    public static List<ClusterEnv> allSmall(int count) {
        return all(count, Topologies.small(), Double.POSITIVE_INFINITY, episode -> random(episode, 20));
    }

    public static Workload random(long seed, int jobs) {
        RandomGenerator random = RandomStreams.stream(seed, "test/workload");
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[jobs];
        long submit = 0;
        for (int i = 0; i < jobs; i++) {
            submit += random.nextLong(600_000_000_000L);
            ModelProfile model = ModelCatalog.standard().draw(random);
            specs.add(job(i, submit, DEMANDS[random.nextInt(DEMANDS.length)], model));
            iterations[i] = specs.get(i).idealIterationsPerSecond() * (60 + random.nextInt(7200));
        }
        return new Workload(specs, iterations);
    }

    public static JobSpec job(int id, long submitNanos, int gpus, ModelProfile model) {
        return new JobSpec(
                id,
                "job" + id,
                submitNanos,
                gpus,
                model,
                TrainingPlan.RingAllReduce.INSTANCE,
                1 / model.computeSeconds(),
                null,
                null,
                null);
    }

    /** A run of a workload under a policy that may not preempt. */
    public static RunResult run(Policy policy, Topology topology, Workload workload) {
        return run(policy, topology, workload, false);
    }

    public static RunResult run(Policy policy, Topology topology, Workload workload, boolean preemption) {
        return world(topology)
                .simulator(workload)
                .run(new LearnedScheduler(policy, topology, Domains.racks(topology), WINDOW, HOPS, preemption, BELIEF));
    }
}
