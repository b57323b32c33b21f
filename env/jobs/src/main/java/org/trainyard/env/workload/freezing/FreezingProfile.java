package org.trainyard.env.workload.freezing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.trainyard.env.workload.FreezableModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.goodput.GoodputProfile;
import org.trainyard.env.workload.goodput.ThroughputParameters;

/**
 * The effect of frozen front layers on the training of one job: the compute and the gradients that are left, and the
 * progress that is lost.
 *
 * <p>With {@code k} layers frozen, whose shares of the operations and parameters are F and P, a sample takes {@code 1 -
 * 2/3 F} of its compute, because a frozen layer needs no backward pass, which is twice as long as the forward pass;
 * {@code 1 - F} when the output of the frozen layers is cached. A synchronisation takes {@code 1 - P} of its time.
 * Progress is multiplied by {@code max(0, 1 - weight x q)}, where q is the share of the gradient energy in the frozen
 * layers.
 *
 * <p>Source: IceFrog (Gao, Ouyang, Sun, Zhang, Wen; TPDS 2025) names a frozen penalty, a layer-aware throughput and
 * their product, the effective progress; these formulas are our reconstruction, on top of Pollux' model, and none is
 * quoted from the paper. Our choices: (1) layers are frozen in whole {@link LayerShares blocks}; (2) the share q is
 * constant in each hundredth of the training, at the value of its middle.
 */
public final class FreezingProfile implements FreezableModel {
    private record Frozen(GoodputProfile goodput, int layers) {}

    static final int STAGES = 100;
    /** The backward pass takes so many times the forward pass. */
    private static final double BACKWARD = 2;

    private final FreezableNetwork network;
    private final FreezingTerms terms;
    /** By stage and frozen blocks. */
    private final double[][] gradientShares = new double[STAGES][];

    private final Map<Frozen, GoodputProfile> frozen = new ConcurrentHashMap<>();

    FreezingProfile(FreezableNetwork network, FreezingTerms terms) {
        this.network = network;
        this.terms = terms;
        LayerShares shares = network.shares();
        for (int stage = 0; stage < STAGES; stage++) {
            double at = (stage + 0.5) / STAGES;
            gradientShares[stage] = new double[shares.blocks() + 1];
            double all = network.energy().upTo(shares.layers(), shares.layers(), at);
            for (int block = 1; block <= shares.blocks(); block++) {
                gradientShares[stage][block] =
                        network.energy().upTo(block * shares.blockLayers(), shares.layers(), at) / all;
            }
        }
    }

    public FreezableNetwork network() {
        return network;
    }

    /** The number of layers rounded down to a number that can be frozen. */
    public int wholeBlocks(double layers) {
        int block = network.shares().blockLayers();
        return Math.max(0, Math.min(network.shares().mostLayers(), block * (int) (layers / block)));
    }

    private int block(int layers) {
        int block = network.shares().blockLayers();
        if (layers < 0 || layers % block != 0 || layers > network.shares().mostLayers()) {
            throw new IllegalArgumentException("frozen layers (%d) of %s must be a multiple of %d up to %d"
                    .formatted(layers, network.name(), block, network.shares().mostLayers()));
        }
        return layers / block;
    }

    @Override
    public int blockLayers() {
        return network.shares().blockLayers();
    }

    @Override
    public int mostLayers() {
        return network.shares().mostLayers();
    }

    /** Returns the model without its frozen layers. Its memory is assumed to stay. */
    @Override
    public ModelProfile left(ModelProfile model, int layers) {
        GoodputProfile goodput = model.of(GoodputProfile.class);
        return model.taking(model.computeSeconds() * computeLeft(layers), model.gradientBytes() * gradientsLeft(layers))
                .attaching(GoodputProfile.class, goodput == null ? null : frozen(goodput, layers));
    }

    /** The part of the compute of a sample that is left. */
    public double computeLeft(int layers) {
        double share = network.shares().compute().get(block(layers));
        return terms.caches() ? 1 - share : 1 - BACKWARD / (1 + BACKWARD) * share;
    }

    /** The part of the gradients that is left to synchronise. */
    public double gradientsLeft(int layers) {
        return 1 - network.shares().parameters().get(block(layers));
    }

    /** The share q is constant in each. */
    @Override
    public int stage(double progress) {
        return Math.max(0, Math.min(STAGES - 1, (int) (progress * STAGES)));
    }

    @Override
    public int stages() {
        return STAGES;
    }

    /** The share q of the gradient energy in the frozen layers, in a stage. */
    public double gradientShare(int layers, int stage) {
        return gradientShares[stage][block(layers)];
    }

    /** Weight x q. */
    @Override
    public double penalty(int layers, int stage) {
        return terms.weight() * gradientShare(layers, stage);
    }

    @Override
    public double progressLeft(int layers, int stage) {
        return Math.max(0, 1 - penalty(layers, stage));
    }

    /** The most layers whose share of the gradient energy the owner tolerates. */
    public int cap(int stage) {
        int block = network.shares().blocks();
        while (block > 0 && gradientShares[stage][block] > terms.tolerance()) {
            block--;
        }
        return block * network.shares().blockLayers();
    }

    @Override
    public boolean dropsBetween(double from, double to) {
        return network.rateDrops().stream().anyMatch(drop -> drop > from && drop <= to);
    }

    /** Goodput with so many layers frozen all the time; with none, the same object. */
    public GoodputProfile frozen(GoodputProfile goodput, int layers) {
        return layers == 0
                ? goodput
                : frozen.computeIfAbsent(new Frozen(goodput, layers), key -> layerAware(goodput, layers));
    }

    /** Efficiency is that of the noise of the active layers, at the middle of each stage of the noise. */
    private GoodputProfile layerAware(GoodputProfile goodput, int layers) {
        ThroughputParameters full = goodput.throughput();
        double left = gradientsLeft(layers);
        ThroughputParameters times = new ThroughputParameters(
                full.alphaCompute(),
                full.betaCompute() * computeLeft(layers),
                full.alphaNode() * left,
                full.betaNode() * left,
                full.alphaLocal() * left,
                full.betaLocal() * left,
                full.gamma());
        double[] noise = goodput.noise();
        int all = network.shares().layers();
        for (int i = 0; i < noise.length; i++) {
            double at = (i + 0.5) / noise.length;
            double energy =
                    network.energy().upTo(layers, all, at) / network.energy().upTo(all, all, at);
            noise[i] *= (1 - network.energy().varianceShare(layers, all, at)) / (1 - energy);
        }
        return new GoodputProfile(times, goodput.limits(), goodput.iterations(), noise);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FreezingProfile profile
                && network.equals(profile.network)
                && terms.equals(profile.terms);
    }

    @Override
    public int hashCode() {
        return 31 * network.name().hashCode() + terms.hashCode();
    }

    @Override
    public String toString() {
        return "freezing of %s, %s".formatted(network.name(), terms);
    }
}
