package org.trainyard.env.gym;

import java.util.Arrays;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;

/**
 * Writes what an agent sees, into a caller's array, without allocating. Training, evaluation and service all see through it.
 *
 * <p>It sees what a scheduler may see, and predicts interference with a belief of its own, never with the simulator's truth. Not for
 * use by several threads.
 */
public final class Observer {
    private final Topology topology;
    private final Domains domains;
    private final ObservationSpec spec;
    private final JobFeatures jobFeatures;
    private final CandidateFeatures candidateFeatures;

    public Observer(Topology topology, Domains domains, int window, boolean preemption, InterferenceModel belief) {
        this.topology = topology;
        this.domains = domains;
        spec = new ObservationSpec(
                new ActionLayout(window, domains.mostServers(), domains.count(), preemption), topology.widestServer());
        Outlook outlook = new Outlook(topology, domains, belief);
        jobFeatures = new JobFeatures(topology, domains, outlook);
        candidateFeatures = new CandidateFeatures(topology, outlook.costs());
    }

    public ObservationSpec spec() {
        return spec;
    }

    /** Writes the agent's row to {@code out[at .. at + spec().size() - 1]}. */
    public void write(SimView view, Dispatcher dispatcher, int agent, float[] out, int at) {
        Arrays.fill(out, at, at + spec.size(), 0);
        for (int s = 0; s < domains.servers(agent); s++) {
            int server = domains.firstServer(agent) + s;
            writeGpus(view, server, out, at + spec.gpusAt() + s * spec.gpusPerServer() * ObservationSpec.GPU);
            writeServer(view, server, out, at + spec.serversAt() + s * ObservationSpec.SERVER);
        }
        for (int domain = 0; domain < domains.count(); domain++) {
            writeDomain(dispatcher, agent, domain, out, at + spec.domainsAt() + domain * ObservationSpec.DOMAIN);
        }
        writeGlobal(view, dispatcher, agent, out, at + spec.globalAt());
        writeChoices(view, dispatcher, agent, out, at);
    }

    /** Writes only what is on offer: candidates, jobs, focus and mask. The other sections of the row are left as they are. */
    public void writeOffers(SimView view, Dispatcher dispatcher, int agent, float[] out, int at) {
        Arrays.fill(out, at + spec.candidatesAt(), at + spec.domainsAt(), 0);
        writeChoices(view, dispatcher, agent, out, at);
    }

    private void writeChoices(SimView view, Dispatcher dispatcher, int agent, float[] out, int at) {
        int focus = dispatcher.focus(agent);
        for (int s = 0; s < domains.servers(agent) && focus != SimView.NONE; s++) {
            candidateFeatures.write(
                    view,
                    dispatcher.builder(agent),
                    focus,
                    domains.firstServer(agent) + s,
                    out,
                    at + spec.candidatesAt() + s * ObservationSpec.CANDIDATE);
        }
        for (int slot = 0; slot < dispatcher.windowSize(agent); slot++) {
            int job = dispatcher.windowJob(agent, slot);
            jobFeatures.write(view, dispatcher, agent, job, out, at + spec.jobsAt() + slot * ObservationSpec.JOB);
        }
        if (focus != SimView.NONE) {
            jobFeatures.write(view, dispatcher, agent, focus, out, at + spec.focusAt());
        }
        for (int action = 0; action < spec.actions().size(); action++) {
            out[at + spec.maskAt() + action] = dispatcher.isOffered(agent, action) ? 1 : 0;
        }
    }

    private void writeGpus(SimView view, int server, float[] out, int at) {
        for (int g = 0; g < topology.gpusOn(server); g++) {
            int gpu = topology.firstGpu(server) + g;
            int owner = view.cluster().owner(gpu);
            int i = at + g * ObservationSpec.GPU;
            out[i++] = 1; // there is a GPU
            out[i++] = (float) topology.socketOf(gpu) / topology.server(server).sockets();
            if (owner == Cluster.FREE) {
                out[i] = 1; // it is free
            }
            if (owner < 0) {
                continue; // free, or out of order
            }
            i++;
            Placement placement = view.placement(owner);
            ModelProfile model = view.job(owner).model();
            boolean spans = placement.serverCount() > 1;
            out[i++] = (float) model.presses().socket();
            out[i++] = (float) model.presses().pcie();
            out[i++] = spans ? (float) model.presses().nic() : 0;
            out[i++] = (float) (model.minds().socket() + model.minds().pcie()) / 2;
            out[i++] = JobFeatures.logTime(view.predictedRemainingSeconds(owner));
            out[i] = (float) (Math.log(placement.gpuCount()) / Math.log(2) / 6);
        }
    }

    private void writeServer(SimView view, int server, float[] out, int at) {
        int size = topology.gpusOn(server);
        int i = at;
        out[i++] = 1; // there is a server
        out[i++] = (float) view.cluster().freeOn(server) / size;
        out[i++] = size / 8f;
        out[i++] = view.cluster().jobsOn(server) / 8f;
        out[i++] = topology.server(server).nvlink() ? 1 : 0;
        out[i] = (float) topology.server(server).gpuType().speed();
    }

    private void writeDomain(Dispatcher dispatcher, int agent, int domain, float[] out, int at) {
        DomainQueues queues = dispatcher.queues();
        int gpus = domains.gpus(domain);
        int i = at;
        out[i++] = 1; // there is a domain
        out[i++] = domain == agent ? 1 : 0;
        out[i++] = (float) queues.freeIn(domain) / gpus;
        out[i++] = (float) Math.log1p((double) queues.queuedGpus(domain) / gpus);
        out[i++] = (float) Math.log1p(queues.queued(domain)) / 5;
        out[i++] = (float) Math.max(-2, Math.min(2, queues.load(domain) - queues.load(agent)));
        out[i++] = (float) Math.log1p(queues.inSystem(domain)) / 5;
        out[i] = (float) gpus / domains.mostGpus();
    }

    private void writeGlobal(SimView view, Dispatcher dispatcher, int agent, float[] out, int at) {
        int focus = dispatcher.focus(agent);
        double dayAngle = view.nowNanos() / 86_400e9 * 2 * Math.PI;
        int i = at;
        out[i++] = focus == SimView.NONE ? 0 : 1; // a job is taken up
        out[i++] = focus == SimView.NONE
                ? 0
                : (float) dispatcher.builder(agent).count() / view.job(focus).gpus();
        out[i++] = (float) view.cluster().free() / topology.gpus();
        out[i++] = (float) Math.log1p(view.waitingCount()) / 5;
        out[i++] = (float) Math.log1p(view.runningCount()) / 5;
        out[i++] = (float) Math.log1p(dispatcher.queues().queued(agent)) / 5;
        out[i++] = dispatcher.windowSize(agent) / (float) spec.window();
        out[i++] = (float) Math.sin(dayAngle);
        out[i] = (float) Math.cos(dayAngle);
    }
}
