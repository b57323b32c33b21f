package org.trainyard.agents.learned.policy;

import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.observation.Observer;
import org.trainyard.env.simulation.SimView;

/** The actions that a policy takes for all agents in one round. */
final class JointAction {
    private final Policy policy;
    private final Observer observer;
    private final float[] rows;
    private final int[] actions;
    private final int[] chosen;
    private final boolean[] active;
    /** By agent, whether the policy is asked in this round; other active agents wait. */
    private final boolean[] scored;

    private final DominancePruning pruning;
    /** The only job that an agent could select which was asked in this round, whether it had a place at home, and whether the agent selected it. */
    private int soleJob;

    private boolean soleAtHome;
    private boolean soleSelected;

    JointAction(Policy policy, Observer observer) {
        this.policy = policy;
        this.observer = observer;
        int agents = observer.domains().count();
        rows = new float[agents * observer.spec().size()];
        actions = new int[agents];
        chosen = new int[agents];
        active = new boolean[agents];
        scored = new boolean[agents];
        pruning = new DominancePruning(agents);
    }

    /** Whether an agent without a selected job waits, unless it may preempt, must start a job or may select a consolidated one. */
    boolean startsConsolidatedOnly() {
        return policy.startsConsolidatedOnly();
    }

    /** Whether the agent acts in the round. */
    boolean isActive(int agent) {
        return active[agent];
    }

    /** By agent, its action. */
    int[] actions() {
        return actions;
    }

    /** Chooses the actions of a round that has just begun; returns whether any agent acts. */
    boolean choose(SimView view, ActionExecutor executor) {
        boolean isRule = policy.startsConsolidatedOnly();
        for (int agent = 0; agent < active.length; agent++) {
            active[agent] = executor.isActive(agent);
            actions[agent] = ActionSpace.WAIT;
            isRule &= !active[agent]
                    || (executor.focus(agent) == SimView.NONE && executor.isLegal(agent, ActionSpace.WAIT));
        }
        if (isRule) {
            chooseByRule(view, executor);
        } else {
            chooseInBatch(view, executor);
        }
        for (boolean one : active) {
            if (one) {
                return true;
            }
        }
        return false;
    }

    private void chooseInBatch(SimView view, ActionExecutor executor) {
        int row = 0;
        for (int agent = 0; agent < active.length; agent++) {
            if (active[agent]) {
                executor.planPreemptions(agent);
                active[agent] = executor.isActive(agent);
            }
            scored[agent] = active[agent] && policy.mightAct(executor, agent);
            if (scored[agent]) {
                write(view, executor, agent, row++);
            }
        }
        if (row == 0) {
            return;
        }
        policy.act(rows, row, observer.spec(), chosen);
        row = 0;
        for (int agent = 0; agent < active.length; agent++) {
            if (scored[agent]) {
                actions[agent] = chosen[row++];
            }
        }
    }

    private void write(SimView view, ActionExecutor executor, int agent, int row) {
        ObservationSpace spec = observer.spec();
        if (policy.readsOffersOnly()) {
            observer.writeOffers(view, executor, agent, rows, row * spec.size());
        } else {
            observer.write(view, executor, agent, rows, row * spec.size());
        }
    }

    /** Asks agents first whose options are known, and then those of the others that may be the first to act. */
    private void chooseByRule(SimView view, ActionExecutor executor) {
        pruning.begin();
        soleJob = SimView.NONE;
        for (int agent = 0; agent < active.length; agent++) {
            scored[agent] = active[agent] && pruning.read(executor, agent);
            active[agent] = scored[agent];
            if (scored[agent] && !pruning.mayPreempt(agent)) {
                ask(view, executor, agent);
            }
        }
        askThatMayPreempt(view, executor, true);
        askThatMayPreempt(view, executor, false);
    }

    private void askThatMayPreempt(SimView view, ActionExecutor executor, boolean atHome) {
        for (int agent = 0; agent < active.length; agent++) {
            if (scored[agent] && pruning.mayPreempt(agent) && pruning.isAtHome(agent) == atHome) {
                ask(view, executor, agent);
            }
        }
    }

    private void ask(SimView view, ActionExecutor executor, int agent) {
        if (pruning.isDominated(executor, agent)) {
            active[agent] = false;
            return;
        }
        actions[agent] = pruning.mayPreempt(agent) ? bestOfPlans(view, executor, agent) : best(view, executor, agent);
        active[agent] = actions[agent] != ActionSpace.WAIT;
        pruning.choose(executor, agent, actions[agent]);
    }

    /** The best action of an agent that may preempt. */
    private int bestOfPlans(SimView view, ActionExecutor executor, int agent) {
        if (policy.comparesPlansByCost()) {
            observer.writeOffersWithoutPlans(view, executor, agent, rows, 0);
            return policy.act(rows, 0, observer.spec(), offers(view, executor, agent));
        }
        executor.planPreemptions(agent);
        if (!executor.isActive(agent) || !policy.mightAct(executor, agent)) {
            return ActionSpace.WAIT;
        }
        write(view, executor, agent, 0);
        policy.act(rows, 1, observer.spec(), chosen);
        return chosen[0];
    }

    private PreemptionOffers offers(SimView view, ActionExecutor executor, int agent) {
        return new PreemptionOffers() {
            @Override
            public double leastCost(int slot) {
                return executor.masker().leastPlanCost(agent, executor.windowJob(agent, slot));
            }

            @Override
            public boolean plan(int slot, double limit) {
                double least = Math.min(limit, pruning.costLimit(agent, executor.windowJob(agent, slot)));
                return observer.writePlan(view, executor, agent, slot, least, rows, 0);
            }
        };
    }

    private int best(SimView view, ActionExecutor executor, int agent) {
        int slot = pruning.soleSlot(agent);
        boolean isSole = slot != SimView.NONE && policy.choosesByJobAlone();
        int job = isSole ? executor.windowJob(agent, slot) : SimView.NONE;
        boolean atHome = isSole && executor.masker().isConsolidatedAtHome(agent, job);
        if (isSole && job == soleJob && atHome == soleAtHome) {
            return soleSelected ? executor.actions().slot(slot) : ActionSpace.WAIT;
        }
        write(view, executor, agent, 0);
        policy.act(rows, 1, observer.spec(), chosen);
        if (isSole) {
            soleJob = job;
            soleAtHome = atHome;
            soleSelected = chosen[0] != ActionSpace.WAIT;
        }
        return chosen[0];
    }
}
