package org.trainyard.agents.heuristic.reference;

import org.trainyard.env.simulation.SimView;

/** The free capacity of a cluster that is reallocated from scratch, ignoring the present placements. */
public interface FreeCapacity {
    /** Frees all GPUs. */
    void clear(SimView view);

    /** Takes so many GPUs; returns whether they were available. */
    boolean take(int gpus);

    /** Counts GPUs, wherever they are. */
    final class Counted implements FreeCapacity {
        private int left;

        @Override
        public void clear(SimView view) {
            left = view.topology().gpus();
        }

        @Override
        public boolean take(int gpus) {
            boolean fits = gpus <= left;
            left -= fits ? gpus : 0;
            return fits;
        }
    }
}
