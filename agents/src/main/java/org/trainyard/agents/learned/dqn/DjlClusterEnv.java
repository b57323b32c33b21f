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
import org.trainyard.agents.learned.ppo.Ppo;
import org.trainyard.env.gym.ClusterEnv;

/**
 * The gym behind DJL's interface for reinforcement learning: one decision of one agent at a time, for agents such as DJL's DQN.
 *
 * <p>An observation is the deciding agent's row and what is left of one unit of pay by then, for time passes between decisions and DJL
 * has no word for that; an action is a vector with a one at its number, and only actions on offer are in the action space. The reward of a
 * decision is what all agents together earned until the next one. DJL does not know agents or truncation either, so a horizon looks like
 * an end. {@link Ppo} does not come this way: tensors per decision are slow.
 *
 * <p>Its place is saved as the actions of all episodes of which a decision is still remembered; restoring plays them again, which is
 * exact because an episode is a function of its actions.
 */
public final class DjlClusterEnv implements RlEnv {
    /**
     * How pay becomes DJL's reward.
     *
     * @param scale what pay is multiplied by
     * @param discountHours simulated hours after which pay counts 1/e; infinite for no discount
     */
    public record Pay(double scale, double discountHours) {
        /** As it is, whenever it comes. */
        public static final Pay PLAIN = new Pay(1, Double.POSITIVE_INFINITY);

        double left(double hours) {
            return Math.exp(-hours / discountHours);
        }
    }

    private final NDManager manager;
    private final ClusterEnv env;
    private final ReplayBuffer replay;
    private final Pay pay;
    private final ActionHistory played;
    private final int[] actions;
    private long next;
    private int agent;
    private boolean over = true;
    private float[] row = new float[0];
    private @Nullable NDManager now;
    private double paid;
    private double elapsedHours;
    private @Nullable Decided last;

    /**
     * @param parent whose sub-manager this environment uses and closes
     * @param replay where decisions made in training go, and batches come from
     * @param remembered decisions that are kept there, so that they can be restored
     * @param firstEpisode played at the first reset, the next ones after it
     */
    public DjlClusterEnv(
            NDManager parent, ClusterEnv env, ReplayBuffer replay, int remembered, Pay pay, long firstEpisode) {
        manager = parent.newSubManager();
        this.env = env;
        this.replay = replay;
        this.pay = pay;
        played = new ActionHistory(remembered);
        actions = new int[env.agents()];
        next = firstEpisode;
    }

    @Override
    public void reset() {
        played.begin(next);
        over = env.reset(next++).done();
        Arrays.fill(actions, WAIT);
        agent = nextActive(0) % env.agents();
        look();
    }

    private int nextActive(int from) {
        int active = from;
        while (active < env.agents() && !env.isActive(active)) {
            active++;
        }
        return active;
    }

    /** Shows the agent whose turn it is what it sees. */
    private void look() {
        if (now != null) {
            now.close();
            now = null;
        }
        row = new float[env.spec().size()];
        env.observe(agent, row, 0);
    }

    private NDManager now() {
        NDManager open = now;
        if (open == null) {
            open = manager.newSubManager();
            now = open;
        }
        return open;
    }

    private ActionSpace spaceOf(NDManager scope, float[] seen) {
        ActionSpace offered = new ActionSpace();
        int size = env.spec().actions().size();
        for (int action = 0; action < size; action++) {
            if (seen[env.spec().maskAt() + action] != 0) {
                offered.add(new NDList(oneHot(scope, action)));
            }
        }
        return offered;
    }

    private NDArray oneHot(NDManager scope, int action) {
        float[] oneHot = new float[env.spec().actions().size()];
        oneHot[action] = 1;
        return scope.create(oneHot);
    }

    private static NDList seen(NDManager scope, float[] row, double left) {
        return new NDList(scope.create(row), scope.create((float) left));
    }

    @Override
    public NDList getObservation() {
        return seen(now(), row, 1);
    }

    @Override
    public ActionSpace getActionSpace() {
        return spaceOf(now(), row);
    }

    /** Whether the episode has ended, or none has begun. */
    public boolean isOver() {
        return over;
    }

    /** What all agents together earned by the last step, as the gym pays it. */
    public double paid() {
        return paid;
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
        Decided step = decide(ActionSampler.likeliest(oneHot, 0, oneHot.length));
        if (last != null) {
            last.close();
        }
        last = training ? null : step;
        if (training) {
            replay.addStep(step);
        }
        return step;
    }

    private Decided decide(int action) {
        float[] before = row;
        played.add(action);
        actions[agent] = action;
        agent = nextActive(agent + 1);
        paid = 0;
        elapsedHours = 0;
        if (agent == env.agents()) {
            org.trainyard.env.gym.StepResult brought = env.step(actions, 0);
            Arrays.fill(actions, WAIT);
            for (int i = 0; i < env.agents(); i++) {
                paid += brought.reward(i);
            }
            elapsedHours = brought.elapsedHours();
            over = brought.done();
            agent = nextActive(0) % env.agents();
        }
        look();
        return new Decided(before, action, row, (float) (pay.scale() * paid), pay.left(elapsedHours), over);
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
            total += ((Decided) step).reward;
            if (training) {
                player.trainBatch(getBatch());
            }
        }
        return total;
    }

    /** Saves which decisions are remembered, and where the episode is. */
    void save(DataOutput out) throws IOException {
        played.write(out);
    }

    /** Goes back to where {@link #save} was, by playing again; what is remembered is added to the replay buffer. */
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

    /** One decision, kept as plain numbers until somebody wants tensors. */
    private final class Decided implements RlEnv.Step {
        private final float[] before;
        private final int action;
        private final float[] after;
        private final float reward;
        private final double left;
        private final boolean done;
        private @Nullable NDManager scope;

        Decided(float[] before, int action, float[] after, float reward, double left, boolean done) {
            this.before = before;
            this.action = action;
            this.after = after;
            this.reward = reward;
            this.left = left;
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
            return seen(scope(), before, 1);
        }

        @Override
        public NDList getAction() {
            return new NDList(oneHot(scope(), action));
        }

        @Override
        public NDList getPostObservation() {
            return seen(scope(), after, left);
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

        /** Frees its tensors; they come back when asked for. */
        @Override
        public void close() {
            if (scope != null) {
                scope.close();
                scope = null;
            }
        }
    }
}
