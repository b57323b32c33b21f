package org.trainyard.agents.learned.bids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

class BidNetworkTest {
    private static final int COLUMNS = BidColumn.COUNT;
    private static final float[] NONE = {};

    /**
     * Where the weights of a kind begin in a network of one hidden unit: bias, linear weights, hidden bias, hidden
     * weights, output weight.
     */
    private static int begin(BidKind kind) {
        return kind.index() * (1 + COLUMNS + 1 + COLUMNS + 1);
    }

    @Test
    void the_score_is_linear_in_the_columns_plus_the_rectified_hidden_units() {
        BidNetwork network = new BidNetwork(1);
        network.bias(BidKind.START, 2);
        network.linear(BidKind.START, BidColumn.GPUS, 3);
        float[] weights = network.weights();
        int hidden = begin(BidKind.START) + 1 + COLUMNS;
        weights[hidden] = -1;
        weights[hidden + 1 + BidColumn.WAITED.index()] = 4;
        weights[hidden + 1 + COLUMNS] = 10;
        float[] columns = new float[COLUMNS];
        float[] withGpus = new float[COLUMNS];
        withGpus[BidColumn.GPUS.index()] = 0.5f;
        float[] scratch = new float[1];

        assertThat(network.score(BidKind.WAIT.index(), RandomRows.row(withGpus), 0, NONE, 0, scratch, 0))
                .isZero();
        assertThat(network.score(BidKind.START.index(), RandomRows.row(columns), 0, NONE, 0, scratch, 0))
                .isEqualTo(2);
        assertThat(network.score(BidKind.START.index(), RandomRows.row(withGpus), 0, NONE, 0, scratch, 0))
                .isEqualTo(3.5f);
        withGpus[BidColumn.WAITED.index()] = 1;
        assertThat(network.score(BidKind.START.index(), RandomRows.row(withGpus), 0, NONE, 0, scratch, 0))
                .isEqualTo(3.5f + 10 * (4 - 1));
    }

    @ForSeeds
    void the_mean_of_networks_scores_bids_by_the_mean_of_their_scores(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/mean");
        List<BidNetwork> networks = List.of(
                InitialBids.random(3, random), InitialBids.patient(2, 1, random), InitialBids.random(1, random));
        for (BidNetwork network : networks) {
            for (int w = 0; w < network.weights().length; w++) {
                network.weights()[w] += (float) (0.1 * random.nextGaussian());
            }
        }
        BidNetwork mean = InitialBids.mean(networks);
        float[] scratch = new float[6];
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            float[] columns = RandomRows.columns(random);
            double sum = 0;
            for (BidNetwork network : networks) {
                sum += network.score(kind, RandomRows.row(columns), 0, NONE, 0, scratch, 0);
            }
            assertThat((double) mean.score(kind, RandomRows.row(columns), 0, NONE, 0, scratch, 0))
                    .isCloseTo(sum / 3, within(1e-4));
        }
        assertThat(mean.hidden()).isEqualTo(6);
    }

    @Test
    void from_scratch_scores_come_from_the_hidden_units_alone_and_as_a_rule_from_none() {
        RandomGenerator random = RandomStreams.stream(1, "test/bids");
        float[] columns = RandomRows.columns(random);
        float[] scratch = new float[8];
        BidNetwork scratchNetwork = InitialBids.random(8, random);
        BidNetwork rule = InitialBids.patient(8, 5, random);
        rule.bias(BidKind.PATIENCE, 7);

        assertThat(scratchNetwork.score(BidKind.START.index(), RandomRows.row(columns), 0, NONE, 0, scratch, 0))
                .isNotZero();
        assertThat(rule.score(BidKind.PATIENCE.index(), RandomRows.row(columns), 0, NONE, 0, scratch, 0))
                .isEqualTo(7);
    }

    @ForSeeds
    void a_factor_multiplies_the_scores_of_all_kinds(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/bids");
        BidNetwork network = InitialBids.random(4, random);
        for (BidKind kind : BidKind.values()) {
            network.bias(kind, random.nextGaussian());
            network.linear(kind, BidColumn.GPUS, random.nextGaussian());
        }
        BidNetwork wide = network.widened(2, 0.1, random);
        BidNetwork scaled = wide.copy();
        scaled.scaleScores(0.25);
        float[] columns = RandomRows.columns(random);
        columns[BidColumn.GPUS.index()] = 1;
        float[] further = {1, -2};
        for (BidKind kind : BidKind.values()) {
            float score = wide.score(kind.index(), RandomRows.row(columns), 0, further, 0, new float[4], 0);
            assertThat(scaled.score(kind.index(), RandomRows.row(columns), 0, further, 0, new float[4], 0))
                    .isCloseTo(score / 4, within(1e-5f));
            assertThat(score).isNotZero();
        }
    }

    @ForSeeds
    void blocks_of_units_change_no_digit_of_scores(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/blocks");
        for (int hidden : new int[] {15, 16, 21, 32}) {
            BidNetwork network = InitialBids.random(hidden, random);
            float[] columns = RandomRows.columns(random);
            float[] weights = network.weights();
            int kind = random.nextInt(BidKind.COUNT);
            int at = kind * (1 + COLUMNS + hidden + COLUMNS * hidden + hidden) + 1 + COLUMNS;
            float[] units = new float[hidden];
            network.score(kind, RandomRows.row(columns), 0, NONE, 0, units, 0);
            for (int j = 0; j < hidden; j++) {
                float sum = weights[at + j];
                for (int c = 0; c < COLUMNS; c++) {
                    sum += columns[c] * weights[at + hidden + c * hidden + j];
                }
                assertThat(units[j]).isEqualTo(sum);
            }
        }
    }

    @Test
    void a_widened_network_scores_alike_where_the_further_inputs_are_zero() {
        RandomGenerator random = RandomStreams.stream(1, "test/widened");
        BidNetwork network =
                InitialBids.mean(List.of(InitialBids.patient(2, 2, random), InitialBids.random(4, random)));
        BidNetwork wide = network.widened(3, 0.5, random);
        float[] columns = RandomRows.columns(random);
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            float score = network.score(kind, RandomRows.row(columns), 0, NONE, 0, new float[6], 0);
            assertThat(wide.score(kind, RandomRows.row(columns), 0, new float[3], 0, new float[6], 0))
                    .isEqualTo(score);
            assertThat(wide.score(kind, RandomRows.row(columns), 0, new float[] {1, 2, 3}, 0, new float[6], 0))
                    .isNotEqualTo(score);
        }
        assertThat(wide.inputs()).isEqualTo(3);
    }

    @Test
    void a_copy_has_weights_of_its_own() {
        BidNetwork network = InitialBids.random(4, RandomStreams.stream(1, "test/bids"));
        BidNetwork copy = network.copy();
        assertThat(copy.weights()).isEqualTo(network.weights());
        network.bias(BidKind.WAIT, 9);
        assertThat(copy.weights()).isNotEqualTo(network.weights());
    }

    @Test
    void weights_that_were_written_with_fewer_columns_score_bids_without_the_others_alike() throws IOException {
        int columns = BidColumn.PLAN_PREEMPTIONS.index() + 1;
        RandomGenerator random = RandomStreams.stream(1, "test/older");
        BidNetwork network = InitialBids.random(4, random).widened(3, 0.5, random);
        EnumSet<BidColumn> others = EnumSet.allOf(BidColumn.class);
        others.removeIf(column -> column.index() < columns);
        network.ignore(others);
        int kindSize = network.weights().length / BidKind.COUNT;
        int newer = BidColumn.COUNT - columns;
        ByteArrayOutputStream older = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(older);
        out.writeInt(BidKind.COUNT * (kindSize - newer * 5));
        for (int w = 0; w < BidKind.COUNT * kindSize; w++) {
            int column = w % kindSize - 1;
            int row = Math.floorDiv(column - BidColumn.COUNT - 3 - 4, 4);
            if (!isNewer(column, columns) && !isNewer(row, columns)) {
                out.writeFloat(network.weights()[w]);
            }
        }
        BidNetwork read = new BidNetwork(4, 3);
        read.read(new DataInputStream(new ByteArrayInputStream(older.toByteArray())), columns);
        assertThat(read.weights()).isEqualTo(network.weights());
    }

    private static boolean isNewer(int column, int older) {
        return column >= older && column < BidColumn.COUNT;
    }
}
