package org.trainyard.agents.learned.adversary;

/**
 * The exact expected welfare of a pricing policy on one sequence, and its gradient by the logits of the policy, for all
 * prices and all numbers of units sold: the per-round update.
 *
 * <p>With {@code V(k, y)} the expected welfare from round {@code k} on when {@code y} units are sold, computed
 * backwards, {@code Q(k, y, p)} the same when price {@code p} is posted, and {@code reach(k, y)} the probability of
 * {@code y} units sold, computed forwards, the derivative by the logit of {@code p} is {@code reach(k, y) pi(p) (Q(k,
 * y, p) - V(k, y))}.
 */
final class SequenceValue {
    private final AllocationGame game;
    private final int[] sequence;
    /** The policy: by round, units sold and price. */
    private final double[][][] policy;
    /** By round and units sold. */
    private final double[][] value;

    private final double[][] reach;

    /** @param policy probabilities of prices by round and units sold; they must stay as they are */
    SequenceValue(AllocationGame game, int[] sequence, double[][][] policy) {
        this.game = game;
        this.sequence = sequence;
        this.policy = policy;
        value = new double[sequence.length + 1][game.units() + 1];
        reach = new double[sequence.length + 1][game.units() + 1];
        for (int round = sequence.length - 1; round >= 0; round--) {
            for (int sold = 0; sold < game.units(); sold++) {
                value[round][sold] = expected(round, sold);
            }
        }
        reach[0][0] = 1;
        for (int round = 0; round < sequence.length; round++) {
            for (int sold = 0; sold <= game.units(); sold++) {
                double sells = sells(round, sold) ? accepted(round, sold) : 0;
                reach[round + 1][sold] += reach[round][sold] * (1 - sells);
                if (sells > 0) {
                    reach[round + 1][sold + game.demand(sequence[round])] += reach[round][sold] * sells;
                }
            }
        }
    }

    /** Whether the request of a round finds its units. */
    private boolean sells(int round, int sold) {
        return sold < game.units() && sold + game.demand(sequence[round]) <= game.units();
    }

    /** The probability of a price that the request pays. */
    private double accepted(int round, int sold) {
        double sum = 0;
        for (int price = 0; price <= game.level(sequence[round]); price++) {
            sum += policy[round][sold][price];
        }
        return sum;
    }

    private double expected(int round, int sold) {
        double sum = 0;
        double[] prices = policy[round][sold];
        for (int price = 0; price < prices.length; price++) {
            sum += prices[price] * value(round, sold, price);
        }
        return sum;
    }

    /** Q: the expected welfare from a round on, when a price is posted in it. */
    double value(int round, int sold, int price) {
        int request = sequence[round];
        return price <= game.level(request) && sells(round, sold)
                ? game.worth(request) + value[round + 1][sold + game.demand(request)]
                : value[round + 1][sold];
    }

    /** The expected welfare. */
    double welfare() {
        return value[0][0];
    }

    /** The probability of so many units sold before a round. */
    double reach(int round, int sold) {
        return reach[round][sold];
    }

    /** Adds the derivatives of {@code weight} times the welfare by the logits of a state. */
    void addSlopes(int round, int sold, double weight, double[] slopes) {
        double scale = weight * reach[round][sold];
        for (int price = 0; price < slopes.length; price++) {
            slopes[price] += scale * policy[round][sold][price] * (value(round, sold, price) - value[round][sold]);
        }
    }
}
