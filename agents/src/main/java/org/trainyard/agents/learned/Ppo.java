package org.trainyard.agents.learned;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.training.GradientCollector;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.VectorEnv;
import org.trainyard.gnn.CheckedFile;

/**
 * Proximal policy optimisation of one shared actor with a central critic (J. Schulman et al.: Proximal policy optimization algorithms,
 * 2017; C. Yu et al.: The surprising effectiveness of PPO in cooperative multi-agent games, NeurIPS 2022).
 *
 * <p>Details, numbered as in the module's README: 1. only choices of agents that had one count; 2. GAE in simulated time, {@link
 * Advantages}; 3. returns normalised by running statistics; 4. advantages normalised over the rollout; 5. clipped ratio; 6. squared
 * value error, not clipped; 7. entropy bonus and learning rate falling linearly over the run; 8. global-norm gradient clipping; 9. epochs end early when
 * the policy has moved too far; 10. every update draws from streams of its own, so that a resumed run is the same run.
 */
public final class Ppo implements PolicyTrainer {
    /**
     * @param updates in the whole run
     * @param environments stepped together
     * @param stepsPerUpdate of every environment
     * @param epochs passes over a rollout, at most
     * @param minibatch joint states per gradient step
     * @param learningRate of the first update; falls linearly to a tenth
     * @param clip how far the ratio of new to old probability may pay
     * @param entropyStart weight of the entropy bonus at the first update
     * @param entropyEnd and at the last
     * @param discountHours simulated hours after which pay counts 1/e
     * @param gaeHours simulated hours after which the critic is trusted more than what happened
     * @param valueWeight of the critic's loss
     * @param maxGradientNorm of all gradients together
     * @param targetKl divergence at which an update stops
     */
    public record Settings(
            int updates,
            int environments,
            int stepsPerUpdate,
            int epochs,
            int minibatch,
            double learningRate,
            double clip,
            double entropyStart,
            double entropyEnd,
            double discountHours,
            double gaeHours,
            double valueWeight,
            double maxGradientNorm,
            double targetKl) {
        public Settings {
            atLeastOne("updates", updates);
            atLeastOne("environments", environments);
            atLeastOne("stepsPerUpdate", stepsPerUpdate);
            atLeastOne("epochs", epochs);
            atLeastOne("minibatch", minibatch);
            positive("learningRate", learningRate);
            positive("clip", clip);
            positive("discountHours", discountHours);
            positive("gaeHours", gaeHours);
            positive("maxGradientNorm", maxGradientNorm);
            positive("targetKl", targetKl);
            if (!(entropyStart >= 0 && entropyEnd >= 0 && valueWeight >= 0)) {
                throw new IllegalArgumentException(
                        "entropyStart (%s), entropyEnd (%s) and valueWeight (%s) must not be negative"
                                .formatted(entropyStart, entropyEnd, valueWeight));
            }
        }

        private static void atLeastOne(String name, int value) {
            if (value < 1) {
                throw new IllegalArgumentException("%s (%d) must be at least 1".formatted(name, value));
            }
        }

        private static void positive(String name, double value) {
            if (!(value > 0)) {
                throw new IllegalArgumentException("%s (%s) must be above zero".formatted(name, value));
            }
        }
    }

    private static final String KIND = "TYPPORUN";
    private static final int VERSION = 1;
    /** What {@link #learn} sums over minibatches, in order. */
    private static final String[] PARTS = {"policy loss", "value loss", "entropy", "divergence", "clip fraction"};

    private final PolicyNetwork policy;
    private final VectorEnv envs;
    private final Settings settings;
    private final long seed;
    private final Rollout rollout;
    private final Advantages advantages;
    private final RunningScale scale = new RunningScale();
    private final Staging rowStaging = new Staging();
    private final Staging actionStaging = new Staging();
    private final Staging columnStaging = new Staging();
    private SavedAdam adam;
    private int updates;

    /** Owns policy and environments from now on; starts the first episodes. */
    public Ppo(PolicyNetwork policy, VectorEnv envs, Settings settings, long seed) {
        if (envs.size() != settings.environments()) {
            throw new IllegalArgumentException(
                    "made for (%d) environments, not (%d)".formatted(settings.environments(), envs.size()));
        }
        this.policy = policy;
        this.envs = envs;
        this.settings = settings;
        this.seed = seed;
        rollout = new Rollout(envs, settings.stepsPerUpdate());
        advantages = new Advantages(rollout.actions.length, settings.discountHours(), settings.gaeHours());
        adam = new SavedAdam(policy.parameters(), 0);
        envs.reset(0);
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
    public boolean isDone() {
        return updates >= settings.updates();
    }

    @Override
    public UpdateStatistics update() {
        rollout.gather(envs, policy, RandomStreams.stream(seed, "rollout/" + updates));
        advantages.estimate(rollout, scale);
        double explained = explainedVariance();
        Moments returns = new Moments(advantages.returns);
        scale.add(returns.mean, returns.meanSquare);
        Learning learning = learn(RandomStreams.stream(seed, "shuffle/" + updates));
        updates++;
        return statistics(learning, explained);
    }

    /** What a pass over minibatches adds up. */
    private static final class Learning {
        final double[] parts = new double[PARTS.length];
        double gradientNorm;
        int minibatches;
    }

    private Learning learn(RandomGenerator random) {
        Learning learning = new Learning();
        Moments spread = new Moments(advantages.advantages);
        int[] order = new int[rollout.states()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        for (int epoch = 0; epoch < settings.epochs(); epoch++) {
            shuffle(order, random);
            double divergence = 0;
            int count = 0;
            for (int from = 0; from < order.length; from += settings.minibatch()) {
                double before = learning.parts[3];
                learnFrom(order, from, Math.min(settings.minibatch(), order.length - from), spread, learning);
                divergence += learning.parts[3] - before;
                count++;
            }
            if (divergence / count > settings.targetKl()) {
                break;
            }
        }
        return learning;
    }

    private static void shuffle(int[] order, RandomGenerator random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
    }

    /** One gradient step on the joint states {@code order[from .. from + count - 1]}. */
    private void learnFrom(int[] order, int from, int count, Moments spread, Learning learning) {
        int choices = count * rollout.agents;
        stage(order, from, count, spread);
        try (NDManager scope = policy.parameters().newScope()) {
            NDArray rows = rowStaging.tensor(scope, choices, rollout.spec.size());
            NDArray actions =
                    actionStaging.tensor(scope, choices, rollout.spec.actions().size());
            NDArray columns = columnStaging.tensor(scope, 4, choices);
            // Tensors of the scope rather than numbers: the engine wraps a number in Java memory that it forgets at
            // once, and the
            // backward pass, which needs it again, may find it collected.
            NDArray valueWeight = scope.create((float) settings.valueWeight());
            NDArray entropyWeight = scope.create((float) linear(settings.entropyStart(), settings.entropyEnd()));
            float[] parts;
            try (GradientCollector collector = Engine.getInstance().newGradientCollector()) {
                NDList losses = losses(policy.forward(rows, rollout.agents, rollout.spec), actions, columns);
                NDArray loss = losses.get(0)
                        .add(losses.get(1).mul(valueWeight))
                        .sub(losses.get(2).mul(entropyWeight));
                collector.backward(loss);
                parts = NDArrays.stack(losses).toFloatArray();
            }
            for (int i = 0; i < PARTS.length; i++) {
                learning.parts[i] += finite(PARTS[i], parts[i]);
            }
            learning.gradientNorm += descend(scope);
            learning.minibatches++;
        }
    }

    /** Rows; one-hot actions; and old log-probability, advantage, target and weight, one after another. */
    private void stage(int[] order, int from, int count, Moments spread) {
        int agents = rollout.agents;
        int size = rollout.spec.size();
        int actions = rollout.spec.actions().size();
        FloatBuffer rows = rowStaging.fill(count * agents * size);
        FloatBuffer oneHot = actionStaging.fill(count * agents * actions);
        FloatBuffer columns = columnStaging.fill(4 * count * agents);
        int choices = count * agents;
        for (int i = 0; i < choices; i++) {
            int at = order[from + i / agents] * agents + i % agents;
            rows.put(rollout.rows, at * size, size);
            for (int action = 0; action < actions; action++) {
                oneHot.put(action == rollout.actions[at] ? 1 : 0);
            }
            boolean active = rollout.active[at];
            double advantage = (advantages.advantages[at] - spread.mean) / (spread.deviation() + 1e-8);
            columns.put(i, rollout.logProbabilities[at]);
            columns.put(choices + i, active ? (float) advantage : 0);
            columns.put(2 * choices + i, scale.normalise(advantages.returns[at]));
            columns.put(3 * choices + i, active ? 1 : 0);
        }
    }

    /** The scalars of {@link #PARTS}. */
    private NDList losses(PolicyNetwork.Output output, NDArray actions, NDArray columns) {
        NDArray weight = columns.get(3);
        weight = weight.div(weight.sum().maximum(1));
        NDArray logProbabilities = output.logProbabilities();
        NDArray chosen = logProbabilities.mul(actions).sum(new int[] {1});
        NDArray change = chosen.sub(columns.get(0)).mul(columns.get(3));
        NDArray ratio = change.exp();
        NDArray clipped = ratio.clip(1 - settings.clip(), 1 + settings.clip());
        NDArray advantage = columns.get(1);
        NDArray gain = ratio.mul(advantage).minimum(clipped.mul(advantage));
        NDArray entropy =
                logProbabilities.exp().mul(logProbabilities).sum(new int[] {1}).neg();
        NDArray error = output.values().sub(columns.get(2));
        NDArray apart = ratio.sub(1);
        return new NDList(
                gain.mul(weight).sum().neg(),
                error.square().mean(),
                entropy.mul(weight).sum(),
                apart.sub(change).mul(weight).sum(),
                apart.abs()
                        .gt(settings.clip())
                        .toType(DataType.FLOAT32, false)
                        .mul(weight)
                        .sum());
    }

    /** From the first value at the first update to the other at the last. */
    private double linear(double start, double end) {
        double done = settings.updates() == 1 ? 0 : (double) updates / (settings.updates() - 1);
        return start + Math.min(1, done) * (end - start);
    }

    /** Clips all gradients together, moves the weights; returns the norm before clipping. */
    private double descend(NDManager scope) {
        Map<String, NDArray> gradients = new HashMap<>();
        NDList squares = new NDList();
        for (String name : policy.parameters().names()) {
            NDArray gradient = policy.parameters().get(name).getGradient();
            gradient.attach(scope);
            gradients.put(name, gradient);
            squares.add(gradient.square().sum());
        }
        double sum = 0;
        for (float square : NDArrays.stack(squares).toFloatArray()) {
            sum += square;
        }
        double norm = finite("gradient", Math.sqrt(sum));
        if (norm > settings.maxGradientNorm()) {
            for (NDArray gradient : gradients.values()) {
                gradient.muli(settings.maxGradientNorm() / norm);
            }
        }
        adam.step(gradients, linear(settings.learningRate(), settings.learningRate() / 10));
        return norm;
    }

    private double finite(String what, double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalStateException(
                    "update (%d): the %s is (%s).\nMaybe the learning rate is too high or the reward too large."
                            .formatted(updates + 1, what, value));
        }
        return value;
    }

    /** Mean and mean square over the choices of active agents. */
    private final class Moments {
        final double mean;
        final double meanSquare;

        Moments(double[] values) {
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < values.length; i++) {
                if (rollout.active[i]) {
                    sum += values[i];
                    squares += values[i] * values[i];
                }
            }
            mean = sum / Math.max(1, rollout.decisions);
            meanSquare = squares / Math.max(1, rollout.decisions);
        }

        double deviation() {
            return Math.sqrt(Math.max(0, meanSquare - mean * mean));
        }
    }

    private double explainedVariance() {
        double returns = new Moments(advantages.returns).deviation();
        double missed = new Moments(advantages.advantages).deviation();
        return returns == 0 ? 0 : 1 - missed * missed / (returns * returns);
    }

    private UpdateStatistics statistics(Learning learning, double explained) {
        double hours = rollout.simulatedHours();
        double reward = 0;
        for (double r : rollout.rewards) {
            reward += r;
        }
        double n = learning.minibatches;
        return new UpdateStatistics(
                updates,
                rollout.decisions,
                rollout.states(),
                hours,
                rollout.episodes,
                hours > 0 ? reward / rollout.agents / hours : 0,
                rollout.finishedEpisodes == 0 ? Double.NaN : rollout.finishedJctSeconds / rollout.finishedEpisodes,
                learning.parts[0] / n,
                learning.parts[1] / n,
                learning.parts[2] / n,
                learning.parts[3] / n,
                learning.parts[4] / n,
                explained,
                learning.gradientNorm / n,
                learning.minibatches);
    }

    @Override
    public void save(Path file) {
        CheckedFile.write(file, KIND, VERSION, out -> {
            out.writeLong(seed);
            out.writeInt(updates);
            policy.parameters().write(out);
            adam.write(out);
            scale.write(out);
            envs.save(out);
        });
    }

    @Override
    public void load(Path file) {
        try (DataInputStream in = CheckedFile.read(file, KIND, VERSION)) {
            long saved = in.readLong();
            if (saved != seed) {
                throw new InputException("%s: was trained with seed (%d), not (%d)".formatted(file, saved, seed));
            }
            updates = in.readInt();
            policy.freeze(false);
            policy.parameters().read(in, file.toString());
            adam.free();
            adam = SavedAdam.read(policy.parameters(), in, file.toString());
            scale.read(in);
            envs.restore(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s".formatted(file), e);
        }
    }

    @Override
    public void close() {
        policy.close();
    }
}
