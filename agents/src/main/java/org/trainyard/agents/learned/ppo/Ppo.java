package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDManager;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.GradientStep;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.SavedAdam;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * Proximal policy optimisation of one actor that all agents share, with a central critic (J. Schulman et al.: Proximal policy optimization
 * algorithms, 2017; C. Yu et al.: The surprising effectiveness of PPO in cooperative multi-agent games, NeurIPS 2022), from random weights,
 * from another policy or after behaviour cloning.
 *
 * <p>Implementation details: 1. only decisions of agents that had a choice enter the actor's loss; 2. advantages are estimated in
 * simulated time, {@link Advantages}, optionally less the group's mean, {@link InputDrivenBaseline}; 3. returns are normalised by running
 * statistics; 4. advantages are normalised over the rollout; 5. the probability ratio is clipped; 6. the squared value error is not; 7. the
 * learning rate, the entropy coefficient and the teacher's coefficient fall linearly over the run; 8. gradients are clipped by their
 * global norm; 9. an update ends early when the divergence from the old policy exceeds a target; 10. every update draws from named streams
 * of its own, so a resumed run is the same run; 11. a number that is not finite stops the run.
 */
public final class Ppo implements PolicyTrainer {
    private static final String KIND = "TYPPORUN";
    private static final int VERSION = 3;
    /** The learning rate of the first update over that of the last. */
    private static final double LEARNING_RATE_DECAY = 10;

    private final PolicyNetwork policy;
    private final LearnerSettings.Ppo settings;
    private final WorkerPool pool;
    private final long seed;
    private final RolloutBuffer rollout;
    private final RunningReturnScale scale = new RunningReturnScale();
    private final List<RolloutCollector> collectors = new ArrayList<>();
    private final List<GradientWorker> workers = new ArrayList<>();
    private final List<PolicyNetwork> copies = new ArrayList<>();
    private final GradientStep step;
    private SavedAdam adam;
    private int updates;

    /**
     * Owns the policy and the environments from now on, and begins the first episodes.
     *
     * @param teacher policy to imitate or to stay near, or null for the initial policy; stays the caller's
     * @param pool stays the caller's
     */
    public Ppo(
            PolicyNetwork policy,
            @Nullable PolicyNetwork teacher,
            List<ClusterEnv> envs,
            LearnerSettings.Ppo settings,
            WorkerPool pool,
            long seed) {
        if (envs.size() != settings.environments()) {
            throw new IllegalArgumentException(
                    "made for (%d) environments, not (%d)".formatted(settings.environments(), envs.size()));
        }
        this.policy = policy;
        this.settings = settings;
        this.pool = pool;
        this.seed = seed;
        ClusterEnv any = envs.get(0);
        rollout = new RolloutBuffer(
                envs.size(), any.agents(), any.spec(), settings.stepsPerEnvironment(), settings.hasTeacher());
        int envsPerWorker = envs.size() / settings.workers();
        for (int worker = 0; worker < settings.workers(); worker++) {
            PolicyNetwork own = worker == 0 ? policy : copy(policy);
            PolicyNetwork ownTeacher = settings.hasTeacher() ? copy(teacher == null ? policy : teacher) : null;
            int first = worker * envsPerWorker;
            collectors.add(new RolloutCollector(
                    rollout,
                    envs.subList(first, first + envsPerWorker),
                    first,
                    settings.baseline().environmentsPerEpisode(),
                    own,
                    ownTeacher));
            workers.add(new GradientWorker(own, rollout));
        }
        step = new GradientStep(
                policy.parameters(),
                name -> settings.residual() && PolicyNetwork.isOfRule(name),
                1,
                settings.maxGradientNorm());
        adam = new SavedAdam(policy.parameters(), 0);
    }

    private PolicyNetwork copy(PolicyNetwork original) {
        PolicyNetwork copy = original.copy();
        copies.add(copy);
        return copy;
    }

    /** Collects a rollout, estimates advantages and value targets, and makes epochs of minibatch gradient steps. */
    @Override
    public UpdateStatistics update() {
        FiniteCheck check = new FiniteCheck(updates + 1);
        PpoLoss.Weights weights = lossWeights();
        collect(weights);
        TargetSpreads targets = estimateTargets(check);
        PpoLoss.Sums losses = optimise(weights, check);
        check.weights(policy.parameters());
        updates++;
        return statistics(losses, targets, weights.hasTeacher());
    }

    private PpoLoss.Weights lossWeights() {
        boolean imitates = updates < settings.imitate().updates();
        return new PpoLoss.Weights(
                imitates,
                settings.clip(),
                settings.valueWeight(),
                imitates ? 0 : annealed(settings.entropyStart(), settings.entropyEnd()),
                imitates ? 0 : annealed(settings.teacherWeightStart(), settings.teacherWeightEnd()));
    }

    /** Linear from the first value at the first update to the other at the last. */
    private double annealed(double start, double end) {
        double done = settings.updates() == 1 ? 0 : (double) updates / (settings.updates() - 1);
        return start + Math.min(1, done) * (end - start);
    }

    private void collect(PpoLoss.Weights weights) {
        int teacherLed = weights.imitates() ? teacherLed() : 0;
        pool.each(collectors.size(), i -> {
            RandomGenerator random = RandomStreams.stream(seed, "rollout/%d/%d".formatted(updates, i));
            Autograd.record(false, () -> collectors.get(i).collect(policy, random, weights.hasTeacher(), teacherLed));
        });
    }

    /**
     * Environments in which the teacher acts: all in the first update of imitation, none at its end, so that the policy also learns from
     * the states that its own actions lead to.
     */
    private int teacherLed() {
        int all = settings.imitate().updates();
        return (int) Math.round((double) settings.environments() * (all - updates) / all);
    }

    /** Fills in advantages and value targets. */
    private TargetSpreads estimateTargets(FiniteCheck check) {
        Advantages.estimate(rollout, scale, settings.discountHours(), settings.gaeHours());
        RolloutBuffer.Moments returns = rollout.moments(rollout.returns);
        check.loss("spread of returns", returns.meanSquare());
        double missed = rollout.moments(rollout.advantages).deviation();
        InputDrivenBaseline.subtract(rollout, settings.baseline().environmentsPerEpisode());
        double left = rollout.moments(rollout.advantages).deviation();
        scale.add(returns.mean(), returns.meanSquare());
        rollout.normalise(scale);
        return new TargetSpreads(returns.deviation(), missed, left);
    }

    /** Epochs of minibatches of joint states in random order, until the policy has diverged too far or all are done. */
    private PpoLoss.Sums optimise(PpoLoss.Weights weights, FiniteCheck check) {
        double learningRate = annealed(settings.learningRate(), settings.learningRate() / LEARNING_RATE_DECAY);
        RandomGenerator random = RandomStreams.stream(seed, "shuffle/" + updates);
        int[] states = rollout.madeStates();
        PpoLoss.Sums sums = new PpoLoss.Sums();
        for (int epoch = 0; epoch < settings.epochs(); epoch++) {
            shuffle(states, random);
            double klBefore = sums.parts[PpoLoss.KL];
            int minibatchesBefore = sums.minibatches;
            for (int from = 0; from < states.length; from += settings.minibatch()) {
                int to = Math.min(states.length, from + settings.minibatch());
                sums.add(gradients(weights, states, from, to), check);
                sums.gradientNorm += step.make(adam, learningRate, check);
            }
            if ((sums.parts[PpoLoss.KL] - klBefore) / (sums.minibatches - minibatchesBefore) > settings.targetKl()) {
                break;
            }
        }
        return sums;
    }

    private static void shuffle(int[] order, RandomGenerator random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
    }

    /** Adds the gradients of the loss of {@code states[from .. to - 1]}, a part of them by each worker; returns the losses of the parts. */
    private double[][] gradients(PpoLoss.Weights weights, int[] states, int from, int to) {
        Minibatch.Counts counts = Minibatch.count(rollout, states, from, to);
        int parts = Math.min(workers.size(), to - from);
        double[][] losses = new double[parts][];
        pool.each(parts, part -> {
            int begin = from + (int) ((long) (to - from) * part / parts);
            int end = from + (int) ((long) (to - from) * (part + 1) / parts);
            losses[part] = workers.get(part).addGradients(policy, weights, states, begin, end, counts);
        });
        try (NDManager scope = policy.parameters().newScope()) {
            for (int part = 1; part < parts; part++) {
                workers.get(part).moveGradientsTo(policy.parameters(), scope);
            }
        }
        return losses;
    }

    private UpdateStatistics statistics(PpoLoss.Sums losses, TargetSpreads targets, boolean hasTeacher) {
        double hours = rollout.simulatedHours();
        int finished =
                collectors.stream().mapToInt(RolloutCollector::finishedEpisodes).sum();
        double jctSeconds = collectors.stream()
                .mapToDouble(RolloutCollector::finishedJctSeconds)
                .sum();
        return new UpdateStatistics(
                updates,
                rollout.decisions(),
                rollout.madeStates().length,
                hours,
                rollout.episodes(),
                hours > 0 ? rollout.reward() / hours : 0,
                finished == 0 ? Double.NaN : jctSeconds / finished,
                losses.mean(PpoLoss.POLICY),
                losses.mean(PpoLoss.VALUE),
                losses.mean(PpoLoss.ENTROPY),
                losses.mean(PpoLoss.KL),
                hasTeacher ? losses.mean(PpoLoss.TEACHER_KL) : Double.NaN,
                losses.mean(PpoLoss.CLIPPED),
                targets.explainedVariance(),
                losses.gradientNorm / losses.minibatches,
                losses.minibatches,
                targets.returns(),
                Double.NaN,
                targets.advantages(),
                Double.NaN,
                null);
    }

    @Override
    public PolicyNetwork policy() {
        return policy;
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
    public void save(Path file) {
        new TrainerFile(KIND, VERSION, ObservationSpace.schema(), seed).write(file, out -> {
            out.writeInt(updates);
            policy.parameters().write(out);
            adam.write(out);
            scale.write(out);
            for (RolloutCollector collector : collectors) {
                collector.save(out);
            }
        });
    }

    @Override
    public void load(Path file) {
        new TrainerFile(KIND, VERSION, ObservationSpace.schema(), seed).read(file, in -> {
            updates = in.readInt();
            policy.cacheEmbeddings(false);
            policy.parameters().read(in, file.toString());
            adam.free();
            adam = SavedAdam.read(policy.parameters(), in, file.toString());
            scale.read(in);
            for (RolloutCollector collector : collectors) {
                collector.restore(in);
            }
        });
    }

    @Override
    public void close() {
        policy.close();
        copies.forEach(PolicyNetwork::close);
    }
}
