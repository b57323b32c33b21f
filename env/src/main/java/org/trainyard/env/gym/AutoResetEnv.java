package org.trainyard.env.gym;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.simulation.Simulator;

/**
 * An environment that goes on with its next episode when one has ended, for learners that collect a fixed number of
 * steps.
 *
 * <p>The reset is part of the step that ends an episode: {@link #step} returns the last step of the old episode,
 * and {@link #observe} writes the first observation of the new one. What agents saw at a truncation stays readable,
 * for a critic to bootstrap from.
 *
 * <p>Its state is saved as the episode's number and the actions taken in it. Restoring replays these actions, which
 * is exact because an episode is a function of its actions.
 */
public final class AutoResetEnv {
    private static final int MOST_EPISODES_WITHOUT_CHOICE = 1000;

    private final ClusterEnv env;
    private long episode;
    private int[] history = new int[1024];
    private int historySize;
    private double meanJctSeconds = Double.NaN;
    private float[] endRows = new float[0];
    private boolean wasTruncated;
    private boolean started;

    public AutoResetEnv(ClusterEnv env) {
        this.env = env;
    }

    public int agents() {
        return env.agents();
    }

    public ObservationSpace spec() {
        return env.spec();
    }

    /** The simulator of the current episode. */
    public Simulator simulator() {
        return env.simulator();
    }

    /** Starts this episode; the following ones have the following numbers. */
    public void reset(long firstEpisode) {
        begin(firstEpisode);
        started = true;
    }

    /** Starts the first episode from this number on in which some agent has a choice. */
    private void begin(long firstEpisode) {
        historySize = 0;
        for (int i = 0; i < MOST_EPISODES_WITHOUT_CHOICE; i++) {
            episode = firstEpisode + i;
            if (!env.reset(episode).done()) {
                return;
            }
        }
        throw new IllegalStateException(
                "no agent ever had a choice in %d episodes from (%d) on.\nMaybe the horizon ends before jobs arrive."
                        .formatted(MOST_EPISODES_WITHOUT_CHOICE, firstEpisode));
    }

    public boolean isActive(int agent) {
        return env.isActive(agent);
    }

    /** Writes the agent's observation from {@code out[at]} on. */
    public void observe(int agent, float[] out, int at) {
        env.observe(agent, out, at);
    }

    /** Takes one action of each agent, {@code actions[from + agent]}; the result is overwritten by the next step. */
    public StepResult step(int[] actions, int from) {
        remember(actions, from);
        StepResult step = env.step(actions, from);
        wasTruncated = step.truncated();
        meanJctSeconds = step.terminated()
                ? simulator().jobSeconds() / simulator().view().arrived()
                : Double.NaN;
        if (wasTruncated) {
            keepEnd();
        }
        if (step.done()) {
            begin(episode + 1);
        }
        return step;
    }

    private void keepEnd() {
        int row = spec().size();
        endRows = endRows.length == 0 ? new float[agents() * row] : endRows;
        for (int agent = 0; agent < agents(); agent++) {
            env.observe(agent, endRows, agent * row);
        }
    }

    /** The observations of all agents at the truncation by the last step, one after another; not to be written to. */
    public float[] truncatedRows() {
        if (!wasTruncated) {
            throw new IllegalStateException("the last step did not truncate an episode");
        }
        return endRows;
    }

    private void remember(int[] actions, int from) {
        if (historySize + agents() > history.length) {
            history = Arrays.copyOf(history, 2 * history.length);
        }
        System.arraycopy(actions, from, history, historySize, agents());
        historySize += agents();
    }

    /** Mean JCT of the episode that the last step terminated, seconds; NaN when it terminated none. */
    public double finishedMeanJctSeconds() {
        return meanJctSeconds;
    }

    /** Saves the episode's number and the actions so far. */
    public void save(DataOutput out) throws IOException {
        if (!started) {
            throw new IllegalStateException("reset first");
        }
        out.writeInt(agents());
        out.writeLong(episode);
        out.writeInt(historySize);
        for (int a = 0; a < historySize; a++) {
            out.writeShort(history[a]);
        }
    }

    /** Restores a saved state by replay. */
    public void restore(DataInput in) throws IOException {
        int savedAgents = in.readInt();
        if (savedAgents != agents()) {
            throw new IOException("saved with (%d) agents, not (%d)".formatted(savedAgents, agents()));
        }
        episode = in.readLong();
        historySize = in.readInt();
        history = new int[Math.max(1024, historySize)];
        for (int a = 0; a < historySize; a++) {
            history[a] = in.readShort();
        }
        env.reset(episode);
        for (int a = 0; a < historySize; a += agents()) {
            env.step(history, a);
        }
        started = true;
    }
}
