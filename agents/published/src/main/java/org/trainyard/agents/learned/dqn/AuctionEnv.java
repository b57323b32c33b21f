package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.ActionSpace;
import ai.djl.modality.rl.ReplayBuffer;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.trainyard.agents.learned.ppo.ClusterFigures;
import org.trainyard.agents.learned.ppo.CostToGo;
import org.trainyard.agents.learned.ppo.EpisodeRecord;
import org.trainyard.env.Invalid;
import org.trainyard.env.gym.auction.ClusterEnv;
import org.trainyard.env.simulation.Simulator;

/**
 * The auction of bids behind DJL's interface for reinforcement learning: the boundary through which any agent of DJL
 * plays.
 *
 * <p>A decision is an auction that has a choice. An observation is the state of the cluster,
 * {@link AuctionSnapshot#state}, and the discount since the last decision, because time passes between decisions and
 * DJL has no field for it. The action space holds the legal bids, a row of columns and kind each. The reward of a step
 * is minus its cost, discounted inside the step in simulated time, plus the difference of a potential: the mean cost to
 * go of reference plays of the same episode at the same time of the clock. A potential changes no order of policies (A.
 * Ng, D. Harada, S. Russell: Policy invariance under reward transformations, ICML 1999), and this one takes away what
 * an episode costs whatever one decides.
 */
final class AuctionEnv implements RlEnv {
    private static final double WORKDAY_HOURS = 8;

    private final NDManager manager;
    private final ReferencePlays plays;
    private final LongFunction<Supplier<Simulator>> episodes;
    private final ReplayBuffer replay;
    private final double rewardScale;
    private final ClusterEnv game;
    private List<CostToGo> references = List.of();
    private double epsilon;
    private long next;
    private double potential;
    private AuctionSnapshot now = AuctionSnapshot.END;
    private ActionSpace offered = new ActionSpace();
    private NDManager scope;

    /**
     * An environment at the start of episode 0.
     *
     * @param parent manager under which this environment makes its tensors, which live until its next step
     * @param plays say which bids there are, and the reward and its discount
     * @param episodes simulators at the start of the episode of a number
     * @param replay takes the steps of training, and draws batches
     * @param rewardScale factor on every reward
     */
    AuctionEnv(
            NDManager parent,
            ReferencePlays plays,
            LongFunction<Supplier<Simulator>> episodes,
            ReplayBuffer replay,
            double rewardScale) {
        manager = parent.newSubManager();
        scope = manager.newSubManager();
        this.plays = plays;
        this.episodes = episodes;
        this.replay = replay;
        this.rewardScale = rewardScale;
        game = new ClusterEnv(plays.reward().get(), plays.discountHours());
    }

    /**
     * Sets what the next reset begins.
     *
     * @param newEpsilon the part of the decisions of reference plays that are drawn uniformly
     */
    void goTo(long episode, double newEpsilon) {
        next = episode;
        epsilon = newEpsilon;
    }

    @Override
    public void reset() {
        Supplier<Simulator> simulators = episodes.apply(next);
        references = plays.play(simulators, next++, epsilon);
        Simulator simulator = simulators.get();
        game.reset(simulator, plays.policy().auctioneer(simulator.view(), plays.deployment()), null);
        observe();
    }

    private void observe() {
        scope.close();
        scope = manager.newSubManager();
        potential = 0;
        now = AuctionSnapshot.END;
        if (!game.isOver()) {
            for (CostToGo reference : references) {
                potential += reference.atHour(game.hour()) / references.size();
            }
            now = AuctionSnapshot.of(game.auction(), game.firstLegal(), figures());
        }
        offered = now.actions(scope);
    }

    /**
     * The figures of the cluster, and how far they are from the mean of the reference plays, in units of its GPUs and
     * of their eight-hour days.
     */
    private float[] figures() {
        double[] own = new double[EpisodeRecord.FIGURES];
        ClusterFigures.write(game.view(), own, 0);
        double[] apart = own.clone();
        for (EpisodeRecord play : plays.records()) {
            play.subtractFigures(game.hour(), plays.discountHours(), references.size(), apart, 0);
        }
        double gpus = plays.deployment().topology().gpus();
        float[] figures = new float[2 * ClusterFigures.COUNT];
        for (int f = 0; f < ClusterFigures.COUNT; f++) {
            double unit = ClusterFigures.isWork(f) ? WORKDAY_HOURS * gpus : gpus;
            figures[f] = (float) (own[f] / unit);
            figures[ClusterFigures.COUNT + f] = (float) (apart[f] / unit);
        }
        return figures;
    }

    /** The manager of tensors until the next step. */
    NDManager scope() {
        return scope;
    }

    @Override
    public NDList getObservation() {
        return now.observation(scope, 1);
    }

    @Override
    public ActionSpace getActionSpace() {
        return offered;
    }

    /** The game behind, for its state and what its last step took. */
    ClusterEnv game() {
        return game;
    }

    /**
     * {@inheritDoc}
     *
     * @param action one of the lists on offer, itself
     */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public RlEnv.Step step(NDList action, boolean training) {
        int bid = 0;
        while (bid < offered.size() && offered.get(bid) != action) {
            bid++;
        }
        Invalid.when(bid == offered.size(), "the action is none of the (%d) on offer", bid);
        AuctionSnapshot before = now;
        double basis = potential;
        game.step(game.firstLegal() + bid);
        observe();
        double reward = rewardScale * (basis - game.cost() - game.discount() * potential);
        BidTransition step = new BidTransition(
                this::scope, before, bid, now, (float) reward, game.discount(), game.elapsedHours(), game.isOver());
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
    public void close() {
        manager.close();
    }
}
