package org.trainyard.env.scheduling.migration;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.IdentityHashMap;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.ServerChanges;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;

/**
 * A lower bound on the predicted slowdown of a job on one server with room for all of its workers, by which a search
 * for such a server is spared where none is fast enough. Kept for jobs of equal models and GPUs: O(servers whose jobs
 * have changed) for each of them, and O(servers with room) when the server of the bound is taken.
 */
public final class OwnSlowdownBound {
    private final InterferenceCost costs;
    private final IdentityHashMap<ModelProfile, Integer> models = new IdentityHashMap<>();
    private final Long2ObjectOpenHashMap<Bound> bounds = new Long2ObjectOpenHashMap<>();

    /** The bound for jobs of one kind. */
    private static final class Bound {
        private double least = Double.NEGATIVE_INFINITY;
        /** The changes that the bound has seen. */
        private final ServerChanges.Cursor changes = new ServerChanges.Cursor();

        private long epoch = -1;
        /** A server that was fast enough for the job that was asked for last. */
        private int witness;
    }

    /** @param belief the interference model of the scheduler, not that of the simulator */
    public OwnSlowdownBound(Topology topology, InterferenceModel belief) {
        costs = new InterferenceCost(topology, belief, ResidualTimeFloor::seconds);
    }

    /**
     * Whether no server with room for the whole job has a predicted slowdown below the limit. For jobs of whole GPUs
     * that fit on a server.
     */
    public boolean isNoneBelow(SimView view, int job, double limit) {
        int gpus = view.job(job).gpus();
        Bound bound = bound(view.job(job).model(), gpus);
        costs.update(view);
        if (bound.changes.advance(view.cluster()) || bound.epoch != costs.epoch()) {
            bound.epoch = costs.epoch();
            bound.least = Double.NEGATIVE_INFINITY;
        }
        for (long change = bound.changes.first(); change < bound.changes.end(); change++) {
            int server = bound.changes.server(change);
            if (bound.least > Double.NEGATIVE_INFINITY && view.cluster().freeOn(server) >= gpus) {
                bound.least = Math.min(bound.least, own(view, job, server, gpus));
            }
        }
        if (bound.least >= limit) {
            return true;
        }
        boolean isFast = view.cluster().freeOn(bound.witness) >= gpus && own(view, job, bound.witness, gpus) < limit;
        return !isFast && search(view, job, gpus, limit, bound);
    }

    private Bound bound(ModelProfile model, int gpus) {
        Integer known = models.get(model);
        int number = known == null ? models.size() : known;
        if (known == null) {
            models.put(model, number);
        }
        return bounds.computeIfAbsent((long) number << Integer.SIZE | gpus, kind -> new Bound());
    }

    /** Makes the bound anew, unless a server is fast enough; returns whether none is. */
    private boolean search(SimView view, int job, int gpus, double limit, Bound bound) {
        FreeGpuIndex index = view.cluster().byFreeGpus();
        double least = Double.POSITIVE_INFINITY;
        for (int free = gpus; free <= view.topology().widestServer(); free++) {
            for (int server = index.next(free, 0); server != SimView.NONE; server = index.next(free, server + 1)) {
                double own = own(view, job, server, gpus);
                if (own < limit) {
                    bound.witness = server;
                    return false;
                }
                least = Math.min(least, own);
            }
        }
        bound.least = least;
        return true;
    }

    private double own(SimView view, int job, int server, int gpus) {
        costs.predictOwn(view, job, server, gpus, false);
        return costs.own();
    }
}
