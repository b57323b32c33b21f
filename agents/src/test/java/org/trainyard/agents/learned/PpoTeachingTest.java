package org.trainyard.agents.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.policy.ActionSampler;
import org.trainyard.agents.learned.policy.InitialRules;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.ppo.Ppo;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.gym.ClusterEnv;

/** Starting from another policy, staying near it, and learning from it. */
class PpoTeachingTest {
    private static final PolicyNetwork.Settings TINY =
            new PolicyNetwork.Settings(PolicyNetwork.Encoder.HIERARCHICAL, 8, 1);

    private static PolicyNetwork rule(double inverseTemperature) {
        PolicyNetwork rule = new PolicyNetwork(TINY, 1);
        rule.initialiseFrom(InitialRules.patient(), inverseTemperature);
        return rule;
    }

    private static PpoBuilder settings(double learningRate) {
        return new PpoBuilder()
                .run(12, 4, 32)
                .workers(2)
                .steps(4, 32, learningRate)
                .entropy(0, 0)
                .targetKl(10);
    }

    private static Ppo trainer(PolicyNetwork policy, @Nullable PolicyNetwork teacher, PpoBuilder settings) {
        List<ClusterEnv> envs = LearnedWorlds.allSmall(4);
        return new Ppo(policy, teacher, envs, settings.build(), WorkerPool.SEQUENTIAL, 1);
    }

    private static UpdateStatistics run(Ppo ppo, int updates) {
        for (int i = 1; i < updates; i++) {
            ppo.update();
        }
        return ppo.update();
    }

    @Test
    void a_kept_rule_stays_as_it_is_bit_by_bit_while_the_network_learns_what_to_add() {
        try (Ppo ppo = trainer(rule(5), null, settings(1e-2).teacher(true, 0, 0))) {
            float[] before = ppo.policy().parameters().get("slot.rule.weight").toFloatArray();
            run(ppo, 2);
            assertThat(ppo.policy().parameters().get("slot.rule.weight").toFloatArray())
                    .isEqualTo(before);
            assertThat(ppo.policy().parameters().get("slot.rule.bias").toFloatArray())
                    .containsOnly(0);
            assertThat(ppo.policy().parameters().get("slot.out.weight").toFloatArray())
                    .doesNotContain(0);
        }
    }

    @Test
    void a_rule_that_is_not_kept_learns_too() {
        try (Ppo ppo = trainer(rule(5), null, settings(1e-2))) {
            float[] before = ppo.policy().parameters().get("slot.rule.weight").toFloatArray();
            run(ppo, 2);
            assertThat(ppo.policy().parameters().get("slot.rule.weight").toFloatArray())
                    .isNotEqualTo(before);
        }
    }

    @Test
    void the_policy_starts_at_no_distance_from_its_teacher_and_a_heavy_weight_keeps_it_near() {
        double free;
        double held;
        try (Ppo ppo = trainer(rule(2), null, settings(3e-2).teacher(true, 1e-9, 1e-9))) {
            free = run(ppo, 4).teacherKl();
        }
        try (Ppo ppo = trainer(rule(2), null, settings(3e-2).teacher(true, 10, 10))) {
            held = run(ppo, 4).teacherKl();
        }
        assertThat(held).isNotNegative().isLessThan(free / 2);
        try (Ppo ppo = trainer(rule(2), null, settings(1e-12).teacher(true, 1, 0))) {
            assertThat(run(ppo, 2).teacherKl()).isCloseTo(0, within(1e-5));
        }
        try (Ppo ppo = trainer(rule(2), null, settings(1e-12))) {
            assertThat(run(ppo, 1).teacherKl()).isNaN();
        }
    }

    @Test
    void an_untrained_network_learns_to_do_what_its_teacher_does() {
        try (PolicyNetwork teacher = rule(20);
                Ppo ppo = trainer(
                        new PolicyNetwork(TINY, 2), teacher, settings(1e-2).imitate(12))) {
            double before = ppo.update().policyLoss();
            assertThat(run(ppo, 11).policyLoss()).isLessThan(before * 0.6);
        }
    }

    @Test
    void a_sharper_policy_decides_alike_and_draws_more_surely() {
        try (PolicyNetwork policy = new PolicyNetwork(TINY, 3);
                PolicyNetwork sharper = policy.copy()) {
            sharper.scaleLogits(8);
            ClusterEnv env = LearnedWorlds.allSmall(1).get(0);
            env.reset(0);
            int size = env.spec().actions().size();
            float[] rows = new float[env.agents() * env.spec().size()];
            float[] soft = new float[env.agents() * size];
            float[] sharp = new float[env.agents() * size];
            double surer = 0;
            for (int step = 0; step < 30; step++) {
                policy.score(see(env, rows), 0, 1, env.agents(), env.spec(), soft, null);
                sharper.score(rows, 0, 1, env.agents(), env.spec(), sharp, null);
                for (int at = 0; at < soft.length; at += size) {
                    int best = at + ActionSampler.argMax(soft, at, size);
                    // Equal ones may change places.
                    assertThat(sharp[best]).isCloseTo(sharp[at + ActionSampler.argMax(sharp, at, size)], within(1e-3f));
                    surer += sharp[best] - soft[best];
                }
                env.step(policy.greedy(rows, env.agents(), env.spec()), 0);
            }
            assertThat(surer).isGreaterThan(0.1);
        }
    }

    private static float[] see(ClusterEnv env, float[] rows) {
        for (int agent = 0; agent < env.agents(); agent++) {
            env.observe(agent, rows, agent * env.spec().size());
        }
        return rows;
    }

    @Test
    void a_rule_is_scored_alike_with_and_without_its_encoder() {
        try (PolicyNetwork policy = rule(5)) {
            ClusterEnv env = LearnedWorlds.allSmall(1).get(0);
            env.reset(0);
            float[] rows = new float[env.agents() * env.spec().size()];
            for (int agent = 0; agent < env.agents(); agent++) {
                env.observe(agent, rows, agent * env.spec().size());
            }
            float[] slow = new float[env.agents() * env.spec().actions().size()];
            float[] fast = slow.clone();
            policy.score(rows, 0, 1, env.agents(), env.spec(), slow, null);
            policy.cacheEmbeddings(true);
            policy.score(rows, 0, 1, env.agents(), env.spec(), fast, null);
            assertThat(fast).containsExactly(slow, within(1e-4f));
        }
    }
}
