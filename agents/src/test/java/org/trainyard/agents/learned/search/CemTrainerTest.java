package org.trainyard.agents.learned.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.policy.InitialRules;
import org.trainyard.agents.learned.policy.LearnedScheduler;
import org.trainyard.agents.learned.policy.LinearPolicy;
import org.trainyard.agents.learned.policy.Policy;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterScenario;
import org.trainyard.env.gym.EpisodeSource;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/** Small worlds; fixed seeds. */
class CemTrainerTest {
    private static final ModelProfile RED = model("red");
    private static final ModelProfile BLUE = model("blue");
    private static final Topology TWO_SERVERS = Topology.uniform("two", Fabric.DEFAULT, 1, 2, ServerSpec.ofV100(2), 1);
    /** Two jobs of one kind on a server halve each other's speed; unlike jobs do not notice one another. */
    private static final InterferenceModel RIVALS = (victim, place) -> {
        for (int n = 0; n < place.count(); n++) {
            if (place.model(n).name().equals(victim.name())) {
                return 2;
            }
        }
        return 1;
    };

    @TempDir
    private Path folder;

    private static ModelProfile model(String name) {
        return new ModelProfile(name, 0.1, 1e6, 1L << 30, new Pressure(0, 0, 0), new Pressure(0, 0, 0));
    }

    private static ClusterScenario world(Topology topology, InterferenceModel truth) {
        return new ClusterScenario(
                topology,
                new RingPerformance(topology, truth),
                truth,
                RuntimePredictor::oracle,
                Simulator.Options.DEFAULT);
    }

    private static LearnedScheduler scheduler(ClusterScenario world, Policy policy, boolean preemption) {
        return new LearnedScheduler(
                policy,
                world.topology(),
                Domains.racks(world.topology()),
                LearnedWorlds.WINDOW,
                LearnedWorlds.HOPS,
                preemption,
                world.belief());
    }

    private static CemTrainer search(
            PolicyNetwork policy, ClusterScenario world, EpisodeSource episodes, int generations, boolean preemption) {
        CemTrainer.Trials trials = (policies, first, count) -> {
            double[] means = new double[policies.length];
            for (int p = 0; p < policies.length; p++) {
                for (int i = 0; i < count; i++) {
                    means[p] += Math.log(world.simulator(episodes.episode(first + i))
                                    .run(scheduler(world, policies[p], preemption))
                                    .meanJctSeconds())
                            / count;
                }
            }
            return means;
        };
        LearnerSettings.Search settings = new LearnerSettings.Search(generations, 12, 4, 4, 0.7, 0.1, 20, List.of(1.0));
        return new CemTrainer(policy, settings, preemption, trials, 1);
    }

    /** Sixteen jobs of an hour or so on one GPU, of a random kind each. */
    private static Workload reds_and_blues(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/kinds");
        List<JobSpec> specs = new java.util.ArrayList<>();
        double[] iterations = new double[16];
        for (int i = 0; i < iterations.length; i++) {
            specs.add(LearnedWorlds.job(i, i * 1_500_000_000_000L, 1, i % 2 == 0 ? RED : BLUE));
            iterations[i] = specs.get(i).idealIterationsPerSecond() * (1800 + 1800 * random.nextDouble());
        }
        return new Workload(specs, iterations);
    }

    /** Counts starts beside one other job, and those beside one of the other kind, where there was a choice of server. */
    private static int[] mixed(ClusterScenario world, Policy policy, Workload workload) {
        Scheduler scheduler = scheduler(world, policy, false);
        int[] counts = new int[2];
        Scheduler watched = view -> {
            Decision decision = scheduler.decide(view);
            if (decision instanceof Decision.Start start && hasChoice(view)) {
                int server = start.placement().server(0);
                if (view.cluster().jobsOn(server) == 1) {
                    String neighbour =
                            view.job(view.cluster().jobOn(server, 0)).model().name();
                    counts[0]++;
                    counts[1] += neighbour.equals(view.job(start.job()).model().name()) ? 0 : 1;
                }
            }
            return decision;
        };
        world.simulator(workload).run(watched);
        return counts;
    }

    /** Whether both servers have room, one neighbour each, of different kinds. */
    private static boolean hasChoice(SimView view) {
        return view.cluster().jobsOn(0) == 1
                && view.cluster().jobsOn(1) == 1
                && !view.job(view.cluster().jobOn(0, 0))
                        .model()
                        .equals(view.job(view.cluster().jobOn(1, 0)).model());
    }

    @Test
    void it_learns_to_put_unlike_jobs_together() {
        ClusterScenario world = world(TWO_SERVERS, RIVALS);
        try (PolicyNetwork policy = new PolicyNetwork(LearnedWorlds.NETWORK, 1)) {
            CemTrainer search = search(policy, world, CemTrainerTest::reds_and_blues, 12, false);
            while (!search.isDone()) {
                search.update();
            }
            int[] counts = new int[2];
            for (int i = 0; i < 40; i++) {
                int[] one = mixed(world, policy.toInferencePolicy(), reds_and_blues(1_000_000 + i));
                counts[0] += one[0];
                counts[1] += one[1];
            }
            assertThat(counts[0]).isGreaterThan(40);
            assertThat(counts[1]).isGreaterThanOrEqualTo((int) Math.ceil(0.95 * counts[0]));
        }
    }

    @Test
    void a_resumed_search_is_the_same_search() {
        ClusterScenario world = world(Topologies.small(), LearnedWorlds.BELIEF);
        EpisodeSource episodes = episode -> LearnedWorlds.random(episode, 15);
        Path file = folder.resolve("trainer");
        try (PolicyNetwork one = new PolicyNetwork(LearnedWorlds.NETWORK, 1);
                PolicyNetwork other = new PolicyNetwork(LearnedWorlds.NETWORK, 1)) {
            CemTrainer whole = search(one, world, episodes, 4, true);
            whole.update();
            whole.update();
            whole.save(file);
            whole.update();
            whole.update();
            CemTrainer resumed = search(other, world, episodes, 4, true);
            resumed.load(file);
            assertThat(resumed.updates()).isEqualTo(2);
            resumed.update();
            resumed.update();
            assertThat(other.save(folder.resolve("other"))).isEqualTo(one.save(folder.resolve("one")));
        }
    }

    @Test
    void a_damaged_file_is_refused() throws Exception {
        ClusterScenario world = world(TWO_SERVERS, RIVALS);
        Path file = folder.resolve("trainer");
        try (PolicyNetwork policy = new PolicyNetwork(LearnedWorlds.NETWORK, 1)) {
            CemTrainer search = search(policy, world, CemTrainerTest::reds_and_blues, 1, false);
            search.save(file);
            byte[] bytes = Files.readAllBytes(file);
            bytes[40] ^= 1;
            Files.write(file, bytes);
            assertThatThrownBy(() -> search.load(file))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void a_network_that_became_a_rule_decides_as_the_rule_does() {
        ClusterScenario world = world(Topologies.small(), LearnedWorlds.BELIEF);
        Workload workload = LearnedWorlds.random(3, 60);
        Policy rule = new LinearPolicy(InitialRules.patient());
        try (PolicyNetwork policy = new PolicyNetwork(LearnedWorlds.NETWORK, 1)) {
            policy.initialiseFrom(InitialRules.patient(), 1000);
            assertThat(policy.toInferencePolicy()).isInstanceOf(LinearPolicy.class);
            String expected = run(world, rule, workload);
            assertThat(run(world, policy.toInferencePolicy(), workload)).isEqualTo(expected);
            assertThat(run(world, policy, workload)).isEqualTo(expected);
        }
    }

    private static String run(ClusterScenario world, Policy policy, Workload workload) {
        return world.simulator(workload).run(scheduler(world, policy, false)).eventLogSha256();
    }

    @Test
    void with_preemption_a_short_job_need_not_wait_for_a_long_one() {
        ClusterScenario world = world(Topology.uniform("one", Fabric.DEFAULT, 1, 1, ServerSpec.ofV100(1), 1), RIVALS);
        List<JobSpec> specs = List.of(LearnedWorlds.job(0, 0, 1, RED), LearnedWorlds.job(1, 60_000_000_000L, 1, BLUE));
        Workload workload = new Workload(specs, new double[] {100_000, 600});
        Policy rule = new LinearPolicy(InitialRules.patient());
        assertThat(world.simulator(workload)
                        .run(scheduler(world, rule, true))
                        .jobs()
                        .get(1)
                        .firstStartNanos())
                .isEqualTo(60_000_000_000L);
        assertThat(world.simulator(workload)
                        .run(scheduler(world, rule, false))
                        .jobs()
                        .get(1)
                        .firstStartNanos())
                .isGreaterThan(1_000_000_000_000L);
    }
}
