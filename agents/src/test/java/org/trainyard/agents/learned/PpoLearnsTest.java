package org.trainyard.agents.learned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.ppo.Ppo;
import org.trainyard.agents.learned.training.Imitation;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.ReturnBaseline;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.EpisodeSource;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Small worlds in which the right thing is known; fixed seeds. */
class PpoLearnsTest {
    private static final long UNSEEN = 1_000_000;

    private static PolicyNetwork policy() {
        return policy(1);
    }

    private static PolicyNetwork policy(long seed) {
        return new PolicyNetwork(new PolicyNetwork.Settings(PolicyNetwork.Encoder.HIERARCHICAL, 16, 1), seed);
    }

    private static void train(PolicyNetwork policy, Topology topology, EpisodeSource episodes, int updates) {
        train(
                policy,
                topology,
                episodes,
                new PpoBuilder()
                        .run(updates, 8, 32)
                        .steps(4, 64, 3e-3)
                        .entropy(0.005, 0.0005)
                        .hours(4, 0.5)
                        .build());
    }

    private static void train(
            PolicyNetwork policy, Topology topology, EpisodeSource episodes, LearnerSettings.Ppo settings) {
        Ppo ppo = new Ppo(
                policy,
                null,
                LearnedWorlds.all(settings.environments(), topology, Double.POSITIVE_INFINITY, episodes),
                settings,
                WorkerPool.SEQUENTIAL,
                1);
        while (!ppo.isDone()) {
            ppo.update();
        }
    }

    private static double meanJct(PolicyNetwork policy, Topology topology, EpisodeSource episodes, int count) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += LearnedWorlds.run(policy, topology, episodes.episode(UNSEEN + i))
                    .meanJctSeconds();
        }
        return sum / count;
    }

    private static Workload atOnce(ModelProfile model, int[] gpus, double[] seconds) {
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[gpus.length];
        for (int i = 0; i < gpus.length; i++) {
            specs.add(LearnedWorlds.job(i, 0, gpus[i], model));
            iterations[i] = specs.get(i).idealIterationsPerSecond() * seconds[i];
        }
        return new Workload(specs, iterations);
    }

    /** Six jobs at once for a single GPU, ten minutes to three hours long. */
    private static Workload queueForOneGpu(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/queue");
        double[] seconds = new double[6];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = 600 + 10_200 * random.nextDouble();
        }
        return atOnce(ModelCatalog.standard().profiles().get(0), new int[] {1, 1, 1, 1, 1, 1}, seconds);
    }

    private static double shortestFirst(Workload workload) {
        double[] seconds = new double[workload.size()];
        for (int job = 0; job < seconds.length; job++) {
            seconds[job] = workload.trueIdealSeconds(job);
        }
        Arrays.sort(seconds);
        double now = 0;
        double sum = 0;
        for (double s : seconds) {
            now += s;
            sum += now;
        }
        return sum / seconds.length;
    }

    @Test
    void it_learns_to_run_the_shortest_job_first() {
        Topology oneGpu = Topology.uniform("one", Fabric.DEFAULT, 1, 1, ServerSpec.ofV100(1), 1);
        double best = 0;
        for (int i = 0; i < 20; i++) {
            best += shortestFirst(queueForOneGpu(UNSEEN + i)) / 20;
        }
        double untrained = 0;
        for (int seed = 1; seed <= 6; seed++) { // by chance, one of them may run the shortest first
            try (PolicyNetwork policy = policy(seed)) {
                untrained += meanJct(policy, oneGpu, PpoLearnsTest::queueForOneGpu, 20) / 6;
            }
        }
        try (PolicyNetwork policy = policy()) {
            train(policy, oneGpu, PpoLearnsTest::queueForOneGpu, 30);
            double trained = meanJct(policy, oneGpu, PpoLearnsTest::queueForOneGpu, 20);
            assertThat(trained).isLessThan(best * 1.03).isLessThan(untrained * 0.95);
        }
    }

    @Test
    void actor_critic_learns_that_too_from_groups_that_play_the_same_episodes() {
        Topology oneGpu = Topology.uniform("one", Fabric.DEFAULT, 1, 1, ServerSpec.ofV100(1), 1);
        double best = 0;
        for (int i = 0; i < 20; i++) {
            best += shortestFirst(queueForOneGpu(UNSEEN + i)) / 20;
        }
        LearnerSettings.A2c settings = new LearnerSettings.A2c(
                150,
                16,
                256,
                2,
                1e-2,
                0.005,
                0.0005,
                new ReturnBaseline.CommonEpisodes(4),
                200,
                4,
                0.5,
                0.5,
                null,
                1,
                false,
                0,
                0,
                new Imitation.None());
        try (PolicyNetwork policy = policy()) {
            train(policy, oneGpu, PpoLearnsTest::queueForOneGpu, settings.toPpo());
            assertThat(meanJct(policy, oneGpu, PpoLearnsTest::queueForOneGpu, 20))
                    .isLessThan(best * 1.03);
        }
    }

    /** Two pairs and a gang of four for two servers of four GPUs: the pairs belong on one server. */
    private static Workload pairsAndGang(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/pairs");
        ModelProfile heavy =
                new ModelProfile("heavy", 0.1, 1e9, 1L << 30, new Pressure(0, 0, 0), new Pressure(0, 0, 0));
        double hours = 3600 * (1 + random.nextDouble());
        return atOnce(heavy, new int[] {2, 2, 4}, new double[] {hours, hours, hours});
    }

    @Test
    void it_learns_to_leave_room_for_a_gang() {
        Topology pair = Topology.uniform("pair", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(4), 1);
        try (PolicyNetwork policy = policy()) {
            train(policy, pair, PpoLearnsTest::pairsAndGang, 30);
            RunResult result = LearnedWorlds.run(policy, pair, pairsAndGang(UNSEEN));
            assertThat(result.jobs()).allSatisfy(job -> {
                assertThat(job.firstStartNanos()).isZero();
                // Over the network an iteration takes twice as long.
                assertThat((double) job.runNanos())
                        .isLessThan(1.1 * result.jobs().get(0).runNanos());
            });
        }
    }

    @Tag("thorough")
    @Test
    void it_learns_one_episode_by_heart() {
        EpisodeSource same = episode -> LearnedWorlds.random(4, 40);
        LearnerSettings.Ppo settings = new PpoBuilder()
                .run(60, 16, 64)
                .steps(4, 128, 3e-3)
                .entropy(0.005, 0.0005)
                .hours(200, 4)
                .build();
        Topology topology = Topologies.small();
        try (PolicyNetwork policy = policy()) {
            double untrained = meanJct(policy, topology, same, 1);
            train(policy, topology, same, settings);
            assertThat(meanJct(policy, topology, same, 1)).isLessThan(untrained * 0.85);
        }
    }
}
