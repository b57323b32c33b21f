package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.EnvChecker.Rule;
import org.trainyard.env.gym.EnvChecker.Violation;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.PlannedShare;
import org.trainyard.env.workload.generator.TraceGenerator;

/** The checker passes what is right and bites what is wrong. */
class EnvCheckerTest {
    private static ClusterEnv env(Topology topology, EpisodeSource episodes, Reward reward) {
        ClusterScenario world = TestScenarios.known(topology);
        return new ClusterEnv(
                world,
                new ClusterEnv.Settings(Domains.racks(topology), 8, 2, true, Double.POSITIVE_INFINITY, 0.5, 0),
                episodes,
                reward);
    }

    private static List<Violation> check(Supplier<Reward> rewards) {
        Topology topology = Topologies.small();
        return EnvChecker.check(
                () -> env(topology, episode -> RandomWorkloads.of(episode, 15, topology.gpus()), rewards.get()),
                1,
                2,
                100_000);
    }

    private static Set<Rule> rules(List<Violation> violations) {
        Set<Rule> rules = EnumSet.noneOf(Rule.class);
        violations.forEach(violation -> rules.add(violation.rule()));
        return rules;
    }

    @ParameterizedTest
    @ValueSource(strings = {"3x4", "2x2x8", "leaf-spine:3x2x2x4", "fat-tree:4x2"})
    void other_topologies_pass(String name) {
        Topology topology = Objects.requireNonNull(Topologies.parse(name));
        EnvChecker.require(
                () -> env(
                        topology,
                        episode -> RandomWorkloads.of(episode, 15, topology.gpus()),
                        new DelayReward(topology, AnalyticInterference.DEFAULT)),
                7,
                2,
                100_000);
    }

    @Test
    void episodes_with_pipelines_and_mixed_parallelism_pass() {
        Topology topology = Objects.requireNonNull(Topologies.parse("2x2x4"));
        WorkloadBuilder builder = new WorkloadBuilder(
                topology,
                ModelCatalog.standard(),
                new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, false, false));
        RingPerformance truth = new RingPerformance(topology, AnalyticInterference.DEFAULT);
        TraceGenerator generator =
                new TraceGenerator(GeneratorSettings.DEFAULT.with(1.2, 16), 30, ModelCatalog.standard());
        EnvChecker.require(
                () -> env(
                        topology,
                        episode -> builder.build(
                                        PlannedShare.of(generator.generate(episode, topology.gpus()), 0.5, episode),
                                        truth)
                                .workload(),
                        new DelayReward(topology, AnalyticInterference.DEFAULT)),
                3,
                2,
                100_000);
    }

    @Test
    void a_reward_that_is_no_number_is_found() {
        List<Violation> violations = check(BrokenReward::new);

        assertThat(rules(violations)).contains(Rule.REWARD);
        assertThat(violations.get(0).toString())
                .contains("REWARD, episode 1, step ")
                .contains("agent 1 is NaN");
    }

    /** Is no number as soon as more than three jobs run. */
    private record BrokenReward() implements Reward {
        @Override
        public double perHour(SimView view, int job) {
            return -1;
        }

        @Override
        public void rate(SimView view, DomainQueues queues, double[] perHour) {
            new JctReward().rate(view, queues, perHour);
            perHour[1] = view.runningCount() > 3 ? Double.NaN : perHour[1];
        }

        @Override
        public double perHour(SimView view) {
            return view.runningCount() > 3 ? Double.NaN : new JctReward().perHour(view);
        }
    }

    /** Adds to what is there instead of writing over it. */
    private record AddingReward() implements Reward {
        @Override
        public double perHour(SimView view, int job) {
            return -1;
        }

        @Override
        public void rate(SimView view, DomainQueues queues, double[] perHour) {
            for (int domain = 0; domain < perHour.length; domain++) {
                perHour[domain] -= queues.queued(domain);
            }
        }

        @Override
        public double perHour(SimView view) {
            return -view.waitingCount();
        }
    }

    /** Its rates depend on how often they were asked for. */
    private static final class CountingReward implements Reward {
        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public double perHour(SimView view, int job) {
            return -1;
        }

        @Override
        public void rate(SimView view, DomainQueues queues, double[] perHour) {
            Arrays.fill(perHour, -calls.incrementAndGet());
        }

        @Override
        public double perHour(SimView view) {
            return -calls.incrementAndGet();
        }
    }

    @Test
    void a_reward_that_adds_to_the_last_rate_is_found() {
        assertThat(rules(check(AddingReward::new))).contains(Rule.REWARD);
    }

    @Test
    void a_reward_with_a_memory_across_episodes_is_found() {
        List<Violation> violations = check(CountingReward::new);

        assertThat(rules(violations)).contains(Rule.REWARD, Rule.DETERMINISM);
        assertThat(violations)
                .allSatisfy(violation -> assertThat(violation.what()).containsPattern("[0-9]"));
    }

    @Test
    void episodes_that_differ_from_call_to_call_are_found() {
        Topology topology = Topologies.small();
        AtomicInteger calls = new AtomicInteger();
        List<Violation> violations = EnvChecker.check(
                () -> env(
                        topology,
                        episode -> RandomWorkloads.of(calls.incrementAndGet(), 15, topology.gpus()),
                        new JctReward()),
                1,
                1,
                100_000);

        assertThat(rules(violations)).contains(Rule.DETERMINISM);
    }

    @Test
    void an_episode_that_does_not_end_in_time_is_found_and_a_refusal_names_it() {
        Topology topology = Topologies.small();
        Supplier<ClusterEnv> envs =
                () -> env(topology, episode -> RandomWorkloads.of(episode, 15, topology.gpus()), new JctReward());

        assertThatThrownBy(() -> EnvChecker.require(envs, 4, 1, 10))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("END, episode 4, step 10: not over after 10 steps");
    }
}
