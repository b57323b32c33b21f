package org.trainyard.env.gym.action;

import java.util.Arrays;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.JobSpec;

/** Says which actions an agent has a choice of now, by the rules of {@link ActionExecutor}. */
public final class ActionMasker {
    private final SimView view;
    private final Domains domains;
    private final ActionSpace layout;
    private final int maxHops;
    private final DomainQueues queues;
    private final PartialPlacements gangs;
    private final JobWindows windows;
    private final PreemptionPlanner clearing;

    ActionMasker(
            SimView view,
            Domains domains,
            ActionSpace layout,
            int maxHops,
            DomainQueues queues,
            PartialPlacements gangs,
            PlacementPreview outlook) {
        this.view = view;
        this.domains = domains;
        this.layout = layout;
        this.maxHops = maxHops;
        this.queues = queues;
        this.gangs = gangs;
        windows = new JobWindows(queues, domains.count(), layout.window(), this::mayFetch);
        clearing = new PreemptionPlanner(view, domains, queues, outlook);
    }

    /** The jobs that agents see. */
    JobWindows windows() {
        return windows;
    }

    /** What pushing others out for a job would come to. */
    public PreemptionPlanner clearing() {
        return clearing;
    }

    /** Fills the mask; an agent that waits has nothing but to wait. */
    void fill(int agent, boolean waits, boolean[] mask) {
        Arrays.fill(mask, false);
        if (gangs.job(agent) != SimView.NONE) {
            legalForFocus(agent, mask);
            return;
        }
        boolean mustStart = mustStart(agent);
        mask[ActionSpace.WAIT] = !mustStart;
        if (waits) {
            mask[ActionSpace.WAIT] = true;
            return;
        }
        for (int slot = 0; slot < windows.size(agent); slot++) {
            int job = windows.job(agent, slot);
            mask[layout.slot(slot)] = canTakeUp(agent, job, mustStart);
            if (layout.preemption()) {
                mask[layout.displace(slot)] = !mustStart && canDisplaceFor(agent, job);
            }
        }
    }

    /** Whether a mask leaves anything to choose. */
    static boolean isMoreThanWaiting(boolean[] mask) {
        for (int action = 1; action < mask.length; action++) {
            if (mask[action]) {
                return true;
            }
        }
        return false;
    }

    private boolean canTakeUp(int agent, int job, boolean mustStart) {
        if (queues.domainOf(job) == agent) {
            return isFree(agent, job) && (startable(job) || (!mustStart && forwardable(agent, job)));
        }
        return startableAtHome(agent, job) && mayFetch(agent, job);
    }

    private boolean canDisplaceFor(int agent, int job) {
        int needed = queues.serversNeeded(agent, view.job(job).gpus());
        return (needed == 0 || needed > queues.fewestServers(view.job(job).gpus()))
                && view.isWithinQuota(job, view.job(job).gpus())
                && (queues.domainOf(job) == agent ? isFree(agent, job) : mayFetch(agent, job))
                && clearing.find(agent, job);
    }

    /** Whether the job waits and no other agent has taken it up. */
    private boolean isFree(int agent, int job) {
        return view.state(job) == JobState.WAITING && !gangs.isTakenUpByAnother(agent, job);
    }

    /** Whether the agent may take the job over from the domain where it waits. */
    private boolean mayFetch(int agent, int job) {
        return queues.hops(job) < maxHops
                && queues.canEverHost(agent, view.job(job).gpus())
                && (layout.preemption() || startableAtHome(agent, job))
                && isFree(agent, job);
    }

    private void legalForFocus(int agent, boolean[] mask) {
        int job = gangs.job(agent);
        PlacementBuilder builder = gangs.builder(agent);
        boolean startable = startable(job);
        if (startable) {
            for (int i = 0; i < domains.servers(agent); i++) {
                mask[layout.server(i)] = builder.available(domains.firstServer(agent) + i) > 0;
            }
        }
        boolean begun = builder.count() > 0;
        boolean mustStart = startable && view.runningCount() == 0;
        mask[layout.hold()] = !begun && !mustStart;
        int wanted = startable ? gangs.wantedLoan(agent) : 0;
        for (int domain = 0; domain < domains.count(); domain++) {
            mask[layout.borrow(domain)] = wanted > 0 && domain != agent && gangs.fit(agent, domain) == wanted;
            mask[layout.forward(domain)] = !begun && !mustStart && canForward(agent, job, domain);
        }
    }

    private boolean mustStart(int agent) {
        if (view.runningCount() > 0) {
            return false;
        }
        for (int slot = 0; slot < windows.size(agent); slot++) {
            if (startable(windows.job(agent, slot))) {
                return true;
            }
        }
        return false;
    }

    /** Whether no single domain can ever hold the job. */
    public boolean isWide(int job) {
        return view.job(job).gpus() > domains.mostGpus();
    }

    /** Whether all the job's workers find a free GPU now, at home or borrowed. */
    public boolean startable(int job) {
        return view.job(job).gpus() <= view.cluster().free()
                && view.isWithinQuota(job, view.job(job).gpus());
    }

    /** Whether all the job's workers find a free GPU now in the agent's domain. */
    boolean startableAtHome(int agent, int job) {
        return view.job(job).gpus() <= queues.freeIn(agent)
                && view.isWithinQuota(job, view.job(job).gpus());
    }

    /** Servers on which the job could start at home now, the emptiest first; 0 when it cannot. */
    public int serversAtHome(int agent, int job) {
        return startableAtHome(agent, job)
                ? queues.serversNeeded(agent, view.job(job).gpus())
                : 0;
    }

    private boolean forwardable(int agent, int job) {
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
