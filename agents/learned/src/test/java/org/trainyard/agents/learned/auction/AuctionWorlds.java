package org.trainyard.agents.learned.auction;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.ppo.Ppo;
import org.trainyard.agents.learned.ppo.Rollouts;
import org.trainyard.agents.learned.training.BidStart;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.OptimiserSettings;
import org.trainyard.agents.learned.training.PolicySettings;
import org.trainyard.agents.learned.training.ScheduleSettings;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.cluster.GpuSetEncoder;

/** A cluster of two servers on which many short jobs and some long ones queue. */
public final class AuctionWorlds {
    public static final int JOBS = 24;
    private static final ModelProfile MODEL =
            new ModelProfile("model", 0.1, 1e6, 1L << 30, new Pressure(0, 0, 0), new Pressure(0, 0, 0));
    private static final Topology TWO_SERVERS = Topology.uniform("two", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(4), 1);

    private AuctionWorlds() {}

    public static Deployment deployment() {
        return new Deployment(TWO_SERVERS, Domains.racks(TWO_SERVERS), false, LearnedWorlds.BELIEF);
    }

    /** Jobs of two or four GPUs, of a few minutes or of some hours, that arrive every ten minutes. */
    private static Workload workload(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/queue");
        JobSpec[] specs = new JobSpec[JOBS];
        double[] iterations = new double[JOBS];
        for (int i = 0; i < JOBS; i++) {
            specs[i] = LearnedWorlds.job(i, i * 600_000_000_000L, random.nextBoolean() ? 2 : 4, MODEL);
            double seconds = random.nextInt(3) == 0 ? 7200 + random.nextInt(7200) : 300 + random.nextInt(900);
            iterations[i] = specs[i].idealIterationsPerSecond() * seconds;
        }
        return new Workload(List.of(specs), iterations);
    }

    /** A simulator at the start of an episode. */
    public static Simulator simulator(long episode) {
        return LearnedWorlds.world(TWO_SERVERS).simulator(workload(episode));
    }

    public static BidPolicy policy(BidNetwork network) {
        return new BidPolicy(network, new AuctionSettings(RemainingTime.GITTINS, 6, 4, 2, false, true));
    }

    /** A policy with random weights whose bids have an encoder's embeddings as further inputs. */
    public static BidPolicy policyWith(BidEncoder encoder) {
        RandomGenerator random = RandomStreams.stream(1, "test/inputs");
        BidNetwork network = InitialBids.withInputs(InitialBids.random(8, random), encoder.inputs(), random);
        return new BidPolicy(network, encoder, new AuctionSettings(RemainingTime.GITTINS, 6, 4, 2, false, true));
    }

    /** A level inside servers with random weights that learns. */
    public static IntraNodeEncoder inside(ClusterEncoder.Kind kind) {
        GpuSetEncoder.Settings settings =
                new GpuSetEncoder.Settings(kind, 6, kind == ClusterEncoder.Kind.FLAT ? 0 : 2, 7);
        return new IntraNodeEncoder(settings, settings.initial(5), true);
    }

    public static Ppo encodedTrainer(LearnerSettings.Auction settings, WorkerPool pool, long seed) {
        BidPolicy policy = policyWith(BidEncoder.random(
                ClusterEncoder.Kind.HIERARCHICAL, 6, 2, inside(ClusterEncoder.Kind.HIERARCHICAL), seed));
        return new Ppo(policy, settings.optimiser(), settings.schedule(), episodes(), pool, seed);
    }

    private static Rollouts.Episodes episodes() {
        return Rollouts.Episodes.of(deployment(), JctReward::new, number -> () -> simulator(number));
    }

    public static LearnerSettings.Auction settings(int updates, double learningRate) {
        return settings(updates, learningRate, null);
    }

    public static LearnerSettings.Auction settings(int updates, double learningRate, @Nullable Double traceHours) {
        return new LearnerSettings.Auction(
                new PolicySettings(new BidStart.Scratch(8), "Gittins", 6, 4, 2, true),
                new OptimiserSettings(3, 64, learningRate, learningRate / 5, 0.2, 0.003, 0.05, 0.8, 0.1, null),
                new ScheduleSettings(updates, 2, 4, 10, traceHours, true, true, List.of(1.0)));
    }

    /** Groups of so many plays with this horizon. */
    public static ScheduleSettings schedule(
            int group, double discountHours, @Nullable Double traceHours, boolean groupBaseline, boolean control) {
        return new ScheduleSettings(1, 1, group, discountHours, traceHours, groupBaseline, control, List.of(1.0));
    }

    public static Ppo trainer(LearnerSettings.Auction settings, WorkerPool pool, long seed) {
        BidNetwork start = InitialBids.random(8, RandomStreams.stream(seed, "test/weights"));
        return new Ppo(policy(start), settings.optimiser(), settings.schedule(), episodes(), pool, seed);
    }

    /** The mean JCT of a policy on episodes that are not for training, seconds. */
    public static double meanJctSeconds(BidPolicy policy) {
        double sum = 0;
        for (int i = 0; i < 20; i++) {
            sum += simulator(1_000_000 + i).run(policy.scheduler(deployment())).meanJctSeconds() / 20;
        }
        return sum;
    }
}
