package org.trainyard.env.gym.action;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.Observer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.PlacementPool;

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
 *   <li>With preemption an agent may take up a job and push out others for it, or move them ({@link PreemptionPlanner}), when it finds no
 *       consolidated place.
 *   <li>On an idle cluster an agent with a startable job must start one.
 * </ol>
 */
public final class ActionExecutor {
    /** What became of an action. */
    public enum Outcome {
        DONE,
        /** Not on offer: nothing happened, the agent waits for the rest of the instant. */
        ILLEGAL,
        /** On offer when the round began, but another agent was faster: a half-built gang is given up, nothing is lost. */
        CONFLICT
    }

    private static final int NEVER = -1;
    private final SimView view;
    private final Domains domains;
    private final ActionSpace layout;
    private final DomainQueues queues;
    private final PartialPlacements gangs;
    private final ActionMasker offers;
    private final int[] waitedAt;
    private final JobWindows windows;
    private final PreemptionPlanner clearing;
    private final ConflictResolver bids;
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

    /** @param observer of the same cluster, which shows agents what is on offer here */
    public ActionExecutor(SimView view, Observer observer, int maxHops) {
        this(view, observer, maxHops, null);
    }

    /** @param pool where placements on several servers come from; null to make them anew */
    public ActionExecutor(SimView view, Observer observer, int maxHops, @Nullable PlacementPool pool) {
        this.view = view;
        domains = observer.domains();
        layout = observer.spec().actions();
        queues = new DomainQueues(domains, view);
        gangs = new PartialPlacements(view, domains, pool);
        offers = new ActionMasker(view, domains, layout, maxHops, queues, gangs, observer.outlook());
        windows = offers.windows();
        clearing = offers.clearing();
        bids = new ConflictResolver(view, layout, queues, offers, observer.outlook());
        waitedAt = new int[domains.count()];
        Arrays.fill(waitedAt, NEVER);
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
            if (gangs.job(agent) != SimView.NONE && !stillBuildable(agent)) {
                gangs.giveUp(agent);
            }
            windows.fill(agent);
            fillOffers(agent, offered[agent]);
            active[agent] = ActionMasker.isMoreThanWaiting(offered[agent]);
        }
        letBuildersFinish();
    }

    /** While a gang is being built, nobody else takes up a job. */
    private void letBuildersFinish() {
        boolean building = gangs.isAnyTakenUp();
        for (int agent = 0; agent < active.length && building; agent++) {
            active[agent] &= gangs.job(agent) != SimView.NONE;
        }
    }

    private void fillOffers(int agent, boolean[] mask) {
        offers.fill(agent, waitedAt[agent] == view.journalSize(), mask);
    }

    /**
     * Says what all agents are about to do in this round, {@code actions[from + agent]}, before the first of them acts: of several jobs
     * that are taken up one goes first, and the agents of the others see new offers in the next round ({@link ConflictResolver}).
     */
    public void announce(int[] actions, int from) {
        granted = bids.first(active, actions, from);
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
        return gangs.job(agent);
    }

    /** The gang the agent is building. */
    public PlacementBuilder builder(int agent) {
        return gangs.builder(agent);
    }

    ActionSpace layout() {
        return layout;
    }

    /** What is on offer to agents, and why. */
    public ActionMasker offers() {
        return offers;
    }

    public DomainQueues queues() {
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

    /**
     * Makes one action of one agent; {@link #outcome} says how it went.
     *
     * @param orders is told what the action came to, if it was not the agent's own affair; the simulator must have done it before the
     *     next agent acts
     */
    public void act(int agent, int action, Orders orders) {
        if (!isOffered(agent, action)) {
            outcome = Outcome.ILLEGAL;
            gangs.giveUp(agent);
            waitedAt[agent] = journalAtRoundStart;
            return;
        }
        boolean isLate = layout.takenUpBy(action) >= 0 && agent != granted;
        if (isLate || (view.journalSize() != journalAtRoundStart && !isStillLegal(agent, action))) {
            outcome = Outcome.CONFLICT;
            gangs.giveUp(agent);
            return;
        }
        outcome = Outcome.DONE;
        perform(agent, action, orders);
    }

    private boolean isStillLegal(int agent, int action) {
        queues.sync();
        fillOffers(agent, legalNow);
        return legalNow[action] && (gangs.job(agent) == SimView.NONE || stillBuildable(agent));
    }

    private void perform(int agent, int action, Orders orders) {
        if (action == ActionSpace.WAIT) {
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
        int job = gangs.job(agent);
        if (action == layout.hold()) {
            windows.hold(job);
            gangs.giveUp(agent);
            return;
        }
        int target = layout.forwardOf(action);
        if (target >= 0) {
            gangs.giveUp(agent);
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
        gangs.takeUp(agent, job);
    }

    private void displaceFor(int agent, int job, Orders orders) {
        clearing.find(agent, job);
        clearing.carryOut(gangs.builder(agent), orders);
        takeUp(agent, job, orders);
    }

    private void place(int agent, int job, int action, Orders orders) {
        int lender = layout.borrowOf(action);
        int server =
                lender >= 0 ? gangs.bestServer(agent, lender) : domains.firstServer(agent) + layout.serverOf(action);
        PlacementBuilder builder = gangs.builder(agent);
        builder.take(server, Math.min(gangs.left(agent), builder.available(server)));
        if (gangs.left(agent) == 0) {
            Placement placement = builder.build();
            gangs.giveUp(agent);
            orders.start(job, placement);
        }
    }

    /** How the last action went. */
    public Outcome outcome() {
        return outcome;
    }

    /** Whether the GPUs taken so far are still free, and enough others are. */
    private boolean stillBuildable(int agent) {
        PlacementBuilder builder = gangs.builder(agent);
        return builder.count() == 0 || (builder.isStillFree() && offers.startable(gangs.job(agent)));
    }
}
