package org.trainyard.experiments.gym;

import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;

/** One episode after the other of one environment, as the protocol sees it. */
interface GymGame {
    /** Begins an episode, and goes on to its first choice. */
    void begin(Workload workload);

    /** Takes the actions of all agents, {@code actions[from]} on. An illegal one does nothing and costs the penalty. */
    void play(int[] actions, int from);

    /** Whether the episode has ended. */
    boolean isOver();

    /** The simulator of the episode. */
    Simulator simulator();

    /** Reward of an agent since the last choice, or at a beginning, since the start of the episode. */
    double reward(int agent);

    /** What a reward now counts, beside one at the last choice. */
    double discount();

    /** Simulated time since the last choice, hours. */
    double elapsedHours();

    /** Whether any action of the last play was illegal. */
    boolean wasIllegal();

    /** How many of a dimension's elements the present observation has. */
    int count(GymArray.Dimension dimension);
}
