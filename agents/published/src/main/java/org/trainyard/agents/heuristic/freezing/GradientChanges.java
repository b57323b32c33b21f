package org.trainyard.agents.heuristic.freezing;

import java.util.HashMap;
import java.util.Map;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.freezing.AutoFreeze;
import org.trainyard.env.workload.freezing.FreezingProfile;

/**
 * {@link AutoFreeze} on the gradients that a job would measure, twenty times in its training.
 *
 * <p>Our reading: (1) its layers are the blocks that can be frozen, and the rest of the network is one more; (2)
 * the norm of a block is the integral of the root of its gradient energy since the beginning of the training. With
 * norms of one interval alone, as in one implementation, no block of our reconstructed energies would ever be
 * frozen: those of an active block stay the same.
 */
final class GradientChanges implements FreezeRule {
    static final int INTERVALS = 20;

    private final Map<Integer, Integer> evaluated = new HashMap<>();
    private final Map<Integer, Integer> blocks = new HashMap<>();

    @Override
    public double layers(SimView view, int job, FreezingProfile freezing) {
        int now = (int) (view.trainedShare(job) * INTERVALS);
        int frozen = blocks.getOrDefault(job, 0);
        for (int interval = evaluated.getOrDefault(job, 1) + 1; interval <= now; interval++) {
            frozen = Math.min(
                    freezing.network().shares().blocks(),
                    AutoFreeze.DEFAULT.layers(frozen, norms(freezing, interval - 1), norms(freezing, interval)));
            evaluated.put(job, interval);
        }
        blocks.put(job, frozen);
        return frozen * freezing.network().shares().blockLayers();
    }

    private static double[] norms(FreezingProfile freezing, int intervals) {
        double[] norms = new double[freezing.network().shares().blocks() + 1];
        int stages = freezing.stages() * intervals / INTERVALS;
        for (int stage = 0; stage < stages; stage++) {
            for (int block = 0; block < norms.length; block++) {
                norms[block] += Math.sqrt(freezing.network().blockEnergy(block, (stage + 0.5) / freezing.stages()));
            }
        }
        return norms;
    }
}
