package org.trainyard.experiments.simulation;

import java.util.List;
import java.util.Locale;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.experiments.config.RuntimeConfig;

/** Run-time predictors by the values of an option, such as {@code lognormal:0.3}. */
public final class RuntimeNames {
    private static final List<String> KINDS = List.of("history", "oracle", "forest", "lognormal:SIGMA");
    private static final String LOGNORMAL = "lognormal:";

    private RuntimeNames() {}

    /**
     * The predictor that an option's value names.
     *
     * @param option its name, for the error message
     */
    public static RuntimeConfig parse(String option, String text) {
        String kind = text.strip().toLowerCase(Locale.ROOT);
        if (kind.startsWith(LOGNORMAL)) {
            return new RuntimeConfig.Lognormal(sigma(option, text, kind.substring(LOGNORMAL.length())));
        }
        return switch (kind) {
            case "history" -> new RuntimeConfig.History();
            case "oracle" -> new RuntimeConfig.Oracle();
            case "forest" -> new RuntimeConfig.Forest();
            default -> throw InputException.at(option, text, Nearest.oneOf(text, KINDS));
        };
    }

    private static double sigma(String option, String text, String number) {
        double sigma = Double.NaN;
        try {
            sigma = Double.parseDouble(number);
        } catch (NumberFormatException e) {
            // NaN is refused below.
        }
        if (!(sigma >= 0 && sigma <= 10)) {
            throw InputException.at(option, text, "lognormal:SIGMA with a number in 0..10, such as lognormal:0.3");
        }
        return sigma;
    }

    /** The text that {@link #parse} reads back. */
    public static String text(RuntimeConfig runtime) {
        return runtime instanceof RuntimeConfig.Lognormal noisy
                ? LOGNORMAL + noisy.sigma()
                : runtime.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** The end of the sentence "Predicted run times are". */
    public static String describe(RuntimeConfig runtime) {
        if (runtime instanceof RuntimeConfig.Oracle) {
            return "the true ones";
        } else if (runtime instanceof RuntimeConfig.Lognormal noisy) {
            return "the true ones times a log-normal error of sigma %s".formatted(noisy.sigma());
        }
        return runtime instanceof RuntimeConfig.Forest
                ? "those of a random forest that learns from finished jobs"
                : "those of finished jobs of the same group or user";
    }
}
