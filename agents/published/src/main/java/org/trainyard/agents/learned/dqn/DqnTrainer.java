package org.trainyard.agents.learned.dqn;

import ai.djl.Model;
import ai.djl.modality.rl.agent.EpsilonGreedy;
import ai.djl.modality.rl.agent.RlAgent;
import ai.djl.ndarray.NDManager;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import ai.djl.util.RandomUtils;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.saving.SavedTensors;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateMetric;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.ClusterEnv;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Simulator;

/**
 * Deep Q-learning of bids through DJL's own classes (V. Mnih et al.: Human-level control through deep reinforcement
 * learning, Nature 2015): its {@code QAgent} and {@code EpsilonGreedy} play an {@link AuctionEnv}; a replay buffer, a
 * target network.
 *
 * <p>Deviations: 1. a step of the replay buffer lasts some simulated hours, {@link TimedReplayBuffer}, and rewards are
 * discounted by simulated time; 2. rewards are relative to {@link ReferencePlays} of the same episode by the policy so
 * far; 3. {@link BidQAgent} adds the target network, which {@code QAgent} has not, and whole batches; 4. the network is
 * a dueling one; 5. a gradient step is {@link SavedAdam} on the mean gradient, clipped by its norm, because the
 * optimiser of DJL's trainer cannot be saved; 6. the policy that is validated and kept is the running mean of the
 * weights over updates.
 */
public final class DqnTrainer implements PolicyTrainer {
    private static final String KIND = "TYDQNRUN";
    private static final int VERSION = 3;

    private final Dqn settings;
    private final long seed;
    private final BidPolicy policy;
    private final BidPolicy averaged;
    private final NDManager manager = NDManager.newBaseManager();
    private final Model model = Model.newInstance("dqn");
    private final HuberLoss loss = new HuberLoss();
    private final TimedReplayBuffer replay;
    private final AuctionEnv env;
    private final BidQNetwork network;
    private final Trainer trainer;
    private final RlAgent agent;
    private final GradientStep step;
    private SavedAdam adam;
    private long decisions;
    private int updates;

    /**
     * Owns the policy from now on.
     *
     * @param reward makes rewards, whose sum over all domains is learned
     * @param episodes simulators at the start of the training episode of a number
     * @param pool plays the references
     */
    public DqnTrainer(
            BidPolicy policy,
            Dqn settings,
            Deployment deployment,
            Supplier<Reward> reward,
            LongFunction<Supplier<Simulator>> episodes,
            WorkerPool pool,
            long seed) {
        this.policy = policy;
        this.settings = settings;
        this.seed = seed;
        averaged = policy.copy();
        replay = new TimedReplayBuffer(settings.batch(), settings.remembered(), settings.stepHours());
        ReferencePlays references = new ReferencePlays(
                policy,
                deployment,
                reward,
                settings.discountHours(),
                ReferencePlays.records(settings.references()),
                pool,
                RandomStreams.derive(seed, "references"));
        env = new AuctionEnv(manager, references, episodes, replay, settings.rewardScale());
        network = new BidQNetwork(policy.network(), RandomStreams.derive(seed, "values"));
        model.setBlock(network);
        trainer = model.newTrainer(new DefaultTrainingConfig(loss));
        agent = new EpsilonGreedy(new BidQAgent(trainer, network), decision -> (float) settings.epsilon(updates));
        step = new GradientStep(network.online(), name -> false, 1.0 / settings.batch(), settings.maxGradientNorm());
        adam = new SavedAdam(network.online(), 0);
    }

    /** The greedy policy of the Q values, the mean over updates. */
    @Override
    public BidPolicy policy() {
        return averaged;
    }

    @Override
    public int updates() {
        return updates;
    }

    @Override
    public int plannedUpdates() {
        return settings.updates();
    }

    @Override
    public UpdateStatistics update() {
        // DJL's exploration draws from this generator of the process.
        RandomUtils.RANDOM.setSeed(RandomStreams.derive(seed, "explore/" + updates));
        replay.drawFrom(RandomStreams.stream(seed, "replay/" + updates));
        env.goTo((long) updates * settings.episodesPerUpdate(), settings.epsilon(updates));
        loss.clear();
        Tally tally = new Tally(new FiniteCheck(updates + 1));
        for (int episode = 0; episode < settings.episodesPerUpdate(); episode++) {
            play(tally);
        }
        network.exportTo(policy.network());
        averaged.average(updates == 0 ? 0 : settings.ema(), policy);
        updates++;
        return statistics(tally);
    }

    /** Statistics of the decisions of an update. */
    private record Tally(
            FiniteCheck check,
            DoubleSummaryStatistics hours,
            DoubleSummaryStatistics meanJctSeconds,
            DoubleSummaryStatistics gradientNorm) {
        private Tally(FiniteCheck check) {
            this(check, new DoubleSummaryStatistics(), new DoubleSummaryStatistics(), new DoubleSummaryStatistics());
        }

        private static double mean(DoubleSummaryStatistics values) {
            return values.getCount() == 0 ? Double.NaN : values.getAverage();
        }
    }

    private void play(Tally tally) {
        ClusterEnv game = env.game();
        network.exportTo(policy.network());
        env.reset();
        while (!game.isOver()) {
            env.step(agent.chooseAction(env, true), true);
            decisions++;
            tally.hours.accept(game.elapsedHours());
            if (replay.size() >= settings.warmUp() && decisions % settings.learnEvery() == 0) {
                learn(tally);
            }
        }
        if (game.isDone()) {
            tally.meanJctSeconds.accept(game.meanJctSeconds());
        }
    }

    /** One gradient step on a batch from the replay buffer. */
    private void learn(Tally tally) {
        agent.trainBatch(env.getBatch());
        tally.gradientNorm.accept(step.make(adam, settings.learningRate(updates), tally.check));
        if (adam.steps() % settings.targetEvery() == 0) {
            network.updateTarget();
        }
    }

    private UpdateStatistics statistics(Tally tally) {
        int made = (int) tally.hours.getCount();
        int gradientSteps = (int) tally.gradientNorm.getCount();
        return new UpdateStatistics()
                .with(UpdateMetric.UPDATE, updates)
                .with(UpdateMetric.DECISIONS, made)
                .with(UpdateMetric.STEPS, made)
                .with(UpdateMetric.SIMULATED_HOURS, tally.hours.getSum())
                .with(UpdateMetric.EPISODES, settings.episodesPerUpdate())
                .with(UpdateMetric.MEAN_JCT_SECONDS, Tally.mean(tally.meanJctSeconds))
                .with(
                        UpdateMetric.VALUE_LOSS,
                        gradientSteps == 0 ? Double.NaN : tally.check.loss("value loss", loss.mean()))
                .with(UpdateMetric.GRADIENT_NORM, Tally.mean(tally.gradientNorm))
                .with(UpdateMetric.MINIBATCHES, gradientSteps);
    }

    private TrainerFile file() {
        return new TrainerFile(KIND, VERSION, BidColumn.schema(), seed);
    }

    @Override
    public void save(Path file) {
        file().write(file, out -> {
            out.writeInt(updates);
            out.writeLong(decisions);
            averaged.network().write(out);
            SavedTensors.write(network.online(), out);
            SavedTensors.write(network.target(), out);
            adam.write(out);
            replay.write(out);
        });
    }

    @Override
    public void load(Path file) {
        file().read(file, in -> {
            updates = in.readInt();
            decisions = in.readLong();
            averaged.network().read(in);
            SavedTensors.read(network.online(), in, file.toString());
            SavedTensors.read(network.target(), in, file.toString());
            network.stopTargetGradients();
            adam.free();
            adam = SavedAdam.read(network.online(), in, file.toString());
            replay.read(in, env::scope);
        });
    }

    @Override
    public void close() {
        trainer.close();
        model.close();
        env.close();
        manager.close();
        adam.free();
        network.free();
    }
}
