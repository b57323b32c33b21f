package org.trainyard.env.gym.action;

import java.util.Arrays;
import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.scheduling.preemption.PreemptionPlanner;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.PlacementPool;

/**
 * Executes the agents' actions, round by round: says what is legal, lets agents act once each, and resolves their
 * conflicts. {@link ActionEffects} turns actions into decisions for the simulator.
 *
 * <p>Training and deployment use the same executor, so a trained policy meets the same rules in both. One instance
 * serves one run. The rules:
 *
 * <ol>
 *   <li>An agent sees a window of waiting jobs ({@link JobWindows}): three quarters of its slots by least estimated
 *       work, one quarter by age. The window includes jobs that wait in other domains and could start in this one;
 *       selecting such a job forwards it here, which counts as one of its hops.
 *   <li>A job can be selected when its gang fits on free GPUs of the whole cluster, or when it can be forwarded.
 *   <li>A gang is placed server by server; the job starts when its last worker has a GPU.
 *   <li>A job can be forwarded to a domain that is large enough and that would be less loaded with the job than its
 *       own domain is now, at most {@code maxHops} times.
 *   <li>When another domain has a server that fits the remaining workers better than every server at home (more
 *       workers, or fewer GPUs left over), the agent may borrow GPUs on the best server of such a domain.
 *   <li>With preemption, an agent may preempt or migrate running jobs for a job without a consolidated placement at
 *       home ({@link PreemptionPlanner}).
 *   <li>On an idle cluster, an agent with a job that can start must start one.
 * </ol>
 */
public final class ActionExecutor {
    /** The result of one action. */
    public enum Outcome {
        DONE,
        /** The action was masked; the agent waits for the rest of the instant. */
        ILLEGAL,
        /** The action was legal until another agent acted; a partial placement is given up. */
        CONFLICT
    }

    private static final int NEVER = -1;
    private final SimView view;
    private final Domains domains;
    private final ActionSpace actions;
    private final DomainQueues queues;
    private final PartialPlacements partial;
    private final ActionMasker masker;
    private final JobWindows windows;
    private final ConflictResolver resolver;
    private final ActionEffects effects;
    /** By agent, the size of the journal at the beginning of the round in which the agent waited. */
    private final int[] waitedAt;

    private final ActionMask[] masks;
    private final boolean[] active;
    private final ActionMask maskNow;
    /** Whether the round began for who asks of active agents only. */
    private boolean isOfActive;

    private int first = SimView.NONE;
    private long instant = -1;
    private int journalAtRoundStart;
    private Outcome outcome = Outcome.DONE;

    /**
     * @param actions of agents in these domains
     * @param maxHops how often a job may be forwarded
     * @param pool provides placements; it may reuse them only if the sink of the decisions does not keep any
     */
    public ActionExecutor(
            SimView view,
            Domains domains,
            ActionSpace actions,
            PlacementPreview preview,
            int maxHops,
            PlacementPool pool) {
        this.view = view;
        this.domains = domains;
        this.actions = actions;
        queues = new DomainQueues(domains, view);
        partial = new PartialPlacements(view, domains, pool);
        masker = new ActionMasker(view, domains, actions, maxHops, queues, partial, preview);
        windows = masker.windows();
        resolver = new ConflictResolver(view, domains, actions, queues, masker, preview);
        effects = new ActionEffects(view, domains, actions, pool, queues, partial, masker);
        waitedAt = new int[domains.count()];
        Arrays.fill(waitedAt, NEVER);
        masks = new ActionMask[domains.count()];
        Arrays.setAll(masks, agent -> new ActionMask(actions));
        active = new boolean[domains.count()];
        maskNow = new ActionMask(actions);
    }

    /**
     * Begins a round: reads the simulator's journal and computes every agent's window and action mask. In a round
     * every agent acts at most once. A wait ends when time passes or when another agent has acted; a held job
     * returns to the windows when time passes.
     */
    public void beginRound() {
        beginRound(false, false);
    }

    /**
     * Begins a round for a caller that reads masks of {@link #isActive active} agents alone and
     * {@link #planPreemptions plans the preemptions} of those of which it reads more: until then every preemption
     * is legal that is not ruled out at once. While any agent places a gang, the windows and masks of the others
     * stay as they are. O(agents) then, for any number of waiting jobs.
     *
     * @param consolidatedOnly whether an agent without a selected job waits unless it may preempt, must start a
     *     job, or may select one that {@link ActionMasker#isConsolidated}. Then an agent is left out, and its mask
     *     as it was, where the sizes of the jobs in its window show that there is none
     */
    public void beginRoundOfActive(boolean consolidatedOnly) {
        beginRound(true, consolidatedOnly);
    }

    private void beginRound(boolean ofActive, boolean consolidatedOnly) {
        queues.sync();
        effects.releasePlacements();
        journalAtRoundStart = view.journalSize();
        if (view.nowNanos() != instant) {
            instant = view.nowNanos();
            Arrays.fill(waitedAt, NEVER);
        }
        windows.at(instant, view.arrived());
        windows.refresh();
        boolean isPlacing = ofActive && isAnyPlacing();
        boolean isSelective = consolidatedOnly && !actions.preemption() && view.runningCount() > 0;
        long consolidated = isSelective ? masker.consolidatedSizes() : 0;
        for (int agent = 0; agent < domains.count(); agent++) {
            if (partial.job(agent) != SimView.NONE && !canComplete(agent)) {
                partial.clear(agent);
                windows.refresh();
            }
            if (isPlacing && partial.job(agent) == SimView.NONE) {
                active[agent] = false;
                continue;
            }
            windows.fill(agent);
            if (isSelective && partial.job(agent) == SimView.NONE && (windows.sizes(agent) & consolidated) == 0) {
                active[agent] = false;
                continue;
            }
            active[agent] = fillMask(agent, !ofActive, masks[agent]);
        }
        isOfActive = ofActive;
        deactivateOthersWhilePlacing();
    }

    /** Whether an agent that has selected a job goes on with it in this round. */
    private boolean isAnyPlacing() {
        for (int agent = 0; agent < domains.count() && partial.isAnySelected(); agent++) {
            if (partial.job(agent) != SimView.NONE && canComplete(agent)) {
                return true;
            }
        }
        return false;
    }

    /** While any agent is placing a gang, the others wait. */
    private void deactivateOthersWhilePlacing() {
        boolean isPlacing = partial.isAnySelected();
        for (int agent = 0; agent < active.length && isPlacing; agent++) {
            active[agent] &= partial.job(agent) != SimView.NONE;
        }
    }

    private boolean fillMask(int agent, boolean plans, ActionMask mask) {
        return masker.fill(agent, waits(agent), plans, mask);
    }

    private boolean waits(int agent) {
        return waitedAt[agent] == view.journalSize();
    }

    /** Plans an agent's preemptions and masks those without a plan, which may leave it {@link #isActive inactive}. */
    public void planPreemptions(int agent) {
        if (actions.preemption() && partial.job(agent) == SimView.NONE) {
            active[agent] = masker.plan(agent, masks[agent]);
        }
    }

    /**
     * Announces the actions of all agents in this round, {@code chosen[from + agent]}, before the first agent acts.
     * Of several agents that select a job only one succeeds ({@link ConflictResolver}); the others choose again in
     * the next round.
     */
    public void announce(int[] chosen, int from) {
        first = resolver.first(active, chosen, from);
    }

    /** Number of jobs in the agent's window. */
    public int windowSize(int agent) {
        return windows.size(agent);
    }

    public int windowJob(int agent, int slot) {
        return windows.job(agent, slot);
    }

    /** The job that the agent has selected, or {@link SimView#NONE}. */
    public int focus(int agent) {
        return partial.job(agent);
    }

    /** The partial placement of the agent's selected job. */
    public PlacementBuilder builder(int agent) {
        return partial.builder(agent);
    }

    public ActionSpace actions() {
        return actions;
    }

    public ActionMasker masker() {
        return masker;
    }

    public DomainQueues queues() {
        return queues;
    }

    /** Whether an action is legal now; waiting is, unless the agent has selected or must start a job. */
    public boolean isLegal(int agent, int action) {
        return masks[agent].isLegal(action);
    }

    /** Writes 1 for each legal action of the agent in this round, and 0 for the others. */
    public void writeMask(int agent, float[] out, int at) {
        masks[agent].write(out, at);
    }

    /** Whether the agent has any legal action but to wait in this round. */
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
     * Executes one action of one agent; {@link #outcome} tells its result.
     *
     * @param decisions receives the decisions that follow; the simulator must have applied them before the next
     *     agent acts
     */
    public void act(int agent, int action, DecisionSink decisions) {
        if (!isLegal(agent, action)) {
            outcome = Outcome.ILLEGAL;
            partial.clear(agent);
            waitedAt[agent] = journalAtRoundStart;
            return;
        }
        boolean isLate = actions.selectedSlotOf(action) >= 0 && agent != first;
        if (isLate || (view.journalSize() != journalAtRoundStart && !isStillLegal(agent, action))) {
            outcome = Outcome.CONFLICT;
            partial.clear(agent);
            return;
        }
        outcome = Outcome.DONE;
        if (action == ActionSpace.WAIT) {
            waitedAt[agent] = journalAtRoundStart;
        } else {
            effects.carryOut(agent, action, decisions);
        }
    }

    private boolean isStillLegal(int agent, int action) {
        queues.sync();
        if (isOfActive && action == ActionSpace.WAIT) {
            return waits(agent) || masker.mayWait(agent);
        }
        fillMask(agent, true, maskNow);
        return maskNow.isLegal(action) && (partial.job(agent) == SimView.NONE || canComplete(agent));
    }

    /** The result of the last action. */
    public Outcome outcome() {
        return outcome;
    }

    /** Whether the GPUs taken so far are still free, and enough others are. */
    private boolean canComplete(int agent) {
        PlacementBuilder builder = partial.builder(agent);
        return builder.count() == 0 || (builder.isStillFree() && masker.canStart(partial.job(agent)));
    }
}
