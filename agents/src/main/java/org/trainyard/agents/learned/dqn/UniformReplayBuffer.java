package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.ReplayBuffer;
import ai.djl.modality.rl.env.RlEnv;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The latest decisions, from which batches are drawn evenly and with replacement: DJL's {@code LruReplayBuffer}, but for two things.
 *
 * <p>1. It draws from a stream that is given, where DJL's draws from a generator of the whole process that nobody can save, so that
 * a resumed run is the same run; 2. what makes room is the oldest decision, where DJL's first drops the newest one.
 */
final class UniformReplayBuffer implements ReplayBuffer {
    private final int batch;
    private final RlEnv.@Nullable Step[] steps;
    private long added;
    private @Nullable RandomGenerator random;

    UniformReplayBuffer(int batch, int remembered) {
        this.batch = batch;
        steps = new RlEnv.Step[remembered];
    }

    /** Draws from this stream from now on. */
    void drawFrom(RandomGenerator stream) {
        random = stream;
    }

    int size() {
        return (int) Math.min(added, steps.length);
    }

    void clear() {
        java.util.Arrays.fill(steps, null);
        added = 0;
    }

    @Override
    public void addStep(RlEnv.Step step) {
        int place = (int) (added++ % steps.length);
        RlEnv.Step oldest = steps[place];
        if (oldest != null) {
            oldest.close();
        }
        steps[place] = step;
    }

    @Override
    public RlEnv.Step[] getBatch() {
        if (random == null || added == 0) {
            throw new IllegalStateException("there is no stream to draw from, or nothing to draw");
        }
        RlEnv.Step[] drawn = new RlEnv.Step[batch];
        long first = added - size();
        for (int i = 0; i < batch; i++) {
            RlEnv.Step step = steps[(int) ((first + random.nextInt(size())) % steps.length)];
            if (step == null) {
                throw new IllegalStateException("a decision is missing");
            }
            drawn[i] = step;
        }
        return drawn;
    }
}
