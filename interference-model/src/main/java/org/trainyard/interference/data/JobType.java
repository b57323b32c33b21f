package org.trainyard.interference.data;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.trainyard.env.Invalid;

/**
 * A kind of training job as a measurement names it.
 *
 * @param label its name in the measurements, such as {@code FSDP,4,2}
 * @param architecture the network it trains, such as {@code FSDP}; types of one architecture behave similarly
 * @param traits its known traits; unknown traits are absent
 */
public record JobType(String label, String architecture, Map<Trait, Double> traits) {
    public JobType {
        if (label.isBlank() || architecture.isBlank()) {
            throw new IllegalArgumentException(
                    "label (%s) and architecture (%s) must not be blank".formatted(label, architecture));
        }
        Map<Trait, Double> copy = new EnumMap<>(Trait.class);
        traits.forEach((trait, value) -> {
            Invalid.when(!Double.isFinite(value), "%s (%s) of (%s) must be finite", trait, value, label);
            copy.put(trait, value);
        });
        traits = Collections.unmodifiableMap(copy);
    }

    /** A trait, NaN when unknown. */
    public double trait(Trait trait) {
        return traits.getOrDefault(trait, Double.NaN);
    }

    /** A trait, or {@code unknown} when the trait is unknown. */
    public double traitOr(Trait trait, double unknown) {
        return traits.getOrDefault(trait, unknown);
    }

    /** Returns this type with further traits; traits that were known keep their values. */
    public JobType with(Map<Trait, Double> more) {
        Map<Trait, Double> all = new EnumMap<>(Trait.class);
        all.putAll(more);
        all.putAll(traits);
        return new JobType(label, architecture, all);
    }
}
