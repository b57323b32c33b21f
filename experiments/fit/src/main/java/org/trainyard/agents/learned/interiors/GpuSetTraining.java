package org.trainyard.agents.learned.interiors;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.ppo.Adam;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.Tensors;
import org.trainyard.gnn.cluster.GpuSet;
import org.trainyard.gnn.cluster.GpuSetEncoder;
import org.trainyard.gnn.cluster.LinkMatrix;

/**
 * Trains an encoder of GPU sets to predict their bandwidths ({@link LinkFacts}): least squares by Adam with a learning
 * rate that falls linearly to 0, on sets of drawn and of given interiors.
 */
public final class GpuSetTraining {
    private static final int BELIEFS = GpuSetEncoder.BELIEFS;
    /** Scale of the loss: Adam scales gradients of a norm above one down, and errors are of the order of 0.1. */
    private static final float SCALE = 200;

    /** How often a given interior is among those that are drawn from. */
    private static final int WEIGHT = 10;

    /**
     * Training length and data.
     *
     * @param interiors number of drawn interiors
     * @param learningRate of the first step
     */
    public record Settings(int interiors, int steps, int sets, double learningRate) {
        public Settings {
            if (interiors < 1 || steps < 1 || sets < 1 || learningRate <= 0) {
                throw new IllegalArgumentException("interiors (%d), steps (%d), sets (%d) or rate (%s) are out of range"
                        .formatted(interiors, steps, sets, learningRate));
            }
        }
    }

    private final GpuSetEncoder.Settings shape;
    private final List<LinkMatrix> links = new ArrayList<>();
    private final List<LinkFacts> facts = new ArrayList<>();
    private final Settings settings;
    private final long seed;

    /** @param others interiors beside the drawn ones; each is drawn from as often as {@value #WEIGHT} of those */
    public GpuSetTraining(GpuSetEncoder.Settings shape, Settings settings, List<ServerInterior> others, long seed) {
        this.shape = shape;
        this.settings = settings;
        this.seed = seed;
        RandomInteriors drawn = new RandomInteriors(RandomStreams.stream(seed, "interiors"));
        for (int i = 0; i < settings.interiors; i++) {
            add(drawn.draw(), 1);
        }
        others.forEach(interior -> add(interior, WEIGHT));
    }

    private void add(ServerInterior interior, int times) {
        LinkMatrix matrix = new LinkMatrix(interior);
        LinkFacts itsFacts = new LinkFacts(interior);
        for (int i = 0; i < times; i++) {
            links.add(matrix);
            facts.add(itsFacts);
        }
    }

    /** Trains from random weights; returns those after the last step. */
    public float[] weights() {
        float[] weights = shape.initial(seed);
        float[] gradient = new float[weights.length];
        Adam adam = new Adam(weights.length);
        RandomGenerator random = RandomStreams.stream(seed, "sets");
        try (Parameters parameters = new Parameters(seed)) {
            GpuSetEncoder encoder = new GpuSetEncoder(parameters, shape);
            for (int step = 0; step < settings.steps; step++) {
                Autograd.record(false, () -> parameters.setValues(weights));
                descend(encoder, parameters, random);
                Arrays.fill(gradient, 0);
                parameters.takeGradients(gradient);
                adam.step(weights, gradient, 1, settings.learningRate * (1 - (double) step / settings.steps));
            }
        }
        return weights;
    }

    /** Adds the negative gradient of the mean squared error of a step's sets. */
    private void descend(GpuSetEncoder encoder, Parameters parameters, RandomGenerator random) {
        List<Drawn> drawn = new ArrayList<>();
        for (int i = 0; i < settings.sets; i++) {
            int interior = random.nextInt(links.size());
            int mask = 1 + random.nextInt((1 << links.get(interior).gpus()) - 1);
            drawn.add(new Drawn(new GpuSet(links.get(interior), mask), facts.get(interior)));
        }
        drawn.sort(Comparator.comparingInt(each -> each.set.size()));
        float[] wanted = new float[drawn.size() * BELIEFS];
        for (int i = 0; i < drawn.size(); i++) {
            drawn.get(i).facts.copy((int) drawn.get(i).set.mask(), wanted, i * BELIEFS);
        }
        try (NDManager scope = parameters.newScope()) {
            Autograd.record(true, () -> {
                NDArray embeddings =
                        encoder.encode(drawn.stream().map(Drawn::set).toList(), scope);
                float[] found = embeddings.toFloatArray();
                float[] slopes = new float[found.length];
                for (int i = 0; i < drawn.size(); i++) {
                    for (int b = 0; b < BELIEFS; b++) {
                        int at = i * shape.size() + b;
                        slopes[at] = SCALE * (wanted[i * BELIEFS + b] - found[at]) / wanted.length;
                    }
                }
                Autograd.backwardFrom(embeddings, Tensors.copyOf(slopes, embeddings.getShape(), scope));
            });
        }
    }

    private record Drawn(GpuSet set, LinkFacts facts) {}

    /**
     * Bandwidths of every set of GPUs of a server, the training targets of the first values of an embedding: the
     * bandwidth of a ring over the set, and that of its widest subsets of 2, 3, 4 and 5 GPUs; 0 where there is none.
     */
    static final class LinkFacts {
        private static final int COUNT = GpuSetEncoder.BELIEFS;

        private final float[] values;

        LinkFacts(ServerInterior interior) {
            int masks = 1 << interior.gpus();
            values = new float[masks * COUNT];
            for (int mask = 1; mask < masks; mask++) {
                int size = Integer.bitCount(mask);
                float own = size < 2 ? 0 : LinkMatrix.scaled(interior.ring(mask));
                int at = mask * COUNT;
                values[at] = own;
                for (int wanted = 2; wanted <= COUNT; wanted++) {
                    float widest = size == wanted ? own : 0;
                    for (int left = mask; left != 0 && size > wanted; left &= left - 1) {
                        widest = Math.max(widest, values[(mask ^ Integer.lowestOneBit(left)) * COUNT + wanted - 1]);
                    }
                    values[at + wanted - 1] = widest;
                }
            }
        }

        /** Copies the facts about a set. */
        void copy(int mask, float[] into, int to) {
            System.arraycopy(values, mask * COUNT, into, to, COUNT);
        }
    }
}
