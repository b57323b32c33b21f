package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.ReplayBuffer;
import ai.djl.modality.rl.env.RlEnv;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A replay buffer of the latest decisions, from which batches are drawn uniformly with replacement: DJL's {@code LruReplayBuffer} with two
 * differences.
 *
 * <p>1. It draws from a given stream, where DJL's draws from a generator of the process that cannot be saved, so that a resumed run is the
 * same run; 2. a full buffer drops the oldest decision, where DJL's drops the newest one first.
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

    /** Sets the stream of later draws. */
    void drawFrom(RandomGenerator stream) {
        random = stream;
    }

    int size() {
        return (int) Math.min(added, steps.length);
    }

    void clear() {
        Arrays.fill(steps, null);
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
            throw new IllegalStateException("the buffer has no stream to draw from, or is empty");
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
