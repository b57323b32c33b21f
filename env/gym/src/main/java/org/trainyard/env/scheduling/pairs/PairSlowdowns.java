package org.trainyard.env.scheduling.pairs;

import java.util.Arrays;
import java.util.IdentityHashMap;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;

/**
 * Predicted slowdowns of two jobs of one worker on one GPU with nobody else on the server, each pair of models
 * predicted once per revision of the belief.
 */
public final class PairSlowdowns {
    private final InterferenceModel belief;
    private final IdentityHashMap<ModelProfile, Integer> models = new IdentityHashMap<>();
    private final Colocation row = new Colocation();
    /** By victim and neighbour; 0 for what was not asked yet. */
    private double[][] slowdowns = new double[8][8];

    private int revision;

    /** @param belief the interference model of the scheduler, not that of the simulator */
    public PairSlowdowns(InterferenceModel belief) {
        this.belief = belief;
    }

    /** Predicted slowdown of the victim beside the neighbour, at least 1. */
    public double of(ModelProfile victim, ModelProfile neighbour) {
        if (revision != belief.revision()) {
            revision = belief.revision();
            for (double[] of : slowdowns) {
                Arrays.fill(of, 0);
            }
        }
        int v = number(victim);
        int n = number(neighbour);
        if (slowdowns[v][n] == 0) {
            row.reset(1, 1, false);
            row.add(neighbour, 1, false, true, true);
            slowdowns[v][n] = Math.max(1, belief.slowdown(victim, row));
        }
        return slowdowns[v][n];
    }

    private int number(ModelProfile model) {
        Integer known = models.get(model);
        if (known != null) {
            return known;
        }
        int next = models.size();
        models.put(model, next);
        if (next == slowdowns.length) {
            double[][] more = new double[2 * next][2 * next];
            for (int i = 0; i < next; i++) {
                System.arraycopy(slowdowns[i], 0, more[i], 0, next);
            }
            slowdowns = more;
        }
        return next;
    }
}
