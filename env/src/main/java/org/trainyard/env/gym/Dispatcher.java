package org.trainyard.env.gym;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobState;
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
 *   <li>The window shows three quarters least predicted work first, one quarter oldest first; held jobs are not in it. It also
 *       shows jobs that wait in other domains, when they could start here: taking one up fetches it, which is one of its hops.
 *   <li>A job is on offer when all its workers find a free GPU now, at home or elsewhere, or when it can be forwarded.
 *   <li>A gang is built server by server aside and committed whole, by the action that places its last worker.
 *   <li>Forwarding goes to domains large enough for the job that would be less loaded with it than its own is now, at most
 *       {@code maxHops} times.
 *   <li>When another domain has a server that fits the workers left better than all at home (more of them, or with fewer GPUs left
 *       over), GPUs may be borrowed on the best server of such a domain.
 *   <li>With preemption an agent may take up a job and push out others for it, or move them ({@link Clearing}), when it finds no
 *       consolidated place.
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

    private static final int NEVER = -1;
    /** More than any server has GPUs. */
    private static final int MOST_GPUS = 1 << 10;

    private final SimView view;
    private final Domains domains;
    private final ActionLayout layout;
    private final int maxHops;
    private final DomainQueues queues;
    private final PlacementBuilder[] builders;
    private final int[] focus;
    private final int[] waitedAt;
    private final Windows windows;
    private final Clearing clearing;
    private final boolean[][] offered;
    private final boolean[] active;
    private final boolean[] legalNow;
    private int granted = SimView.NONE;
    private long instant = -1;
    private int journalAtRoundStart;
    private Outcome outcome = Outcome.DONE;

    /** Is told what the agents' actions come to. */
    public interface Orders {
        /** Start the job there. */
        void start(int job, Placement placement);

        /** Hand the waiting job to the domain. */
        void forward(int job, int domain);

        /** Push the running job out. */
        void preempt(int job);
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
        waitedAt = new int[domains.count()];
        Arrays.fill(waitedAt, NEVER);
        windows = new Windows(queues, domains.count(), layout.window(), this::mayFetch);
        clearing = new Clearing(view, domains, queues);
        offered = new boolean[domains.count()][layout.size()];
        active = new boolean[domains.count()];
        legalNow = new boolean[layout.size()];
    }

    /**
     * Begins a round: takes in what the simulator did since the last call, and says what is on offer to each agent. A new instant
     * ends holds and waits; a wait also ends when another agent has done something. In a round every agent acts at most once, on the
     * windows and offers the round began with.
     */
    public void beginRound() {
        queues.sync();
        journalAtRoundStart = view.journalSize();
        if (view.nowNanos() != instant) {
            instant = view.nowNanos();
            Arrays.fill(waitedAt, NEVER);
        }
        windows.at(instant, view.arrived());
        for (int agent = 0; agent < domains.count(); agent++) {
            if (focus[agent] != SimView.NONE && !stillBuildable(agent)) {
                giveUp(agent);
            }
            windows.fill(agent);
            legal(agent, offered[agent]);
            active[agent] = offersMoreThanWaiting(offered[agent]);
        }
        letBuildersFinish();
    }

    /** While a gang is being built, nobody else takes up a job. */
    private void letBuildersFinish() {
        boolean building = false;
        for (int job : focus) {
            building |= job != SimView.NONE;
        }
        for (int agent = 0; agent < active.length && building; agent++) {
            active[agent] &= focus[agent] != SimView.NONE;
        }
    }

    /**
     * Says what all agents are about to do in this round, {@code actions[from + agent]}, before the first of them acts: of several jobs
     * that are taken up the one with least predicted work goes first, and the agents of the others see new offers in the next round. Of
     * several agents that take up the same job, the one that pushes nobody out goes first, or else the one whose victims lose least.
     */
    public void announce(int[] actions, int from) {
        granted = SimView.NONE;
        double least = Double.POSITIVE_INFINITY;
        double leastLoss = Double.POSITIVE_INFINITY;
        for (int agent = 0; agent < domains.count(); agent++) {
            int action = actions[from + agent];
            int slot = active[agent] ? slotTakenUp(action) : -1;
            if (slot < 0 || slot >= windows.size(agent)) {
                continue;
            }
            int job = windows.job(agent, slot);
            double work = queues.workLeft(job);
            boolean displaces = layout.displaceOf(action) >= 0;
            double loss = displaces && clearing.find(agent, job) ? clearing.cost() : 0;
            if (granted == SimView.NONE || work < least || (work == least && loss < leastLoss)) {
                granted = agent;
                least = work;
                leastLoss = loss;
            }
        }
    }

    /** The slot whose job the action takes up, or -1. */
    private int slotTakenUp(int action) {
        return Math.max(layout.slotOf(action), layout.displaceOf(action));
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

    ActionLayout layout() {
        return layout;
    }

    /** What pushing others out for a job would come to. */
    Clearing clearing() {
        return clearing;
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
        if (waitedAt[agent] == view.journalSize()) {
            mask[ActionLayout.WAIT] = true;
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
        if (view.state(job) != JobState.WAITING) {
            return false;
        }
        for (int other = 0; other < domains.count(); other++) {
            if (other != agent && focus[other] == job) {
                return false;
            }
        }
        return true;
    }

    /** Whether the agent may take the job over from the domain where it waits. */
    private boolean mayFetch(int agent, int job) {
        return queues.hops(job) < maxHops
                && queues.canEverHost(agent, view.job(job).gpus())
                && (layout.preemption() || startableAtHome(agent, job))
                && isFree(agent, job);
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
        int wanted = startable ? wantedLoan(agent, job) : 0;
        for (int domain = 0; domain < domains.count(); domain++) {
            mask[layout.borrow(domain)] = wanted > 0 && domain != agent && fit(agent, domain, job) == wanted;
            mask[layout.forward(domain)] = !begun && !mustStart && canForward(agent, job, domain);
        }
    }

    /** The {@link #fit} of the best server that others could lend, when it is better than those at home; else 0. */
    private int wantedLoan(int agent, int job) {
        int best = 0;
        for (int domain = 0; domain < domains.count(); domain++) {
            best = domain == agent ? best : Math.max(best, fit(agent, domain, job));
        }
        return best > fit(agent, agent, job) ? best : 0;
    }

    /** How well the domain's best server fits the workers left: most workers first, then least left over; 0 when none has room. */
    private int fit(int agent, int domain, int job) {
        int best = 0;
        for (int i = 0; i < domains.servers(domain); i++) {
            best = Math.max(best, fitOn(agent, domains.firstServer(domain) + i, job));
        }
        return best;
    }

    private int fitOn(int agent, int server, int job) {
        int available = builders[agent].available(server);
        int takes = Math.min(available, view.job(job).gpus() - builders[agent].count());
        return available == 0 ? 0 : takes * MOST_GPUS + MOST_GPUS - 1 - (available - takes);
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
            waitedAt[agent] = journalAtRoundStart;
            return;
        }
        boolean isLate = slotTakenUp(action) >= 0 && agent != granted;
        if (isLate || (view.journalSize() != journalAtRoundStart && !isStillLegal(agent, action))) {
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
            waitedAt[agent] = journalAtRoundStart;
            return;
        }
        if (layout.slotOf(action) >= 0) {
            takeUp(agent, windows.job(agent, layout.slotOf(action)), orders);
            return;
        }
        if (layout.displaceOf(action) >= 0) {
            displaceFor(agent, windows.job(agent, layout.displaceOf(action)), orders);
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
            orders.forward(job, target);
        } else {
            place(agent, job, action, orders);
        }
    }

    private void takeUp(int agent, int job, Orders orders) {
        if (queues.domainOf(job) != agent) {
            queues.forward(job, agent);
            orders.forward(job, agent);
        }
        focus[agent] = job;
    }

    private void displaceFor(int agent, int job, Orders orders) {
        clearing.find(agent, job);
        Clearing.Victims victims = clearing.victims();
        for (int v = 0; v < victims.count(); v++) {
            orders.preempt(victims.job(v));
        }
        for (int v = 0; v < victims.count(); v++) {
            if (victims.target(v) != SimView.NONE) {
                startOn(agent, victims.job(v), victims.target(v), orders);
            }
        }
        takeUp(agent, job, orders);
    }

    private void startOn(int agent, int job, int server, Orders orders) {
        builders[agent].take(server, view.job(job).gpus());
        orders.start(job, builders[agent].build());
    }

    private void place(int agent, int job, int action, Orders orders) {
        int demand = view.job(job).gpus();
        int lender = layout.borrowOf(action);
        if (lender >= 0) {
            borrow(agent, lender, job);
        } else {
            int server = domains.firstServer(agent) + layout.serverOf(action);
            builders[agent].take(server, Math.min(demand - builders[agent].count(), builders[agent].available(server)));
        }
        if (builders[agent].count() == demand) {
            focus[agent] = SimView.NONE;
            orders.start(job, builders[agent].build());
        }
    }

    private void borrow(int agent, int domain, int job) {
        int best = domains.firstServer(domain);
        for (int i = 1; i < domains.servers(domain); i++) {
            int server = domains.firstServer(domain) + i;
            best = fitOn(agent, server, job) > fitOn(agent, best, job) ? server : best;
        }
        int left = view.job(job).gpus() - builders[agent].count();
        builders[agent].take(best, Math.min(left, builders[agent].available(best)));
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
