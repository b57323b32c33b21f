package org.trainyard.env.workload.freezing;

import java.util.List;
import java.util.stream.IntStream;
import org.trainyard.env.Invalid;

/**
 * The shares of a network's computation and parameters that lie in its first layers.
 *
 * <p>Layers are frozen in blocks of equal size from the front, because gradients have to flow through all later layers.
 *
 * @param blockLayers layers of a block
 * @param compute by number of frozen blocks from 0 on, the share of the floating-point operations in them, 0..1
 * @param parameters by number of frozen blocks from 0 on, the share of the parameters in them, 0..1
 */
public record LayerShares(int layers, int blockLayers, List<Double> compute, List<Double> parameters) {
    public LayerShares {
        compute = List.copyOf(compute);
        parameters = List.copyOf(parameters);
        int blocks = compute.size() - 1;
        if (blocks < 1 || parameters.size() != blocks + 1 || blockLayers < 1 || blocks * blockLayers >= layers) {
            throw new IllegalArgumentException(
                    "%d blocks of %d layers (parameters of %d) must be at least one and less than the (%d) layers"
                            .formatted(blocks, blockLayers, parameters.size() - 1, layers));
        }
        checkGrowing("computation", compute);
        checkGrowing("parameters", parameters);
    }

    private static void checkGrowing(String what, List<Double> shares) {
        double before = 0;
        for (double share : shares) {
            Invalid.when(
                    !(share >= before && share < 1), "shares of %s (%s) must grow from 0 to below 1", what, shares);
            before = share;
        }
        Invalid.when(shares.get(0) != 0, "shares of %s (%s) must begin with 0", what, shares);
    }

    /** Shares of equal layers, of which nine in ten can be frozen. */
    static LayerShares even(int layers, int blockLayers) {
        int blocks = layers * 9 / 10 / blockLayers;
        List<Double> shares = IntStream.rangeClosed(0, blocks)
                .mapToObj(block -> (double) block * blockLayers / layers)
                .toList();
        return new LayerShares(layers, blockLayers, shares, shares);
    }

    /** The number of blocks that can be frozen. */
    public int blocks() {
        return compute.size() - 1;
    }

    /** The most layers that can be frozen. */
    public int mostLayers() {
        return blocks() * blockLayers;
    }
}
