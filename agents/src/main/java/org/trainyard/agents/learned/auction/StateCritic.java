package org.trainyard.agents.learned.auction;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.trainyard.agents.learned.training.ArrayAdam;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.InputException;

/**
 * The cost-to-go of a state as far as a network can tell it from the state's features, beyond the
 * {@link ControlVariate}: the value of a play's state less the mean value of the other plays' states at the same
 * time predicts the difference of their costs. A {@link StateNetwork}, trained on those differences after they were
 * used, with an optimiser and a clip of its own.
 */
final class StateCritic {
    private static final int FIGURES = ClusterFigures.COUNT;
    private static final int STEPS = 16;
    private static final int BATCH = 512;
    /** Equal parts of a batch whose gradients are summed in their order, whatever the number of threads. */
    private static final int PARTS = 8;

    private static final double LEARNING_RATE = 1e-3;
    private static final double MAX_NORM = 0.5;
    private static final float EPSILON = 1e-5f;

    private final int group;
    private final WorkerPool pool;
    private final float[] weights;
    private final ArrayAdam adam;
    private final List<StateNetwork> parts;
    /** By episode of the present update, the features of its segments. */
    private List<float[]> states = List.of();

    /** The rows of a batch: an episode, a segment of it and what is wanted there. */
    private final int[] episodes = new int[BATCH];

    private final int[] segments = new int[BATCH];
    private final float[] wanted = new float[BATCH];

    /** @param group plays of the same jobs */
    StateCritic(int hidden, int group, WorkerPool pool, long seed) {
        this.group = group;
        this.pool = pool;
        weights = StateNetwork.weights(hidden, seed);
        adam = new ArrayAdam(weights.length, MAX_NORM, EPSILON);
        int most = BATCH / PARTS * group;
        parts = Stream.generate(() -> new StateNetwork(hidden, weights, most))
                .limit(PARTS)
                .toList();
    }

    /** The features of all segments as the network reads them: {@code ln(1 + x) / 5}. */
    private static float[] read(EpisodeRecord record) {
        float[] features = new float[record.segments * FIGURES];
        for (int s = 0; s < record.segments; s++) {
            for (int f = 0; f < FIGURES; f++) {
                double figure = record.figures[s * EpisodeRecord.FIGURES + f];
                features[s * FIGURES + f] = (float) (Math.log(1 + Math.max(0, figure)) / 5);
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
        double[] values = new double[figures.length / FIGURES];
        StateNetwork network = parts.get(0);
        int most = BATCH / PARTS * group;
        for (int from = 0; from < values.length; from += most) {
            int count = Math.min(most, values.length - from);
            network.clear();
            for (int s = from; s < from + count; s++) {
                network.add(figures, s * FIGURES);
            }
            float[] computed = network.values();
            for (int s = 0; s < count; s++) {
                values[from + s] = computed[s];
            }
        }
        return values;
    }

    /**
     * Learns to predict what the values of this update have left unexplained; {@link #values} has seen its episodes.
     *
     * @param records those of a group follow each other
     * @param targets by episode and segment, differences of costs in units of their spread
     */
    void learn(List<EpisodeRecord> records, List<double[]> targets, RandomGenerator random, FiniteCheck check) {
        float[] gradient = new float[weights.length];
        float[][] ofParts = new float[PARTS][];
        for (int i = 0; i < STEPS; i++) {
            for (int row = 0; row < BATCH; row++) {
                episodes[row] = random.nextInt(records.size());
                segments[row] = random.nextInt(records.get(episodes[row]).segments);
                wanted[row] = (float) targets.get(episodes[row])[segments[row]];
            }
            pool.each(PARTS, part -> ofParts[part] = gradient(records, part));
            Arrays.fill(gradient, 0);
            for (float[] ofPart : ofParts) {
                for (int w = 0; w < gradient.length; w++) {
                    gradient[w] += ofPart[w];
                }
            }
            check.loss("norm of the critic's gradient", adam.step(weights, gradient, LEARNING_RATE));
        }
        check.weights("the critic", weights);
    }

    /** The gradient of a part of less the mean squared error. */
    private float[] gradient(List<EpisodeRecord> records, int part) {
        StateNetwork network = parts.get(part);
        int rows = BATCH / PARTS;
        network.clear();
        for (int row = part * rows; row < (part + 1) * rows; row++) {
            stage(records, episodes[row], segments[row], network);
        }
        float[] values = network.values();
        for (int row = 0; row < rows; row++) {
            int own = row * group;
            float others = 0;
            for (int other = own + 1; other < own + group; other++) {
                others += values[other];
            }
            float slope = 2 * (wanted[part * rows + row] - values[own] + others / (group - 1)) / BATCH;
            values[own] = slope;
            Arrays.fill(values, own + 1, own + group, -slope / (group - 1));
        }
        return network.gradient();
    }

    /** Adds the state of the play itself, then those of the others of its group at the same time. */
    private void stage(List<EpisodeRecord> records, int episode, int segment, StateNetwork network) {
        int from = episode / group * group;
        double hour = records.get(episode).hours[segment];
        network.add(states.get(episode), segment * FIGURES);
        for (int other = from; other < from + group; other++) {
            if (other != episode) {
                int then = Math.max(0, records.get(other).segmentAt(hour));
                network.add(states.get(other), then * FIGURES);
            }
        }
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(weights.length);
        for (float weight : weights) {
            out.writeFloat(weight);
        }
        adam.write(out);
    }

    void read(DataInput in, String source) throws IOException {
        int count = in.readInt();
        if (count != weights.length) {
            throw InputException.at(source, count, "%d weights of the critic".formatted(weights.length));
        }
        for (int w = 0; w < count; w++) {
            weights[w] = in.readFloat();
        }
        adam.read(in);
    }
}
