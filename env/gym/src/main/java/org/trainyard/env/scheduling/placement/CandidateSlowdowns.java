package org.trainyard.env.scheduling.placement;

import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.ModelProfile;

/** Asks an interference model how a pending job and the jobs of a server would slow each other down. */
final class CandidateSlowdowns {
    private final InterferenceModel belief;
    private final Colocation row = new Colocation();

    CandidateSlowdowns(InterferenceModel belief) {
        this.belief = belief;
    }

    /**
     * Writes the slowdown of so many workers of a job to {@code out[at]} and the extra slowdowns of the jobs of the
     * server behind it. O(jobs there squared).
     */
    void onServer(SimView view, int job, int server, int workers, boolean spans, double[] out, int at) {
        ModelProfile model = view.job(job).model();
        int size = view.topology().gpusOn(server);
        row.reset(size, workers, spans);
        row.addAllOn(server, SimView.NONE, view);
        out[at] = belief.slowdown(model, row);
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int neighbour = view.cluster().jobOn(server, n);
            Placement placement = view.placement(neighbour);
            row.reset(size, placement.gpusOn(placement.indexOf(server)), placement.serverCount() > 1);
            row.addAllOn(server, neighbour, view);
            double before = belief.slowdown(view.job(neighbour).model(), row);
            row.add(model, workers, spans, true);
            out[at + 1 + n] = belief.slowdown(view.job(neighbour).model(), row) - before;
        }
    }

    /**
     * Writes to {@code out[at]} the slowdown of one worker on a GPU that jobs may hold in part, and behind it the extra
     * slowdowns of the jobs of the server. The GPU is given by its place on the server; the jobs on it share it. O(jobs
     * there squared).
     */
    void onGpu(SimView view, int job, int server, int place, double[] out, int at) {
        ModelProfile model = view.job(job).model();
        int size = view.topology().gpusOn(server);
        row.reset(size, 1, false);
        row.addAllOn(server, SimView.NONE, 1L << place, view);
        out[at] = belief.slowdown(model, row);
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int neighbour = view.cluster().jobOn(server, n);
            Placement placement = view.placement(neighbour);
            int here = placement.indexOf(server);
            row.reset(size, placement.gpusOn(here), placement.serverCount() > 1);
            row.addAllOn(server, neighbour, placement.maskOn(here), view);
            ModelProfile victim = view.job(neighbour).model();
            double before = belief.slowdown(victim, row);
            row.add(model, 1, false, true, (placement.maskOn(here) >> place & 1) != 0);
            out[at + 1 + n] = belief.slowdown(victim, row) - before;
        }
    }
}
