package org.trainyard.agents.learned.adversary;

/**
 * The greatest payoff of any pricing policy against an adversary that draws sequences with known probabilities: an
 * upper bound on the value of the game. The policy knows all requests so far; its best prices follow backwards over the
 * tree of sequences.
 */
final class BestResponse {
    private final AllocationGame game;
    /** By node: the sum over the sequences that begin so of probability over optimum. */
    private final double[] weight;
    /** By node and units sold. */
    private final double[][] best;

    /**
     * A best response.
     *
     * @param sequences all of them, in the order of {@link AllocationGame#everySequence}, so that the extensions of
     *     node {@code i} are the nodes from {@code i requests + 1} on, the root being node 0
     */
    BestResponse(AllocationGame game, SequenceBatch sequences, double[] probabilities) {
        this.game = game;
        weight = new double[sequences.size() + 1];
        best = new double[weight.length][game.units()];
        for (int node = weight.length - 1; node >= 0; node--) {
            weight[node] = node == 0 ? 0 : probabilities[node - 1] / sequences.optimum(node - 1);
            for (int request = 0; request < game.requests() && extension(node, request) < weight.length; request++) {
                weight[node] += weight[extension(node, request)];
            }
            for (int sold = 0; sold < game.units(); sold++) {
                best[node][sold] = best(node, sold);
            }
        }
    }

    private int extension(int node, int request) {
        return node * game.requests() + 1 + request;
    }

    private double best(int node, int sold) {
        if (extension(node, 0) >= weight.length) {
            return 0;
        }
        double most = 0;
        for (int price = 0; price < game.values().size(); price++) {
            double payoff = 0;
            for (int request = 0; request < game.requests(); request++) {
                int next = extension(node, request);
                int then = sold + game.demand(request);
                payoff += price <= game.level(request) && then <= game.units()
                        ? game.worth(request) * weight[next] + (then < game.units() ? best[next][then] : 0)
                        : best[next][sold];
            }
            most = Math.max(most, payoff);
        }
        return most;
    }

    double payoff() {
        return best[0][0];
    }
}
