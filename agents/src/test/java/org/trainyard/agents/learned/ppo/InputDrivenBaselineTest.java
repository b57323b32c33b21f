package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.ObservationSpace;

/** Three environments of one agent, in a group unless said otherwise. */
class InputDrivenBaselineTest {
    private static final int STEPS = 50;
    private static final int ENVS = 3;

    private final RolloutBuffer rollout =
            new RolloutBuffer(ENVS, 1, new ObservationSpace(new ActionSpace(2, 2, 1), 1, 1, 1, 1), STEPS, false);
    private final RandomGenerator random = RandomStreams.stream(1, "test/luck");

    InputDrivenBaselineTest() {
        Arrays.fill(rollout.active, true);
        for (int step = 0; step < STEPS; step++) {
            for (int env = 0; env < ENVS; env++) {
                rollout.times[step * ENVS + env] = step;
            }
        }
    }

    /** Luck that depends on the time alone, and in environment 0 skill of one at every step. */
    private double[] advantages() {
        double[] advantages = rollout.advantages;
        for (int step = 0; step < STEPS; step++) {
            double luck = 10 * random.nextGaussian();
            for (int env = 0; env < ENVS; env++) {
                advantages[step * ENVS + env] = luck + (env == 0 ? 1 : 0);
            }
        }
        return advantages;
    }

    @Test
    void what_befell_all_alike_is_gone_and_skill_is_left() {
        double[] advantages = advantages();
        InputDrivenBaseline.subtract(rollout, ENVS);
        for (int step = 0; step < STEPS; step++) {
            assertThat(advantages[step * ENVS]).isCloseTo(1, within(1e-9));
            assertThat(advantages[step * ENVS + 1]).isCloseTo(-0.5, within(1e-9));
        }
    }

    @Test
    void an_environment_in_another_episode_is_no_measure() {
        for (int step = 0; step < STEPS; step++) {
            rollout.rounds[step * ENVS + 1] = 7;
            rollout.rounds[step * ENVS + 2] = 9;
        }
        double[] advantages = advantages();
        double[] before = advantages.clone();
        InputDrivenBaseline.subtract(rollout, ENVS);
        assertThat(advantages).isEqualTo(before);
    }

    @Test
    void others_are_met_at_the_first_choice_they_had_no_earlier() {
        Arrays.fill(rollout.active, false);
        double[] advantages = rollout.advantages;
        int mine = 4 * ENVS;
        int early = 3 * ENVS + 1;
        int met = 6 * ENVS + 1;
        int late = 8 * ENVS + 1;
        for (int at : new int[] {mine, early, met, late}) {
            rollout.active[at] = true;
        }
        advantages[mine] = 5;
        advantages[early] = 100;
        advantages[met] = 2;
        advantages[late] = 1000;
        InputDrivenBaseline.subtract(rollout, ENVS);
        assertThat(advantages[mine]).isCloseTo(3, within(1e-9));
        // Nobody chose as late as that.
        assertThat(advantages[late]).isCloseTo(1000, within(1e-9));
    }
}
