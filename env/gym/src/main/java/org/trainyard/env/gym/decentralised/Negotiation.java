package org.trainyard.env.gym.decentralised;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides which of the agents that bid for the same waiting job in a round has it: the one of the highest price, of
 * equal prices the lower domain.
 *
 * <p>A price is a score among the bids of one agent, on its own servers. It says little of whose set is better where
 * many agents have room. So the set of least cost by belief has the job where no other job waits and more agents bid
 * than an auction keeps sets: then a job takes no room that another one needs. O(agents that bid for a job).
 */
final class Negotiation {
    private final int sets;
    private boolean isAlone;
    private final Int2ObjectOpenHashMap<List<DomainAgent>> bidders = new Int2ObjectOpenHashMap<>();
    private final Int2ObjectOpenHashMap<DomainAgent> winners = new Int2ObjectOpenHashMap<>();

    /** @param sets kept for a job in the auction of one agent */
    Negotiation(int sets) {
        this.sets = sets;
    }

    /** Begins a round at which so many jobs wait in the whole cluster. */
    void begin(int waiting) {
        isAlone = waiting == 1;
        bidders.clear();
        winners.clear();
    }

    /** Adds an agent and its bid for a job, in the order of the domains. */
    void add(int job, DomainAgent agent) {
        bidders.computeIfAbsent(job, unused -> new ArrayList<>()).add(agent);
    }

    /** Whether the agent, which was added for the job, has it. */
    boolean isWon(int job, DomainAgent agent) {
        return winners.computeIfAbsent(job, unused -> winner(bidders.get(job))) == agent;
    }

    private DomainAgent winner(List<DomainAgent> agents) {
        boolean countsCost = isAlone && agents.size() > sets;
        DomainAgent best = agents.get(0);
        for (DomainAgent agent : agents) {
            int byCost = countsCost ? Double.compare(best.cost(), agent.cost()) : 0;
            best = byCost > 0 || (byCost == 0 && agent.price() > best.price()) ? agent : best;
        }
        return best;
    }
}
