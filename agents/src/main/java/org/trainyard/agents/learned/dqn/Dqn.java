package org.trainyard.agents.learned.dqn;

import ai.djl.Model;
import ai.djl.modality.rl.agent.QAgent;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.GradientStep;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.SavedAdam;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * Deep Q-learning through DJL's own {@link QAgent}, the classic baseline (V. Mnih et al.: Human-level control through deep reinforcement
 * learning, Nature 2015): one decision at a time, epsilon-greedy, a replay buffer, a target network.
 *
 * <p>Deviations from the paper or from DJL: 1. the target network is inside the block that {@code QAgent} calls, {@link QNetworkBlock},
 * because {@code QAgent} has none; 2. rewards are discounted by simulated time rather than per decision; the discount is part of the
 * observation, {@link DjlClusterEnv}, and {@code QAgent}'s own is 1; 3. DJL's replay buffer and epsilon-greedy agent draw from a generator
 * that cannot be saved, so the buffer is {@link UniformReplayBuffer} and exploration is here; 4. a gradient step is {@link SavedAdam} on the
 * mean gradient, clipped by its norm, instead of RMSProp, because the optimiser of DJL's trainer cannot be saved; 5. the network is a
 * dueling one over the encoder that all policies share; 6. reaching the horizon counts as termination.
 *
 * <p>{@code QAgent} evaluates every decision of a batch in a pass of its own: it is slow, and that is part of the baseline.
 */
public final class Dqn implements PolicyTrainer {
    private static final String KIND = "TYDQNRUN";
    private static final int VERSION = 2;
    /** Factor on the logits of the greedy policy, so that its softmax puts all probability on the best action, but for ties. */
    private static final double INVERSE_TEMPERATURE = 1000;

    private final PolicyNetwork online;
    private final PolicyNetwork target;
    private final PolicyNetwork greedy;
    private final LearnerSettings.Dqn settings;
    private final long seed;
    private final NDManager manager = NDManager.newBaseManager();
    private final Model model = Model.newInstance("dqn");
    private final HuberLoss loss = new HuberLoss();
    private final UniformReplayBuffer replay;
    private final DjlClusterEnv env;
    private final Trainer trainer;
    private final QAgent agent;
    private final GradientStep step;
    private SavedAdam adam;
    private int updates;

    /** Owns the network and the environment from now on. */
    public Dqn(PolicyNetwork network, ClusterEnv env, LearnerSettings.Dqn settings, long seed) {
        online = network;
        target = new PolicyNetwork(network.settings(), seed);
        greedy = new PolicyNetwork(network.settings(), seed);
        this.settings = settings;
        this.seed = seed;
        replay = new UniformReplayBuffer(settings.batch(), settings.remembered());
        this.env = new DjlClusterEnv(
                manager,
                env,
                replay,
                settings.remembered(),
                new DjlClusterEnv.RewardScale(settings.rewardScale(), settings.discountHours()),
                0);
        model.setBlock(new QNetworkBlock(online, target, env.spec()));
        trainer = model.newTrainer(new DefaultTrainingConfig(loss));
        agent = new QAgent(trainer, 1, new QNetworkBlock.Rows());
        step = new GradientStep(online.parameters(), name -> false, 1.0 / settings.batch(), settings.maxGradientNorm());
        adam = new SavedAdam(online.parameters(), 0);
        updateTarget();
        updateGreedy();
    }

    private void updateTarget() {
        target.copyWeightsFrom(online);
        stopTargetGradients();
    }

    private void stopTargetGradients() {
        target.parameters().all().forEach(parameter -> parameter.setRequiresGradient(false));
    }

    private void updateGreedy() {
        greedy.copyWeightsFrom(online);
        greedy.scaleLogits(INVERSE_TEMPERATURE);
    }

    /** The greedy policy of the Q values learned so far. */
    @Override
    public PolicyNetwork policy() {
        return greedy;
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
        private double reward;
        private double hours;
        private double gradientNorm;
        private int episodes;
        private int finished;
        private double finishedJctSeconds;

        private Tally(int update) {
            check = new FiniteCheck(update);
        }
    }

    @Override
    public UpdateStatistics update() {
        RandomGenerator random = RandomStreams.stream(seed, "explore/" + updates);
        replay.drawFrom(RandomStreams.stream(seed, "replay/" + updates));
        loss.clear();
        Tally tally = new Tally(updates + 1);
        int before = adam.steps();
        long first = (long) updates * settings.decisionsPerUpdate();
        for (long decision = first; decision < first + settings.decisionsPerUpdate(); decision++) {
            decide(random, settings.epsilon(decision), tally);
            if (replay.size() >= settings.warmUp() && (decision + 1) % settings.learnEvery() == 0) {
                learn(tally);
            }
        }
        updates++;
        updateGreedy();
        return statistics(tally, adam.steps() - before);
    }

    private void decide(RandomGenerator random, double epsilon, Tally tally) {
        while (env.isOver()) {
            env.reset();
        }
        NDList action;
        if (random.nextDouble() < epsilon) {
            List<NDList> offered = env.getActionSpace();
            action = offered.get(random.nextInt(offered.size()));
        } else {
            action = agent.chooseAction(env, true);
        }
        env.step(action, true);
        tally.reward += env.reward();
        tally.hours += env.elapsedHours();
        if (env.isOver()) {
            tally.episodes++;
        }
        if (!Double.isNaN(env.finishedMeanJctSeconds())) {
            tally.finished++;
            tally.finishedJctSeconds += env.finishedMeanJctSeconds();
        }
    }

    /** One gradient step on a batch from the replay buffer. */
    private void learn(Tally tally) {
        RlEnv.Step[] batch = env.getBatch();
        agent.trainBatch(batch);
        for (RlEnv.Step step : batch) {
            step.close();
        }
        tally.gradientNorm += step.make(adam, settings.learningRate(), tally.check);
        if (adam.steps() % settings.targetEvery() == 0) {
            updateTarget();
        }
    }

    private UpdateStatistics statistics(Tally tally, int gradientSteps) {
        double none = Double.NaN;
        return new UpdateStatistics(
                updates,
                settings.decisionsPerUpdate(),
                settings.decisionsPerUpdate(),
                tally.hours,
                tally.episodes,
                tally.hours > 0 ? tally.reward / tally.hours : 0,
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

    @Override
    public void save(Path file) {
        new TrainerFile(KIND, VERSION, ObservationSpace.schema(), seed).write(file, out -> {
            out.writeInt(updates);
            online.parameters().write(out);
            target.parameters().write(out);
            adam.write(out);
            env.save(out);
        });
    }

    @Override
    public void load(Path file) {
        new TrainerFile(KIND, VERSION, ObservationSpace.schema(), seed).read(file, in -> {
            updates = in.readInt();
            online.parameters().read(in, file.toString());
            target.parameters().read(in, file.toString());
            stopTargetGradients();
            adam.free();
            adam = SavedAdam.read(online.parameters(), in, file.toString());
            replay.clear();
            env.restore(in);
            updateGreedy();
        });
    }

    @Override
    public void close() {
        trainer.close();
        model.close();
        env.close();
        manager.close();
        adam.free();
        online.close();
        target.close();
        greedy.close();
    }
}
