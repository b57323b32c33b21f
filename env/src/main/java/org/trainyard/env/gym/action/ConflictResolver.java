package org.trainyard.env.gym.action;

import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.simulation.SimView;

/**
 * Says which of the agents that are about to take up jobs goes first: the one whose job has least predicted work; of several that want
 * the same job the one with the kindest place at home ({@link PlacementPreview}), then one that has to borrow, then the one whose victims lose
 * least.
 */
final class ConflictResolver {
    /**
     * A server more outweighs any {@link PlacementPreview#cost}, having to borrow any number of servers, and pushing others out that. No more, or
     * losses would be told apart too coarsely beside it.
     */
    private static final double SERVER = 1e3;

    private static final double BORROWS = 1e9;
    private static final double DISPLACES = 2e9;

    private final SimView view;
    private final ActionSpace layout;
    private final DomainQueues queues;
    private final ActionMasker offers;
    private final PlacementPreview outlook;

    ConflictResolver(
            SimView view, ActionSpace layout, DomainQueues queues, ActionMasker offers, PlacementPreview outlook) {
        this.view = view;
        this.layout = layout;
        this.queues = queues;
        this.offers = offers;
        this.outlook = outlook;
    }

    /** The agent that goes first when every active one makes its action {@code actions[from + agent]}, or {@link SimView#NONE}. */
    int first(boolean[] active, int[] actions, int from) {
        int first = SimView.NONE;
        double least = Double.POSITIVE_INFINITY;
        boolean isSole = true;
        for (int agent = 0; agent < active.length; agent++) {
            int job = active[agent] ? job(agent, actions[from + agent]) : SimView.NONE;
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
        return isSole ? first : kindest(active, actions, from, first, least);
    }

    private int kindest(boolean[] active, int[] actions, int from, int first, double work) {
        int kindest = first;
        double least = Double.POSITIVE_INFINITY;
        for (int agent = first; agent < active.length; agent++) {
            int action = actions[from + agent];
            int job = active[agent] ? job(agent, action) : SimView.NONE;
            if (job != SimView.NONE && queues.workLeft(job) == work) {
                double cost = cost(agent, job, layout.displaceOf(action) >= 0);
                if (cost < least) {
                    least = cost;
                    kindest = agent;
                }
            }
        }
        return kindest;
    }

    /** The job that the action takes up. */
    private int job(int agent, int action) {
        int slot = layout.takenUpBy(action);
        return slot >= 0 && slot < offers.windows().size(agent)
                ? offers.windows().job(agent, slot)
                : SimView.NONE;
    }

    private double cost(int agent, int job, boolean displaces) {
        if (displaces) {
            return DISPLACES
                    + (offers.clearing().find(agent, job) ? offers.clearing().cost() : 0);
        }
        int servers = offers.serversAtHome(agent, job);
        if (servers == 0) {
            return BORROWS;
        }
        outlook.find(view, agent, job, servers);
        return servers * SERVER + outlook.cost();
    }
}
