package org.trainyard.env.gym.observation;

import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.scheduling.placement.ServersByFreeGpus;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.preemption.PreemptionSet;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/** Writes what an agent sees of one waiting job: {@link ObservationSpace#JOB} floats. */
final class JobFeatures {
    private static final double MINUTE = 60;

    private final Topology topology;
    private final Domains domains;
    private final PlacementPreview preview;

    JobFeatures(Topology topology, Domains domains, PlacementPreview preview) {
        this.topology = topology;
        this.domains = domains;
        this.preview = preview;
    }

    /** @param mayDisplace whether pushing others out for it is on offer */
    void write(SimView view, ActionExecutor dispatcher, int agent, int job, boolean mayDisplace, float[] out, int at) {
        JobSpec spec = view.job(job);
        ModelProfile model = spec.model();
        double predicted = ResidualTimeFloor.seconds(view, job);
        double waited = (view.nowNanos() - view.queuedSinceNanos(job)) / 1e9;
        int i = at;
        out[i++] = 1; // there is a job
        out[i++] = (float) (Math.log(spec.gpus()) / Math.log(2) / 6);
        out[i++] = (float) spec.gpus() / domains.gpus(agent);
        out[i++] = logTime(predicted);
        out[i++] = logTime(dispatcher.queues().estimator().seconds(job) * spec.gpus());
        out[i++] = logTime(waited);
        out[i++] = (float) (waited / (waited + predicted));
        out[i++] = networkStretch(spec); // how much longer an iteration takes over the network
        out[i++] = (float) model.pressure().socket();
        out[i++] = (float) model.pressure().pcie();
        out[i++] = (float) model.pressure().nic();
        out[i++] = (float) model.sensitivity().socket();
        out[i++] = (float) model.sensitivity().pcie();
        out[i++] = (float) model.sensitivity().nic();
        out[i++] = dispatcher.queues().hops(job) / 2f;
        out[i++] = dispatcher.masker().isWide(job) ? 1 : 0;
        out[i++] = Math.min(view.preemptions(job), 4) / 4f;
        out[i++] = dispatcher.queues().domainOf(job) == agent ? 0 : 1; // waits in another domain
        writePlaces(view, dispatcher, agent, job, mayDisplace, out, i);
    }

    /** What places there are for the job now, here and elsewhere. */
    private void writePlaces(
            SimView view, ActionExecutor dispatcher, int agent, int job, boolean mayDisplace, float[] out, int at) {
        DomainQueues queues = dispatcher.queues();
        JobSpec spec = view.job(job);
        int minimum = topology.fewestServers(spec.gpus());
        int here = dispatcher.masker().serversAtHome(agent, job);
        int anywhere = dispatcher.masker().canStart(job) ? queues.free().fewestServers(spec.gpus()) : 0;
        float free = (float) view.cluster().free() / topology.gpus();
        double waited = (view.nowNanos() - view.queuedSinceNanos(job)) / 1e9;
        int i = at;
        out[i++] = here > 0 ? 1 : 0; // it can start here
        out[i++] = anywhere > 0 ? 1 : 0; // it can start, maybe with GPUs of other domains
        out[i++] = here == minimum ? 1 : 0; // a consolidated place is free here
        out[i++] = anywhere == minimum && here != minimum ? 1 : 0; // there is one with GPUs of other domains
        out[i++] = isConsolidatedElsewhere(queues, agent, spec.gpus(), minimum) ? 1 : 0; // another domain has one
        out[i++] = here > 0 ? Math.min(4, here - minimum) / 4f : 1; // servers more than necessary
        out[i++] = here > minimum ? (float) (waited / (waited + ResidualTimeFloor.seconds(view, job))) : 0;
        out[i++] = free;
        out[i++] = Math.max(0, free - (float) spec.gpus() / topology.gpus()); // free when it has started
        out[i++] = logTime(ResidualTimeFloor.seconds(view, job)) * (1 - free); // long jobs when the cluster is full
        if (here > 0) {
            preview.find(view, job, domains.firstServer(agent), domains.endServer(agent), here);
            out[i] = (float) Math.min(2, preview.own() - 1);
            out[i + 1] = (float) Math.min(2, preview.harm());
            out[i + 2] = (float) preview.leftover();
            out[i + 3] = preview.opensServer() ? 1 : 0;
        }
        out[i + 4] = looserThanElsewhere(queues.free(), agent, spec.gpus());
        i += 5;
        PreemptionPlan plan = mayDisplace ? dispatcher.masker().planner(agent).plan(job) : null;
        if (plan != null) {
            out[i] = (float) Math.min(4, plan.cost());
            out[i + 1] = Math.min(8, plan.victims().size()) / 8f;
            out[i + 2] = 1; // pushing others out makes a place
            out[i + 3] = leastRunHours(view, plan.victims());
        }
    }

    /** How long the victim that started last has run, in the scale of {@link #logTime}. */
    private static float leastRunHours(SimView view, PreemptionSet victims) {
        double least = Double.POSITIVE_INFINITY;
        for (int v = 0; v < victims.size(); v++) {
            least = Math.min(least, view.runNanos(victims.job(v)) / 1e9);
        }
        return logTime(least);
    }

    /** GPUs that the tightest server here leaves free more than the tightest of all, as a part of a server; 0 at least. */
    private float looserThanElsewhere(ServersByFreeGpus free, int agent, int gpus) {
        int here = free.tightestLeftover(agent, gpus);
        return here <= 0 ? 0 : (float) (here - free.tightestLeftover(gpus)) / topology.widestServer();
    }

    private boolean isConsolidatedElsewhere(DomainQueues queues, int agent, int gpus, int minimum) {
        for (int domain = 0; domain < domains.count(); domain++) {
            if (domain != agent
                    && queues.canEverHost(domain, gpus)
                    && queues.free().fewestServers(domain, gpus) == minimum) {
                return true;
            }
        }
        return false;
    }

    /** 0 at nothing, about 0.4 at an hour, 0.75 at a day... on a logarithmic scale. */
    static float logTime(double seconds) {
        return (float) (Math.log1p(seconds / MINUTE) / 10);
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
