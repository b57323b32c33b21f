package org.trainyard.experiments.evaluation;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Gain from training: the mean JCT of a trained policy against that of the same policy before its first update, on the
 * same episodes.
 *
 * @param comparison the trained policy, with its untrained start as the reference; corrected for no other comparison
 */
public record TrainingGain(PairedComparison comparison) {

    /** Reduction of the mean JCT by training, per cent of the untrained policy's; negative for an increase. */
    public double percent() {
        return 0 - comparison.mean();
    }

    /** The interval of {@link #percent}, or null with a single episode. */
    public PairedComparison.@Nullable Interval interval() {
        PairedComparison.Interval interval = comparison.interval();
        return interval == null ? null : new PairedComparison.Interval(0 - interval.high(), 0 - interval.low());
    }

    /** The gain, its interval and the conclusion in a sentence. */
    public String sentence() {
        PairedComparison.Interval interval = interval();
        String figure = interval == null
                ? String.format(Locale.ROOT, "%.1f %%", percent())
                : String.format(Locale.ROOT, "%.1f %% (%.1f .. %.1f %%)", percent(), interval.low(), interval.high());
        String conclusion = switch (comparison.verdict()) {
            case BETTER -> "";
            case WORSE -> ": it made the policy worse";
            case NO_DIFFERENCE -> ": no gain that these episodes can show";
            case TOO_FEW_EPISODES -> ": too few episodes for a verdict";
            case WINDOWS_OVERLAP -> ": windows overlap, so there is no verdict";
        };
        return "%s: training gained %s against %s%s."
                .formatted(comparison.name(), figure, comparison.reference(), conclusion);
    }
}
