package org.trainyard.env.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.Counted;
import org.trainyard.env.Invalid;

/**
 * The profile of a model as a chain of layers, for one micro-batch on one GPU of speed 1.
 *
 * <p>Sums over runs of layers take O(1). Equality is that of name, batch and layers.
 */
public final class LayerProfile {
    private final String name;
    private final int microBatch;
    private final List<Layer> layers;
    private final double[] forward;
    private final double[] backward;
    private final double[] activations;
    private final double[] parameters;

    /**
     * @param microBatch samples in one micro-batch, for which times and activations hold
     * @param layers in the order of the forward pass, at least one; the forward and backward time of all is above zero
     */
    public LayerProfile(String name, int microBatch, List<Layer> layers) {
        if (layers.isEmpty() || microBatch < 1) {
            throw new IllegalArgumentException("profile (%s) has %d layers and a micro-batch of %d: each at least 1"
                    .formatted(name, layers.size(), microBatch));
        }
        this.name = name;
        this.microBatch = microBatch;
        this.layers = List.copyOf(layers);
        int count = layers.size();
        forward = new double[count + 1];
        backward = new double[count + 1];
        activations = new double[count + 1];
        parameters = new double[count + 1];
        for (int i = 0; i < count; i++) {
            forward[i + 1] = forward[i] + layers.get(i).forwardSeconds();
            backward[i + 1] = backward[i] + layers.get(i).backwardSeconds();
            activations[i + 1] = activations[i] + layers.get(i).activationBytes();
            parameters[i + 1] = parameters[i] + layers.get(i).parameterBytes();
        }
        Invalid.when(!(forward[count] + backward[count] > 0), "profile (%s) has no compute time", name);
    }

    public String name() {
        return name;
    }

    /** Samples in one micro-batch. */
    public int microBatch() {
        return microBatch;
    }

    public List<Layer> layers() {
        return layers;
    }

    /** Number of layers. */
    public int size() {
        return layers.size();
    }

    /** Forward time of layers {@code first .. end - 1}, seconds. */
    public double forwardSeconds(int first, int end) {
        return forward[end] - forward[first];
    }

    /** Backward time of layers {@code first .. end - 1}, seconds. */
    public double backwardSeconds(int first, int end) {
        return backward[end] - backward[first];
    }

    /** Forward and backward time of layers {@code first .. end - 1}, seconds. */
    public double computeSeconds(int first, int end) {
        return forwardSeconds(first, end) + backwardSeconds(first, end);
    }

    /** Forward and backward time of all layers, seconds. */
    public double computeSeconds() {
        return computeSeconds(0, size());
    }

    /** Activations that layers {@code first .. end - 1} keep for one micro-batch. */
    public double activationBytes(int first, int end) {
        return activations[end] - activations[first];
    }

    /** Parameters of layers {@code first .. end - 1}. */
    public double parameterBytes(int first, int end) {
        return parameters[end] - parameters[first];
    }

    public double parameterBytes() {
        return parameters[size()];
    }

    /** Activations that cross a cut before layer {@code end}; zero after the last layer. */
    public double cutBytes(int end) {
        return end == size() ? 0 : layers.get(end - 1).cutBytes();
    }

    /**
     * The chain with neighbouring layers merged until at most so many are left: of all neighbours those with the least
     * compute together go first, so blocks become even.
     */
    public LayerProfile coarsened(int most) {
        if (size() <= most) {
            return this;
        }
        List<Layer> blocks = new ArrayList<>(layers);
        while (blocks.size() > most) {
            int best = 0;
            for (int i = 1; i + 1 < blocks.size(); i++) {
                best = together(blocks, i) < together(blocks, best) ? i : best;
            }
            blocks.set(best, merged(blocks.get(best), blocks.remove(best + 1)));
        }
        return new LayerProfile(name, microBatch, blocks);
    }

    /** The chain for micro-batches of another size, whose times and activations are in proportion. */
    public LayerProfile withMicroBatch(int samples) {
        double factor = (double) samples / microBatch;
        return new LayerProfile(
                name,
                samples,
                layers.stream()
                        .map(layer -> new Layer(
                                layer.name(),
                                factor * layer.forwardSeconds(),
                                factor * layer.backwardSeconds(),
                                factor * layer.activationBytes(),
                                factor * layer.cutBytes(),
                                layer.parameterBytes()))
                        .toList());
    }

    private static double together(List<Layer> blocks, int i) {
        Layer a = blocks.get(i);
        Layer b = blocks.get(i + 1);
        return a.forwardSeconds() + a.backwardSeconds() + b.forwardSeconds() + b.backwardSeconds();
    }

    private static Layer merged(Layer a, Layer b) {
        return new Layer(
                a.name() + "+" + b.name(),
                a.forwardSeconds() + b.forwardSeconds(),
                a.backwardSeconds() + b.backwardSeconds(),
                a.activationBytes() + b.activationBytes(),
                b.cutBytes(),
                a.parameterBytes() + b.parameterBytes());
    }

    @Override
    public boolean equals(Object other) {
        if (other == this) {
            return true;
        }
        return other instanceof LayerProfile profile
                && microBatch == profile.microBatch
                && name.equals(profile.name)
                && layers.equals(profile.layers);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + layers.size();
    }

    @Override
    public String toString() {
        return Counted.say("%s: %d layers, micro-batch %d", name, size(), microBatch);
    }
}
