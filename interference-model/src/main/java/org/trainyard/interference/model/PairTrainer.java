package org.trainyard.interference.model;

import java.util.List;
import org.trainyard.interference.data.Measurement;

/** Trains a model of pairs on rows of one scope. */
@FunctionalInterface
public interface PairTrainer {
    /** Trains on the rows; equal rows and seeds give equal models on one machine. */
    PairModel train(List<Measurement> rows, long seed);
}
