package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.List;
import org.trainyard.env.InvalidFieldException;

/** The policy from which the learning of bids starts. */
public sealed interface BidStart {
    /** Widest hidden layer. */
    int WIDEST = 1024;

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
     * Another trained policy that bids.
     *
     * @param from its checkpoint
     */
    record Checkpoint(String from) implements BidStart {}

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
    }
}
