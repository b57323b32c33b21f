package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.training.ScheduleSettings;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** The parts of an update in numbers worked out by hand. */
class UpdateByHandTest {
    private static final double TAU = 2;

    /** Uphill: the first gradient, of norm 2.5 with its factor, counts as one of norm 1; the second is shorter. */
    @Test
    void adam_moves_by_the_corrected_moments_of_gradients_of_at_most_norm_one() throws IOException {
        Adam adam = new Adam(2);
        float[] weights = {1, -1};
        assertThat(adam.step(weights, new float[] {3, -4}, 0.5f, 0.1)).isCloseTo(2.5, within(1e-6));
        assertThat(weights).containsExactly(new float[] {1.1f, -1.1f}, within(1e-6f));

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        adam.write(new DataOutputStream(bytes));
        Adam read = new Adam(2);
        read.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        for (Adam each : List.of(adam, read)) {
            float[] second = weights.clone();
            assertThat(each.step(second, new float[] {0.3f, 0.4f}, 1, 0.1)).isCloseTo(0.5, within(1e-6));
            double[] before = {0.6, -0.8};
            double[] now = {0.3, 0.4};
            for (int w = 0; w < 2; w++) {
                double first = (0.9 * 0.1 * before[w] + 0.1 * now[w]) / (1 - 0.81);
                double squares = (0.999 * 0.001 * before[w] * before[w] + 0.001 * now[w] * now[w]) / (1 - 0.998001);
                assertThat((double) second[w]).isCloseTo(weights[w] + 0.1 * first / Math.sqrt(squares), within(1e-5));
            }
        }
    }

    /** One of eight GPUs in use for 600 s of 3600; two jobs wait, of 2 GPUs for an hour and of 4 for two. */
    @Test
    void figures_count_jobs_gpus_and_gpu_hours() {
        Topology topology = Objects.requireNonNull(Topologies.parse("2x4"));
        Simulator simulator = TimedJobs.list()
                .job(1, 0, 3600)
                .job(2, 600, 3600)
                .job(4, 600, 7200)
                .simulator(topology);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(topology, 0)));
        simulator.apply(Decision.WAIT);
        simulator.advance();
        double[] figures = new double[ClusterFigures.COUNT + 2];
        ClusterFigures.write(simulator.view(), figures, 1);

        double[] predicted = {1, 1, 1};
        for (int job = 0; job < 3; job++) {
            predicted[job] = simulator.view().predictedRemainingSeconds(job) / 3600;
        }
        assertThat(figures)
                .containsExactly(
                        new double[] {0, 2, 1, 6, 2 * predicted[1] + 4 * predicted[2], predicted[0], 7, 0},
                        within(1e-12));
        assertThat(DoubleStream.of(0, 1, 2, 3, 4, 5).mapToObj(f -> ClusterFigures.isWork((int) f)))
                .containsExactly(false, false, false, true, true, false);
    }

    /** Two jobs for an hour, then one for two; the decisions at the second hour cost 0.7 at once. */
    @Test
    void what_decisions_cost_at_once_counts_at_their_instant_and_discounted_before() {
        EpisodeRecord record = RandomRecords.of(new double[] {1, 2, 4}, new double[] {2, 1, 0});
        record.costAtOnce[1] = 0.7;
        CostToGo cost = new CostToGo(record, 1);

        double last = 1 - Math.exp(-2);
        assertThat(cost.atSegment(1)).isCloseTo(0.7 + last, within(1e-12));
        assertThat(cost.atSegment(0)).isCloseTo(2 * (1 - Math.exp(-1)) + Math.exp(-1) * (0.7 + last), within(1e-12));
        assertThat(cost.atHour(1.5)).isCloseTo(2 * (1 - Math.exp(-0.5)) + Math.exp(-0.5) * (0.7 + last), within(1e-12));
        assertThat(cost.atHour(3)).isCloseTo(1 - Math.exp(-1), within(1e-12));
    }

    /** Plays of other lengths, of a second group, are compared at the hours of each; each group has its own spread. */
    @Test
    void plays_of_a_group_are_compared_at_the_same_hours_and_with_no_other_group() {
        EpisodeRecord one = RandomRecords.of(new double[] {0, 2}, new double[] {3, 0});
        EpisodeRecord other = RandomRecords.of(new double[] {0, 1, 3}, new double[] {1, 1, 0});
        EpisodeRecord dear = RandomRecords.of(new double[] {0, 9}, new double[] {100, 0});
        EpisodeRecord cheap = RandomRecords.of(new double[] {0, 9}, new double[] {90, 0});
        ScheduleSettings schedule = AuctionWorlds.schedule(2, TAU, null, true, false);
        Advantages advantages = new Advantages(List.of(dear, cheap, one, other), schedule, CostToGo.stateValue());

        double three = 3 * TAU * (1 - Math.exp(-1)) - TAU * (1 - Math.exp(-1.5));
        double later = TAU * (1 - Math.exp(-1)) - 3 * TAU * (1 - Math.exp(-0.5));
        double[] raw = {-three, three, -later};
        double mean = Arrays.stream(raw).average().orElseThrow();
        double spread = Math.sqrt(
                Arrays.stream(raw).map(a -> (a - mean) * (a - mean)).average().orElseThrow());
        assertThat(advantages.of(2)).containsExactly(new float[] {(float) ((raw[0] - mean) / spread)}, within(1e-5f));
        assertThat(advantages.of(3))
                .containsExactly(
                        new float[] {(float) ((raw[1] - mean) / spread), (float) ((raw[2] - mean) / spread)},
                        within(1e-5f));
        assertThat(advantages.of(0)).containsExactly(new float[] {-1}, within(1e-6f));
        assertThat(advantages.of(1)).containsExactly(new float[] {1}, within(1e-6f));
    }

    /** Update 3 of two episodes, four plays each, plays episodes 6 and 7; every play draws from a stream of its own. */
    @Test
    void an_update_plays_the_next_episodes_each_with_draws_of_its_own() {
        BidPolicy policy = AuctionWorlds.policy(new BidNetwork(1));
        ScheduleSettings schedule = AuctionWorlds.settings(4, 0.01).schedule();
        List<Long> asked = new ArrayList<>();
        Rollouts.Episodes episodes = number -> {
            asked.add(number);
            return new Rollouts.Episode(
                    () -> AuctionWorlds.simulator(number), AuctionWorlds.deployment(), JctReward::new, (int) number);
        };
        List<EpisodeRecord> records = new Rollouts(episodes, schedule, WorkerPool.SEQUENTIAL, 5).play(policy, 3);

        assertThat(asked).containsExactly(6L, 7L);
        assertThat(records).extracting(record -> record.world).containsExactly(6, 6, 6, 6, 7, 7, 7, 7);
        for (int i = 0; i < 8; i++) {
            EpisodeRecord alone = new EpisodeRecord();
            new EpisodePlayer(policy, new JctReward(), schedule)
                    .play(
                            AuctionWorlds.simulator(6 + i / 4),
                            AuctionWorlds.deployment(),
                            RandomStreams.stream(5, "play/3/" + i),
                            alone);
            assertThat(chosen(records.get(i))).isEqualTo(chosen(alone));
        }
        assertThat(records).extracting(UpdateByHandTest::chosen).doesNotHaveDuplicates();
    }

    private static List<Integer> chosen(EpisodeRecord record) {
        return Arrays.stream(record.chosen, 0, record.auctions).boxed().toList();
    }
}
