package org.trainyard.env.gym.observation;

import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/** Writes the {@link CandidateColumn}s of one server for the job that an agent has taken up. */
final class CandidateFeatures {
    private final Topology topology;
    private final InterferenceCost costs;

    CandidateFeatures(Topology topology, InterferenceCost costs) {
        this.topology = topology;
        this.costs = costs;
    }

    void write(SimView view, PlacementBuilder builder, int job, int server, float[] out, int at) {
        int available = builder.available(server);
        if (available == 0) {
            return;
        }
        int gpus = view.job(job).gpus();
        int left = gpus - builder.count();
        int takes = Math.min(left, available);
        int size = topology.gpusOn(server);
        costs.predict(view, job, server, takes, takes < gpus);
        set(out, at, CandidateColumn.PRESENT, 1);
        set(out, at, CandidateColumn.TAKES_OF_LEFT, (float) takes / left);
        set(out, at, CandidateColumn.LEFTOVER, (float) (available - takes) / size);
        set(out, at, CandidateColumn.COMPLETES, takes == left ? 1 : 0);
        set(out, at, CandidateColumn.OPENS_SERVER, available == size ? 1 : 0);
        set(out, at, CandidateColumn.OWN_SLOWDOWN, (float) Math.min(2, costs.own() - 1));
        set(out, at, CandidateColumn.NEIGHBOUR_SLOWDOWN, (float) Math.min(2, costs.harm()));
        set(out, at, CandidateColumn.NEIGHBOURS, view.cluster().jobsOn(server) / 8f);
        set(out, at, CandidateColumn.IS_SPLIT, builder.count() > 0 ? 1 : 0);
        set(out, at, CandidateColumn.TAKES_OF_SERVER, (float) takes / size);
        set(out, at, CandidateColumn.FILLS, available == takes ? 1 : 0);
        set(out, at, CandidateColumn.SPLITS, takes < Math.min(left, size) ? 1 : 0);
    }

    private static void set(float[] out, int at, CandidateColumn column, float value) {
        out[at + column.index()] = value;
    }
}
