package org.trainyard.env.workload.generator;

import static org.trainyard.env.InvalidFieldException.above;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.OptionalKey;

/**
 * How jobs get utilities.
 *
 * @param family {@value #SIGMOID}, of the delay of the completion, or one of the other {@link #FAMILIES}, of the
 *     training by the horizon
 * @param slotSeconds unit of the times in the ranges of the papers, seconds
 * @param slots horizon of all jobs, in slots from the start of the episode
 * @param parameterServers whether the jobs are those of PD-ORS, elastic and with parameter servers, in place of those
 *     of the generator
 * @param hosts whether workers and parameter servers take host CPU and memory, and exchange gradients layer by layer
 * @param elastic whether the generator's jobs may run on any number of GPUs up to those that they ask for; null is
 *     false
 */
public record UtilitySettings(
        String family,
        double slotSeconds,
        int slots,
        boolean parameterServers,
        boolean hosts,
        @OptionalKey @Nullable Boolean elastic) {
    /** The family of utilities of time. */
    public static final String SIGMOID = "sigmoid";

    /** The families of utilities of training. */
    public static final List<String> FAMILIES = List.of("logarithm", "saturation", "root", "exponential");

    public UtilitySettings {
        if (!family.equals(SIGMOID) && !FAMILIES.contains(family)) {
            throw new InvalidFieldException(
                    "family", family, "%s or one of %s".formatted(SIGMOID, String.join(", ", FAMILIES)));
        }
        above(0, "slotSeconds", slotSeconds);
        above(0, "slots", slots);
    }

    /** The horizon, seconds from the start of the episode. */
    public double horizonSeconds() {
        return slots * slotSeconds;
    }
}
