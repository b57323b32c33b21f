package org.trainyard.env.workload.freezing;

import java.util.List;

/**
 * A network whose front layers can be frozen.
 *
 * @param name of the network
 * @param shares of computation and parameters in its front layers
 * @param energy of its gradients
 * @param epochs of its training
 * @param rateDrops progress at which its learning rate drops, each above 0 and below 1
 */
public record FreezableNetwork(
        String name, LayerShares shares, GradientEnergy energy, int epochs, List<Double> rateDrops) {
    public FreezableNetwork {
        rateDrops = List.copyOf(rateDrops);
        if (epochs < 1 || rateDrops.stream().anyMatch(drop -> !(drop > 0 && drop < 1))) {
            throw new IllegalArgumentException(
                    "a training of (%d) epochs with drops of the learning rate at (%s)".formatted(epochs, rateDrops));
        }
    }

    /** The gradient energy of one block at a progress of 0..1; the block after the last is the rest of the network. */
    public double blockEnergy(int block, double progress) {
        int all = shares.layers();
        int from = block * shares.blockLayers();
        int to = block == shares.blocks() ? all : from + shares.blockLayers();
        return energy.upTo(to, all, progress) - energy.upTo(from, all, progress);
    }

    /** The freezing of this network as its owner allows it. */
    public FreezingProfile under(FreezingTerms terms) {
        return new FreezingProfile(this, terms);
    }
}
