package org.trainyard.agents.learned.ppo;

/**
 * Subtracts from advantages the mean advantage of the other environments that play the same episode at that moment: what the arrivals
 * brought about rather than the decision.
 *
 * <p>After H. Mao et al.: Variance reduction for reinforcement learning in input-driven environments, ICLR 2019, whose baseline is the
 * mean return of episodes with the same input from the same time on. Deviations: 1. the mean is of advantages over the critic's value
 * rather than of returns, so that differences between the states of the environments stay accounted for; 2. it is of the others, so that a
 * decision is not compared with itself; 3. where no other environment was at that moment in this rollout, nothing is subtracted.
 */
final class InputDrivenBaseline {
    private final RolloutBuffer rollout;
    private final int group;
    private final double[] before;

    private InputDrivenBaseline(RolloutBuffer rollout, int group) {
        this.rollout = rollout;
        this.group = group;
        before = rollout.advantages.clone();
    }

    /** Changes the rollout's advantages; nothing for groups of one. */
    static void subtract(RolloutBuffer rollout, int group) {
        if (group == 1) {
            return;
        }
        InputDrivenBaseline baseline = new InputDrivenBaseline(rollout, group);
        for (int env = 0; env < rollout.environments; env++) {
            for (int agent = 0; agent < rollout.agents; agent++) {
                baseline.subtract(env, agent);
            }
        }
    }

    private void subtract(int env, int agent) {
        int from = env / group * group;
        int[] steps = new int[group];
        for (int step = 0; step < rollout.steps; step++) {
            int state = step * rollout.environments + env;
            int at = state * rollout.agents + agent;
            if (!rollout.active[at]) {
                continue;
            }
            double sum = 0;
            int count = 0;
            for (int other = 0; other < group; other++) {
                if (from + other != env) {
                    steps[other] = next(from + other, agent, steps[other], state);
                    int met = steps[other] * rollout.environments + from + other;
                    if (steps[other] < rollout.steps && rollout.rounds[met] == rollout.rounds[state]) {
                        sum += before[met * rollout.agents + agent];
                        count++;
                    }
                }
            }
            rollout.advantages[at] = before[at] - (count == 0 ? 0 : sum / count);
        }
    }

    /** The first step, from this one on, in which the agent of another environment chose no earlier than in this state. */
    private int next(int env, int agent, int from, int state) {
        int step = from;
        while (step < rollout.steps) {
            int at = step * rollout.environments + env;
            boolean isLater = rollout.rounds[at] > rollout.rounds[state]
                    || (rollout.rounds[at] == rollout.rounds[state] && rollout.times[at] >= rollout.times[state]);
            if (isLater && rollout.active[at * rollout.agents + agent]) {
                return step;
            }
            step++;
        }
        return step;
    }
}
