package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.ReplayBuffer;
import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDManager;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A replay buffer of the latest steps, from which batches are drawn uniformly with replacement; each step drawn goes on
 * for some simulated hours, as steps of several decisions do in R. Sutton: Learning to predict by the methods of
 * temporal differences, 1988.
 *
 * <p>Differences to DJL's {@code LruReplayBuffer}: 1. it draws from a given stream, where DJL's draws from a generator
 * of the process; 2. a full buffer drops the oldest step, where DJL's drops the newest one first; 3. the steps that
 * follow one are joined to it.
 */
final class TimedReplayBuffer implements ReplayBuffer {
    private final int batch;
    private final int remembered;
    private final double hours;
    /** By age, the oldest first. */
    private final List<BidTransition> steps = new ArrayList<>();

    private @Nullable RandomGenerator random;

    /**
     * @param batch steps drawn at once
     * @param remembered capacity
     * @param hours least simulated time of a step that is drawn, unless the episode or the buffer ends before
     */
    TimedReplayBuffer(int batch, int remembered, double hours) {
        this.batch = batch;
        this.remembered = remembered;
        this.hours = hours;
    }

    /** Sets the stream of later draws. */
    void drawFrom(RandomGenerator stream) {
        random = stream;
    }

    int size() {
        return steps.size();
    }

    /** A step by age, the oldest is 0. */
    BidTransition get(int age) {
        return steps.get(age);
    }

    @Override
    public void addStep(RlEnv.Step step) {
        if (steps.size() == remembered) {
            steps.remove(0);
        }
        steps.add((BidTransition) step);
    }

    @Override
    public RlEnv.Step[] getBatch() {
        RandomGenerator stream = random;
        if (stream == null || steps.isEmpty()) {
            throw new IllegalStateException("the buffer has no stream to draw from, or is empty");
        }
        RlEnv.Step[] drawn = new RlEnv.Step[batch];
        for (int i = 0; i < batch; i++) {
            drawn[i] = from(stream.nextInt(size()));
        }
        return drawn;
    }

    private BidTransition from(int age) {
        BidTransition step = get(age);
        for (int next = age + 1; next < size() && !step.isDone() && step.hours() < hours; next++) {
            step = step.then(get(next));
        }
        return step;
    }

    /**
     * Writes the steps, compressed: most columns are 0. An auction is written once where a step begins as the last one
     * ended.
     */
    @SuppressWarnings("ReferenceEquality")
    void write(DataOutput out) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream compressed = new DataOutputStream(
                new BufferedOutputStream(new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_SPEED))))) {
            for (int age = 0; age < size(); age++) {
                boolean begins = age == 0 || get(age - 1).after() != get(age).before();
                compressed.writeBoolean(begins);
                if (begins) {
                    get(age).before().write(compressed);
                }
                get(age).write(compressed);
            }
        }
        out.writeInt(size());
        out.writeInt(bytes.size());
        out.write(bytes.toByteArray());
    }

    /** Reads the steps that {@link #write} wrote. */
    void read(DataInput in, Supplier<NDManager> scope) throws IOException {
        steps.clear();
        int size = in.readInt();
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        try (DataInputStream compressed = new DataInputStream(
                new BufferedInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes))))) {
            AuctionSnapshot before = AuctionSnapshot.END;
            for (int age = 0; age < size; age++) {
                before = compressed.readBoolean() ? AuctionSnapshot.read(compressed) : before;
                BidTransition step = BidTransition.read(compressed, before, scope);
                addStep(step);
                before = step.after();
            }
        }
    }
}
