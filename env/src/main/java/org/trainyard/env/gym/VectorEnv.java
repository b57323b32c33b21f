package org.trainyard.env.gym;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.simulation.Simulator;

/**
 * Several environments in one JVM, stepped together.
 *
 * <p>Auto-reset in the same step: when an episode ends, its last step is answered and the environment is already at the start of its
 * next episode, which is what {@link #observe} writes then. Environment {@code i} of {@code n} plays episodes {@code i, i + n, i + 2n, ...}.
 *
 * <p>Its place is saved as the number of every episode and the actions made in it; restoring replays them, which is exact because an
 * episode is a function of its actions.
 */
public final class VectorEnv {
    private final ClusterEnv[] envs;
    private final long[] episode;
    private final int[][] history;
    private final int[] historySize;
    private final StepResult[] steps;
    private final double[] meanJctSeconds;
    private final float[][] endRows;
    private boolean started;

    /** @param envs equal but for their buffers */
    public VectorEnv(ClusterEnv... envs) {
        if (envs.length == 0) {
            throw new IllegalArgumentException("there must be at least one environment");
        }
        this.envs = envs.clone();
        episode = new long[envs.length];
        history = new int[envs.length][1024];
        historySize = new int[envs.length];
        steps = new StepResult[envs.length];
        meanJctSeconds = new double[envs.length];
        endRows = new float[envs.length][0];
        Arrays.fill(meanJctSeconds, Double.NaN);
    }

    public int size() {
        return envs.length;
    }

    public int agents() {
        return envs[0].agents();
    }

    public ObservationSpace spec() {
        return envs[0].spec();
    }

    /** Starts every environment's first episode; {@code firstEpisode} is that of environment 0. */
    public void reset(long firstEpisode) {
        for (int i = 0; i < envs.length; i++) {
            episode[i] = firstEpisode + i;
            historySize[i] = 0;
            envs[i].reset(episode[i]);
        }
        started = true;
    }

    public boolean isActive(int env, int agent) {
        return envs[env].isActive(agent);
    }

    /** Writes all rows, environment by environment and in it agent by agent: {@code size() x agents() x spec().size()} floats. */
    public void observe(float[] out) {
        observe(out, 0);
    }

    /** Writes all rows from {@code out[at]} on. */
    public void observe(float[] out, int at) {
        int row = spec().size();
        for (int i = 0; i < envs.length; i++) {
            for (int agent = 0; agent < agents(); agent++) {
                envs[i].observe(agent, out, at + (i * agents() + agent) * row);
            }
        }
    }

    /** Makes one step everywhere; {@code actions[env x agents() + agent]}. */
    public void step(int[] actions) {
        for (int i = 0; i < envs.length; i++) {
            remember(i, actions, i * agents());
            steps[i] = envs[i].step(actions, i * agents());
            meanJctSeconds[i] = Double.NaN;
            if (steps[i].done()) {
                finishEpisode(i);
            }
        }
    }

    private void finishEpisode(int env) {
        Simulator simulator = envs[env].simulator();
        if (steps[env].terminated()) {
            meanJctSeconds[env] = simulator.jobSeconds() / simulator.view().arrived();
        } else {
            keepEnd(env);
        }
        episode[env] += envs.length;
        historySize[env] = 0;
        envs[env].resetKeepingStep(episode[env]);
    }

    private void keepEnd(int env) {
        int row = spec().size();
        endRows[env] = endRows[env].length == 0 ? new float[agents() * row] : endRows[env];
        for (int agent = 0; agent < agents(); agent++) {
            envs[env].observe(agent, endRows[env], agent * row);
        }
    }

    /** What the agents saw at the end of an episode that the last step truncated, agent by agent; not to be written to. */
    public float[] truncatedRows(int env) {
        if (!steps[env].truncated()) {
            throw new IllegalStateException("environment (%d) was not truncated by the last step".formatted(env));
        }
        return endRows[env];
    }

    private void remember(int env, int[] actions, int from) {
        if (historySize[env] + agents() > history[env].length) {
            history[env] = Arrays.copyOf(history[env], 2 * history[env].length);
        }
        System.arraycopy(actions, from, history[env], historySize[env], agents());
        historySize[env] += agents();
    }

    /** What the last step brought in an environment. */
    public StepResult lastStep(int env) {
        return steps[env];
    }

    /** Mean JCT of the episode that the last step ended in an environment by finishing all jobs, seconds; else NaN. */
    public double finishedMeanJctSeconds(int env) {
        return meanJctSeconds[env];
    }

    /** Saves where every environment is. */
    public void save(DataOutput out) throws IOException {
        if (!started) {
            throw new IllegalStateException("reset first");
        }
        out.writeInt(envs.length);
        out.writeInt(agents());
        for (int i = 0; i < envs.length; i++) {
            out.writeLong(episode[i]);
            out.writeInt(historySize[i]);
            for (int a = 0; a < historySize[i]; a++) {
                out.writeShort(history[i][a]);
            }
        }
    }

    /** Goes back to where {@link #save} was, by replay. */
    public void restore(DataInput in) throws IOException {
        int savedEnvs = in.readInt();
        int savedAgents = in.readInt();
        if (savedEnvs != envs.length || savedAgents != agents()) {
            throw new IOException("saved with (%d) environments of (%d) agents, not (%d) of (%d)"
                    .formatted(savedEnvs, savedAgents, envs.length, agents()));
        }
        for (int i = 0; i < envs.length; i++) {
            episode[i] = in.readLong();
            int size = in.readInt();
            history[i] = new int[Math.max(1024, size)];
            for (int a = 0; a < size; a++) {
                history[i][a] = in.readShort();
            }
            historySize[i] = size;
            envs[i].reset(episode[i]);
            for (int a = 0; a < size; a += agents()) {
                envs[i].step(history[i], a);
            }
        }
        started = true;
    }
}
