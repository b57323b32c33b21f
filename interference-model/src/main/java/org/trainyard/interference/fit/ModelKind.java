package org.trainyard.interference.fit;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.trainyard.env.InputException;
import org.trainyard.interference.model.PairTrainer;
import org.trainyard.interference.model.forest.ForestModel;
import org.trainyard.interference.model.gaussianprocess.GaussianProcessTrainer;
import org.trainyard.interference.model.network.NetworkTrainer;
import org.trainyard.interference.model.pressure.PressureTrainer;

/** The models that can be fitted. */
public enum ModelKind {
    /** Pressure times sensitivity, nothing negative: small, explainable. */
    PRESSURE,
    /** Small networks on DJL. */
    NETWORK,
    /** A forest by XGBoost. */
    FOREST,
    /** A Gaussian process over pairs. */
    PROCESS,
    /** The mean of network and forest. */
    BLEND;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind of that name; {@code place} is where a user wrote it. */
    public static ModelKind named(String place, String text) {
        for (ModelKind kind : values()) {
            if (kind.label().equals(text.toLowerCase(Locale.ROOT))) {
                return kind;
            }
        }
        throw InputException.at(
                place, text, Arrays.stream(values()).map(ModelKind::label).collect(Collectors.joining(", ")));
    }

    /** What must be trained for this one, by name. */
    public Map<String, PairTrainer> parts() {
        Map<String, PairTrainer> parts = new LinkedHashMap<>();
        switch (this) {
            case PRESSURE -> parts.put(PRESSURE.label(), PressureTrainer::train);
            case NETWORK -> parts.put(NETWORK.label(), NetworkTrainer::train);
            case FOREST -> parts.put(FOREST.label(), ForestModel::train);
            case PROCESS -> parts.put(PROCESS.label(), GaussianProcessTrainer::train);
            case BLEND -> {
                parts.put(NETWORK.label(), NetworkTrainer::train);
                parts.put(FOREST.label(), ForestModel::train);
            }
        }
        return parts;
    }

    /** The parts whose mean is the blend. */
    public static List<String> blended() {
        return List.of(NETWORK.label(), FOREST.label());
    }
}
