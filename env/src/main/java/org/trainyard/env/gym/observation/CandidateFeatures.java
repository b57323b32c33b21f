package org.trainyard.env.gym.observation;

import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/** Writes what putting the job taken up on one server would mean: {@link ObservationSpace#CANDIDATE} floats. */
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
        int i = at;
        out[i++] = 1; // it can be taken from
        out[i++] = (float) takes / left;
        out[i++] = (float) (available - takes) / size; // left over on the server
        out[i++] = takes == left ? 1 : 0; // completes the gang
        out[i++] = available == size ? 1 : 0; // opens an empty server
        out[i++] = (float) Math.min(2, costs.own() - 1);
        out[i++] = (float) Math.min(2, costs.harm());
        out[i++] = view.cluster().jobsOn(server) / 8f;
        out[i++] = builder.count() > 0 ? 1 : 0; // the gang is split already
        out[i++] = (float) takes / size;
        out[i++] = available == takes ? 1 : 0; // fills the server
        out[i] = takes < Math.min(left, size) ? 1 : 0; // splits the gang more than is necessary
    }
}
