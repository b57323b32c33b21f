package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.trainyard.env.FormerKey;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/** The policy from which the learning of bids starts. */
public sealed interface BidStart {
    /** Widest hidden layer. */
    int WIDEST = 1024;

    /**
     * The checkpoints of the policies from which learning starts; none when it starts from random weights or a rule.
     */
    default List<String> checkpoints() {
        return List.of();
    }

    /**
     * Random weights.
     *
     * @param hidden units of the hidden layer of each kind of bid
     */
    record Scratch(int hidden) implements BidStart {
        public Scratch {
            within(1, WIDEST, "hidden", hidden);
        }
    }

    /**
     * The rule of the scheduler {@code patient} as bids: least remaining work first, consolidated or not at all.
     *
     * @param hidden units of the hidden layer of each kind of bid
     * @param sharpness factor on all scores: the larger, the less the drawn bids differ from the rule's
     */
    record Patient(int hidden, double sharpness) implements BidStart {
        public Patient {
            within(1, WIDEST, "hidden", hidden);
            above(0, "sharpness", sharpness);
        }
    }

    /**
     * The weights of another trained policy that bids.
     *
     * @param from its checkpoint
     */
    record Checkpoint(String from) implements BidStart {
        @Override
        public List<String> checkpoints() {
            return List.of(from);
        }
    }

    /**
     * The weights of another trained policy that bids, some linear ones changed: gradients hardly move those of columns
     * with small values.
     *
     * @param from its checkpoint
     */
    @FormerKey("Adjusted")
    record Reweighted(String from, List<Weight> weights) implements BidStart {
        public Reweighted {
            weights = List.copyOf(weights);
        }

        @Override
        public List<String> checkpoints() {
            return List.of(from);
        }
    }

    /**
     * Amount that is added to a linear weight.
     *
     * @param bid name of a {@link BidKind}
     * @param column name of a {@link BidColumn}
     */
    record Weight(String bid, String column, double add) {
        public Weight {
            known("bid", bid, BidKind.values());
            known("column", column, BidColumn.values());
        }

        private static void known(String key, String name, Enum<?>[] all) {
            if (Arrays.stream(all).noneMatch(one -> one.name().equals(name))) {
                throw new InvalidFieldException(
                        key,
                        name,
                        "one of " + Arrays.stream(all).map(Enum::name).collect(Collectors.joining(", ")));
            }
        }
    }

    /**
     * Trained policies without encoder as one network, whose scores are the mean of theirs (an ensemble; B.
     * Lakshminarayanan, A. Pritzel, C. Blundell: Simple and scalable predictive uncertainty estimation using deep
     * ensembles, NIPS 2017, average probabilities).
     *
     * @param from their checkpoints, two or more
     */
    record Ensemble(List<String> from) implements BidStart {
        public Ensemble {
            from = List.copyOf(from);
            if (from.size() < 2) {
                throw new InvalidFieldException("from", from, "two checkpoints or more");
            }
        }

        @Override
        public List<String> checkpoints() {
            return from;
        }
    }
}
