package org.trainyard.agents.learned.ppo;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.ActionSampler;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.policy.RowBatch;
import org.trainyard.env.gym.AutoResetEnv;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.StepResult;
import org.trainyard.env.gym.action.ActionSpace;

/**
 * Plays some of the environments with a copy of the policy, all of them scored in one pass per step, and writes what happens into the
 * rollout.
 *
 * <p>Environments of a group play the same episodes; who is done with one waits until all of the group are. Only agents that have a
 * choice are scored, and only they and a few others are looked at. Not for several threads, but several players may play at once.
 */
final class RolloutCollector {
    /** One in so many rows of agents without a choice is kept for the critic, which is asked about such states where a rollout ends. */
    private static final int RARELY = 8;
    /** Numbers of the first episodes of two groups are so far apart. */
    private static final long EPISODES_OF_A_GROUP = 1L << 40;

    private final RolloutBuffer rollout;
    private final PolicyNetwork policy;
    private final @Nullable PolicyNetwork teacher;
    private final int first;
    private final int group;
    private final AutoResetEnv[] envs;

    private final int[] rounds;
    private final boolean[] finished;
    private final RowBatch batch;
    private final float[] scores;
    private final float[] taught;
    private final float[] values;
    private final int[] stepActions;
    private final float[] endRows;
    private int finishedEpisodes;
    private double finishedJctSeconds;

    /**
     * @param first number of the first of these environments among all; those of a group follow each other
     * @param policy this player's own, as is the teacher
     */
    RolloutCollector(
            RolloutBuffer rollout,
            List<ClusterEnv> envs,
            int first,
            int group,
            PolicyNetwork policy,
            @Nullable PolicyNetwork teacher) {
        this.rollout = rollout;
        this.first = first;
        this.group = group;
        this.policy = policy;
        this.teacher = teacher;
        this.envs = envs.stream().map(AutoResetEnv::new).toArray(AutoResetEnv[]::new);
        for (int i = 0; i < this.envs.length; i++) {
            this.envs[i].reset((first + i) / group * EPISODES_OF_A_GROUP);
        }
        rounds = new int[envs.size()];
        finished = new boolean[envs.size()];
        int most = envs.size() * rollout.agents;
        int actions = rollout.spec.actions().size();
        batch = new RowBatch(rollout.spec);
        scores = new float[most * actions];
        taught = new float[most * actions];
        values = new float[most];
        stepActions = new int[rollout.agents];
        endRows = new float[rollout.agents * rollout.spec.size()];
    }

    PolicyNetwork policy() {
        return policy;
    }

    /**
     * Lets the policy act, drawing from the stream, and the teacher in the first {@code ledByTeacher} environments of all.
     *
     * @param isTaught whether the teacher is asked what it would do
     */
    void play(RandomGenerator random, boolean isTaught, int ledByTeacher) {
        finishedEpisodes = 0;
        finishedJctSeconds = 0;
        freezeAnew(policy);
        if (isTaught && teacher != null) {
            freezeAnew(teacher);
        }
        for (int step = 0; step < rollout.steps; step++) {
            look(step);
            policy.score(batch, scores, values);
            if (isTaught && teacher != null) {
                teacher.score(batch, taught, null);
            }
            choose(step, random, isTaught, ledByTeacher);
            for (int i = 0; i < envs.length; i++) {
                if (rollout.made[state(step, i)]) {
                    step(step, i);
                }
            }
        }
        for (int i = 0; i < envs.length; i++) {
            System.arraycopy(valuesNow(i), 0, rollout.lastValues, (first + i) * rollout.agents, rollout.agents);
        }
        policy.freeze(false);
    }

    private int state(int step, int i) {
        return step * rollout.environments + first + i;
    }

    /** Forgets what was worked out before, which a resumed run does not know: the last bits of an embedding hang on its batch. */
    private static void freezeAnew(PolicyNetwork network) {
        network.freeze(false);
        network.freeze(true);
    }

    /** Batches the rows of all agents that have a choice now. */
    private void look(int step) {
        batch.begin(envs.length * rollout.agents);
        for (int i = 0; i < envs.length; i++) {
            int state = state(step, i);
            rollout.made[state] = !waits(i);
            rollout.rounds[state] = rounds[i];
            rollout.times[state] = hoursNow(i);
            rollout.hours[state] = 0;
            rollout.ends[state] = RolloutBuffer.GOES_ON;
            batch.beginState();
            for (int agent = 0; agent < rollout.agents; agent++) {
                look(step, i, agent);
            }
        }
    }

    private void look(int step, int i, int agent) {
        int state = state(step, i);
        int at = state * rollout.agents + agent;
        boolean isActive = rollout.made[state] && envs[i].isActive(agent);
        boolean isSeen = isActive || (rollout.made[state] && (step + agent) % RARELY == 0);
        rollout.active[at] = isActive;
        rollout.seen[at] = isSeen;
        rollout.rewards[at] = 0;
        if (isSeen) {
            envs[i].observe(agent, rollout.rows, at * rollout.spec.size());
        }
        if (isActive) {
            batch.add(rollout.rows, at * rollout.spec.size(), true);
        }
    }

    /** Whether an environment is done and others of its group are not; forgets about that when all are. */
    private boolean waits(int i) {
        if (!finished[i]) {
            return false;
        }
        int from = i / group * group;
        for (int other = from; other < from + group; other++) {
            if (!finished[other]) {
                return true;
            }
        }
        for (int other = from; other < from + group; other++) {
            finished[other] = false;
        }
        return false;
    }

    private double hoursNow(int i) {
        return envs[i].simulator().view().nowNanos() / 3600e9;
    }

    private void choose(int step, RandomGenerator random, boolean isTaught, int ledByTeacher) {
        int size = rollout.spec.actions().size();
        int row = 0;
        int from = state(step, 0) * rollout.agents;
        for (int at = from; at < from + envs.length * rollout.agents; at++) {
            if (!rollout.active[at]) {
                rollout.actions[at] = ActionSpace.WAIT;
                rollout.logProbabilities[at] = 0;
                continue;
            }
            int action = ActionSampler.sample(scores, row * size, size, random);
            if (isTaught) {
                int label = ActionSampler.likeliest(taught, row * size, size);
                rollout.labels[at] = label;
                System.arraycopy(taught, row * size, rollout.taught, at * size, size);
                action = at / rollout.agents % rollout.environments < ledByTeacher ? label : action;
            }
            rollout.actions[at] = action;
            rollout.logProbabilities[at] = scores[row * size + action];
            rollout.values[at] = values[row++];
        }
    }

    private void step(int step, int i) {
        int state = state(step, i);
        System.arraycopy(rollout.actions, state * rollout.agents, stepActions, 0, rollout.agents);
        StepResult brought = envs[i].step(stepActions, 0);
        rollout.hours[state] = brought.elapsedHours();
        for (int agent = 0; agent < rollout.agents; agent++) {
            rollout.rewards[state * rollout.agents + agent] = brought.reward(agent);
        }
        if (brought.done()) {
            rollout.ends[state] = brought.terminated() ? RolloutBuffer.TERMINATED : RolloutBuffer.TRUNCATED;
            finished[i] = true;
            rounds[i]++;
        }
        if (brought.truncated()) {
            float[] worth = valuesOf(i, envs[i].truncatedRows(), false);
            System.arraycopy(worth, 0, rollout.endValues, state * rollout.agents, rollout.agents);
        }
        if (!Double.isNaN(envs[i].finishedMeanJctSeconds())) {
            finishedEpisodes++;
            finishedJctSeconds += envs[i].finishedMeanJctSeconds();
        }
    }

    private float[] valuesNow(int i) {
        for (int agent = 0; agent < rollout.agents; agent++) {
            envs[i].observe(agent, endRows, agent * rollout.spec.size());
        }
        return valuesOf(i, endRows, true);
    }

    /** What one joint state is worth to all agents, those without a choice too. */
    private float[] valuesOf(int i, float[] rows, boolean isNow) {
        batch.begin(rollout.agents);
        batch.beginState();
        for (int agent = 0; agent < rollout.agents; agent++) {
            batch.add(rows, agent * rollout.spec.size(), isNow && envs[i].isActive(agent));
        }
        policy.score(batch, scores, values);
        return values;
    }

    /** Episodes in which all jobs were done. */
    int finishedEpisodes() {
        return finishedEpisodes;
    }

    /** The sum of their mean JCTs. */
    double finishedJctSeconds() {
        return finishedJctSeconds;
    }

    /** Saves where every environment is. */
    void save(DataOutput out) throws IOException {
        for (int i = 0; i < envs.length; i++) {
            out.writeBoolean(finished[i]);
            envs[i].save(out);
        }
    }

    /** Goes back to where {@link #save} was. */
    void restore(DataInput in) throws IOException {
        for (int i = 0; i < envs.length; i++) {
            finished[i] = in.readBoolean();
            rounds[i] = finished[i] ? 1 : 0;
            envs[i].restore(in);
        }
    }
}
