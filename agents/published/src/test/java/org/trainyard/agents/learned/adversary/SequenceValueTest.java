package org.trainyard.agents.learned.adversary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

class SequenceValueTest {
    @Test
    void welfare_of_the_equilibrium_is_the_known_one() {
        AllocationGame game = new AllocationGame(1, List.of(1.0, 4.0), List.of(1), 2);
        double[] mixed = {4.0 / 7, 3.0 / 7};
        double[] high = {0, 1};

        SequenceValue both = new SequenceValue(game, new int[] {0, 1}, new double[][][] {{mixed}, {high}});
        SequenceValue low = new SequenceValue(game, new int[] {0}, new double[][][] {{mixed}});

        assertThat(both.welfare()).isCloseTo(16.0 / 7, within(1e-12));
        assertThat(both.welfare() / game.optimum(0, 1)).isCloseTo(4.0 / 7, within(1e-12));
        assertThat(low.welfare() / game.optimum(0)).isCloseTo(4.0 / 7, within(1e-12));
    }

    @Test
    void gradient_of_every_round_equals_finite_differences() {
        RandomGenerator random = RandomStreams.stream(4, "policies");
        for (int trial = 0; trial < 20; trial++) {
            int units = 1 + random.nextInt(3);
            int rounds = 1 + random.nextInt(5);
            AllocationGame game =
                    new AllocationGame(units, List.of(1.0, 2.5, 4.0), units > 1 ? List.of(1, 2) : List.of(1), rounds);
            int[] sequence = random.ints(rounds, 0, game.requests()).toArray();
            double[][][] logits = new double[rounds][units][3];
            for (double[][] round : logits) {
                for (double[] row : round) {
                    for (int price = 0; price < 3; price++) {
                        row[price] = random.nextGaussian();
                    }
                }
            }
            SequenceValue value = value(game, sequence, logits);
            for (int round = 0; round < rounds; round++) {
                for (int sold = 0; sold < units; sold++) {
                    double[] slopes = new double[3];
                    value.addSlopes(round, sold, 1, slopes);
                    for (int price = 0; price < 3; price++) {
                        double difference = difference(game, sequence, logits, logits[round][sold], price);

                        assertThat(slopes[price]).isCloseTo(difference, within(1e-8));
                    }
                }
            }
        }
    }

    @Test
    void demands_that_do_not_fit_earn_nothing() {
        AllocationGame game = new AllocationGame(3, List.of(1.0), List.of(1, 2), 3);
        double[][][] always = new double[3][3][];
        for (double[][] round : always) {
            java.util.Arrays.fill(round, new double[] {1});
        }

        assertThat(new SequenceValue(game, new int[] {1, 1, 0}, always).welfare())
                .isEqualTo(3);
        assertThat(game.optimum(1, 1, 0)).isEqualTo(3);
    }

    private static double difference(
            AllocationGame game, int[] sequence, double[][][] logits, double[] row, int price) {
        double step = 1e-5;
        double kept = row[price];
        row[price] = kept + step;
        double up = value(game, sequence, logits).welfare();
        row[price] = kept - step;
        double down = value(game, sequence, logits).welfare();
        row[price] = kept;
        return (up - down) / (2 * step);
    }

    private static SequenceValue value(AllocationGame game, int[] sequence, double[][][] logits) {
        double[][][] policy = new double[logits.length][logits[0].length][];
        for (int round = 0; round < policy.length; round++) {
            for (int sold = 0; sold < policy[round].length; sold++) {
                policy[round][sold] = logits[round][sold].clone();
                ChoiceModel.softmax(policy[round][sold]);
            }
        }
        return new SequenceValue(game, sequence, policy);
    }
}
