package org.trainyard.env.pipeline.mixed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The cheapest layouts of a {@link LayoutChain}, exactly, by dynamic programming over the layouts of activations and
 * their gradients between two products. O(products + different products x ten thousand).
 *
 * <p>Our replacement for the search of OneFlow's automatic parallelism, which eliminates nodes of a graph and then
 * improves greedily.
 */
final class LayoutSearch {
    private static final List<TensorLayout> LAYOUTS = List.of(TensorLayout.values());
    private static final int STATES = LAYOUTS.size() * LAYOUTS.size();
    private static final double NONE = Double.POSITIVE_INFINITY;

    /** @param seconds cost of an iteration */
    record Result(double seconds, List<LayoutChain.Choice> choices) {}

    /** The cheapest choice of one product from each state to each next one. Equal products have equal steps. */
    private static final class Step {
        private final double[][] seconds = new double[STATES][STATES];
        private final LayoutChain.Choice[][] choices = new LayoutChain.Choice[STATES][STATES];

        static Step of(LayoutChain chain, int index, boolean everywhere) {
            Step step = new Step();
            for (double[] row : step.seconds) {
                Arrays.fill(row, NONE);
            }
            LayoutChain.ProductCosts costs = chain.costs(index);
            for (LayoutChain.Choice choice : choices(everywhere, index == 0)) {
                TensorLayout dx =
                        index == 0 ? TensorLayout.SPLIT_ROWS : choice.input().product();
                for (TensorLayout x : LAYOUTS) {
                    for (TensorLayout dy : LAYOUTS) {
                        step.offer(
                                state(x, dx),
                                state(choice.forward().product(), dy),
                                choice,
                                costs.seconds(choice, x, dy));
                    }
                }
            }
            return step;
        }

        private void offer(int state, int next, LayoutChain.Choice choice, double cost) {
            if (cost < seconds[state][next]) {
                seconds[state][next] = cost;
                choices[state][next] = choice;
            }
        }
    }

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
        return activations.index() * LAYOUTS.size() + gradients.index();
    }

    /** @param everywhere whether products may be computed in full on each GPU */
    static Result best(LayoutChain chain, boolean everywhere) {
        int count = chain.products().size();
        Map<LayoutChain.Product, Step> steps = new HashMap<>();
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
            int index = i;
            Step step = i == 0
                    ? Step.of(chain, 0, everywhere)
                    : steps.computeIfAbsent(chain.products().get(i), product -> Step.of(chain, index, everywhere));
            for (int state = 0; state < STATES; state++) {
                for (int next = 0; cost[i][state] < NONE && next < STATES; next++) {
                    double total = cost[i][state] + step.seconds[state][next];
                    if (total < cost[i + 1][next]) {
                        cost[i + 1][next] = total;
                        choice[i + 1][next] = step.choices[state][next];
                        from[i + 1][next] = state;
                    }
                }
            }
        }
        int end = cheapest(chain, cost[count]);
        TensorLayout read = LAYOUTS.get(end % LAYOUTS.size());
        double seconds = cost[count][end] + chain.lossSeconds(LAYOUTS.get(end / LAYOUTS.size()), read);
        List<LayoutChain.Choice> chosen = new ArrayList<>();
        for (int i = count; i > 0; i--) {
            chosen.add(0, choice[i][end]);
            end = from[i][end];
        }
        return new Result(seconds, List.copyOf(chosen));
    }

    /**
     * The cheapest state behind the last product, with the conversion to the layout in which the loss reads the output.
     */
    private static int cheapest(LayoutChain chain, double[] cost) {
        double least = NONE;
        int end = 0;
        for (int state = 0; state < STATES; state++) {
            TensorLayout y = LAYOUTS.get(state / LAYOUTS.size());
            TensorLayout read = LAYOUTS.get(state % LAYOUTS.size());
            double total = read == TensorLayout.PARTIAL ? NONE : cost[state] + chain.lossSeconds(y, read);
            if (total < least) {
                least = total;
                end = state;
            }
        }
        return end;
    }
}
