package org.trainyard.env.gym;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.PlacementPool;
import org.trainyard.env.workload.JobSpec;

/**
 * Turns the agents' actions into the simulator's decisions: who may do what now, jobs taken up, gangs half built, holds, hops.
 *
 * <p>The environment and a deployed policy run the same dispatcher, so a policy meets in service what it met in training. One
 * instance serves one run. The rules:
 *
 * <ol>
 *   <li>The window shows three quarters least predicted work first, one quarter oldest first; held jobs are not in it.
 *   <li>A job is on offer when all its workers find a free GPU now, at home or elsewhere, or when it can be forwarded.
 *   <li>A gang is built server by server aside and committed whole, by the action that places its last worker.
 *   <li>Forwarding goes to domains large enough for the job that would be less loaded with it than its own is now, at most
 *       {@code maxHops} times.
 *   <li>Workers that find no free GPU at home may be put on GPUs borrowed from domains the agent names, emptiest servers first.
 *   <li>On an idle cluster an agent with a startable job must start one.
 * </ol>
 */
public final class Dispatcher {
    /** What became of an action. */
    public enum Outcome {
        DONE,
        /** Not on offer: nothing happened, the agent waits for the rest of the instant. */
        ILLEGAL,
        /** On offer when the round began, but another agent was faster: a half-built gang is given up, nothing is lost. */
        CONFLICT
    }

    private final SimView view;
    private final Domains domains;
    private final ActionLayout layout;
    private final int maxHops;
    private final DomainQueues queues;
    private final PlacementBuilder[] builders;
    private final int[] focus;
    private final boolean[] waited;
    private final boolean[] received;
    private final Windows windows;
    private final boolean[][] offered;
    private final boolean[] active;
    private final boolean[] legalNow;
    private long instant = -1;
    private int journalAtRoundStart;
    private Outcome outcome = Outcome.DONE;

    /** Is told what the agents' actions come to. */
    public interface Orders {
        /** Start the job there. */
        void start(int job, Placement placement);

        /** Hand the waiting job to the domain. */
        void forward(int job, int domain);
    }

    public Dispatcher(SimView view, Domains domains, ActionLayout layout, int maxHops) {
        this(view, domains, layout, maxHops, null);
    }

    /** @param pool where placements on several servers come from; null to make them anew */
    Dispatcher(SimView view, Domains domains, ActionLayout layout, int maxHops, @Nullable PlacementPool pool) {
        this.view = view;
        this.domains = domains;
        this.layout = layout;
        this.maxHops = maxHops;
        queues = new DomainQueues(domains, view);
        builders = new PlacementBuilder[domains.count()];
        Arrays.setAll(builders, d -> new PlacementBuilder(view.topology(), view.cluster(), pool));
        focus = new int[domains.count()];
        Arrays.fill(focus, SimView.NONE);
        waited = new boolean[domains.count()];
        received = new boolean[domains.count()];
        windows = new Windows(queues, domains.count(), layout.window());
        offered = new boolean[domains.count()][layout.size()];
        active = new boolean[domains.count()];
        legalNow = new boolean[layout.size()];
    }

    /**
     * Begins a round: takes in what the simulator did since the last call, and says what is on offer to each agent. A new instant
     * ends holds and waits. In a round every agent acts at most once, on the windows and offers the round began with.
     */
    public void beginRound() {
        queues.sync();
        journalAtRoundStart = view.journalSize();
        if (view.nowNanos() != instant) {
            instant = view.nowNanos();
            Arrays.fill(waited, false);
        }
        windows.at(instant, view.arrived());
        for (int agent = 0; agent < domains.count(); agent++) {
            received[agent] = false;
            if (focus[agent] != SimView.NONE && !stillBuildable(agent)) {
                giveUp(agent);
            }
            windows.fill(agent);
            legal(agent, offered[agent]);
            active[agent] = offersMoreThanWaiting(offered[agent]);
        }
    }

    private static boolean offersMoreThanWaiting(boolean[] mask) {
        for (int action = 1; action < mask.length; action++) {
            if (mask[action]) {
                return true;
            }
        }
        return false;
    }

    /** Jobs in the agent's window. */
    public int windowSize(int agent) {
        return windows.size(agent);
    }

    public int windowJob(int agent, int slot) {
        return windows.job(agent, slot);
    }

    /** The job the agent has taken up, or {@link SimView#NONE}. */
    public int focus(int agent) {
        return focus[agent];
    }

    /** The gang the agent is building. */
    PlacementBuilder builder(int agent) {
        return builders[agent];
    }

    DomainQueues queues() {
        return queues;
    }

    /** Whether the action is on offer to the agent in this round; waiting is, unless a job is taken up or must be started. */
    public boolean isOffered(int agent, int action) {
        return action >= 0 && action < layout.size() && offered[agent][action];
    }

    /** Whether the agent has anything to choose in this round. */
    public boolean isActive(int agent) {
        return active[agent];
    }

    public boolean anyActive() {
        for (boolean one : active) {
            if (one) {
                return true;
            }
        }
        return false;
    }

    private void legal(int agent, boolean[] mask) {
        Arrays.fill(mask, false);
        if (focus[agent] != SimView.NONE) {
            legalForFocus(agent, mask);
            return;
        }
        boolean mustStart = mustStart(agent);
        mask[ActionLayout.WAIT] = !mustStart;
        if (waited[agent]) {
            mask[ActionLayout.WAIT] = true;
            return;
        }
        for (int slot = 0; slot < windows.size(agent); slot++) {
            int job = windows.job(agent, slot);
            mask[layout.slot(slot)] = startable(job) || (!mustStart && forwardable(agent, job));
        }
    }

    private void legalForFocus(int agent, boolean[] mask) {
        int job = focus[agent];
        PlacementBuilder builder = builders[agent];
        boolean startable = startable(job);
        if (startable) {
            for (int i = 0; i < domains.servers(agent); i++) {
                mask[layout.server(i)] = builder.available(domains.firstServer(agent) + i) > 0;
            }
        }
        boolean begun = builder.count() > 0;
        boolean mustStart = startable && view.runningCount() == 0;
        mask[layout.hold()] = !begun && !mustStart;
        boolean needsMore = startable && view.job(job).gpus() - builder.count() > available(agent, agent);
        for (int domain = 0; domain < domains.count(); domain++) {
            mask[layout.borrow(domain)] = needsMore && domain != agent && available(agent, domain) > 0;
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
    boolean isWide(int job) {
        return view.job(job).gpus() > domains.mostGpus();
    }

    /** Whether all the job's workers find a free GPU now, at home or borrowed. */
    boolean startable(int job) {
        return view.job(job).gpus() <= view.cluster().free()
                && view.isWithinQuota(job, view.job(job).gpus());
    }

    /** Whether all the job's workers find a free GPU now in the agent's domain. */
    boolean startableAtHome(int agent, int job) {
        return view.job(job).gpus() <= queues.freeIn(agent)
                && view.isWithinQuota(job, view.job(job).gpus());
    }

    private boolean forwardable(int agent, int job) {
        for (int domain = 0; domain < domains.count(); domain++) {
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

    /** Free GPUs of the domain that the agent's gang has not taken yet. */
    private int available(int agent, int domain) {
        int available = 0;
        for (int i = 0; i < domains.servers(domain); i++) {
            available += builders[agent].available(domains.firstServer(domain) + i);
        }
        return available;
    }

    /**
     * Makes one action of one agent; {@link #outcome} says how it went.
     *
     * @param orders is told what the action came to, if it was not the agent's own affair; the simulator must have done it before the
     *     next agent acts
     */
    public void act(int agent, int action, Orders orders) {
        if (!isOffered(agent, action)) {
            outcome = Outcome.ILLEGAL;
            giveUp(agent);
            waited[agent] = true;
            return;
        }
        if (view.journalSize() != journalAtRoundStart && !isStillLegal(agent, action)) {
            outcome = Outcome.CONFLICT;
            giveUp(agent);
            return;
        }
        outcome = Outcome.DONE;
        perform(agent, action, orders);
    }

    private boolean isStillLegal(int agent, int action) {
        queues.sync();
        legal(agent, legalNow);
        return legalNow[action] && (focus[agent] == SimView.NONE || stillBuildable(agent));
    }

    private void perform(int agent, int action, Orders orders) {
        if (action == ActionLayout.WAIT) {
            waited[agent] = !received[agent]; // it has not seen a job forwarded to it in this round
            return;
        }
        if (layout.slotOf(action) >= 0) {
            focus[agent] = windows.job(agent, layout.slotOf(action));
            return;
        }
        int job = focus[agent];
        if (action == layout.hold()) {
            windows.hold(job);
            giveUp(agent);
            return;
        }
        int target = layout.forwardOf(action);
        if (target >= 0) {
            giveUp(agent);
            queues.forward(job, target);
            waited[target] = false;
            received[target] = true;
            orders.forward(job, target);
        } else {
            place(agent, job, action, orders);
        }
    }

    private void place(int agent, int job, int action, Orders orders) {
        int demand = view.job(job).gpus();
        int lender = layout.borrowOf(action);
        if (lender >= 0) {
            borrow(agent, lender, demand);
        } else {
            int server = domains.firstServer(agent) + layout.serverOf(action);
            builders[agent].take(server, Math.min(demand - builders[agent].count(), builders[agent].available(server)));
        }
        if (builders[agent].count() == demand) {
            focus[agent] = SimView.NONE;
            orders.start(job, builders[agent].build());
        }
    }

    private void borrow(int agent, int domain, int demand) {
        PlacementBuilder builder = builders[agent];
        while (builder.count() < demand) {
            int best = -1;
            for (int i = 0; i < domains.servers(domain); i++) {
                int server = domains.firstServer(domain) + i;
                if (builder.available(server) > 0
                        && (best < 0 || builder.available(server) > builder.available(best))) {
                    best = server;
                }
            }
            if (best < 0) {
                return;
            }
            builder.take(best, Math.min(demand - builder.count(), builder.available(best)));
        }
    }

    /** How the last action went. */
    public Outcome outcome() {
        return outcome;
    }

    /** Whether the GPUs taken so far are still free, and enough others are. */
    private boolean stillBuildable(int agent) {
        return builders[agent].count() == 0 || (builders[agent].isStillFree() && startable(focus[agent]));
    }

    private void giveUp(int agent) {
        focus[agent] = SimView.NONE;
        builders[agent].clear();
    }
}
