package org.trainyard.env.gym.action;

import java.util.Arrays;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.preemption.PreemptionPlanner;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.JobSpec;

/** Computes the mask of legal actions by the rules of {@link ActionExecutor}. */
public final class ActionMasker {
    private final SimView view;
    private final Domains domains;
    private final ActionSpace actions;
    private final int maxHops;
    private final DomainQueues queues;
    private final PartialPlacements partial;
    private final JobWindows windows;
    /** By agent; none without preemption. */
    private final PreemptionPlanner[] planners;

    ActionMasker(
            SimView view,
            Domains domains,
            ActionSpace actions,
            int maxHops,
            DomainQueues queues,
            PartialPlacements partial,
            PlacementPreview preview) {
        this.view = view;
        this.domains = domains;
        this.actions = actions;
        this.maxHops = maxHops;
        this.queues = queues;
        this.partial = partial;
        windows = new JobWindows(queues, domains.count(), actions.window(), fetchRule());
        planners = new PreemptionPlanner[actions.preemption() ? domains.count() : 0];
        Arrays.setAll(
                planners,
                d -> new PreemptionPlanner(
                        view,
                        domains.firstServer(d),
                        domains.endServer(d),
                        queues.estimator().asRead(),
                        preview));
    }

    private JobWindows.FetchRule fetchRule() {
        return new JobWindows.FetchRule() {
            @Override
            public int gpus(int job) {
                return mayLeave(job) && !partial.isSelected(job) ? queues.gpus(job) : JobWindows.NOT_FETCHED;
            }

            @Override
            public int mostGpus(int agent) {
                return mostFetched(agent);
            }
        };
    }

    JobWindows windows() {
        return windows;
    }

    /** The preemption planner of the agent's domain; only with preemption. */
    public PreemptionPlanner planner(int agent) {
        return planners[agent];
    }

    /**
     * Fills the agent's mask; for an agent that waits, to wait is the only legal action.
     *
     * @param plans whether preemptions are planned, too; else each that is not ruled out at once is set, until {@link #plan}
     * @return whether any action but to wait is legal
     */
    boolean fill(int agent, boolean waits, boolean plans, ActionMask mask) {
        boolean hasSelected = partial.job(agent) != SimView.NONE;
        mask.clear(hasSelected);
        if (hasSelected) {
            fillForSelected(agent, mask);
            return mask.isAnyOfSelected();
        }
        boolean mustStart = mustStart(agent);
        mask.set(ActionSpace.WAIT, !mustStart || waits);
        boolean isMore = false;
        for (int slot = 0; slot < windows.size(agent) && !waits; slot++) {
            int job = windows.job(agent, slot);
            boolean canSelect = canSelect(agent, job, mustStart);
            boolean canPreempt = actions.preemption()
                    && !mustStart
                    && mayPreemptFor(agent, job)
                    && (plans ? planners[agent].plan(job) != null : planners[agent].mayPlan(job));
            isMore |= canSelect || canPreempt;
            mask.set(actions.slot(slot), canSelect);
            if (canPreempt) {
                mask.set(actions.preempt(slot), true);
            }
        }
        return isMore;
    }

    private boolean canSelect(int agent, int job, boolean mustStart) {
        if (queues.domainOf(job) == agent) {
            return isAvailable(agent, job) && (canStart(job) || (!mustStart && canForwardAnywhere(agent, job)));
        }
        return canStartAtHome(agent, job) && mayFetch(agent, job);
    }

    /**
     * Plans the preemptions that are set in a mask and keeps those for which there is a plan.
     *
     * @return whether any action but to wait is legal
     */
    boolean plan(int agent, ActionMask mask) {
        boolean isMore = false;
        for (int slot = 0; slot < windows.size(agent); slot++) {
            int preempt = actions.preempt(slot);
            if (mask.isLegal(preempt) && planners[agent].plan(windows.job(agent, slot)) == null) {
                mask.set(preempt, false);
            }
            isMore |= mask.isLegal(preempt) || mask.isLegal(actions.slot(slot));
        }
        return isMore;
    }

    /** Whether the agent may wait, unless it waits already. */
    boolean mayWait(int agent) {
        return !mustStart(agent);
    }

    /** Whether preemption for the job is legal if there is a plan. */
    private boolean mayPreemptFor(int agent, int job) {
        int gpus = view.job(job).gpus();
        int servers = queues.free().fewestServers(agent, gpus);
        return (servers == 0 || servers > view.topology().fewestServers(gpus))
                && view.isWithinQuota(job, gpus)
                && (queues.domainOf(job) == agent ? isAvailable(agent, job) : mayFetch(agent, job));
    }

    /** Whether the job waits and no other agent has selected it. */
    private boolean isAvailable(int agent, int job) {
        return view.state(job) == JobState.WAITING && !partial.isSelectedByAnother(agent, job);
    }

    /** Whether the agent may select the job although it waits in another domain. */
    private boolean mayFetch(int agent, int job) {
        return queues.gpus(job) <= mostFetched(agent) && mayLeave(job) && isAvailable(agent, job);
    }

    /** Whether an agent with room for the job may fetch it from the domain in which it waits, if no agent has selected it. */
    private boolean mayLeave(int job) {
        return queues.hops(job) < maxHops && (actions.preemption() || queues.isWithinQuota(job));
    }

    /** GPUs of the widest job that the agent may fetch. */
    private int mostFetched(int agent) {
        return actions.preemption() ? domains.gpus(agent) : queues.free().free(agent);
    }

    private void fillForSelected(int agent, ActionMask mask) {
        int job = partial.job(agent);
        PlacementBuilder builder = partial.builder(agent);
        boolean canStart = canStart(job);
        if (canStart) {
            for (int i = 0; i < domains.servers(agent); i++) {
                mask.set(actions.server(i), builder.available(domains.firstServer(agent) + i) > 0);
            }
        }
        boolean isBegun = builder.count() > 0;
        boolean mustStart = canStart && view.runningCount() == 0;
        mask.set(actions.hold(), !isBegun && !mustStart);
        int wanted = canStart ? partial.wantedLoan(agent) : 0;
        for (int domain = 0; domain < domains.count(); domain++) {
            mask.set(actions.borrow(domain), wanted > 0 && domain != agent && partial.fit(agent, domain) == wanted);
            mask.set(actions.forward(domain), !isBegun && !mustStart && canForward(agent, job, domain));
        }
    }

    private boolean mustStart(int agent) {
        if (view.runningCount() > 0) {
            return false;
        }
        for (int slot = 0; slot < windows.size(agent); slot++) {
            if (canStart(windows.job(agent, slot))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the job has more workers than any domain has GPUs. */
    public boolean isWide(int job) {
        return view.job(job).gpus() > domains.mostGpus();
    }

    /** Whether the job's gang fits on the free GPUs of the cluster, and in its quota. */
    public boolean canStart(int job) {
        return queues.gpus(job) <= view.cluster().free() && queues.isWithinQuota(job);
    }

    /** Whether the job's gang fits on the free GPUs of the agent's domain, and in its quota. */
    boolean canStartAtHome(int agent, int job) {
        return queues.gpus(job) <= queues.free().free(agent) && queues.isWithinQuota(job);
    }

    /** The fewest servers of the agent's domain on whose free GPUs the job can start; 0 when it cannot start there. */
    public int serversAtHome(int agent, int job) {
        return canStartAtHome(agent, job) ? queues.free().fewestServers(agent, queues.gpus(job)) : 0;
    }

    /** The fewest servers of the cluster on whose free GPUs the job can start; 0 when it cannot start. */
    public int serversAnywhere(int job) {
        return canStart(job) ? queues.free().fewestServers(queues.gpus(job)) : 0;
    }

    /** Whether the job can start on as few servers as any place has for so many GPUs, in the agent's domain. */
    public boolean isConsolidatedAtHome(int agent, int job) {
        return serversAtHome(agent, job) == view.topology().fewestServers(queues.gpus(job));
    }

    /** A cost that no preemption plan of the agent for the job is below; infinity when there can be none. */
    public double leastPlanCost(int agent, int job) {
        return planners[agent].leastCost(job);
    }

    /** The cost of the agent's preemption plan for the job; infinity when there is none that costs less than the limit. */
    public double planCost(int agent, int job, double limit) {
        PreemptionPlan plan = planners[agent].plan(job, limit);
        return plan == null || plan.cost() >= limit ? Double.POSITIVE_INFINITY : plan.cost();
    }

    /** Whether the job can start on as few servers as any place has for so many GPUs, in one domain or across domains. */
    public boolean isConsolidated(int job) {
        return serversAnywhere(job) == view.topology().fewestServers(queues.gpus(job));
    }

    /** Of the {@linkplain DomainQueues#sizes sizes} of jobs, those of which a job {@link #isConsolidated}, if its quota allows it, as bits. O(sizes). */
    long consolidatedSizes() {
        return queues.sizes()
                .bitsOf(gpus -> gpus <= view.cluster().free()
                        && queues.free().fewestServers(gpus) == view.topology().fewestServers(gpus));
    }

    private boolean canForwardAnywhere(int agent, int job) {
        boolean mayHop = queues.hops(job) < maxHops;
        for (int domain = 0; domain < domains.count() && mayHop; domain++) {
            if (canForward(agent, job, domain)) {
                return true;
            }
        }
        return false;
    }

    private boolean canForward(int agent, int job, int domain) {
        JobSpec spec = view.job(job);
        return domain != agent
                && queues.hops(job) < maxHops
                && queues.canEverHost(domain, spec.gpus())
                && queues.loadWith(domain, spec.gpus()) < queues.load(agent);
    }
}
