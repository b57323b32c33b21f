package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.ActionSpace;
import ai.djl.modality.rl.ReplayBuffer;
import ai.djl.modality.rl.agent.RlAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.auction.ClusterFigures;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.gym.auction.BiddingEnv;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Simulator;

/**
 * The auction of bids behind DJL's interface for reinforcement learning: the boundary through which any agent of DJL plays.
 *
 * <p>A decision is an auction that has a choice. An observation is the state of the cluster, {@link AuctionSnapshot#state}, and the discount since the
 * last decision, because time passes between decisions and DJL has no field for it. The action space holds the legal bids, a row of columns and kind
 * each. The reward of a step is minus its cost, discounted inside the step in simulated time, plus the difference of a potential: the mean cost to
 * go of reference plays of the same episode at the same time of the clock. A potential changes no order of policies (A. Ng, D. Harada, S. Russell:
 * Policy invariance under reward transformations, ICML 1999), and this one takes away what an episode costs whatever one decides.
 */
public final class AuctionEnv implements RlEnv {
    private static final double WORKDAY_HOURS = 8;

    private final NDManager manager;
    private final BiddingEnv game;
    private final BidPolicy shape;
    private final Deployment deployment;
    private final ReplayBuffer replay;
    private final LongFunction<Supplier<Simulator>> episodes;
    private final @Nullable ReferencePlays plays;
    private final double rewardScale;
    private final double gpus;
    private List<CostCurve> references = List.of();
    private long next;
    private double potential;
    private AuctionSnapshot now = AuctionSnapshot.END;
    private ActionSpace offered = new ActionSpace();
    private @Nullable NDManager stepScope;
    private @Nullable BidTransition last;

    /**
     * How costs become DJL's rewards.
     *
     * @param factor on every reward
     * @param discountHours simulated hours after which a cost counts 1/e
     */
    public record RewardScale(double factor, double discountHours) {}

    /**
     * An environment without reference plays, for any agent.
     *
     * @param parent manager under which this environment makes its tensors
     * @param shape says which bids there are; its network is not asked
     * @param reward whose sum over all domains the agent earns
     * @param episodes simulators at the start of the episode of a number; the first reset begins episode 0
     * @param replay takes the steps of training, and draws batches
     */
    public AuctionEnv(
            NDManager parent,
            BidPolicy shape,
            Deployment deployment,
            Reward reward,
            RewardScale scale,
            LongFunction<Supplier<Simulator>> episodes,
            ReplayBuffer replay) {
        this(parent, shape, deployment, reward, scale, episodes, replay, null);
    }

    AuctionEnv(
            NDManager parent,
            BidPolicy shape,
            Deployment deployment,
            Reward reward,
            RewardScale scale,
            LongFunction<Supplier<Simulator>> episodes,
            ReplayBuffer replay,
            @Nullable ReferencePlays plays) {
        manager = parent.newSubManager();
        game = new BiddingEnv(reward, scale.discountHours());
        this.shape = shape;
        this.deployment = deployment;
        this.replay = replay;
        this.episodes = episodes;
        this.plays = plays;
        rewardScale = scale.factor();
        gpus = deployment.topology().gpus();
    }

    /** Sets the number of the episode that the next reset begins. */
    void goTo(long episode) {
        next = episode;
    }

    @Override
    public void reset() {
        Supplier<Simulator> simulators = episodes.apply(next);
        references = plays == null ? List.of() : plays.of(simulators, next);
        next++;
        Simulator simulator = simulators.get();
        game.reset(simulator, shape.auctioneer(simulator.view(), deployment), null);
        observe();
    }

    private void observe() {
        if (stepScope != null) {
            stepScope.close();
            stepScope = null;
        }
        offered = new ActionSpace();
        potential = 0;
        now = AuctionSnapshot.END;
        if (!game.isOver()) {
            for (CostCurve reference : references) {
                potential += reference.toGo(game.hour()) / references.size();
            }
            now = AuctionSnapshot.of(game.auction(), game.firstLegal(), figures());
        }
    }

    /** The figures of the cluster, and how far they are from the mean of the reference plays, in units of its GPUs and of their eight-hour days. */
    private float[] figures() {
        double[] own = new double[ClusterFigures.COUNT];
        ClusterFigures.write(game.view(), own, 0);
        double[] apart = own.clone();
        for (CostCurve reference : references) {
            reference.addFigures(game.hour(), -1.0 / references.size(), apart);
        }
        float[] figures = new float[2 * ClusterFigures.COUNT];
        for (int f = 0; f < ClusterFigures.COUNT; f++) {
            double unit = ClusterFigures.isWork(f) ? WORKDAY_HOURS * gpus : gpus;
            figures[f] = (float) (own[f] / unit);
            figures[ClusterFigures.COUNT + f] = (float) (apart[f] / unit);
        }
        return figures;
    }

    private NDManager stepScope() {
        NDManager open = stepScope;
        if (open == null) {
            open = manager.newSubManager();
            stepScope = open;
        }
        return open;
    }

    @Override
    public NDList getObservation() {
        return now.observation(stepScope(), 1);
    }

    @Override
    public ActionSpace getActionSpace() {
        if (offered.isEmpty()) {
            offered = now.actions(stepScope());
        }
        return offered;
    }

    /** Whether the episode has ended, or none has begun. */
    public boolean isOver() {
        return game.isOver();
    }

    /** Simulated time that the last step took, hours. */
    public double elapsedHours() {
        return game.elapsedHours();
    }

    /** Mean JCT of the episode that the last step ended by finishing all jobs, seconds; else NaN. */
    public double finishedMeanJctSeconds() {
        return game.meanJctSeconds();
    }

    @Override
    public RlEnv.Step step(NDList action, boolean training) {
        AuctionSnapshot before = now;
        int bid = number(action);
        double basis = potential;
        game.step(game.firstLegal() + bid);
        observe();
        double reward = rewardScale * (basis - game.cost() - game.discount() * potential);
        BidTransition step = new BidTransition(
                manager, before, bid, now, (float) reward, game.discount(), game.elapsedHours(), game.isOver());
        if (last != null) {
            last.close();
        }
        last = training ? null : step;
        if (training) {
            replay.addStep(step);
        }
        return step;
    }

    /** The number of an action among those on offer: the same list, or else one of equal numbers. */
    @SuppressWarnings("ReferenceEquality")
    private int number(NDList action) {
        for (int bid = 0; bid < offered.size(); bid++) {
            if (offered.get(bid) == action) {
                return bid;
            }
        }
        float[] row = action.singletonOrThrow().toFloatArray();
        for (int bid = 0; bid < now.bids(); bid++) {
            int at = bid * AuctionSnapshot.ROW;
            if (Arrays.equals(now.rows(), at, at + AuctionSnapshot.ROW, row, 0, row.length)) {
                return bid;
            }
        }
        throw new IllegalArgumentException("the action is none of the (%d) on offer".formatted(now.bids()));
    }

    @Override
    public RlEnv.Step[] getBatch() {
        return replay.getBatch();
    }

    @Override
    public float runEnvironment(RlAgent player, boolean training) {
        float total = 0;
        reset();
        while (!isOver()) {
            BidTransition step = (BidTransition) step(player.chooseAction(this, training), training);
            total += step.reward();
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
}
