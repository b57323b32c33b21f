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
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.SavedAdam;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;

/**
 * Deep Q-learning through DJL's own {@link QAgent}, the classic baseline (V. Mnih et al.: Human-level control through deep reinforcement
 * learning, Nature 2015): one decision at a time, epsilon-greedy, a replay memory, a target network.
 *
 * <p>Deviations, from the paper or from DJL: 1. the target network is inside the block that {@code QAgent} asks, {@link QNetworkBlock}, for
 * {@code QAgent} knows none; 2. pay is discounted by the simulated time that passed and not per decision, which the observation brings
 * along, {@link DjlClusterEnv}, and {@code QAgent}'s own discount is 1; 3. DJL's replay buffer and epsilon-greedy agent draw from a
 * generator that cannot be saved, so the memory is {@link UniformReplayBuffer} and exploration is here; 4. the step is made with {@link SavedAdam}
 * on the mean gradient, its norm limited, not by DJL's trainer, whose optimizer cannot be saved, and not with RMSProp; 5. the network is
 * a dueling one, over the encoder that all policies have; 6. a horizon counts as an end.
 *
 * <p>{@code QAgent} reads every decision of a batch in a pass of its own: it is slow, and that is part of the baseline.
 */
public final class Dqn implements PolicyTrainer {
    /**
     * @param updates in the whole run
     * @param decisionsPerUpdate decisions made in an update
     * @param remembered latest decisions, to learn from
     * @param warmUp decisions remembered before learning begins
     * @param learnEvery decisions between two gradient steps
     * @param batch decisions of a gradient step
     * @param targetEvery gradient steps after which the target network becomes what the other is
     * @param learningRate of Adam
     * @param exploreStart part of the decisions made by lot at first
     * @param exploreEnd and at the end
     * @param exploreShare part of the run over which that falls, linearly
     * @param discountHours simulated hours after which pay counts 1/e
     * @param rewardScale what pay is multiplied by, so that worths are of the order of one
     * @param maxGradientNorm of all gradients together
     */
    public record Settings(
            int updates,
            int decisionsPerUpdate,
            int remembered,
            int warmUp,
            int learnEvery,
            int batch,
            int targetEvery,
            double learningRate,
            double exploreStart,
            double exploreEnd,
            double exploreShare,
            double discountHours,
            double rewardScale,
            double maxGradientNorm) {
        public Settings {
            for (int count : List.of(updates, decisionsPerUpdate, remembered, warmUp, learnEvery, batch, targetEvery)) {
                if (count < 1) {
                    throw new IllegalArgumentException("counts must be at least 1, not (%d)".formatted(count));
                }
            }
            for (double value : List.of(learningRate, exploreShare, discountHours, rewardScale, maxGradientNorm)) {
                if (!(value > 0)) {
                    throw new IllegalArgumentException(
                            "rates, shares and scales must be above zero, not (%s)".formatted(value));
                }
            }
            if (warmUp > remembered
                    || !(exploreStart >= 0 && exploreStart <= 1 && exploreEnd >= 0 && exploreEnd <= 1)) {
                throw new IllegalArgumentException(
                        "warm-up (%d) must not exceed what is remembered (%d); exploration (%s, %s) must be in 0..1"
                                .formatted(warmUp, remembered, exploreStart, exploreEnd));
            }
        }

        /** Part of the decisions that are made by lot. */
        double exploration(long decision) {
            double done = decision / (exploreShare * updates * decisionsPerUpdate);
            return exploreStart + Math.min(1, done) * (exploreEnd - exploreStart);
        }
    }

    private static final String KIND = "TYDQNRUN";
    private static final int VERSION = 1;
    /** What the scores of the policy kept are multiplied by: drawing from them or taking the likeliest is taking the best, but for ties. */
    private static final double SHARPNESS = 1000;

    private final PolicyNetwork online;
    private final PolicyNetwork target;
    private final PolicyNetwork kept;
    private final Settings settings;
    private final long seed;
    private final NDManager manager = NDManager.newBaseManager();
    private final Model model = Model.newInstance("dqn");
    private final HuberLoss loss = new HuberLoss();
    private final UniformReplayBuffer memory;
    private final DjlClusterEnv env;
    private final Trainer trainer;
    private final QAgent agent;
    private final GradientStep step;
    private SavedAdam adam;
    private int updates;

    /** Owns the network from now on. */
    public Dqn(PolicyNetwork network, ClusterEnv env, Settings settings, long seed) {
        online = network;
        target = new PolicyNetwork(network.settings(), seed);
        kept = new PolicyNetwork(network.settings(), seed);
        this.settings = settings;
        this.seed = seed;
        memory = new UniformReplayBuffer(settings.batch(), settings.remembered());
        this.env = new DjlClusterEnv(
                manager,
                env,
                memory,
                settings.remembered(),
                new DjlClusterEnv.Pay(settings.rewardScale(), settings.discountHours()),
                0);
        model.setBlock(new QNetworkBlock(online, target, env.spec()));
        trainer = model.newTrainer(new DefaultTrainingConfig(loss));
        agent = new QAgent(trainer, 1, new QNetworkBlock.Rows());
        step = new GradientStep(online.parameters(), name -> false, 1.0 / settings.batch(), settings.maxGradientNorm());
        adam = new SavedAdam(online.parameters(), 0);
        aim();
        publish();
    }

    /** The target network becomes what the other is. */
    private void aim() {
        target.follow(online);
        withoutGradients();
    }

    private void withoutGradients() {
        target.parameters().all().forEach(parameter -> parameter.setRequiresGradient(false));
    }

    /** The policy kept becomes the greedy one of the worths learned so far. */
    private void publish() {
        kept.follow(online);
        kept.sharpen(SHARPNESS);
    }

    /** Takes the best action by the worths learned so far. */
    @Override
    public PolicyNetwork policy() {
        return kept;
    }

    @Override
    public int updates() {
        return updates;
    }

    @Override
    public int plannedUpdates() {
        return settings.updates();
    }

    /** What an update adds up. */
    private static final class Tally {
        private final FiniteCheck check;
        private double paid;
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
        RandomGenerator lot = RandomStreams.stream(seed, "explore/" + updates);
        memory.drawFrom(RandomStreams.stream(seed, "replay/" + updates));
        loss.clear();
        Tally tally = new Tally(updates + 1);
        int before = adam.steps();
        long first = (long) updates * settings.decisionsPerUpdate();
        for (long decision = first; decision < first + settings.decisionsPerUpdate(); decision++) {
            decide(lot, settings.exploration(decision), tally);
            if (memory.size() >= settings.warmUp() && (decision + 1) % settings.learnEvery() == 0) {
                learn(tally);
            }
        }
        updates++;
        publish();
        return statistics(tally, adam.steps() - before);
    }

    private void decide(RandomGenerator lot, double exploration, Tally tally) {
        while (env.isOver()) {
            env.reset();
        }
        NDList action;
        if (lot.nextDouble() < exploration) {
            List<NDList> offered = env.getActionSpace();
            action = offered.get(lot.nextInt(offered.size()));
        } else {
            action = agent.chooseAction(env, true);
        }
        env.step(action, true);
        tally.paid += env.paid();
        tally.hours += env.elapsedHours();
        if (env.isOver()) {
            tally.episodes++;
        }
        if (!Double.isNaN(env.finishedMeanJctSeconds())) {
            tally.finished++;
            tally.finishedJctSeconds += env.finishedMeanJctSeconds();
        }
    }

    /** One gradient step on a batch from memory. */
    private void learn(Tally tally) {
        RlEnv.Step[] batch = env.getBatch();
        agent.trainBatch(batch);
        for (RlEnv.Step step : batch) {
            step.close();
        }
        tally.gradientNorm += step.make(adam, settings.learningRate(), tally.check);
        if (adam.steps() % settings.targetEvery() == 0) {
            aim();
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
                tally.hours > 0 ? tally.paid / tally.hours : 0,
                tally.finished == 0 ? none : tally.finishedJctSeconds / tally.finished,
                none,
                gradientSteps == 0 ? none : tally.check.loss("value loss", loss.mean()),
                none,
                none,
                none,
                none,
                none,
                gradientSteps == 0 ? none : tally.gradientNorm / gradientSteps,
                gradientSteps);
    }

    @Override
    public void save(Path file) {
        new TrainerFile(KIND, VERSION, seed).write(file, out -> {
            out.writeInt(updates);
            online.parameters().write(out);
            target.parameters().write(out);
            adam.write(out);
            env.save(out);
        });
    }

    @Override
    public void load(Path file) {
        new TrainerFile(KIND, VERSION, seed).read(file, in -> {
            updates = in.readInt();
            online.parameters().read(in, file.toString());
            target.parameters().read(in, file.toString());
            withoutGradients();
            adam.free();
            adam = SavedAdam.read(online.parameters(), in, file.toString());
            memory.clear();
            env.restore(in);
            publish();
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
        kept.close();
    }
}
