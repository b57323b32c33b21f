package org.trainyard.agents.heuristic.gadget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.agents.heuristic.slots.SlotNetwork;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.utility.ConcaveFamily;
import org.trainyard.env.workload.utility.JobUtility;

class GreedyEmbeddingTest {
    private static final double[] ONE_GPU = {1};
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private static JobUtility.Concave utility(ConcaveFamily family, double weight, double scale) {
        return new JobUtility.Concave(family, weight, scale, NEVER);
    }

    @Test
    void two_slots_of_three_gpus_reach_the_known_value_and_optimum() {
        GreedyRatio instance = new GreedyRatio(
                3,
                3,
                List.of(utility(ConcaveFamily.EXPONENTIAL, 10, 2), utility(ConcaveFamily.ROOT, 4, 1)),
                new boolean[][] {{true, false}, {true, true}});

        assertThat(instance.greedy(0, new double[2])).containsExactly(2, 1);
        assertThat(instance.greedy(1, new double[] {2, 1})).containsExactly(0, 3);
        assertThat(instance.greedy()).isCloseTo(14.3212, within(5e-5));
        assertThat(instance.optimum(0, new double[2])).isCloseTo(14.6969, within(5e-5));
    }

    /**
     * With an exact solver of slots the total is at least half the optimum, and with unit workers on one server the
     * greedy is one.
     */
    @Test
    void the_greedy_solves_slots_exactly_and_reaches_half_the_optimum_of_500_random_instances() {
        RandomGenerator random = RandomStreams.stream(1, "gadget instances");
        for (int instance = 0; instance < 100; instance++) {
            GreedyRatio small = GreedyRatio.drawn(random);
            double[] trained = random.doubles(3, 0, 4).toArray();
            double best = small.allocations(0).stream()
                    .mapToDouble(row -> sumOfGains(small, row, trained))
                    .max()
                    .orElse(0);
            assertThat(sumOfGains(small, small.greedy(0, trained), trained))
                    .as("slot of instance %d", instance)
                    .isCloseTo(best, within(1e-9 + 1e-9 * best));
        }
        assertThat(GreedyRatio.worst(500)).isBetween(0.5, 0.999);
    }

    private static double sumOfGains(GreedyRatio instance, int[] workers, double[] trained) {
        return IntStream.range(0, workers.length)
                .mapToDouble(job -> instance.gain(job, trained[job], workers[job]))
                .sum();
    }

    @Test
    void two_workers_that_are_slower_than_one_are_passed_over_for_four() {
        double[] speed = {0, 210.5, 134.5, 160, 200.6, 240, 280, 320, 356.1};
        SlotNetwork network = new SlotNetwork(
                new double[][] {{1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}},
                new int[8],
                new double[] {1, 1, 1, 1, 1, 1, 1, 1},
                new double[] {1});
        List<GpusByServer> rows = GreedyEmbedding.of(
                network, List.of(new GreedyEmbedding.RingJob(ONE_GPU, 1, 8, 0.1, (workers, inside) -> speed[workers])));

        // From one worker on, five, and no less, are faster.
        assertThat(rows.get(0).total()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void no_resource_and_no_link_is_overbooked() {
        RandomGenerator random = RandomStreams.stream(2, "gadget networks");
        for (int instance = 0; instance < 50; instance++) {
            int[] gpus = random.ints(6, 1, 5).toArray();
            double[][] capacity =
                    Arrays.stream(gpus).mapToObj(count -> new double[] {count}).toArray(double[][]::new);
            double[] links = random.doubles(6, 0.5, 3).toArray();
            SlotNetwork network = new SlotNetwork(capacity, new int[] {0, 0, 0, 1, 1, 1}, links, new double[] {2, 2});
            List<GreedyEmbedding.RingJob> jobs = new ArrayList<>();
            for (int job = 0; job < 5; job++) {
                double weight = random.nextDouble(1, 5);
                jobs.add(new GreedyEmbedding.RingJob(
                        ONE_GPU,
                        random.nextInt(1, 3),
                        random.nextInt(3, 9),
                        random.nextDouble(0.2, 1.2),
                        (w, inside) -> weight * Math.sqrt(inside ? w : 0.7 * w)));
            }
            int[][] rows = GreedyEmbedding.of(network, jobs).stream()
                    .map(row -> row.table(6))
                    .toArray(int[][]::new);
            double[] used = new double[6];
            for (int server = 0; server < 6; server++) {
                int held = 0;
                for (int job = 0; job < 5; job++) {
                    held += rows[job][server];
                    int all = Arrays.stream(rows[job]).sum();
                    boolean isSpread = rows[job][server] > 0 && rows[job][server] < all;
                    used[server] += isSpread ? jobs.get(job).bandwidth() : 0;
                }
                assertThat(held).isLessThanOrEqualTo(gpus[server]);
                assertThat(used[server]).isLessThanOrEqualTo(links[server] + 1e-9);
                assertThat(network.serverLink(server)).isCloseTo(links[server] - used[server], within(1e-9));
            }
            for (int job = 0; job < 5; job++) {
                int all = Arrays.stream(rows[job]).sum();
                assertThat(all == 0 || all >= jobs.get(job).fewest()).isTrue();
                assertThat(all).isLessThanOrEqualTo(jobs.get(job).most());
            }
        }
    }
}
