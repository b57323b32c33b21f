package org.trainyard.agents.learned.adversary;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trainyard.agents.heuristic.admission.OfflineOptimum;
import org.trainyard.agents.heuristic.admission.OfflineOptimum.Request;
import org.trainyard.env.InvalidFieldException;

/**
 * A zero-sum game of online allocation: an adversary chooses a sequence of requests and its length, a pricing policy
 * posts a price before each request, and a request that finds enough units left and is worth the price gets its units
 * for good. The payoff is the expected welfare over the {@link OfflineOptimum} of the sequence; the policy maximises
 * it.
 *
 * <p>Source: adversarial training of online allocation and pricing (Adversarial deep learning for online resource
 * allocation, ACM TOMPECS 2021, arXiv 2111.10285). Our deviations: 1. prices and values are among the same few levels;
 * 2. the payoff is the ratio, whose equilibrium is the inverse of the competitive ratio, not the gap.
 *
 * @param units of the resource
 * @param values levels of the value of one unit, ascending; also the prices
 * @param demands units that a request may ask for, ascending
 * @param rounds most requests of a sequence
 */
public record AllocationGame(int units, List<Double> values, List<Integer> demands, int rounds) {
    /** Features of a state that a network reads. */
    static final int FIGURES = 5;

    private static final int MOST_LEVELS = 64;

    public AllocationGame {
        within(1, 1024, "units", units);
        within(1, 256, "rounds", rounds);
        values = List.copyOf(values);
        demands = List.copyOf(demands);
        atLeast(1, "values", values.size());
        within(1, MOST_LEVELS, "values", values.size() * demands.size());
        above(0, "values", values.get(0));
        for (int i = 1; i < values.size(); i++) {
            if (!(values.get(i) > values.get(i - 1))) {
                throw new InvalidFieldException("values", values, "numbers that ascend");
            }
        }
        for (int i = 0; i < demands.size(); i++) {
            if (demands.get(i) < (i == 0 ? 1 : demands.get(i - 1) + 1) || demands.get(i) > units) {
                throw new InvalidFieldException("demands", demands, "whole numbers that ascend, 1 to " + units);
            }
        }
    }

    /** Number of different requests. */
    int requests() {
        return values.size() * demands.size();
    }

    /** The level of the value of a request. */
    int level(int request) {
        return request / demands.size();
    }

    /** The units that a request asks for. */
    public int demand(int request) {
        return demands.get(request % demands.size());
    }

    /** The value of each unit that a request asks for. */
    public double value(int request) {
        return values.get(level(request));
    }

    /** The value of a request as a whole. */
    double worth(int request) {
        return demand(request) * value(request);
    }

    /** The greatest welfare of a sequence. */
    double optimum(int... sequence) {
        return optima(sequence)[units];
    }

    /** The greatest welfare of a sequence by the number of units that there are. */
    double[] optima(int... sequence) {
        List<Request> requests = new ArrayList<>();
        for (int request : sequence) {
            requests.add(new Request(demand(request), values.get(level(request))));
        }
        return OfflineOptimum.byUnits(requests, units);
    }

    /** The number of sequences, or infinity beyond {@code most}. */
    double sequences(int most) {
        double count = 0;
        double longest = 1;
        for (int round = 0; round < rounds; round++) {
            longest *= requests();
            count += longest;
        }
        return count > most ? Double.POSITIVE_INFINITY : count;
    }

    /** All sequences, the shorter before the longer. */
    List<int[]> everySequence() {
        List<int[]> all = new ArrayList<>();
        all.add(new int[0]);
        for (int i = 0; i < all.size(); i++) {
            int[] begun = all.get(i);
            for (int request = 0; begun.length < rounds && request < requests(); request++) {
                int[] next = Arrays.copyOf(begun, begun.length + 1);
                next[begun.length] = request;
                all.add(next);
            }
        }
        return all.subList(1, all.size());
    }

    /**
     * State that the policy knows before a request: its round, the units sold and the values so far. A table tells
     * rounds, units and the greatest value apart.
     */
    PlayerState ofPolicy(int[] sequence, int round, int sold) {
        int row = (round * units + sold) * (values.size() + 1) + greatest(sequence, round) + 1;
        return new PlayerState(row, figures(sequence, round, sold));
    }

    int policyRows() {
        return rounds * units * (values.size() + 1);
    }

    /**
     * State that the adversary knows before it chooses a request or stops. A table tells rounds, the last request and
     * the greatest value apart.
     */
    PlayerState ofAdversary(int[] sequence, int round) {
        int last = round == 0 ? 0 : sequence[round - 1] + 1;
        int row = (round * (requests() + 1) + last) * (values.size() + 1) + greatest(sequence, round) + 1;
        return new PlayerState(row, figures(sequence, round, 0));
    }

    int adversaryRows() {
        return rounds * (requests() + 1) * (values.size() + 1);
    }

    /** The greatest level among the requests before a round, or -1. */
    int greatest(int[] sequence, int round) {
        int greatest = -1;
        for (int i = 0; i < round; i++) {
            greatest = Math.max(greatest, level(sequence[i]));
        }
        return greatest;
    }

    /**
     * Inputs of a network: the round, the units sold, the greatest value, the optimum of all units and what the last of
     * them adds to it. Sequences of one {@link SequenceGraph} node do not differ in them.
     */
    private List<Double> figures(int[] sequence, int round, int sold) {
        double most = values.get(values.size() - 1);
        int greatest = greatest(sequence, round);
        double[] optima = optima(Arrays.copyOf(sequence, round));
        return List.of(
                (double) round / rounds,
                (double) sold / units,
                greatest < 0 ? 0 : values.get(greatest) / most,
                optima[units] / (units * most),
                (optima[units] - optima[units - 1]) / most);
    }
}
