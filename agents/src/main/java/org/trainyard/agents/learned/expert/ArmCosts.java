package org.trainyard.agents.learned.expert;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Advantages of the bids that were tried at a decision, from their costs in common futures; bid 0 is the policy's own.
 *
 * <p>An advantage is the mean cost of all bids less the own, averaged over futures. Its standard error is that of paired differences.
 */
final class ArmCosts {
    private final double[][] costs;
    private final double[] advantages;
    private final double[] errors;

    /** @param costs by future and bid; at least two futures, job-hours */
    ArmCosts(double[][] costs) {
        this.costs = costs;
        int arms = costs[0].length;
        advantages = new double[arms];
        errors = new double[arms];
        double[] differences = new double[costs.length];
        for (int arm = 0; arm < arms; arm++) {
            for (int future = 0; future < costs.length; future++) {
                differences[future] = mean(costs[future]) - costs[future][arm];
            }
            advantages[arm] = mean(differences);
            errors[arm] = standardError(differences);
        }
    }

    /** Writes the costs: {@code 8 + 8 x futures x bids} bytes. */
    void write(DataOutput out) throws IOException {
        out.writeInt(costs.length);
        out.writeInt(arms());
        for (double[] future : costs) {
            for (double cost : future) {
                out.writeDouble(cost);
            }
        }
    }

    /** Reads what {@link #write} wrote. */
    static ArmCosts read(DataInput in) throws IOException {
        double[][] costs = new double[in.readInt()][in.readInt()];
        for (double[] future : costs) {
            for (int arm = 0; arm < future.length; arm++) {
                future[arm] = in.readDouble();
            }
        }
        return new ArmCosts(costs);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    private static double standardError(double[] values) {
        double mean = mean(values);
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return Math.sqrt(squares / (values.length - 1) / values.length);
    }

    int arms() {
        return advantages.length;
    }

    /** Plays of a bid in a future. */
    int rollouts() {
        return costs.length * arms();
    }

    /** Job-hours that the bid saves against the mean of all. */
    double advantage(int arm) {
        return advantages[arm];
    }

    /** Of the advantage, job-hours. */
    double standardError(int arm) {
        return errors[arm];
    }

    /** Whether any bid made a difference. */
    boolean matters() {
        for (double error : errors) {
            if (error > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether some bid is better than the policy's own by so many standard errors. */
    boolean isBeaten(double standardErrors) {
        double[] saved = new double[costs.length];
        for (int arm = 1; arm < arms(); arm++) {
            for (int future = 0; future < costs.length; future++) {
                saved[future] = costs[future][0] - costs[future][arm];
            }
            double error = standardError(saved);
            if (error > 0 && mean(saved) > standardErrors * error) {
                return true;
            }
        }
        return false;
    }

    /** Job-hours that the best bid saves against the policy's own, chosen in half of the futures and judged in the other half; mean of both ways. */
    double improvement() {
        return (saved(0) + saved(1)) / 2;
    }

    /** Chosen in the futures of this parity. */
    private double saved(int parity) {
        int best = 0;
        double least = sum(0, parity);
        for (int arm = 1; arm < arms(); arm++) {
            double sum = sum(arm, parity);
            if (sum < least) {
                least = sum;
                best = arm;
            }
        }
        int judges = (costs.length + parity) / 2;
        return (sum(0, 1 - parity) - sum(best, 1 - parity)) / judges;
    }

    private double sum(int arm, int parity) {
        double sum = 0;
        for (int future = parity; future < costs.length; future += 2) {
            sum += costs[future][arm];
        }
        return sum;
    }
}
