package org.trainyard.agents.learned.expert;

import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.auction.InitialBids;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.BidStart;
import org.trainyard.agents.learned.training.ExpertIteration;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterScenario;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/** A cluster of two servers on which short and long jobs queue whose run times are predicted with errors. */
final class ForkWorlds {
    private static final int JOBS = 30;
    private static final ModelProfile MODEL =
            new ModelProfile("model", 0.1, 1e6, 1L << 30, new Pressure(0, 0, 0), new Pressure(0, 0, 0));
    private static final Topology TWO_SERVERS = Topology.uniform("two", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(4), 1);
    private static final ClusterScenario SCENARIO = new ClusterScenario(
            TWO_SERVERS,
            LearnedWorlds.world(TWO_SERVERS).truth(),
            LearnedWorlds.BELIEF,
            workload -> RuntimePredictor.lognormal(workload, 0.2, 5),
            Simulator.Options.DEFAULT);

    static final ForkableWorld WORLD = new ForkableWorld() {
        @Override
        public Workload episode(long number) {
            return ForkWorlds.episode(number);
        }

        @Override
        public Simulator simulator(Workload episode) {
            return SCENARIO.simulator(episode);
        }

        @Override
        public Simulator fork(Simulator simulator, Workload future) {
            return SCENARIO.forkInto(simulator, future);
        }
    };

    private ForkWorlds() {}

    /** Jobs of two or four GPUs, of some minutes or of some hours, that arrive every ten minutes. */
    static Workload episode(long number) {
        RandomGenerator random = RandomStreams.stream(number, "test/queue");
        JobSpec[] specs = new JobSpec[JOBS];
        double[] iterations = new double[JOBS];
        for (int i = 0; i < JOBS; i++) {
            specs[i] = LearnedWorlds.job(i, i * 600_000_000_000L, random.nextBoolean() ? 2 : 4, MODEL);
            double seconds = random.nextInt(3) == 0 ? 7200 + random.nextInt(7200) : 300 + random.nextInt(900);
            iterations[i] = specs[i].idealIterationsPerSecond() * seconds;
        }
        return new Workload(List.of(specs), iterations);
    }

    static Deployment deployment() {
        return new Deployment(TWO_SERVERS, Domains.racks(TWO_SERVERS), null, null, true, LearnedWorlds.BELIEF);
    }

    /** A policy of random weights. */
    static BidPolicy policy(long seed) {
        return new BidPolicy(
                InitialBids.random(8, RandomStreams.stream(seed, "test/weights")),
                RemainingTime.GITTINS,
                6,
                4,
                2,
                true);
    }

    static ExpertIteration settings(int updates, double learningRate) {
        return new ExpertIteration(
                new BidStart.Scratch(8),
                updates,
                4,
                40,
                0.02,
                4,
                4,
                6,
                0.1,
                4,
                4,
                16,
                learningRate,
                "Gittins",
                6,
                4,
                2,
                true,
                List.of(1.0));
    }

    static RolloutPolicyIteration trainer(ExpertIteration settings, WorkerPool pool, long seed) {
        EpisodeLabels labels = new EpisodeLabeller(settings, deployment(), WORLD, seed).on(pool);
        return new RolloutPolicyIteration(policy(seed), settings, labels, pool, seed);
    }

    /** The mean JCT of a policy on episodes that are not for training, seconds. */
    static double meanJctSeconds(BidPolicy policy) {
        double sum = 0;
        for (int i = 0; i < 20; i++) {
            sum += WORLD.simulator(episode(1_000_000 + i))
                            .run(policy.toInferencePolicy().scheduler(deployment()))
                            .meanJctSeconds()
                    / 20;
        }
        return sum;
    }
}
