package org.trainyard.agents.learned.dqn;

import ai.djl.Model;
import ai.djl.modality.rl.agent.EpsilonGreedy;
import ai.djl.modality.rl.agent.RlAgent;
import ai.djl.ndarray.NDManager;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import ai.djl.training.tracker.Tracker;
import ai.djl.util.RandomUtils;
import java.nio.file.Path;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.GradientStep;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.SavedAdam;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Simulator;

/**
 * Deep Q-learning of bids through DJL's own classes (V. Mnih et al.: Human-level control through deep reinforcement learning, Nature 2015): its
 * {@code QAgent} and {@code EpsilonGreedy} play an {@link AuctionEnv}; a replay buffer, a target network.
 *
 * <p>Deviations: 1. a step of the replay buffer lasts some simulated hours, {@link TimedReplayBuffer}, and rewards are discounted by simulated time;
 * 2. rewards are relative to {@link ReferencePlays} of the same episode by the policy so far; 3. the target network is inside the block that
 * {@code QAgent} calls, {@link BidQNetwork}, because {@code QAgent} has none; 4. the network is a dueling one; 5. a gradient step is
 * {@link SavedAdam} on the mean gradient, clipped by its norm, because the optimiser of DJL's trainer cannot be saved; 6. the policy that is
 * validated and kept is the running mean of the weights over updates.
 */
public final class Dqn implements PolicyTrainer {
    private static final String KIND = "TYDQNRUN";
    private static final int VERSION = 3;

    private final LearnerSettings.Dqn settings;
    private final long seed;
    private final BidPolicy policy;
    private final BidPolicy averaged;
    private final NDManager manager = NDManager.newBaseManager();
    private final Model model = Model.newInstance("dqn");
    private final HuberLoss loss = new HuberLoss();
    private final TimedReplayBuffer replay;
    private final AuctionEnv env;
    private final ReferencePlays references;
    private final BidQNetwork network;
    private final Trainer trainer;
    private final RlAgent agent;
    private final Epsilon epsilon = new Epsilon();
    private final GradientStep step;
    private SavedAdam adam;
    private long decisions;
    private int updates;

    /** The part of the decisions that are drawn uniformly. */
    private static final class Epsilon implements Tracker {
        private float now;

        @Override
        public float getNewValue(int decision) {
            return now;
        }
    }

    /**
     * Owns the policy from now on.
     *
     * @param reward makes rewards, whose sum over all domains is learned
     * @param episodes simulators at the start of the training episode of a number
     * @param pool plays the references
     */
    public Dqn(
            BidPolicy policy,
            LearnerSettings.Dqn settings,
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
        references = new ReferencePlays(
                policy,
                deployment,
                reward,
                settings.discountHours(),
                settings.references(),
                pool,
                RandomStreams.derive(seed, "references"));
        env = new AuctionEnv(
                manager,
                policy,
                deployment,
                reward.get(),
                new AuctionEnv.RewardScale(settings.rewardScale(), settings.discountHours()),
                episodes,
                replay,
                references);
        network = new BidQNetwork(policy.network(), RandomStreams.derive(seed, "values"));
        model.setBlock(network);
        trainer = model.newTrainer(new DefaultTrainingConfig(loss));
        agent = new EpsilonGreedy(new BidQAgent(trainer, network), epsilon);
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

    /** Sums over the decisions of an update. */
    private static final class Tally {
        private final FiniteCheck check;
        private long decisions;
        private double hours;
        private double gradientNorm;
        private int finished;
        private double finishedJctSeconds;

        private Tally(int update) {
            check = new FiniteCheck(update);
        }
    }

    @Override
    public UpdateStatistics update() {
        // DJL's exploration draws from this generator of the process.
        RandomUtils.RANDOM.setSeed(RandomStreams.derive(seed, "explore/" + updates));
        replay.drawFrom(RandomStreams.stream(seed, "replay/" + updates));
        epsilon.now = (float) settings.epsilon(updates);
        references.explore(settings.epsilon(updates));
        loss.clear();
        Tally tally = new Tally(updates + 1);
        int before = adam.steps();
        env.goTo((long) updates * settings.episodesPerUpdate());
        for (int episode = 0; episode < settings.episodesPerUpdate(); episode++) {
            play(tally);
        }
        average(updates == 0 ? 0 : settings.average());
        updates++;
        return statistics(tally, adam.steps() - before);
    }

    private void play(Tally tally) {
        network.exportTo(policy.network());
        env.reset();
        while (!env.isOver()) {
            env.step(agent.chooseAction(env, true), true);
            tally.decisions++;
            decisions++;
            tally.hours += env.elapsedHours();
            if (replay.size() >= settings.warmUp() && decisions % settings.learnEvery() == 0) {
                learn(tally);
            }
        }
        if (!Double.isNaN(env.finishedMeanJctSeconds())) {
            tally.finished++;
            tally.finishedJctSeconds += env.finishedMeanJctSeconds();
        }
    }

    /** One gradient step on a batch from the replay buffer. */
    private void learn(Tally tally) {
        agent.trainBatch(env.getBatch());
        tally.gradientNorm += step.make(adam, settings.learningRate(updates), tally.check);
        if (adam.steps() % settings.targetEvery() == 0) {
            network.updateTarget();
        }
    }

    private void average(double keep) {
        network.exportTo(policy.network());
        float[] mean = averaged.network().weights();
        float[] now = policy.network().weights();
        for (int w = 0; w < mean.length; w++) {
            mean[w] = (float) (keep * mean[w] + (1 - keep) * now[w]);
        }
    }

    private UpdateStatistics statistics(Tally tally, int gradientSteps) {
        double none = Double.NaN;
        return new UpdateStatistics(
                updates,
                (int) tally.decisions,
                (int) tally.decisions,
                tally.hours,
                settings.episodesPerUpdate(),
                none,
                tally.finished == 0 ? none : tally.finishedJctSeconds / tally.finished,
                none,
                gradientSteps == 0 ? none : tally.check.loss("value loss", loss.mean()),
                none,
                none,
                none,
                none,
                none,
                gradientSteps == 0 ? none : tally.gradientNorm / gradientSteps,
                gradientSteps,
                none,
                none,
                none,
                none);
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
            network.online().write(out);
            network.target().write(out);
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
            network.online().read(in, file.toString());
            network.target().read(in, file.toString());
            network.stopTargetGradients();
            adam.free();
            adam = SavedAdam.read(network.online(), in, file.toString());
            replay.read(in, manager);
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
