package org.trainyard.interference.candidates;

import java.util.List;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.fit.ModelKind;
import org.trainyard.interference.model.PairModel;
import org.trainyard.interference.trainers.GaussianProcessTrainer;

/** Trains a model of pairs on rows of one scope. */
@FunctionalInterface
public interface PairTrainer {
    /** Trains on the rows; equal rows and seeds give equal models on one machine. */
    PairModel train(List<Measurement> rows, long seed);

    static PairTrainer of(ModelKind kind) {
        return switch (kind) {
            case PRESSURE -> MeasuredPressureTrainer::train;
            case PROCESS -> GaussianProcessTrainer::train;
        };
    }
}
