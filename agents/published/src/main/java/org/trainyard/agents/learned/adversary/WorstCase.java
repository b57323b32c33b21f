package org.trainyard.agents.learned.adversary;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.trainyard.agents.heuristic.admission.PriceThresholds;

/**
 * The least payoff of a pricing policy over all sequences of an {@link AllocationGame}.
 *
 * <p>A dynamic programme over what the policy reads, what the offline optimum depends on, and the units sold finds the
 * best response of an adversary that sees the units sold. No sequence pays less than that, and for fixed prices, where
 * the units sold follow from the sequence, one pays as much. An adversary that does not see what a lottery over prices
 * sold pays no less; a search over sequences, cut where the programme shows that nothing worse can follow, narrows the
 * gap as far as its budget of steps goes.
 *
 * @param least no sequence has a payoff below this
 * @param found the payoff of the worst sequence that was found
 */
public record WorstCase(double least, double found, List<Integer> sequence) {
    private static final double[] GAPS = {0.0005, 0.002, 0.005, 0.01, 0.02, 0.04};
    /** Prices of a formula come by bisection. */
    private static final double ROUNDING = 1e-9;

    private static final long STEPS = 3_000_000;

    public WorstCase {
        sequence = List.copyOf(sequence);
    }

    /** The worst case of fixed prices, exactly. */
    static WorstCase of(SequenceGraph graph, PriceThresholds prices) {
        List<Double> values = graph.game().values();
        double[][] paid = new double[graph.game().units()][values.size()];
        for (int sold = 0; sold < paid.length; sold++) {
            for (int level = 0; level < values.size(); level++) {
                paid[sold][level] = values.get(level) >= prices.price(sold) * (1 - ROUNDING) ? 1 : 0;
            }
        }
        double[][][] everywhere = new double[graph.next().size()][][];
        Arrays.fill(everywhere, paid);
        return new Search(graph, everywhere).run();
    }

    /** @param policy the probabilities of all prices, a row for each state */
    static WorstCase of(SequenceGraph graph, Function<List<PlayerState>, double[][]> policy) {
        return new Search(graph, paid(graph, policy)).run();
    }

    /** The worst sequence but for a hundredth of the optimum, or what a short search finds. */
    static int[] sequence(SequenceGraph graph, Function<List<PlayerState>, double[][]> policy) {
        Search search = new Search(graph, paid(graph, policy));
        search.seeing();
        search.within(0.01, STEPS / 20);
        return search.worst;
    }

    private static double[][][] paid(SequenceGraph graph, Function<List<PlayerState>, double[][]> policy) {
        AllocationGame game = graph.game();
        double[][][] paid = new double[graph.next().size()][0][];
        for (int node = 0; node < paid.length; node++) {
            int[] sequence = graph.examples().get(node);
            if (sequence.length < game.rounds()) {
                paid[node] = policy.apply(IntStream.range(0, game.units())
                        .mapToObj(sold -> game.ofPolicy(sequence, sequence.length, sold))
                        .toList());
                for (double[] row : paid[node]) {
                    for (int level = 1; level < row.length; level++) {
                        row[level] += row[level - 1];
                    }
                }
            }
        }
        return paid;
    }

    /** The search for the worst sequence of one policy. */
    private static final class Search {
        private final AllocationGame game;
        private final SequenceGraph graph;
        private final int states;
        /** By node, units sold and level: the probability that a request of it pays the price. */
        private final double[][][] paid;
        /** By node and units sold: what the adversary that sees them makes of the rest, less ratio times optimum. */
        private final double[][] rest;
        /** By node and units sold: the two parts of {@link #rest}, welfare and optimum. */
        private final double[][] welfare;

        private final double[][] optimum;
        private final int[] begun;

        private double found = Double.POSITIVE_INFINITY;
        private int[] worst = {};
        private double gap;
        private long steps;

        Search(SequenceGraph graph, double[][][] paid) {
            game = graph.game();
            this.graph = graph;
            this.paid = paid;
            states = game.units() + 1;
            rest = new double[paid.length][states];
            welfare = new double[paid.length][states];
            optimum = new double[paid.length][states];
            begun = new int[game.rounds()];
        }

        WorstCase run() {
            double least = seeing();
            for (int i = 0; i < GAPS.length && found > least + 1e-9; i++) {
                if (within(GAPS[i], STEPS)) {
                    least = Math.max(least, found - GAPS[i]);
                    break;
                }
            }
            return new WorstCase(least, found, Arrays.stream(worst).boxed().toList());
        }

        /** Searches for what is worse by a gap than what was found; whether the steps were enough to know. */
        private boolean within(double least, long budget) {
            gap = least;
            steps = budget;
            respond(found - gap);
            double[] reach = new double[states];
            reach[0] = 1;
            follow(0, 0, 0, reach);
            return steps > 0;
        }

        /** The payoff against the adversary that sees the units sold: Dinkelbach's iteration for the least ratio. */
        private double seeing() {
            double ratio = 1;
            while (true) {
                respond(ratio);
                double next = welfare[0][0] / optimum[0][0];
                if (next >= ratio - 1e-12) {
                    follow();
                    return ratio;
                }
                ratio = next;
            }
        }

        /** Fills {@link #rest} for a ratio. */
        private void respond(double ratio) {
            for (int node = paid.length - 1; node >= 0; node--) {
                for (int sold = 0; sold < states; sold++) {
                    double least = node == 0 ? Double.POSITIVE_INFINITY : -ratio * graph.optima()[node];
                    double gained = 0;
                    double best = graph.optima()[node];
                    int[] next = graph.next().get(node);
                    for (int request = 0; request < next.length; request++) {
                        double sells = sells(node, sold, request);
                        int child = next[request];
                        int then = sells > 0 ? sold + game.demand(request) : sold;
                        double value =
                                sells * (game.worth(request) + rest[child][then]) + (1 - sells) * rest[child][sold];
                        if (value < least) {
                            least = value;
                            gained = sells * (game.worth(request) + welfare[child][then])
                                    + (1 - sells) * welfare[child][sold];
                            best = sells * optimum[child][then] + (1 - sells) * optimum[child][sold];
                        }
                    }
                    rest[node][sold] = least;
                    welfare[node][sold] = gained;
                    optimum[node][sold] = best;
                }
            }
        }

        /** The probability that a request gets its units. */
        private double sells(int node, int sold, int request) {
            return sold + game.demand(request) <= game.units() ? paid[node][sold][game.level(request)] : 0;
        }

        /** One sequence: in each round what is worst for the units sold as they are distributed. */
        private void follow() {
            double[] reach = new double[states];
            reach[0] = 1;
            int node = 0;
            double gained = 0;
            for (int round = 0; round < game.rounds(); round++) {
                int request = order(node, gained, reach)[0];
                gained += gain(node, reach, request);
                reach = after(node, reach, request);
                begun[round] = request;
                node = graph.next().get(node)[request];
                offer(node, gained, round + 1);
            }
        }

        private void offer(int node, double gained, int length) {
            double payoff = gained / graph.optima()[node];
            if (payoff < found) {
                found = payoff;
                worst = Arrays.copyOf(begun, length);
            }
        }

        private void follow(int node, int round, double gained, double[] reach) {
            int[] next = graph.next().get(node);
            if (next.length == 0 || steps <= 0) {
                return;
            }
            for (int request : order(node, gained, reach)) {
                double then = gained + gain(node, reach, request);
                double[] reached = after(node, reach, request);
                if (steps-- > 0 && bound(next[request], then, reached) < 0) {
                    begun[round] = request;
                    double before = found;
                    offer(next[request], then, round + 1);
                    if (found < before) {
                        respond(found - gap);
                    }
                    follow(next[request], round + 1, then, reached);
                }
            }
        }

        private double bound(int node, double gained, double[] reach) {
            double bound = gained;
            for (int sold = 0; sold < states; sold++) {
                bound += reach[sold] * rest[node][sold];
            }
            return bound;
        }

        /** All requests, the one with the least bound first. */
        private int[] order(int node, double gained, double[] reach) {
            int[] next = graph.next().get(node);
            double[] bounds = new double[next.length];
            int[] order = new int[next.length];
            for (int request = 0; request < next.length; request++) {
                bounds[request] =
                        bound(next[request], gained + gain(node, reach, request), after(node, reach, request));
                int at = request;
                while (at > 0 && bounds[order[at - 1]] > bounds[request]) {
                    order[at] = order[--at];
                }
                order[at] = request;
            }
            return order;
        }

        private double gain(int node, double[] reach, int request) {
            double gain = 0;
            for (int sold = 0; sold < states; sold++) {
                gain += reach[sold] * sells(node, sold, request) * game.worth(request);
            }
            return gain;
        }

        private double[] after(int node, double[] reach, int request) {
            double[] after = new double[states];
            for (int sold = 0; sold < states; sold++) {
                double sells = sells(node, sold, request);
                after[sold] += (1 - sells) * reach[sold];
                if (sells > 0) {
                    after[sold + game.demand(request)] += sells * reach[sold];
                }
            }
            return after;
        }
    }
}
