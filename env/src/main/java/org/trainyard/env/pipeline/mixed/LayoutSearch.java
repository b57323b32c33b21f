package org.trainyard.env.pipeline.mixed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The cheapest layouts of a {@link LayoutChain}, exactly, by dynamic programming over the layouts of activations and their gradients
 * between two products. O(products), with a constant of some ten thousand.
 *
 * <p>Our replacement for the search of OneFlow's automatic parallelism, which eliminates nodes of a graph and then improves greedily.
 */
final class LayoutSearch {
    private static final List<TensorLayout> LAYOUTS = List.of(TensorLayout.values());
    private static final int STATES = LAYOUTS.size() * LAYOUTS.size();
    private static final double NONE = Double.POSITIVE_INFINITY;

    /** @param seconds cost of an iteration */
    record Result(double seconds, List<LayoutChain.Choice> choices) {}

    private LayoutSearch() {}

    /** The layouts that a product may have; sharded ones only, unless it may be computed everywhere. */
    static List<LayoutChain.Choice> choices(boolean everywhere, boolean isFirst) {
        List<MatrixProduct> products = Arrays.stream(MatrixProduct.values())
                .filter(p -> everywhere || p.isSharded())
                .toList();
        List<LayoutChain.Choice> choices = new ArrayList<>();
        for (MatrixProduct forward : products) {
            for (MatrixProduct input : isFirst ? products.subList(0, 1) : products) {
                for (MatrixProduct weight : products) {
                    for (TensorLayout stored : LAYOUTS) {
                        if (stored != TensorLayout.PARTIAL) {
                            choices.add(new LayoutChain.Choice(forward, input, weight, stored));
                        }
                    }
                }
            }
        }
        return choices;
    }

    private static int state(TensorLayout activations, TensorLayout gradients) {
        return LAYOUTS.indexOf(activations) * LAYOUTS.size() + LAYOUTS.indexOf(gradients);
    }

    /** @param everywhere whether products may be computed in full on each GPU */
    static Result best(LayoutChain chain, boolean everywhere) {
        int count = chain.products().size();
        // By product and state (layout of X there, layout of dX there): the least cost of all products before it.
        double[][] cost = new double[count + 1][STATES];
        LayoutChain.Choice[][] choice = new LayoutChain.Choice[count + 1][STATES];
        int[][] from = new int[count + 1][STATES];
        for (double[] row : cost) {
            Arrays.fill(row, NONE);
        }
        // The gradient of the first input is not computed: its layout is arbitrary.
        cost[0][state(TensorLayout.SPLIT_ROWS, TensorLayout.SPLIT_ROWS)] = 0;
        for (int i = 0; i < count; i++) {
            List<LayoutChain.Choice> choices = choices(everywhere, i == 0);
            for (int state = 0; state < STATES; state++) {
                if (cost[i][state] == NONE) {
                    continue;
                }
                TensorLayout x = LAYOUTS.get(state / LAYOUTS.size());
                TensorLayout dx = LAYOUTS.get(state % LAYOUTS.size());
                for (LayoutChain.Choice c : choices) {
                    if (i > 0 && c.input().product() != dx) {
                        continue;
                    }
                    for (TensorLayout dy : LAYOUTS) {
                        double total = cost[i][state] + chain.seconds(i, c, x, dy);
                        int next = state(c.forward().product(), dy);
                        if (total < cost[i + 1][next]) {
                            cost[i + 1][next] = total;
                            choice[i + 1][next] = c;
                            from[i + 1][next] = state;
                        }
                    }
                }
            }
        }
        double least = NONE;
        int end = 0;
        for (int state = 0; state < STATES; state++) {
            TensorLayout y = LAYOUTS.get(state / LAYOUTS.size());
            TensorLayout read = LAYOUTS.get(state % LAYOUTS.size());
            double total = read == TensorLayout.PARTIAL ? NONE : cost[count][state] + chain.lossSeconds(y, read);
            if (total < least) {
                least = total;
                end = state;
            }
        }
        List<LayoutChain.Choice> chosen = new ArrayList<>();
        for (int i = count; i > 0; i--) {
            chosen.add(0, choice[i][end]);
            end = from[i][end];
        }
        return new Result(least, List.copyOf(chosen));
    }
}
