package org.trainyard.env.workload.freezing;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.ModelTerms;
import org.trainyard.env.workload.generator.FreezingSettings;

/**
 * Terms on which the owner of a job allows layers to be frozen.
 *
 * @param tolerance the most of the gradient energy that a scheduler should freeze, 0..1
 * @param weight of the frozen share of gradient energy in the penalty on progress, 0..1
 * @param caches whether the output of the frozen layers is cached, so that they need no forward pass either
 */
public record FreezingTerms(double tolerance, double weight, boolean caches) implements ModelTerms {
    /** IceFrog's tolerance and weight as we read them: 3 % and 1. */
    public static final FreezingTerms DEFAULT = of(FreezingSettings.of(1));

    /** The form of {@link #label} in words. */
    public static final String FORM = "TOLERANCE:WEIGHT[:cache], both numbers 0 to 1";

    private static final Pattern LABEL =
            Pattern.compile("([0-9.]{1,20}(?:[Ee]-?\\d{1,3})?):([0-9.]{1,20}(?:[Ee]-?\\d{1,3})?)(:cache)?");

    public FreezingTerms {
        if (!(tolerance >= 0 && tolerance <= 1 && weight >= 0 && weight <= 1)) {
            throw new IllegalArgumentException(
                    "tolerance (%s) and weight (%s) must be 0 to 1".formatted(tolerance, weight));
        }
    }

    static FreezingTerms of(FreezingSettings settings) {
        return new FreezingTerms(settings.tolerance(), settings.weight(), settings.caches());
    }

    /** Freezable where the network has front layers. */
    @Override
    public ModelProfile under(ModelProfile model) {
        FreezableNetwork network = FreezableNetworks.find(model.name());
        return network == null ? model : model.attaching(FreezingProfile.class, network.under(this));
    }

    /** The text from which {@link #parse} makes equal terms. */
    public String label() {
        return tolerance + ":" + weight + (caches ? ":cache" : "");
    }

    /** The terms of a label, or null when it is none. */
    public static @Nullable FreezingTerms parse(String label) {
        Matcher matcher = LABEL.matcher(label.strip());
        if (!matcher.matches()) {
            return null;
        }
        try {
            return new FreezingTerms(
                    Double.parseDouble(matcher.group(1)),
                    Double.parseDouble(matcher.group(2)),
                    matcher.group(3) != null);
        } catch (IllegalArgumentException e) {
            // A number out of range or of several points.
            return null;
        }
    }
}
