package org.trainyard.experiments.cli;

import java.util.List;
import java.util.Locale;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.config.yaml.Nearest;

/** The option that says where schedulers get their guesses of run times from: {@code history}, {@code lognormal:0.3} and so on. */
public final class RuntimeOptions {
    private static final List<String> KINDS = List.of("history", "oracle", "forest", "lognormal:SIGMA");
    private static final String LOGNORMAL = "lognormal:";

    private RuntimeOptions() {}

    static RuntimeConfig parse(String text) {
        String kind = text.strip().toLowerCase(Locale.ROOT);
        if (kind.startsWith(LOGNORMAL)) {
            return new RuntimeConfig.Lognormal(sigma(text, kind.substring(LOGNORMAL.length())));
        }
        return switch (kind) {
            case "history" -> new RuntimeConfig.History();
            case "oracle" -> new RuntimeConfig.Oracle();
            case "forest" -> new RuntimeConfig.Forest();
            default -> throw InputException.at("--runtime", text, Nearest.oneOf(text, KINDS));
        };
    }

    private static double sigma(String text, String number) {
        double sigma = Double.NaN;
        try {
            sigma = Double.parseDouble(number);
        } catch (NumberFormatException e) {
            // Not a number is not in 0..10 either.
        }
        if (!(sigma >= 0 && sigma <= 10)) {
            throw InputException.at("--runtime", text, "lognormal:SIGMA with a number in 0..10, such as lognormal:0.3");
        }
        return sigma;
    }

    /** What {@link #parse} reads back. */
    static String text(RuntimeConfig runtime) {
        return runtime instanceof RuntimeConfig.Lognormal noisy
                ? LOGNORMAL + noisy.sigma()
                : runtime.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** For people: run times are ... . */
    public static String sentence(RuntimeConfig runtime) {
        if (runtime instanceof RuntimeConfig.Oracle) {
            return "known in advance";
        } else if (runtime instanceof RuntimeConfig.Lognormal noisy) {
            return "known but for a log-normal error of sigma %s".formatted(noisy.sigma());
        }
        return runtime instanceof RuntimeConfig.Forest
                ? "guessed by a random forest that learns from finished jobs"
                : "guessed from finished jobs";
    }
}
