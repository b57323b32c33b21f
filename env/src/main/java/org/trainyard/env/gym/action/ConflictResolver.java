package org.trainyard.env.gym.action;

import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.simulation.SimView;

/**
 * Decides which of several agents that select a job in the same round acts first: the agent whose job has least
 * estimated work. Among agents with the same job, first the one with the best placement at home
 * ({@link PlacementPreview}), then one that has to borrow GPUs, then the one whose preemption plan costs least.
 */
final class ConflictResolver {
    /**
     * One more server outweighs any {@link PlacementPreview#cost}; a larger number would round away differences in
     * cost.
     */
    private static final double SERVER = 1e3;

    /** More than what the sum of {@link #SERVER} and a cost loses. */
    private static final double ROUNDING = 1e-6;

    private static final double BORROWS = 1e9;
    private static final double PREEMPTS = 2e9;

    private final SimView view;
    private final Domains domains;
    private final ActionSpace actions;
    private final DomainQueues queues;
    private final ActionMasker masker;
    private final PlacementPreview preview;

    ConflictResolver(
            SimView view,
            Domains domains,
            ActionSpace actions,
            DomainQueues queues,
            ActionMasker masker,
            PlacementPreview preview) {
        this.view = view;
        this.domains = domains;
        this.actions = actions;
        this.queues = queues;
        this.masker = masker;
        this.preview = preview;
    }

    /**
     * The agent that acts first when every active agent chooses {@code chosen[from + agent]}, or {@link SimView#NONE}.
     */
    int first(boolean[] active, int[] chosen, int from) {
        int first = SimView.NONE;
        double least = Double.POSITIVE_INFINITY;
        boolean isSole = true;
        for (int agent = 0; agent < active.length; agent++) {
            int job = active[agent] ? selectedJob(agent, chosen[from + agent]) : SimView.NONE;
            if (job == SimView.NONE) {
                continue;
            }
            double work = queues.workLeft(job);
            if (first == SimView.NONE || work < least) {
                first = agent;
                least = work;
                isSole = true;
            } else {
                isSole &= work != least;
            }
        }
        return isSole ? first : cheapest(active, chosen, from, first, least);
    }

    private int cheapest(boolean[] active, int[] chosen, int from, int first, double work) {
        int cheapest = first;
        double least = Double.POSITIVE_INFINITY;
        for (int agent = first; agent < active.length; agent++) {
            int action = chosen[from + agent];
            int job = active[agent] ? selectedJob(agent, action) : SimView.NONE;
            if (job != SimView.NONE && queues.workLeft(job) == work) {
                double cost = cost(agent, job, actions.preemptOf(action) >= 0, least);
                if (cost < least) {
                    least = cost;
                    cheapest = agent;
                }
            }
        }
        return cheapest;
    }

    private int selectedJob(int agent, int action) {
        int slot = actions.selectedSlotOf(action);
        return slot >= 0 && slot < masker.windows().size(agent)
                ? masker.windows().job(agent, slot)
                : SimView.NONE;
    }

    /** The cost of the agent's placement or plan; infinite for a placement at home that is not below the limit. */
    private double cost(int agent, int job, boolean preempts, double limit) {
        if (preempts) {
            PreemptionPlan plan = masker.planner(agent).plan(job);
            return PREEMPTS + (plan == null ? 0 : plan.cost());
        }
        int servers = masker.serversAtHome(agent, job);
        if (servers == 0) {
            return BORROWS;
        }
        // The sum below is rounded, so that a cost at the limit may pass.
        double most = limit - servers * SERVER + ROUNDING;
        return most > 0 && preview.find(view, job, domains.firstServer(agent), domains.endServer(agent), servers, most)
                ? servers * SERVER + preview.cost()
                : Double.POSITIVE_INFINITY;
    }
}
