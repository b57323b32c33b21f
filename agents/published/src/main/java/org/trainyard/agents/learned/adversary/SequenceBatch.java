package org.trainyard.agents.learned.adversary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sequences of requests with the states in which either player chooses on them; equal states are listed once. */
final class SequenceBatch {
    /** Index of the adversary's state before the first request. */
    static final int START = 0;

    private final AllocationGame game;
    private final List<int[]> sequences;
    private final List<PlayerState> policyStates;
    private final List<PlayerState> adversaryStates;
    /** Index of the policy's state by sequence, round and units sold. */
    private final int[][][] ofPolicy;
    /** Index of the adversary's state by sequence and round; it stops in the last one, unless all rounds are over. */
    private final int[][] ofAdversary;

    private final double[] optima;

    SequenceBatch(AllocationGame game, List<int[]> sequences) {
        this.game = game;
        this.sequences = List.copyOf(sequences);
        Map<PlayerState, Integer> policy = new LinkedHashMap<>();
        Map<PlayerState, Integer> adversary = new LinkedHashMap<>();
        ofPolicy = new int[sequences.size()][][];
        ofAdversary = new int[sequences.size()][];
        optima = new double[sequences.size()];
        for (int i = 0; i < sequences.size(); i++) {
            int[] sequence = sequences.get(i);
            ofPolicy[i] = new int[sequence.length][game.units()];
            ofAdversary[i] = new int[Math.min(sequence.length + 1, game.rounds())];
            optima[i] = game.optimum(sequence);
            for (int round = 0; round < sequence.length; round++) {
                for (int sold = 0; sold < game.units(); sold++) {
                    ofPolicy[i][round][sold] = index(policy, game.ofPolicy(sequence, round, sold));
                }
            }
            for (int round = 0; round < ofAdversary[i].length; round++) {
                ofAdversary[i][round] = index(adversary, game.ofAdversary(sequence, round));
            }
        }
        policyStates = new ArrayList<>(policy.keySet());
        adversaryStates = new ArrayList<>(adversary.keySet());
    }

    private static int index(Map<PlayerState, Integer> known, PlayerState state) {
        Integer index = known.putIfAbsent(state, known.size());
        return index == null ? known.size() - 1 : index;
    }

    int size() {
        return sequences.size();
    }

    int[] sequence(int i) {
        return sequences.get(i);
    }

    double optimum(int i) {
        return optima[i];
    }

    /** The index of a sequence that is in the batch. */
    int indexOf(int... sequence) {
        for (int i = 0; i < sequences.size(); i++) {
            if (Arrays.equals(sequences.get(i), sequence)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no sequence %s".formatted(Arrays.toString(sequence)));
    }

    List<PlayerState> policyStates() {
        return policyStates;
    }

    List<PlayerState> adversaryStates() {
        return adversaryStates;
    }

    /** The value of a sequence under a policy, whose probabilities have a row for each state. */
    SequenceValue value(int i, double[][] probabilities) {
        int[][] states = ofPolicy[i];
        double[][][] policy = new double[states.length][game.units()][];
        for (int round = 0; round < states.length; round++) {
            for (int sold = 0; sold < game.units(); sold++) {
                policy[round][sold] = probabilities[states[round][sold]];
            }
        }
        return new SequenceValue(game, sequences.get(i), policy);
    }

    /** The payoff of every sequence under a policy. */
    double[] payoffs(double[][] probabilities) {
        double[] payoffs = new double[size()];
        for (int i = 0; i < payoffs.length; i++) {
            payoffs[i] = value(i, probabilities).welfare() / optima[i];
        }
        return payoffs;
    }

    /**
     * The derivatives of the mean payoff by the policy's logits, a row for each state.
     *
     * @param weights of the sequences
     * @param entropy coefficient of the entropy of the prices, in states weighted by their probability
     */
    double[][] policySlopes(double[][] probabilities, double[] weights, double entropy) {
        double[][] slopes = new double[probabilities.length][game.values().size()];
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0) {
                SequenceValue value = value(i, probabilities);
                for (int round = 0; round < ofPolicy[i].length; round++) {
                    for (int sold = 0; sold < game.units(); sold++) {
                        int state = ofPolicy[i][round][sold];
                        value.addSlopes(round, sold, weights[i] / optima[i], slopes[state]);
                        addEntropySlopes(
                                probabilities[state], entropy * weights[i] * value.reach(round, sold), slopes[state]);
                    }
                }
            }
        }
        return slopes;
    }

    /** The probability of every sequence under an adversary, whose probabilities have a row for each state. */
    double[] probabilities(double[][] adversary) {
        double[] found = new double[size()];
        for (int i = 0; i < found.length; i++) {
            found[i] = 1;
            for (int round = 0; round < ofAdversary[i].length; round++) {
                found[i] *= adversary[ofAdversary[i][round]][choice(i, round)];
            }
        }
        return found;
    }

    /** Choice of the adversary in a round: a request, or to stop. */
    private int choice(int i, int round) {
        return round < sequences.get(i).length ? sequences.get(i)[round] : game.requests();
    }

    /**
     * The derivatives of the negative mean payoff by the adversary's logits, a row for each state. They are exact when
     * the batch has all sequences, weighted by their probabilities; for drawn sequences with equal weights they are
     * those of REINFORCE.
     */
    double[][] adversarySlopes(double[][] adversary, double[] weights, double[] payoffs, double entropy) {
        double baseline = 0;
        for (int i = 0; i < weights.length; i++) {
            baseline += weights[i] * payoffs[i];
        }
        double[][] slopes = new double[adversary.length][game.requests() + 1];
        for (int i = 0; i < weights.length; i++) {
            for (int round = 0; round < ofAdversary[i].length; round++) {
                int state = ofAdversary[i][round];
                double gain = weights[i] * (baseline - payoffs[i]);
                for (int choice = 0; choice < slopes[state].length; choice++) {
                    slopes[state][choice] += gain * ((choice == choice(i, round) ? 1 : 0) - adversary[state][choice]);
                }
                addEntropySlopes(adversary[state], entropy * weights[i], slopes[state]);
            }
        }
        return slopes;
    }

    /** Adds the derivatives of {@code weight} times the entropy by the logits. */
    private static void addEntropySlopes(double[] probabilities, double weight, double[] slopes) {
        if (weight == 0) {
            return;
        }
        double entropy = 0;
        for (double p : probabilities) {
            entropy -= p > 0 ? p * Math.log(p) : 0;
        }
        for (int i = 0; i < slopes.length; i++) {
            double p = probabilities[i];
            slopes[i] -= p > 0 ? weight * p * (Math.log(p) + entropy) : 0;
        }
    }
}
