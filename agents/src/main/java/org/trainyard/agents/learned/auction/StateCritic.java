package org.trainyard.agents.learned.auction;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.GradientStep;
import org.trainyard.agents.learned.training.SavedAdam;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;

/**
 * The cost-to-go of a state as far as a network can tell it from the state's features, beyond the
 * {@link ControlVariate}: the value of a play's state less the mean value of the other plays' states at the same
 * time predicts the difference of their costs. Two hidden layers, trained on those differences after they were
 * used, with an optimiser and a clip of its own.
 */
final class StateCritic implements AutoCloseable {
    private static final int FIGURES = ClusterFigures.COUNT;
    private static final int STEPS = 16;
    private static final int BATCH = 512;
    private static final double LEARNING_RATE = 1e-3;
    private static final double MAX_NORM = 0.5;

    private final Parameters parameters;
    private final LinearLayer first;
    private final LinearLayer second;
    private final LinearLayer value;
    private SavedAdam adam;
    /** By episode of the present update, the features of its segments. */
    private List<float[]> states = List.of();

    StateCritic(int hidden, long seed) {
        parameters = new Parameters(seed);
        first = LinearLayer.of(parameters, "critic.first", FIGURES, hidden);
        second = LinearLayer.of(parameters, "critic.second", hidden, hidden);
        value = LinearLayer.of(parameters, "critic.value", hidden, 1, 0, 0);
        adam = new SavedAdam(parameters, 0);
    }

    private NDArray values(float[] figures, int count, NDManager scope) {
        NDArray inputs = Tensors.copyOf(figures, new Shape(count, FIGURES), scope);
        return value.apply(second.applyRelu(first.applyRelu(inputs))).reshape(-1);
    }

    /** The features of all segments as the network reads them: {@code ln(1 + x) / 5}. */
    private static float[] read(EpisodeRecord record) {
        float[] features = new float[record.segments * FIGURES];
        for (int s = 0; s < record.segments; s++) {
            for (int f = 0; f < FIGURES; f++) {
                double figure = record.figures[s * EpisodeRecord.FIGURES + f];
                features[s * FIGURES + f] = (float) (Math.log1p(Math.max(0, figure)) / 5);
            }
        }
        return features;
    }

    /** The values of all states of episodes, by segment, in units of the spread that {@link #learn} was told. */
    List<double[]> values(List<EpisodeRecord> records) {
        states = records.stream().map(StateCritic::read).toList();
        return states.stream().map(this::values).toList();
    }

    private double[] values(float[] figures) {
        int segments = figures.length / FIGURES;
        double[] values = new double[segments];
        try (NDManager scope = parameters.newScope()) {
            Autograd.record(false, () -> {
                float[] computed = values(figures, segments, scope).toFloatArray();
                for (int s = 0; s < computed.length; s++) {
                    values[s] = computed[s];
                }
            });
        }
        return values;
    }

    /**
     * Learns to predict what the values of this update have left unexplained; {@link #values} has seen its episodes.
     *
     * @param records those of a group follow each other
     * @param targets by episode and segment, differences of costs in units of their spread
     */
    void learn(
            List<EpisodeRecord> records, int group, List<double[]> targets, RandomGenerator random, FiniteCheck check) {
        float[] figures = new float[BATCH * group * FIGURES];
        float[] wanted = new float[BATCH];
        GradientStep step = new GradientStep(parameters, name -> false, 1, MAX_NORM);
        for (int i = 0; i < STEPS; i++) {
            for (int row = 0; row < BATCH; row++) {
                int episode = random.nextInt(records.size());
                int segment = random.nextInt(records.get(episode).segments);
                wanted[row] = (float) targets.get(episode)[segment];
                stage(records, group, episode, segment, figures, row * group * FIGURES);
            }
            descend(figures, wanted, group);
            step.make(adam, LEARNING_RATE, check);
        }
    }

    /** The features of the play itself, then those of the others of its group at the same time. */
    private void stage(List<EpisodeRecord> records, int group, int episode, int segment, float[] figures, int at) {
        int from = episode / group * group;
        double hour = records.get(episode).hours[segment];
        System.arraycopy(states.get(episode), segment * FIGURES, figures, at, FIGURES);
        int next = at + FIGURES;
        for (int other = from; other < from + group; other++) {
            if (other != episode) {
                int then = Math.max(0, records.get(other).segmentAt(hour));
                System.arraycopy(states.get(other), then * FIGURES, figures, next, FIGURES);
                next += FIGURES;
            }
        }
    }

    private void descend(float[] figures, float[] wanted, int group) {
        float[] weights = new float[group];
        for (int i = 0; i < group; i++) {
            weights[i] = i == 0 ? 1 : -1f / (group - 1);
        }
        try (NDManager scope = parameters.newScope()) {
            Autograd.record(true, () -> {
                NDArray values = values(figures, BATCH * group, scope).reshape(BATCH, group);
                NDArray predicted = values.matMul(Tensors.copyOf(weights, new Shape(group, 1), scope))
                        .reshape(-1);
                NDArray error = predicted.sub(Tensors.copyOf(wanted, new Shape(BATCH), scope));
                Autograd.backward(error.square().mean(), scope);
            });
        }
    }

    void write(DataOutput out) throws IOException {
        parameters.write(out);
        adam.write(out);
    }

    void read(DataInput in, String source) throws IOException {
        parameters.read(in, source);
        adam.free();
        adam = SavedAdam.read(parameters, in, source);
    }

    @Override
    public void close() {
        adam.free();
        parameters.close();
    }
}
