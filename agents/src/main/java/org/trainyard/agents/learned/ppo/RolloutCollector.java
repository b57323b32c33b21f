package org.trainyard.agents.learned.ppo;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
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
 * Steps some of the environments with a copy of the policy, which scores all of them in one pass per step, and writes the steps into the
 * rollout.
 *
 * <p>Environments of a group play the same episodes; one that has finished an episode waits until all of its group have. Only agents that
 * have a choice are scored, and only their observations and a few others are kept. Several collectors can run at once.
 */
final class RolloutCollector {
    /** One in so many observations of agents without a choice is kept. */
    private static final int INACTIVE_KEPT = 8;
    /** Distance between the numbers of the first episodes of two groups. */
    private static final long EPISODES_OF_A_GROUP = 1L << 40;

    private final RolloutBuffer rollout;
    private final PolicyNetwork policy;
    private final @Nullable PolicyNetwork teacher;
    private final int first;
    private final int group;
    private final AutoResetEnv[] envs;

    /** Row arrays that the rollout does not hold at the moment. */
    private final ArrayDeque<float[]> spareRows = new ArrayDeque<>();

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
     * @param policy this collector's own, as is the teacher
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

    /**
     * Fills the rollout with actions that the policy draws, and with the teacher's in the first {@code teacherLed} environments of all.
     *
     * @param original whose weights this collector's policy takes
     * @param asksTeacher whether the teacher's log-probabilities are needed
     */
    void collect(PolicyNetwork original, RandomGenerator random, boolean asksTeacher, int teacherLed) {
        if (policy != original) {
            policy.copyWeightsFrom(original);
        }
        finishedEpisodes = 0;
        finishedJctSeconds = 0;
        releaseRows();
        clearCache(policy);
        if (asksTeacher && teacher != null) {
            clearCache(teacher);
        }
        for (int step = 0; step < rollout.steps; step++) {
            observe(step);
            policy.score(batch, scores, values);
            if (asksTeacher && teacher != null) {
                teacher.score(batch, taught, null);
            }
            choose(step, random, asksTeacher, teacherLed);
            for (int i = 0; i < envs.length; i++) {
                if (rollout.made[state(step, i)]) {
                    step(step, i);
                }
            }
        }
        for (int i = 0; i < envs.length; i++) {
            System.arraycopy(valuesNow(i), 0, rollout.lastValues, (first + i) * rollout.agents, rollout.agents);
        }
        policy.cacheEmbeddings(false);
    }

    private int state(int step, int i) {
        return step * rollout.environments + first + i;
    }

    private int firstChoice(int step) {
        return state(step, 0) * rollout.agents;
    }

    private void releaseRows() {
        for (int step = 0; step < rollout.steps; step++) {
            for (int at = firstChoice(step); at < firstChoice(step) + envs.length * rollout.agents; at++) {
                float[] row = rollout.rows[at];
                if (row != null) {
                    spareRows.push(row);
                    rollout.rows[at] = null;
                }
            }
        }
    }

    /** Empties and switches on the cache of embeddings: their last bits depend on the batch, and a resumed run starts with none. */
    private static void clearCache(PolicyNetwork network) {
        network.cacheEmbeddings(false);
        network.cacheEmbeddings(true);
    }

    /** Batches the rows of all agents that have a choice now. */
    private void observe(int step) {
        batch.begin(envs.length * rollout.agents);
        for (int i = 0; i < envs.length; i++) {
            int state = state(step, i);
            rollout.made[state] = !waits(i);
            rollout.rounds[state] = rounds[i];
            rollout.times[state] = hoursNow(i);
            rollout.hours[state] = 0;
            rollout.ends[state] = RolloutBuffer.CONTINUES;
            batch.beginState();
            for (int agent = 0; agent < rollout.agents; agent++) {
                observe(step, i, agent);
            }
        }
    }

    private void observe(int step, int i, int agent) {
        int state = state(step, i);
        int at = state * rollout.agents + agent;
        boolean isActive = rollout.made[state] && envs[i].isActive(agent);
        rollout.active[at] = isActive;
        rollout.rewards[at] = 0;
        if (isActive || (rollout.made[state] && (step + agent) % INACTIVE_KEPT == 0)) {
            float[] row = spareRows.isEmpty() ? new float[rollout.spec.size()] : spareRows.pop();
            envs[i].observe(agent, row, 0);
            rollout.rows[at] = row;
            if (isActive) {
                batch.add(row, 0, true);
            }
        }
    }

    /** Whether an environment has finished its episode and another of its group has not; when all have, the group begins the next. */
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

    private void choose(int step, RandomGenerator random, boolean asksTeacher, int teacherLed) {
        int size = rollout.spec.actions().size();
        int row = 0;
        int from = firstChoice(step);
        for (int at = from; at < from + envs.length * rollout.agents; at++) {
            if (!rollout.active[at]) {
                rollout.actions[at] = ActionSpace.WAIT;
                rollout.logProbabilities[at] = 0;
                continue;
            }
            int action = ActionSampler.sample(scores, row * size, size, random);
            if (asksTeacher) {
                int label = ActionSampler.argMax(taught, row * size, size);
                rollout.labels[at] = label;
                System.arraycopy(taught, row * size, rollout.taught, at * size, size);
                action = at / rollout.agents % rollout.environments < teacherLed ? label : action;
            }
            rollout.actions[at] = action;
            rollout.logProbabilities[at] = scores[row * size + action];
            rollout.values[at] = values[row++];
        }
    }

    private void step(int step, int i) {
        int state = state(step, i);
        System.arraycopy(rollout.actions, state * rollout.agents, stepActions, 0, rollout.agents);
        StepResult result = envs[i].step(stepActions, 0);
        rollout.hours[state] = result.elapsedHours();
        for (int agent = 0; agent < rollout.agents; agent++) {
            rollout.rewards[state * rollout.agents + agent] = result.reward(agent);
        }
        if (result.done()) {
            rollout.ends[state] = result.terminated() ? RolloutBuffer.TERMINATED : RolloutBuffer.TRUNCATED;
            finished[i] = true;
            rounds[i]++;
        }
        if (result.truncated()) {
            float[] ofAgents = valuesOf(i, envs[i].truncatedRows(), false);
            System.arraycopy(ofAgents, 0, rollout.endValues, state * rollout.agents, rollout.agents);
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

    /** The critic's values of one joint state for all agents, those without a choice too. */
    private float[] valuesOf(int i, float[] rows, boolean isNow) {
        batch.begin(rollout.agents);
        batch.beginState();
        for (int agent = 0; agent < rollout.agents; agent++) {
            batch.add(rows, agent * rollout.spec.size(), isNow && envs[i].isActive(agent));
        }
        policy.score(batch, scores, values);
        return values;
    }

    /** Episodes that ended with all jobs done. */
    int finishedEpisodes() {
        return finishedEpisodes;
    }

    /** The sum of their mean JCTs. */
    double finishedJctSeconds() {
        return finishedJctSeconds;
    }

    /** Saves the state of every environment. */
    void save(DataOutput out) throws IOException {
        for (int i = 0; i < envs.length; i++) {
            out.writeBoolean(finished[i]);
            envs[i].save(out);
        }
    }

    /** Restores what {@link #save} wrote. */
    void restore(DataInput in) throws IOException {
        for (int i = 0; i < envs.length; i++) {
            finished[i] = in.readBoolean();
            rounds[i] = finished[i] ? 1 : 0;
            envs[i].restore(in);
        }
    }
}
