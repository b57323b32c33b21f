package org.trainyard.interference.fit;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.trainyard.env.InputException;

/** The models of pairs that can be fitted to measurements. */
public enum ModelKind {
    /** Non-negative pressure times sensitivity. */
    PRESSURE,
    /** A Gaussian process. */
    PROCESS;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind of that name; {@code place} is the option or file that holds it. */
    public static ModelKind named(String place, String text) {
        for (ModelKind kind : values()) {
            if (kind.label().equals(text.toLowerCase(Locale.ROOT))) {
                return kind;
            }
        }
        throw InputException.at(
                place, text, Arrays.stream(values()).map(ModelKind::label).collect(Collectors.joining(", ")));
    }
}
