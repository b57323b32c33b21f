package org.trainyard.agents.learned.adversary;

import static org.trainyard.env.InvalidFieldException.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.trainyard.agents.heuristic.linear.BoxedProgram;
import org.trainyard.agents.heuristic.linear.BoxedProgram.Row;

/**
 * A price that is drawn once, before the first request of an {@link AllocationGame}, and kept for all units: the
 * lottery that the best policy for one unit is, on any number of units.
 *
 * <p>Of a sequence's requests the price of a level sells to the first that are worth it, as many as there are units.
 * Whatever the price, that is worth least where the values ascend, and the offline optimum is the same in any order. So
 * the worst of all sequences is among those that ascend, and all of them are tried: {@code C(rounds + levels, levels)},
 * for requests of one unit.
 *
 * @param probabilities of the levels, which add up to one
 * @param guarantee the least expected welfare over the offline optimum, over all sequences
 */
public record PriceLottery(List<Double> probabilities, double guarantee) {
    public PriceLottery {
        probabilities = List.copyOf(probabilities);
    }

    static PriceLottery of(AllocationGame game, double... probabilities) {
        return of(payoffs(game), probabilities);
    }

    /** The lottery with the greatest guarantee, by a linear programme. */
    public static PriceLottery best(AllocationGame game) {
        int levels = game.values().size();
        List<double[]> payoffs = payoffs(game);
        int[] columns = IntStream.rangeClosed(0, levels).toArray();
        double[] costs = new double[levels + 1];
        costs[levels] = -1;
        double[] upper = new double[levels + 1];
        Arrays.fill(upper, 1);
        List<Row> rows = new ArrayList<>();
        double[] ones = upper.clone();
        ones[levels] = 0;
        rows.add(new Row(columns, ones, 1, 1));
        for (double[] payoff : payoffs) {
            double[] row = Arrays.copyOf(payoff, levels + 1);
            row[levels] = -1;
            rows.add(new Row(columns, row, 0, Double.POSITIVE_INFINITY));
        }
        double[] found = Objects.requireNonNull(BoxedProgram.minimise(costs, upper, rows));
        double sum = Arrays.stream(found, 0, levels).sum();
        return of(
                payoffs,
                Arrays.stream(found, 0, levels).map(value -> value / sum).toArray());
    }

    private static PriceLottery of(List<double[]> payoffs, double[] probabilities) {
        double least = payoffs.stream()
                .mapToDouble(payoff -> IntStream.range(0, payoff.length)
                        .mapToDouble(level -> probabilities[level] * payoff[level])
                        .sum())
                .min()
                .orElseThrow();
        return new PriceLottery(DoubleStream.of(probabilities).boxed().toList(), least);
    }

    /** By sequence that ascends and by price: the welfare over the offline optimum. */
    private static List<double[]> payoffs(AllocationGame game) {
        within(1, 1, "demands", game.demands().size());
        within(1, 1, "demands", game.demands().get(0));
        List<double[]> payoffs = new ArrayList<>();
        add(game, new int[game.values().size()], 0, game.rounds(), payoffs);
        return payoffs;
    }

    /** @param counts requests of each level, of which those from {@code level} on are yet to be chosen */
    private static void add(AllocationGame game, int[] counts, int level, int left, List<double[]> payoffs) {
        if (level < counts.length) {
            for (int count = 0; count <= left; count++) {
                counts[level] = count;
                add(game, counts, level + 1, left - count, payoffs);
            }
            counts[level] = 0;
        } else if (left < game.rounds()) {
            double[] payoff = new double[counts.length];
            for (int price = 0; price < counts.length; price++) {
                int units = game.units();
                for (int value = price; value < counts.length; value++) {
                    int sold = Math.min(units, counts[value]);
                    payoff[price] += sold * game.values().get(value);
                    units -= sold;
                }
            }
            double optimum = optimum(game, counts);
            payoffs.add(Arrays.stream(payoff).map(welfare -> welfare / optimum).toArray());
        }
    }

    private static double optimum(AllocationGame game, int[] counts) {
        int units = game.units();
        double optimum = 0;
        for (int level = counts.length - 1; level >= 0; level--) {
            int sold = Math.min(units, counts[level]);
            optimum += sold * game.values().get(level);
            units -= sold;
        }
        return optimum;
    }
}
