package org.trainyard.env.gym.observation;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.scheduling.placement.ServersByFreeGpus;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/** Writes the {@link JobColumn}s of one waiting job. */
final class JobFeatures {
    private static final Set<JobColumn> OF_PREVIEW = EnumSet.of(
            JobColumn.OWN_SLOWDOWN, JobColumn.NEIGHBOUR_SLOWDOWN, JobColumn.LEFTOVER, JobColumn.OPENS_SERVER);

    private final Topology topology;
    private final Domains domains;
    private final PlacementPreview preview;
    private final boolean readsPreview;

    /** @param reads the columns of interest; those of a placement preview are left at 0 when none of them is */
    JobFeatures(Topology topology, Domains domains, PlacementPreview preview, Predicate<JobColumn> reads) {
        this.topology = topology;
        this.domains = domains;
        this.preview = preview;
        readsPreview = OF_PREVIEW.stream().anyMatch(reads);
    }

    /** @param mayPreempt whether preemption for this job is on offer */
    void write(SimView view, ActionExecutor executor, int agent, int job, boolean mayPreempt, float[] out, int at) {
        JobSpec spec = view.job(job);
        ModelProfile model = spec.model();
        double predicted = ResidualTimeFloor.seconds(view, job);
        double waited = (view.nowNanos() - view.queuedSinceNanos(job)) / 1e9;
        set(out, at, JobColumn.PRESENT, 1);
        set(out, at, JobColumn.GPUS, (float) (Math.log(spec.gpus()) / Math.log(2) / 6));
        set(out, at, JobColumn.GPUS_OF_DOMAIN, (float) spec.gpus() / domains.gpus(agent));
        set(out, at, JobColumn.REMAINING_TIME, JobColumn.scaledTime(predicted));
        set(
                out,
                at,
                JobColumn.REMAINING_WORK,
                JobColumn.scaledTime(executor.queues().estimator().seconds(view, job) * spec.gpus()));
        set(out, at, JobColumn.WAITED, JobColumn.scaledTime(waited));
        set(out, at, JobColumn.WAITED_SHARE, (float) (waited / (waited + predicted)));
        set(out, at, JobColumn.NETWORK_STRETCH, networkStretch(spec));
        set(out, at, JobColumn.PRESSURE_SOCKET, (float) model.pressure().socket());
        set(out, at, JobColumn.PRESSURE_PCIE, (float) model.pressure().pcie());
        set(out, at, JobColumn.PRESSURE_NIC, (float) model.pressure().nic());
        set(out, at, JobColumn.SENSITIVITY_SOCKET, (float) model.sensitivity().socket());
        set(out, at, JobColumn.SENSITIVITY_PCIE, (float) model.sensitivity().pcie());
        set(out, at, JobColumn.SENSITIVITY_NIC, (float) model.sensitivity().nic());
        set(out, at, JobColumn.HOPS, executor.queues().hops(job) / 2f);
        set(out, at, JobColumn.WIDE, executor.masker().isWide(job) ? 1 : 0);
        set(out, at, JobColumn.PREEMPTIONS, Math.min(view.preemptions(job), 4) / 4f);
        set(out, at, JobColumn.WAITS_ELSEWHERE, executor.queues().domainOf(job) == agent ? 0 : 1);
        writePlaces(view, executor, agent, job, out, at);
        PreemptionPlan plan = mayPreempt ? executor.masker().planner(agent).plan(job) : null;
        if (plan != null) {
            writePlan(view, plan, out, at);
        }
    }

    private static void set(float[] out, int at, JobColumn column, float value) {
        out[at + column.index()] = value;
    }

    /** The columns of places that are free for the job now, here and elsewhere. */
    private void writePlaces(SimView view, ActionExecutor executor, int agent, int job, float[] out, int at) {
        DomainQueues queues = executor.queues();
        JobSpec spec = view.job(job);
        int minimum = topology.fewestServers(spec.gpus());
        int here = executor.masker().serversAtHome(agent, job);
        int anywhere = executor.masker().serversAnywhere(job);
        float free = (float) view.cluster().free() / topology.gpus();
        double waited = (view.nowNanos() - view.queuedSinceNanos(job)) / 1e9;
        double remaining = ResidualTimeFloor.seconds(view, job);
        set(out, at, JobColumn.STARTABLE_HERE, here > 0 ? 1 : 0);
        set(out, at, JobColumn.STARTABLE, anywhere > 0 ? 1 : 0);
        set(out, at, JobColumn.CONSOLIDATED_HERE, here == minimum ? 1 : 0);
        set(out, at, JobColumn.CONSOLIDATED_ACROSS, anywhere == minimum && here != minimum ? 1 : 0);
        boolean elsewhere = isConsolidatedElsewhere(queues.free(), agent, spec.gpus(), minimum);
        set(out, at, JobColumn.CONSOLIDATED_ELSEWHERE, elsewhere ? 1 : 0);
        set(out, at, JobColumn.EXTRA_SERVERS, here > 0 ? Math.min(4, here - minimum) / 4f : 1);
        float waitedShare = (float) (waited / (waited + remaining));
        set(out, at, JobColumn.WAITED_SHARE_IF_SPREAD, here > minimum ? waitedShare : 0);
        set(out, at, JobColumn.FREE, free);
        set(out, at, JobColumn.FREE_AFTER, Math.max(0, free - (float) spec.gpus() / topology.gpus()));
        set(out, at, JobColumn.LONG_WHEN_FULL, JobColumn.scaledTime(remaining) * (1 - free));
        if (here > 0 && readsPreview) {
            preview.find(view, job, domains.firstServer(agent), domains.endServer(agent), here);
            set(out, at, JobColumn.OWN_SLOWDOWN, (float) Math.min(2, preview.own() - 1));
            set(out, at, JobColumn.NEIGHBOUR_SLOWDOWN, (float) Math.min(2, preview.harm()));
            set(out, at, JobColumn.LEFTOVER, (float) preview.leftover());
            set(out, at, JobColumn.OPENS_SERVER, preview.opensServer() ? 1 : 0);
        }
        set(out, at, JobColumn.LOOSER_THAN_ELSEWHERE, looserThanElsewhere(queues.free(), agent, spec.gpus()));
    }

    /** The columns of the preemption plan for the job. */
    static void writePlan(SimView view, PreemptionPlan plan, float[] out, int at) {
        double leastRun = Double.POSITIVE_INFINITY;
        for (int v = 0; v < plan.size(); v++) {
            leastRun = Math.min(leastRun, view.runNanos(plan.victim(v)) / 1e9);
        }
        set(out, at, JobColumn.PREEMPTION_COST, (float) Math.min(JobColumn.MOST_COST, plan.cost()));
        set(out, at, JobColumn.PREEMPTED_JOBS, Math.min(8, plan.size()) / 8f);
        set(out, at, JobColumn.CAN_PREEMPT, 1);
        set(out, at, JobColumn.PREEMPTED_LEAST_RUN, JobColumn.scaledTime(leastRun));
    }

    /** {@link JobColumn#LOOSER_THAN_ELSEWHERE}; 0 when no server here has so many free GPUs. */
    private float looserThanElsewhere(ServersByFreeGpus free, int agent, int gpus) {
        int here = free.tightestLeftover(agent, gpus);
        return here <= 0 ? 0 : (float) (here - free.tightestLeftover(gpus)) / topology.widestServer();
    }

    private static boolean isConsolidatedElsewhere(ServersByFreeGpus free, int agent, int gpus, int minimum) {
        int here = free.fewestServers(agent, gpus) == minimum ? 1 : 0;
        return free.partsWith(minimum, gpus) > here;
    }

    /** {@link JobColumn#NETWORK_STRETCH}; 0 for a job of one GPU. */
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
