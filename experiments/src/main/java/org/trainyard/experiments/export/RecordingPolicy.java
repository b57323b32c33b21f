package org.trainyard.experiments.export;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.trainyard.agents.learned.policy.Policy;
import org.trainyard.env.gym.observation.JobColumn;
import org.trainyard.env.gym.observation.ObservationSpace;

/** A policy over rows that tells of the decisions of all agents that have a choice of several actions. */
final class RecordingPolicy implements Policy {
    /** Records the decision of an agent. */
    @FunctionalInterface
    interface Recorder {
        /** @param at where the agent's row begins */
        RecordedDecision record(float[] rows, int at, ObservationSpace space, boolean[] legal, int best);
    }

    private final Policy policy;
    private final Recorder recorder;
    private final Consumer<Supplier<RecordedDecision>> listener;

    RecordingPolicy(Policy policy, Recorder recorder, Consumer<Supplier<RecordedDecision>> listener) {
        this.policy = policy;
        this.recorder = recorder;
        this.listener = listener;
    }

    @Override
    public boolean readsOffersOnly() {
        return policy.readsOffersOnly();
    }

    @Override
    public boolean reads(JobColumn column) {
        return policy.reads(column);
    }

    @Override
    public void act(float[] rows, int agents, ObservationSpace space, int[] actions) {
        policy.act(rows, agents, space, actions);
        for (int agent = 0; agent < agents; agent++) {
            int at = agent * space.size();
            int best = actions[agent];
            boolean[] legal = legal(rows, at, space);
            int choices = 0;
            for (boolean isLegal : legal) {
                choices += isLegal ? 1 : 0;
            }
            if (choices > 1) {
                listener.accept(() -> recorder.record(rows, at, space, legal, best));
            }
        }
    }

    private static boolean[] legal(float[] rows, int at, ObservationSpace space) {
        boolean[] legal = new boolean[space.actions().size()];
        for (int action = 0; action < legal.length; action++) {
            legal[action] = rows[at + space.maskAt() + action] != 0;
        }
        return legal;
    }
}
