package org.trainyard.agents.heuristic.freezing;

import java.util.HashMap;
import java.util.Map;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.freezing.Egeria;
import org.trainyard.env.workload.freezing.FreezableNetwork;
import org.trainyard.env.workload.freezing.FreezingProfile;

/**
 * {@link Egeria} with one evaluation in each hundredth of the training of a job.
 *
 * <p>Our reading: (1) its layers are the blocks that can be frozen; (2) the plasticity of a block is its gradient
 * energy, for nothing is known of activations.
 */
final class PlasticityWatch implements FreezeRule {
    private static final int EVALUATIONS = 100;

    private final Map<Integer, Egeria> rules = new HashMap<>();
    private final Map<Integer, Integer> evaluated = new HashMap<>();

    @Override
    public double layers(SimView view, int job, FreezingProfile freezing) {
        FreezableNetwork network = freezing.network();
        Egeria rule = rules.computeIfAbsent(job, key -> new Egeria());
        int now = (int) (view.trainedShare(job) * EVALUATIONS);
        for (int i = evaluated.getOrDefault(job, 0) + 1; i <= now; i++) {
            double at = (double) i / EVALUATIONS;
            if (freezing.dropsBetween((i - 1.0) / EVALUATIONS, at)) {
                rule.rateDropped();
            }
            rule.evaluate(
                    network.blockEnergy(rule.layers(), at), network.shares().blocks());
            evaluated.put(job, i);
        }
        return rule.layers() * network.shares().blockLayers();
    }
}
