package org.trainyard.agents.learned.dqn;

import static org.trainyard.env.gym.action.ActionSpace.WAIT;

import ai.djl.modality.rl.ActionSpace;
import ai.djl.modality.rl.ReplayBuffer;
import ai.djl.modality.rl.agent.RlAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.ActionSampler;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.StepResult;

/**
 * The gym behind DJL's interface for reinforcement learning: one decision of one agent at a time, for agents such as DJL's DQN.
 *
 * <p>An observation is the row of the deciding agent and the discount since the last decision, because time passes between decisions and
 * DJL has no field for it; an action is a one-hot vector, and the action space holds the legal actions only. The reward of a decision is
 * the sum over all agents until the next decision. DJL knows neither agents nor truncation, so reaching the horizon looks like
 * termination. {@code Ppo} uses the gym directly: tensors per decision are slow.
 *
 * <p>Its state is saved as the actions of all episodes that still have a decision in the replay buffer; restoring plays them again, which
 * is exact because an episode is a function of its actions.
 */
public final class DjlClusterEnv implements RlEnv {
    /**
     * How the gym's rewards become DJL's.
     *
     * @param factor on every reward
     * @param discountHours simulated hours after which a reward is discounted to 1/e; infinite for no discount
     */
    public record RewardScale(double factor, double discountHours) {
        double discount(double hours) {
            return Math.exp(-hours / discountHours);
        }
    }

    private final NDManager manager;
    private final ClusterEnv env;
    private final ReplayBuffer replay;
    private final RewardScale scale;
    private final ActionHistory history;
    private final int[] actions;
    private long next;
    private int agent;
    private boolean over = true;
    private float[] row = new float[0];
    private @Nullable NDManager stepScope;
    private double reward;
    private double elapsedHours;
    private @Nullable Transition last;

    /**
     * @param parent manager under which this environment makes its tensors
     * @param replay takes the transitions of training, and draws batches
     * @param remembered capacity of {@code replay}, which restoring fills again
     * @param firstEpisode number of the episode that the first reset begins
     */
    public DjlClusterEnv(
            NDManager parent,
            ClusterEnv env,
            ReplayBuffer replay,
            int remembered,
            RewardScale scale,
            long firstEpisode) {
        manager = parent.newSubManager();
        this.env = env;
        this.replay = replay;
        this.scale = scale;
        history = new ActionHistory(remembered);
        actions = new int[env.agents()];
        next = firstEpisode;
    }

    @Override
    public void reset() {
        history.begin(next);
        over = env.reset(next++).done();
        Arrays.fill(actions, WAIT);
        agent = nextActive(0) % env.agents();
        observe();
    }

    private int nextActive(int from) {
        int active = from;
        while (active < env.agents() && !env.isActive(active)) {
            active++;
        }
        return active;
    }

    /** Writes the row of the agent whose turn it is. */
    private void observe() {
        if (stepScope != null) {
            stepScope.close();
            stepScope = null;
        }
        row = new float[env.spec().size()];
        env.observe(agent, row, 0);
    }

    private NDManager stepScope() {
        NDManager open = stepScope;
        if (open == null) {
            open = manager.newSubManager();
            stepScope = open;
        }
        return open;
    }

    private ActionSpace legalActions(NDManager scope, float[] row) {
        ActionSpace legal = new ActionSpace();
        int size = env.spec().actions().size();
        for (int action = 0; action < size; action++) {
            if (row[env.spec().maskAt() + action] != 0) {
                legal.add(new NDList(oneHot(scope, action)));
            }
        }
        return legal;
    }

    private NDArray oneHot(NDManager scope, int action) {
        float[] oneHot = new float[env.spec().actions().size()];
        oneHot[action] = 1;
        return scope.create(oneHot);
    }

    private static NDList observation(NDManager scope, float[] row, double discount) {
        return new NDList(scope.create(row), scope.create((float) discount));
    }

    @Override
    public NDList getObservation() {
        return observation(stepScope(), row, 1);
    }

    @Override
    public ActionSpace getActionSpace() {
        return legalActions(stepScope(), row);
    }

    /** Whether the episode has ended, or none has begun. */
    public boolean isOver() {
        return over;
    }

    /** The gym's reward of the last step, summed over all agents. */
    public double reward() {
        return reward;
    }

    /** Simulated time that the last step took, hours. */
    public double elapsedHours() {
        return elapsedHours;
    }

    /** Mean JCT of the episode that the last step ended by finishing all jobs, seconds; else NaN. */
    public double finishedMeanJctSeconds() {
        return over && env.simulator().isDone()
                ? env.simulator().jobSeconds() / env.simulator().view().arrived()
                : Double.NaN;
    }

    @Override
    public RlEnv.Step step(NDList action, boolean training) {
        float[] oneHot = action.singletonOrThrow().toFloatArray();
        Transition step = decide(ActionSampler.argMax(oneHot, 0, oneHot.length));
        if (last != null) {
            last.close();
        }
        last = training ? null : step;
        if (training) {
            replay.addStep(step);
        }
        return step;
    }

    private Transition decide(int action) {
        float[] before = row;
        history.add(action);
        actions[agent] = action;
        agent = nextActive(agent + 1);
        reward = 0;
        elapsedHours = 0;
        if (agent == env.agents()) {
            StepResult result = env.step(actions, 0);
            Arrays.fill(actions, WAIT);
            for (int i = 0; i < env.agents(); i++) {
                reward += result.reward(i);
            }
            elapsedHours = result.elapsedHours();
            over = result.done();
            agent = nextActive(0) % env.agents();
        }
        observe();
        return new Transition(
                before, action, row, (float) (scale.factor() * reward), scale.discount(elapsedHours), over);
    }

    @Override
    public RlEnv.Step[] getBatch() {
        return replay.getBatch();
    }

    @Override
    public float runEnvironment(RlAgent player, boolean training) {
        float total = 0;
        reset();
        while (!over) {
            RlEnv.Step step = step(player.chooseAction(this, training), training);
            total += ((Transition) step).reward;
            if (training) {
                player.trainBatch(getBatch());
            }
        }
        return total;
    }

    /** Saves the actions of the episodes in the replay buffer and of the current one. */
    void save(DataOutput out) throws IOException {
        history.write(out);
    }

    /** Plays the saved episodes again, which also fills the replay buffer. */
    void restore(DataInput in) throws IOException {
        for (ActionHistory.Episode episode : ActionHistory.read(in)) {
            next = episode.number();
            reset();
            for (int i = 0; i < episode.size(); i++) {
                replay.addStep(decide(episode.action(i)));
            }
        }
    }

    @Override
    public void close() {
        manager.close();
    }

    /** One transition, held as plain numbers until its tensors are needed. */
    private final class Transition implements RlEnv.Step {
        private final float[] before;
        private final int action;
        private final float[] after;
        private final float reward;
        private final double discount;
        private final boolean done;
        private @Nullable NDManager scope;

        Transition(float[] before, int action, float[] after, float reward, double discount, boolean done) {
            this.before = before;
            this.action = action;
            this.after = after;
            this.reward = reward;
            this.discount = discount;
            this.done = done;
        }

        private NDManager scope() {
            NDManager open = scope;
            if (open == null) {
                open = manager.newSubManager();
                scope = open;
            }
            return open;
        }

        @Override
        public NDList getPreObservation() {
            return observation(scope(), before, 1);
        }

        @Override
        public NDList getAction() {
            return new NDList(oneHot(scope(), action));
        }

        @Override
        public NDList getPostObservation() {
            return observation(scope(), after, discount);
        }

        @Override
        public ActionSpace getPostActionSpace() {
            return legalActions(scope(), after);
        }

        @Override
        public NDArray getReward() {
            return scope().create(reward);
        }

        @Override
        public boolean isDone() {
            return done;
        }

        /** Frees its tensors; they are made again on demand. */
        @Override
        public void close() {
            if (scope != null) {
                scope.close();
                scope = null;
            }
        }
    }
}
