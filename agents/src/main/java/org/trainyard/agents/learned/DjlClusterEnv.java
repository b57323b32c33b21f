package org.trainyard.agents.learned;

import ai.djl.modality.rl.ActionSpace;
import ai.djl.modality.rl.LruReplayBuffer;
import ai.djl.modality.rl.ReplayBuffer;
import ai.djl.modality.rl.agent.RlAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.ActionLayout;
import org.trainyard.env.gym.ClusterEnv;

/**
 * The gym behind DJL's interface for reinforcement learning: one decision of one agent at a time, for agents such as DJL's DQN.
 *
 * <p>An observation is the deciding agent's row; an action is a vector with a one at its number, and only actions on offer are in the
 * action space. The reward of a decision is what all agents together earned until the next one; DJL has no word for time passing,
 * agents or truncation, so a horizon looks like an end. {@link Ppo} does not come this way: tensors per decision are slow.
 */
public final class DjlClusterEnv implements RlEnv {
    private final NDManager manager;
    private final ClusterEnv env;
    private final ReplayBuffer replay;
    private final int[] actions;
    private final float[] row;
    private long episode;
    private int agent;
    private NDManager now;
    private NDList observation = new NDList();
    private ActionSpace space = new ActionSpace();
    private @Nullable Decided last;

    /**
     * @param parent whose sub-manager this environment uses and closes
     * @param replayed decisions in a training batch
     * @param remembered decisions kept to draw batches from
     * @param firstEpisode played at the first reset, the next ones after it
     */
    public DjlClusterEnv(NDManager parent, ClusterEnv env, int replayed, int remembered, long firstEpisode) {
        manager = parent.newSubManager();
        now = manager.newSubManager();
        this.env = env;
        replay = new LruReplayBuffer(replayed, remembered);
        actions = new int[env.agents()];
        row = new float[env.spec().size()];
        episode = firstEpisode;
    }

    @Override
    public void reset() {
        env.reset(episode++);
        Arrays.fill(actions, ActionLayout.WAIT);
        agent = nextActive(0);
        look();
    }

    private int nextActive(int from) {
        int next = from;
        while (next < env.agents() && !env.isActive(next)) {
            next++;
        }
        return next;
    }

    /** Shows the agent whose turn it is what it sees, and what it may do. */
    private void look() {
        now.close();
        now = manager.newSubManager();
        env.observe(agent, row, 0);
        observation = new NDList(now.create(row.clone()));
        space = spaceOf(now, row);
    }

    private ActionSpace spaceOf(NDManager scope, float[] seen) {
        ActionSpace offered = new ActionSpace();
        int size = env.spec().actions().size();
        for (int action = 0; action < size; action++) {
            if (seen[env.spec().maskAt() + action] != 0) {
                float[] oneHot = new float[size];
                oneHot[action] = 1;
                offered.add(new NDList(scope.create(oneHot)));
            }
        }
        return offered;
    }

    @Override
    public NDList getObservation() {
        return observation;
    }

    @Override
    public ActionSpace getActionSpace() {
        return space;
    }

    @Override
    public RlEnv.Step step(NDList action, boolean training) {
        float[] before = row.clone();
        float[] oneHot = action.singletonOrThrow().toFloatArray();
        actions[agent] = Choice.likeliest(oneHot, 0, oneHot.length);
        agent = nextActive(agent + 1);
        double reward = 0;
        boolean done = false;
        if (agent == env.agents()) {
            org.trainyard.env.gym.Step brought = env.step(actions, 0);
            Arrays.fill(actions, ActionLayout.WAIT);
            for (int i = 0; i < env.agents(); i++) {
                reward += brought.reward(i);
            }
            done = brought.done();
            agent = nextActive(0) % env.agents();
        }
        look();
        if (last != null) {
            last.close();
        }
        Decided step = new Decided(before, oneHot, row.clone(), (float) reward, done);
        last = training ? null : step;
        if (training) {
            replay.addStep(step);
        }
        return step;
    }

    @Override
    public RlEnv.Step[] getBatch() {
        return replay.getBatch();
    }

    @Override
    public float runEnvironment(RlAgent player, boolean training) {
        float total = 0;
        boolean done = false;
        reset();
        while (!done) {
            RlEnv.Step step = step(player.chooseAction(this, training), training);
            total += ((Decided) step).reward;
            done = step.isDone();
            if (training) {
                player.trainBatch(getBatch());
            }
        }
        return total;
    }

    @Override
    public void close() {
        manager.close();
    }

    /** One decision, kept as plain numbers until somebody wants tensors. */
    private final class Decided implements RlEnv.Step {
        private final float[] before;
        private final float[] action;
        private final float[] after;
        private final float reward;
        private final boolean done;
        private @Nullable NDManager scope;

        Decided(float[] before, float[] action, float[] after, float reward, boolean done) {
            this.before = before;
            this.action = action;
            this.after = after;
            this.reward = reward;
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
            return new NDList(scope().create(before));
        }

        @Override
        public NDList getAction() {
            return new NDList(scope().create(action));
        }

        @Override
        public NDList getPostObservation() {
            return new NDList(scope().create(after));
        }

        @Override
        public ActionSpace getPostActionSpace() {
            return spaceOf(scope(), after);
        }

        @Override
        public NDArray getReward() {
            return scope().create(reward);
        }

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public void close() {
            if (scope != null) {
                scope.close();
                scope = null;
            }
        }
    }
}
