package org.trainyard.interference.model.network;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.core.Linear;
import ai.djl.training.GradientCollector;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.model.Pair;
import org.trainyard.interference.model.PairEncoder;

/**
 * Trains networks of pairs on DJL and PyTorch: squared error of the ratio, AdamW, each network stopped early on an eighth of the rows of its
 * own drawing.
 */
public final class NetworkTrainer {
    /**
     * @param members networks whose mean is the answer
     * @param hidden numbers per hidden layer
     * @param epochs the most passes over the rows
     * @param patience passes without a better validation error after which training ends
     * @param batch rows per step
     */
    public record Settings(
            int members, int hidden, int epochs, int patience, int batch, float rate, float decay, float noise) {
        public static final Settings DEFAULT = new Settings(2, 48, 120, 20, 96, 4e-3f, 0.1f, 0.15f);
    }

    private static final int VALIDATION = 8;

    private final Settings settings;
    private final List<Measurement> rows;
    private final PairEncoder encoder;
    private final float[] features;

    private NetworkTrainer(List<Measurement> rows, Settings settings) {
        this.rows = rows;
        this.settings = settings;
        encoder = PairEncoder.of(rows, PairEncoder.Identity.LABELS, Trait.all());
        features = encoder.encode(rows.stream().map(Pair::of).toList(), 0);
    }

    /** Trains on the rows of one scope; streams {@code interference network/MEMBER}. */
    public static NetworkModel train(List<Measurement> rows, long seed) {
        return train(rows, seed, Settings.DEFAULT);
    }

    public static NetworkModel train(List<Measurement> rows, long seed, Settings settings) {
        NetworkTrainer trainer = new NetworkTrainer(rows, settings);
        List<NetworkModel.Layers> members = new ArrayList<>();
        for (int member = 0; member < settings.members(); member++) {
            members.add(trainer.member(RandomStreams.stream(seed, "interference network/" + member)));
        }
        return new NetworkModel(trainer.encoder, members);
    }

    private NetworkModel.Layers member(RandomGenerator random) {
        int[] order = shuffled(rows.size(), random);
        int held = Math.max(1, rows.size() / VALIDATION);
        int[] validation = Arrays.copyOf(order, held);
        int[] training = Arrays.copyOfRange(order, held, order.length);
        try (NDManager manager = NDManager.newBaseManager(Engine.getInstance().defaultDevice(), "PyTorch")) {
            Weights weights = new Weights(manager, encoder.width(), settings.hidden(), random);
            Optimizer adam = Optimizer.adamW()
                    .optLearningRateTracker(Tracker.fixed(settings.rate()))
                    .optWeightDecays(settings.decay())
                    .build();
            NetworkModel.Layers best = weights.read();
            double least = Double.POSITIVE_INFINITY;
            int waited = 0;
            for (int epoch = 0; epoch < settings.epochs() && waited < settings.patience(); epoch++) {
                pass(manager, weights, adam, training, random);
                NetworkModel.Layers now = weights.read();
                double error = error(now, validation);
                waited++;
                if (error < least) {
                    least = error;
                    best = now;
                    waited = 0;
                }
            }
            return best;
        }
    }

    private double error(NetworkModel.Layers layers, int[] at) {
        float[] scratch = new float[2 * settings.hidden()];
        double sum = 0;
        for (int row : at) {
            double ratio = Math.exp(-layers.extra(features, row * encoder.width(), encoder.width(), scratch));
            double off = ratio - rows.get(row).ratio();
            sum += rows.get(row).weight() * off * off;
        }
        return sum;
    }

    private void pass(NDManager manager, Weights weights, Optimizer adam, int[] training, RandomGenerator random) {
        for (int i = training.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = training[i];
            training[i] = training[other];
            training[other] = kept;
        }
        for (int from = 0; from < training.length; from += settings.batch()) {
            int size = Math.min(settings.batch(), training.length - from);
            step(manager, weights, adam, Arrays.copyOfRange(training, from, from + size), random);
        }
    }

    private void step(NDManager manager, Weights weights, Optimizer adam, int[] at, RandomGenerator random) {
        int width = encoder.width();
        float[] x = new float[at.length * width];
        float[] target = new float[at.length];
        float[] weight = new float[at.length];
        for (int i = 0; i < at.length; i++) {
            System.arraycopy(features, at[i] * width, x, i * width, width);
            target[i] = (float) rows.get(at[i]).ratio();
            weight[i] = (float) rows.get(at[i]).weight();
        }
        for (int i = 0; i < x.length; i++) {
            // Identities are forgotten now and then, and traits blurred, so that the network does not lean on one of
            // them.
            x[i] = encoder.isTrait(i % width)
                    ? x[i] + (float) (settings.noise() * random.nextGaussian())
                    : x[i] == 0 || random.nextFloat() < settings.noise() ? 0 : x[i];
        }
        try (NDManager sub = manager.newSubManager()) {
            NDArray input = sub.create(x, new Shape(at.length, width));
            NDArray goal = sub.create(target);
            NDArray weighed = sub.create(weight);
            try (GradientCollector collector = Engine.getInstance().newGradientCollector()) {
                NDArray ratio = weights.ratio(input);
                NDArray loss = ratio.sub(goal).square().mul(weighed).mean();
                collector.backward(loss);
            }
            weights.update(adam);
        }
    }

    private static int[] shuffled(int count, RandomGenerator random) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    /** The weights of one network on the engine's side; the manager given owns them. */
    private static final class Weights {
        private final List<NDArray> all = new ArrayList<>();

        Weights(NDManager manager, int width, int hidden, RandomGenerator random) {
            matrix(manager, hidden, width, random);
            matrix(manager, hidden, hidden, random);
            matrix(manager, 1, hidden, random);
        }

        private void matrix(NDManager manager, int out, int in, RandomGenerator random) {
            float[] values = new float[out * in];
            // Ones and zeros are few in the input, hence the bound of PyTorch's own layers.
            float bound = (float) (1 / Math.sqrt(in));
            for (int i = 0; i < values.length; i++) {
                values[i] = (2 * random.nextFloat() - 1) * bound;
            }
            try (NDArray wrapped = manager.create(values, new Shape(out, in))) {
                add(wrapped.duplicate());
            }
            add(manager.zeros(new Shape(out)));
        }

        private void add(NDArray array) {
            array.setRequiresGradient(true);
            all.add(array);
        }

        NDArray ratio(NDArray x) {
            NDArray first = Activation.relu(layer(x, 0));
            NDArray second = Activation.relu(layer(first, 2));
            // Softplus by hand, in a form that neither overflows nor loses its gradient.
            NDArray raw = layer(second, 4).squeeze(1);
            NDArray softplus =
                    Activation.relu(raw).add(raw.abs().neg().exp().add(1).log());
            return softplus.neg().exp();
        }

        private NDArray layer(NDArray x, int at) {
            return Linear.linear(x, all.get(at), all.get(at + 1)).singletonOrThrow();
        }

        void update(Optimizer adam) {
            for (int i = 0; i < all.size(); i++) {
                try (NDArray gradient = all.get(i).getGradient()) {
                    adam.update("w" + i, all.get(i), gradient);
                    gradient.subi(gradient);
                }
            }
        }

        NetworkModel.Layers read() {
            return new NetworkModel.Layers(
                    all.get(0).toFloatArray(),
                    all.get(1).toFloatArray(),
                    all.get(2).toFloatArray(),
                    all.get(3).toFloatArray(),
                    all.get(4).toFloatArray(),
                    all.get(5).toFloatArray()[0]);
        }
    }
}
