package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Small states of Slurm for tests. */
final class SlurmCases {
    static final long NOW = 1_800_000_000L;

    private SlurmCases() {}

    /** Writes down what the loops decide. */
    record Notes(List<String> lines) implements CycleListener {
        Notes() {
            this(new ArrayList<>());
        }

        @Override
        public void started(SlurmJob job, boolean backfilled) {
            lines.add((backfilled ? "backfill " : "start ") + job + " on " + nodes(job.nodesHeld()));
        }

        @Override
        public void planned(SlurmJob job, long startSecond, long endSecond, BitSet nodes) {
            lines.add("plan " + job + " in " + (startSecond - NOW) + " on " + nodes);
        }

        @Override
        public void preempted(SlurmJob victim, SlurmJob by) {
            lines.add(by + " preempts " + victim);
        }
    }

    static BitSet nodes(int... nodes) {
        BitSet set = new BitSet();
        for (int node : nodes) {
            set.set(node);
        }
        return set;
    }

    /** A job of ann's, submitted in the order of numbers; its nodes have so many GPUs each. */
    static SlurmJob submit(
            SlurmState state,
            long id,
            int nodes,
            int gpus,
            int minutes,
            String qos,
            @Nullable SlurmArray array,
            @Nullable String reservation) {
        SlurmJob.Request request = new Asked(state, id)
                .task(array)
                .qos(qos)
                .nodes(nodes, gpus, 1)
                .seconds(minutes * 60L)
                .reservation(reservation)
                .request();
        return state.submit(request, null, array, NOW - 1000 + id);
    }
}
