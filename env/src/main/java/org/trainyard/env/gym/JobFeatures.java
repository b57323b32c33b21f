package org.trainyard.env.gym;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/** Writes what an agent sees of one waiting job: {@link ObservationSpec#JOB} floats. */
final class JobFeatures {
    private static final double MINUTE = 60;

    private final Topology topology;
    private final Domains domains;

    JobFeatures(Topology topology, Domains domains) {
        this.topology = topology;
        this.domains = domains;
    }

    void write(SimView view, Dispatcher dispatcher, int agent, int job, float[] out, int at) {
        JobSpec spec = view.job(job);
        ModelProfile model = spec.model();
        double predicted = view.predictedRemainingSeconds(job);
        double waited = (view.nowNanos() - view.queuedSinceNanos(job)) / 1e9;
        int minimum = fewestServers(spec.gpus());
        int now = serversNeededNow(view, dispatcher, agent, spec.gpus());
        int i = at;
        out[i++] = 1; // there is a job
        out[i++] = (float) (Math.log(spec.gpus()) / Math.log(2) / 6);
        out[i++] = (float) spec.gpus() / domains.gpus(agent);
        out[i++] = logTime(predicted);
        out[i++] = logTime(predicted * spec.gpus());
        out[i++] = logTime(waited);
        out[i++] = (float) (waited / (waited + predicted));
        out[i++] = dispatcher.startableAtHome(agent, job) ? 1 : 0;
        out[i++] = now == minimum ? 1 : 0; // a consolidated place is free
        out[i++] = Math.min(4, Math.max(0, now - minimum)) / 4f; // servers more than necessary
        out[i++] = networkStretch(spec); // how much longer an iteration takes over the network
        out[i++] = (float) model.presses().socket();
        out[i++] = (float) model.presses().pcie();
        out[i++] = (float) model.presses().nic();
        out[i++] = (float) model.minds().socket();
        out[i++] = (float) model.minds().pcie();
        out[i++] = (float) model.minds().nic();
        out[i++] = dispatcher.queues().hops(job) / 2f;
        out[i++] = dispatcher.isWide(job) ? 1 : 0;
        out[i] = Math.min(view.preemptions(job), 4) / 4f;
    }

    /** 0 at nothing, about 0.4 at an hour, 0.75 at a day... on a logarithmic scale. */
    static float logTime(double seconds) {
        return (float) (Math.log1p(seconds / MINUTE) / 10);
    }

    private int fewestServers(int gpus) {
        int widest = topology.widestServer();
        return (gpus + widest - 1) / widest;
    }

    /** Servers of the domain a gang needs now when it takes the emptiest first; more than all of them when they do not suffice. */
    private int serversNeededNow(SimView view, Dispatcher dispatcher, int agent, int gpus) {
        if (gpus > dispatcher.queues().freeIn(agent)) {
            return domains.servers(agent) + 1;
        }
        int left = gpus;
        int used = 0;
        for (int size = topology.widestServer(); size > 0 && left > 0; size--) {
            for (int s = 0; s < domains.servers(agent) && left > 0; s++) {
                if (view.cluster().freeOn(domains.firstServer(agent) + s) == size) {
                    left -= size;
                    used++;
                }
            }
        }
        return used;
    }

    /** Iteration time over the network less that inside a server, per iteration inside a server; at most 2. */
    private float networkStretch(JobSpec spec) {
        if (spec.gpus() == 1) {
            return 0;
        }
        double steps = 2.0 * (spec.gpus() - 1);
        double inside = iteration(spec, steps, topology.fabric().nvlink());
        double across = iteration(spec, steps, topology.fabric().nic());
        return (float) Math.min(2, across / inside - 1);
    }

    private static double iteration(JobSpec spec, double steps, Link link) {
        return spec.model().computeSeconds()
                + steps / spec.gpus() * spec.model().gradientBytes() / link.bytesPerSecond()
                + steps * link.latencyNanos() * 1e-9;
    }
}
