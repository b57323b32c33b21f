package org.trainyard.agents.heuristic.reference;

import org.trainyard.env.simulation.SimView;

/** How much still fits on a cluster that is dealt out from scratch, whoever runs on it now. */
public interface FreeCapacity {
    /** Nothing is taken. */
    void clear(SimView view);

    /** Takes so many GPUs, if they are to be had. */
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
