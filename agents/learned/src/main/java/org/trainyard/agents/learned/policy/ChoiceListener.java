package org.trainyard.agents.learned.policy;

import java.util.List;

/** Is told of the choices of a policy's agents before they are carried out. */
@FunctionalInterface
public interface ChoiceListener {
    /**
     * A choice that the agents have.
     *
     * @param kind such as START
     * @param job {@link org.trainyard.env.simulation.SimView#NONE} for a wait
     * @param servers that it would take, or whose jobs it would move
     * @param score the highest wins
     */
    record Option(String kind, int job, List<Integer> servers, double score) {
        public Option {
            servers = List.copyOf(servers);
        }
    }

    /**
     * A choice was made.
     *
     * @param best some of the legal options, the winner first, then by score
     * @param count of all legal options
     */
    void chosen(List<Option> best, int count);
}
