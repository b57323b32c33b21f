package org.trainyard.env.gym.observation;

import java.util.Arrays;
import java.util.function.Predicate;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;

/**
 * Writes an agent's observation into a caller's array, without allocating; in training, evaluation and service alike.
 *
 * <p>It reads what a scheduler may read, and predicts interference by a belief, never by the simulator's truth. Not for use by several
 * threads.
 */
public final class Observer {
    /** Steps per unit of scaled time in {@link GpuColumn#REMAINING_TIME}: one is about a sixth of the time. */
    private static final float TIME_STEPS = 64;

    private final Topology topology;
    private final Domains domains;
    private final ObservationSpace spec;
    private final PlacementPreview preview;
    private final JobFeatures jobFeatures;
    private final CandidateFeatures candidateFeatures;
    private final FabricFeatures fabricFeatures;
    private final float nvlinkBandwidth;
    private final float pcieBandwidth;

    public Observer(Topology topology, Domains domains, int window, boolean preemption, InterferenceModel belief) {
        this(topology, domains, window, preemption, belief, column -> true);
    }

    /** @param reads the columns of jobs that somebody reads; others may stay 0 */
    public Observer(
            Topology topology,
            Domains domains,
            int window,
            boolean preemption,
            InterferenceModel belief,
            Predicate<JobColumn> reads) {
        this.topology = topology;
        this.domains = domains;
        fabricFeatures = new FabricFeatures(topology, domains);
        spec = new ObservationSpace(
                new ActionSpace(window, domains.mostServers(), domains.count(), preemption),
                mostSockets(topology),
                mostGpusPerSocket(topology),
                fabricFeatures.leaves(),
                fabricFeatures.pods());
        nvlinkBandwidth = LinkColumn.scaledBandwidth(topology.fabric().nvlink().bytesPerSecond());
        pcieBandwidth = LinkColumn.scaledBandwidth(topology.fabric().pcie().bytesPerSecond());
        preview = new PlacementPreview(topology, belief);
        jobFeatures = new JobFeatures(topology, domains, preview, reads);
        candidateFeatures = new CandidateFeatures(topology, preview.costs());
    }

    /** Placement previews by the belief of the agents. */
    public PlacementPreview preview() {
        return preview;
    }

    public Domains domains() {
        return domains;
    }

    private static int mostSockets(Topology topology) {
        int most = 1;
        for (int server = 0; server < topology.servers(); server++) {
            most = Math.max(most, topology.server(server).sockets());
        }
        return most;
    }

    private static int mostGpusPerSocket(Topology topology) {
        int most = 1;
        for (int server = 0; server < topology.servers(); server++) {
            most = Math.max(
                    most, topology.gpusOn(server) / topology.server(server).sockets());
        }
        return most;
    }

    public ObservationSpace spec() {
        return spec;
    }

    /** Writes the agent's row to {@code out[at .. at + spec().size() - 1]}. */
    public void write(SimView view, ActionExecutor executor, int agent, float[] out, int at) {
        Arrays.fill(out, at, at + spec.size(), 0);
        for (int s = 0; s < domains.servers(agent); s++) {
            int server = domains.firstServer(agent) + s;
            writeGpus(view, server, out, at + spec.gpusAt() + s * spec.gpusPerServer() * ObservationSpace.GPU);
            writeServer(view, server, out, at + spec.serversAt() + s * ObservationSpace.SERVER);
        }
        for (int domain = 0; domain < domains.count(); domain++) {
            writeDomain(executor, agent, domain, out, at + spec.domainsAt() + domain * ObservationSpace.DOMAIN);
        }
        fabricFeatures.write(view, agent, spec, out, at);
        writeGlobal(view, executor, agent, out, at + spec.globalAt());
        writeChoices(view, executor, agent, true, out, at);
    }

    /** Writes only the sections candidates, jobs, focus and mask; the others stay as they are. */
    public void writeOffers(SimView view, ActionExecutor executor, int agent, float[] out, int at) {
        writeOffers(view, executor, agent, true, out, at);
    }

    /**
     * Writes the sections candidates, jobs, focus and mask without the columns of preemption plans, which
     * {@link #writePlan} writes.
     */
    public void writeOffersWithoutPlans(SimView view, ActionExecutor executor, int agent, float[] out, int at) {
        writeOffers(view, executor, agent, false, out, at);
    }

    private void writeOffers(SimView view, ActionExecutor executor, int agent, boolean plans, float[] out, int at) {
        Arrays.fill(out, at + spec.candidatesAt(), at + spec.domainsAt(), 0);
        writeChoices(view, executor, agent, plans, out, at);
    }

    /** Writes the columns of the preemption plan for the job in a slot; returns whether there is one of less cost than the limit. */
    public boolean writePlan(
            SimView view, ActionExecutor executor, int agent, int slot, double limit, float[] out, int at) {
        PreemptionPlan plan = executor.masker().planner(agent).plan(executor.windowJob(agent, slot), limit);
        if (plan == null || plan.cost() >= limit) {
            return false;
        }
        JobFeatures.writePlan(view, plan, out, at + spec.jobsAt() + slot * ObservationSpace.JOB);
        return true;
    }

    private void writeChoices(SimView view, ActionExecutor executor, int agent, boolean plans, float[] out, int at) {
        int focus = executor.focus(agent);
        for (int s = 0; s < domains.servers(agent) && focus != SimView.NONE; s++) {
            candidateFeatures.write(
                    view,
                    executor.builder(agent),
                    focus,
                    domains.firstServer(agent) + s,
                    out,
                    at + spec.candidatesAt() + s * ObservationSpace.CANDIDATE);
        }
        for (int slot = 0; slot < executor.windowSize(agent); slot++) {
            int job = executor.windowJob(agent, slot);
            boolean mayDisplace =
                    plans && executor.isLegal(agent, spec.actions().preempt(slot));
            jobFeatures.write(
                    view, executor, agent, job, mayDisplace, out, at + spec.jobsAt() + slot * ObservationSpace.JOB);
        }
        if (focus != SimView.NONE) {
            jobFeatures.write(view, executor, agent, focus, false, out, at + spec.focusAt());
        }
        executor.writeMask(agent, out, at + spec.maskAt());
    }

    /** The GPUs of a server, socket by socket. */
    private void writeGpus(SimView view, int server, float[] out, int at) {
        ServerSpec inside = topology.server(server);
        int perSocket = topology.gpusOn(server) / inside.sockets();
        boolean nvlink = hasNvlink(server);
        for (int g = 0; g < topology.gpusOn(server); g++) {
            int owner = view.cluster().owner(topology.firstGpu(server) + g);
            int slot = g / perSocket * spec.gpusPerSocket() + g % perSocket;
            int gpu = at + slot * ObservationSpace.GPU;
            set(out, gpu, GpuColumn.PRESENT, 1);
            set(out, gpu, GpuColumn.FREE, owner == Cluster.FREE ? 1 : 0);
            set(out, gpu, GpuColumn.NVLINK_BANDWIDTH, nvlink ? nvlinkBandwidth : 0);
            set(out, gpu, GpuColumn.PCIE_BANDWIDTH, pcieBandwidth);
            if (owner >= 0) {
                writeRunning(view, owner, out, gpu);
                boolean rings = view.placement(owner).gpuCount() > 1;
                boolean spans = view.placement(owner).serverCount() > 1;
                set(out, gpu, GpuColumn.NVLINK_RING, nvlink && gpusHere(view, owner, server) > 1 ? 1 : 0);
                set(out, gpu, GpuColumn.PCIE_RING, spans || (rings && !nvlink) ? 1 : 0);
            }
        }
    }

    private static void writeRunning(SimView view, int job, float[] out, int at) {
        Placement placement = view.placement(job);
        ModelProfile model = view.job(job).model();
        float remaining = JobColumn.scaledTime(view.predictedRemainingSeconds(job));
        set(out, at, GpuColumn.PRESSURE_SOCKET, (float) model.pressure().socket());
        set(out, at, GpuColumn.PRESSURE_PCIE, (float) model.pressure().pcie());
        set(
                out,
                at,
                GpuColumn.PRESSURE_NIC,
                placement.serverCount() > 1 ? (float) model.pressure().nic() : 0);
        set(
                out,
                at,
                GpuColumn.SENSITIVITY,
                (float) (model.sensitivity().socket() + model.sensitivity().pcie()) / 2);
        set(out, at, GpuColumn.REMAINING_TIME, Math.round(remaining * TIME_STEPS) / TIME_STEPS);
        set(out, at, GpuColumn.JOB_GPUS, (float) (Math.log(placement.gpuCount()) / Math.log(2) / 6));
    }

    private static int gpusHere(SimView view, int job, int server) {
        Placement placement = view.placement(job);
        return placement.gpusOn(placement.indexOf(server));
    }

    private boolean hasNvlink(int server) {
        return topology.server(server).nvlink() && topology.gpusOn(server) > 1;
    }

    private void writeServer(SimView view, int server, float[] out, int at) {
        int size = Math.max(1, topology.gpusOn(server));
        set(out, at, ServerColumn.PRESENT, 1);
        set(out, at, ServerColumn.FREE, (float) view.cluster().freeOn(server) / size);
        set(out, at, ServerColumn.GPUS, size / 8f);
        set(out, at, ServerColumn.JOBS, view.cluster().jobsOn(server) / 8f);
        set(out, at, ServerColumn.NVLINK, hasNvlink(server) ? 1 : 0);
        set(out, at, ServerColumn.SPEED, (float)
                topology.server(server).gpuType().speed());
        set(out, at, ServerColumn.UPI_BANDWIDTH, topology.server(server).sockets() > 1 ? pcieBandwidth : 0);
        set(out, at, ServerColumn.UPI_RINGS, jobsAcrossSockets(view, server) / 8f);
        set(
                out,
                at,
                ServerColumn.NIC_BANDWIDTH,
                LinkColumn.scaledBandwidth(topology.nic(server).bytesPerSecond()));
        set(out, at, ServerColumn.NIC_RINGS, fabricFeatures.ringsOnNic(view, server) / 8f);
    }

    private static int jobsAcrossSockets(SimView view, int server) {
        int across = 0;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            Placement placement = view.placement(view.cluster().jobOn(server, n));
            across += Long.bitCount(placement.socketsOn(placement.indexOf(server))) > 1 ? 1 : 0;
        }
        return across;
    }

    private void writeDomain(ActionExecutor executor, int agent, int domain, float[] out, int at) {
        DomainQueues queues = executor.queues();
        int gpus = domains.gpus(domain);
        double load = queues.load(domain) - queues.load(agent);
        set(out, at, DomainColumn.PRESENT, 1);
        set(out, at, DomainColumn.OWN, domain == agent ? 1 : 0);
        set(out, at, DomainColumn.FREE, (float) queues.free().free(domain) / gpus);
        set(out, at, DomainColumn.QUEUED_GPUS, (float) Math.log1p((double) queues.queuedGpus(domain) / gpus));
        set(out, at, DomainColumn.QUEUED_JOBS, (float) Math.log1p(queues.queued(domain)) / 5);
        set(out, at, DomainColumn.RELATIVE_LOAD, (float) Math.max(-2, Math.min(2, load)));
        set(out, at, DomainColumn.JOBS, (float) Math.log1p(queues.inSystem(domain)) / 5);
        set(out, at, DomainColumn.SIZE, (float) gpus / domains.mostGpus());
    }

    private void writeGlobal(SimView view, ActionExecutor executor, int agent, float[] out, int at) {
        int focus = executor.focus(agent);
        double dayAngle = view.nowNanos() / 86_400e9 * 2 * Math.PI;
        if (focus != SimView.NONE) {
            int placed = executor.builder(agent).count();
            set(out, at, GlobalColumn.HAS_FOCUS, 1);
            set(out, at, GlobalColumn.PLACED, (float) placed / view.job(focus).gpus());
        }
        set(out, at, GlobalColumn.FREE, (float) view.cluster().free() / topology.gpus());
        set(out, at, GlobalColumn.WAITING, (float) Math.log1p(view.waitingCount()) / 5);
        set(out, at, GlobalColumn.RUNNING, (float) Math.log1p(view.runningCount()) / 5);
        set(
                out,
                at,
                GlobalColumn.OWN_QUEUE,
                (float) Math.log1p(executor.queues().queued(agent)) / 5);
        set(out, at, GlobalColumn.WINDOW, executor.windowSize(agent) / (float) spec.window());
        set(out, at, GlobalColumn.DAY_SINE, (float) Math.sin(dayAngle));
        set(out, at, GlobalColumn.DAY_COSINE, (float) Math.cos(dayAngle));
    }

    private static void set(float[] out, int at, ObservationColumn column, float value) {
        out[at + column.index()] = value;
    }
}
