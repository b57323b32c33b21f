package org.trainyard.env.graphtraining;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How jobs that train graph neural networks divide the server they are on. */
public enum GraphIsolation {
    /** Each has the server for itself, whoever else is there. */
    NONE,
    /**
     * The server's cores, PCIe bandwidth and network card are divided among all stages of all jobs, see
     * {@link SharedServer#together}.
     */
    ISOLATED,
    /** Each job has an even part, in which its stages contend, see {@link SharedServer#evenly}. */
    EVEN;

    /** The name in configs. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one of that label, or null. */
    public static @Nullable GraphIsolation parse(String label) {
        return Arrays.stream(values())
                .filter(isolation -> isolation.label().equals(label))
                .findFirst()
                .orElse(null);
    }
}
