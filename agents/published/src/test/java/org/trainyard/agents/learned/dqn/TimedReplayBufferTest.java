package org.trainyard.agents.learned.dqn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.modality.rl.env.RlEnv;
import ai.djl.ndarray.NDManager;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

class TimedReplayBufferTest {
    private final NDManager manager = NDManager.newBaseManager();

    @AfterEach
    void free() {
        manager.close();
    }

    private static AuctionSnapshot auction(int number) {
        float[] state = new float[AuctionSnapshot.STATE];
        state[0] = number;
        float[] rows = new float[2 * AuctionSnapshot.ROW];
        rows[AuctionSnapshot.ROW + 1] = -number;
        return new AuctionSnapshot(state, rows);
    }

    /** Step {@code i} takes an hour and a half, is worth {@code i} and halves what comes after it. */
    private TimedReplayBuffer buffer(double hours, int capacity, int steps, int last) {
        TimedReplayBuffer buffer = new TimedReplayBuffer(200, capacity, hours);
        for (int i = 0; i < steps; i++) {
            boolean done = i == last;
            buffer.addStep(new BidTransition(
                    () -> manager, auction(i), i % 2, done ? AuctionSnapshot.END : auction(i + 1), i, 0.5, 1.5, done));
        }
        buffer.drawFrom(RandomStreams.stream(1, "test/replay"));
        return buffer;
    }

    @Test
    void a_step_goes_on_until_its_hours_are_over() {
        for (RlEnv.Step drawn : buffer(2, 20, 10, 9).getBatch()) {
            BidTransition step = (BidTransition) drawn;
            int i = (int) step.before().state()[0];
            if (i < 8) {
                assertThat(step.hours()).isEqualTo(3);
                assertThat(step.discount()).isEqualTo(0.25);
                assertThat(step.reward()).isCloseTo(i + 0.5f * (i + 1), within(1e-6f));
                assertThat(step.after().state()[0]).isEqualTo(i + 2);
                assertThat(step.isDone()).isFalse();
            } else {
                assertThat(step.isDone()).isTrue();
                assertThat(step.after()).isSameAs(AuctionSnapshot.END);
                assertThat(step.reward()).isEqualTo(i == 8 ? 8 + 0.5f * 9 : 9);
            }
        }
    }

    @Test
    void no_step_goes_on_into_another_episode() {
        for (RlEnv.Step drawn : buffer(100, 20, 10, 4).getBatch()) {
            BidTransition step = (BidTransition) drawn;
            assertThat(step.isDone()).isEqualTo(step.before().state()[0] <= 4);
        }
    }

    @Test
    void a_full_buffer_drops_the_oldest_steps() {
        TimedReplayBuffer buffer = buffer(0, 4, 10, 9);
        assertThat(buffer.size()).isEqualTo(4);
        assertThat(buffer.get(0).before().state()[0]).isEqualTo(6);
        for (RlEnv.Step drawn : buffer.getBatch()) {
            assertThat(((BidTransition) drawn).before().state()[0]).isGreaterThanOrEqualTo(6);
        }
    }

    @Test
    void a_buffer_that_is_written_and_read_draws_the_same() throws IOException {
        TimedReplayBuffer written = buffer(2, 6, 10, 7);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        written.write(new DataOutputStream(bytes));
        TimedReplayBuffer read = buffer(2, 6, 3, 1);
        read.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), () -> manager);

        assertThat(read.size()).isEqualTo(6);
        RlEnv.Step[] there = written.getBatch();
        RlEnv.Step[] here = read.getBatch();
        for (int i = 0; i < here.length; i++) {
            BidTransition one = (BidTransition) here[i];
            BidTransition other = (BidTransition) there[i];
            assertThat(one.before().rows()).isEqualTo(other.before().rows());
            assertThat(one.after().state()).isEqualTo(other.after().state());
            assertThat(one.bid()).isEqualTo(other.bid());
            assertThat(one.reward()).isEqualTo(other.reward());
            assertThat(one.discount()).isEqualTo(other.discount());
            assertThat(one.isDone()).isEqualTo(other.isDone());
        }
    }

    @Test
    void an_empty_buffer_draws_nothing() {
        assertThatThrownBy(new TimedReplayBuffer(1, 1, 0)::getBatch).isInstanceOf(IllegalStateException.class);
    }
}
