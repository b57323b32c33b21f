package org.trainyard.env.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;

class PipelineScheduleTest {
    private static final double[] FORWARD = {1, 2, 1};
    private static final double[] BACKWARD = {2, 2, 2};

    private static double makespan(double[] forward, double[] backward, int microBatches, MicroBatchOrder order) {
        return PipelineSchedule.of(forward, backward, microBatches, order).makespan();
    }

    @Test
    void equal_stages_take_micro_batches_plus_stages_less_one_slots_in_every_order() {
        for (MicroBatchOrder order : MicroBatchOrder.values()) {
            assertThat(makespan(new double[] {1, 1}, new double[] {1, 1}, 4, order))
                    .as(order.name())
                    .isEqualTo(10);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 14, 13, 13", "3, 18, 17, 16", "4, 22, 21, 19"})
    void with_a_slow_channel_the_deep_order_is_optimal(int microBatches, double gpipe, double oneByOne, double deep) {
        assertThat(makespan(FORWARD, BACKWARD, microBatches, MicroBatchOrder.GPIPE))
                .isEqualTo(gpipe);
        assertThat(makespan(FORWARD, BACKWARD, microBatches, MicroBatchOrder.ONE_FORWARD_ONE_BACKWARD))
                .isEqualTo(oneByOne);
        assertThat(makespan(FORWARD, BACKWARD, microBatches, MicroBatchOrder.DEEP))
                .isEqualTo(deep);
        assertThat(OptimalSchedule.makespan(FORWARD, BACKWARD, microBatches)).isEqualTo(deep);
    }

    @Test
    void bounds_of_the_slow_channel_are_those_of_the_paper() {
        assertThat(PipelineBounds.deep(FORWARD, BACKWARD, 4)).isEqualTo(32);
        assertThat(PipelineBounds.lower(FORWARD, BACKWARD, 4)).isBetween(16.0, 19.0);
    }

    @Test
    void random_pipelines_stay_between_their_bounds_and_within_a_seventh_of_the_optimum() {
        RandomGenerator random = RandomStreams.stream(1, "pipelines");
        for (int i = 0; i < 400; i++) {
            int stages = 2 + random.nextInt(2);
            int microBatches = 1 + random.nextInt(stages == 2 ? 4 : 3);
            double[] forward =
                    random.ints(2 * stages - 1, 1, 5).asDoubleStream().toArray();
            double[] backward =
                    random.ints(2 * stages - 1, 1, 5).asDoubleStream().toArray();
            double deep = makespan(forward, backward, microBatches, MicroBatchOrder.DEEP);
            assertThat(deep)
                    .isLessThanOrEqualTo(PipelineBounds.deep(forward, backward, microBatches))
                    .isGreaterThanOrEqualTo(PipelineBounds.lower(forward, backward, microBatches));
            DappleLatency latency = DappleLatency.of(forward, backward, new double[forward.length], microBatches);
            assertThat(latency.seconds()).isLessThanOrEqualTo(deep + 1e-9);
            double optimum = OptimalSchedule.makespan(forward, backward, microBatches);
            assertThat(deep / optimum).isBetween(1.0, 1.15);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1 1,           2 2,            0 0,        4, 1, 2,    9,  4,    15",
        "2 .5 1,        4 .5 2,         0 0 0,      4, 0, 2,    18, 4,    24",
        "1 .25 1,       2 .25 2,        1.6 0 1.6,  4, 2, 2.25, 9,  5.85, 17.1",
        "1 .5 2 .5 1,   2 .5 4 .5 2,    0 0 3 0 9,  6, 2, 3.5,  30, 7,    40.5",
    })
    void dapples_estimate_is_exact_on_its_known_answers(
            String forward,
            String backward,
            String reduce,
            int microBatches,
            int pivot,
            double warmUp,
            double steady,
            double ending,
            double seconds) {
        DappleLatency latency = DappleLatency.of(numbers(forward), numbers(backward), numbers(reduce), microBatches);
        assertThat(latency).isEqualTo(new DappleLatency(pivot, warmUp, steady, ending));
        assertThat(latency.seconds()).isCloseTo(seconds, within(1e-12));
        PipelineSchedule schedule =
                PipelineSchedule.of(numbers(forward), numbers(backward), microBatches, MicroBatchOrder.DEEP);
        assertThat(schedule.end(numbers(reduce))).isCloseTo(seconds, within(1e-12));
    }

    @Test
    void dapples_pivot_is_the_slow_channel() {
        DappleLatency latency = DappleLatency.of(FORWARD, BACKWARD, new double[3], 4);
        assertThat(latency.pivot()).isEqualTo(1);
        assertThat(latency.seconds()).isEqualTo(19);
    }

    @Test
    void warm_up_counts_are_those_of_the_policies() {
        int[][] expected = {{4, 3, 2, 1}, {7, 5, 3, 1}, {16, 16, 16, 16}};
        MicroBatchOrder[] orders = {
            MicroBatchOrder.ONE_FORWARD_ONE_BACKWARD, MicroBatchOrder.DEEP, MicroBatchOrder.GPIPE
        };
        for (int i = 0; i < orders.length; i++) {
            for (int stage = 0; stage < 4; stage++) {
                assertThat(orders[i].warmUp(stage, 4, 16)).isEqualTo(expected[i][stage]);
            }
        }
    }

    @Test
    void a_full_duplex_channel_that_is_the_bottleneck_takes_less_than_both_directions() {
        double[] seconds = {1, 4, 1};
        boolean[][] order = MicroBatchOrder.DEEP.sequences(3, 8);
        double half = PipelineSchedule.of(seconds, seconds, 8, order, false).makespan();
        double full = PipelineSchedule.of(seconds, seconds, 8, order, true).makespan();
        assertThat(half).isGreaterThanOrEqualTo(64);
        assertThat(full).isLessThan(half);
    }

    @Test
    void sequences_that_wait_for_each_other_are_refused() {
        boolean[][] backwardFirst = {{false, true}, {true, false}};
        assertThatThrownBy(() -> PipelineSchedule.of(new double[] {1, 1}, new double[] {1, 1}, 1, backwardFirst, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wait for each other");
    }

    @Test
    void a_second_register_hides_the_producer_behind_the_consumer() {
        double[] one = RegisterChain.ends(new double[] {1, 1}, new int[] {1, 1}, 4);
        double[] two = RegisterChain.ends(new double[] {1, 1}, new int[] {2, 1}, 4);
        assertThat(one).containsExactly(2, 4, 6, 8);
        assertThat(two).containsExactly(2, 3, 4, 5);
    }

    private static double[] numbers(String text) {
        String[] parts = text.strip().split(" ", -1);
        double[] numbers = new double[parts.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Double.parseDouble(parts[i]);
        }
        return numbers;
    }
}
