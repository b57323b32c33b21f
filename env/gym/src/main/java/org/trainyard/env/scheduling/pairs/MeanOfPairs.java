package org.trainyard.env.scheduling.pairs;

import java.util.List;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;

/**
 * A belief that knows of two jobs on a GPU only how much such jobs slow each other down in the mean: an ablation that
 * takes the predictor away and leaves its scale. Neighbours on other GPUs are as the belief has them.
 */
public final class MeanOfPairs implements InterferenceModel {
    private final InterferenceModel belief;
    private final double mean;
    private final ThreadLocal<Colocation> others = ThreadLocal.withInitial(Colocation::new);

    /** @param models the models whose ordered pairs, each with itself too, are averaged; one at least */
    public MeanOfPairs(InterferenceModel belief, List<ModelProfile> models) {
        this.belief = belief;
        PairSlowdowns pairs = new PairSlowdowns(belief);
        double sum = 0;
        for (ModelProfile victim : models) {
            for (ModelProfile neighbour : models) {
                sum += pairs.of(victim, neighbour);
            }
        }
        mean = sum / (models.size() * models.size());
    }

    @Override
    public double slowdown(ModelProfile victim, Colocation place) {
        Colocation rest = others.get();
        rest.reset(place.serverGpus(), place.victimGpus(), place.victimSpansServers());
        double slowdown = 1;
        for (int n = 0; n < place.count(); n++) {
            if (place.sharesGpu(n)) {
                slowdown *= mean;
            } else {
                rest.add(place.model(n), place.gpus(n), place.spansServers(n), place.sharesSocket(n));
            }
        }
        return slowdown * belief.slowdown(victim, rest);
    }
}
