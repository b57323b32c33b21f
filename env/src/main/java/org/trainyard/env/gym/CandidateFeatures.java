package org.trainyard.env.gym;

import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/** Writes what putting the job taken up on one server would mean: {@link ObservationSpec#CANDIDATE} floats. */
final class CandidateFeatures {
    private final Topology topology;
    private final InterferenceModel belief;
    private final Colocation row = new Colocation();

    CandidateFeatures(Topology topology, InterferenceModel belief) {
        this.topology = topology;
        this.belief = belief;
    }

    void write(SimView view, PlacementBuilder builder, int job, int server, float[] out, int at) {
        int available = builder.available(server);
        if (available == 0) {
            return;
        }
        JobSpec spec = view.job(job);
        int left = spec.gpus() - builder.count();
        int takes = Math.min(left, available);
        int size = topology.gpusOn(server);
        boolean spans = takes < spec.gpus();
        int i = at;
        out[i++] = 1; // it can be taken from
        out[i++] = (float) takes / left;
        out[i++] = (float) (available - takes) / size; // left over on the server
        out[i++] = takes == left ? 1 : 0; // completes the gang
        out[i++] = available == size ? 1 : 0; // opens an empty server
        out[i++] = (float) Math.min(2, ownSlowdown(view, spec, server, takes, spans) - 1);
        out[i++] = (float) Math.min(2, harmToNeighbours(view, spec, server, takes, spans));
        out[i++] = view.cluster().jobsOn(server) / 8f;
        out[i++] = builder.count() > 0 ? 1 : 0; // the gang is split already
        out[i] = (float) takes / size;
    }

    private double ownSlowdown(SimView view, JobSpec spec, int server, int takes, boolean spans) {
        row.reset(topology.gpusOn(server), takes, spans);
        row.addAllOn(server, -1, view);
        return belief.slowdown(spec.model(), row);
    }

    /** Extra slowdown of every neighbour, weighted by the part of the newcomer's run time that the neighbour will still be there. */
    private double harmToNeighbours(SimView view, JobSpec spec, int server, int takes, boolean spans) {
        double own = view.predictedRemainingSeconds(spec.id());
        double harm = 0;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int victim = view.cluster().jobOn(server, n);
            Placement placement = view.placement(victim);
            row.reset(
                    topology.gpusOn(server), placement.gpusOn(placement.indexOf(server)), placement.serverCount() > 1);
            row.addAllOn(server, victim, view);
            double before = belief.slowdown(view.job(victim).model(), row);
            row.add(spec.model(), takes, spans, true);
            double after = belief.slowdown(view.job(victim).model(), row);
            harm += (after - before) * Math.min(1, view.predictedRemainingSeconds(victim) / own);
        }
        return harm;
    }
}
