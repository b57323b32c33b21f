package org.trainyard.experiments.evaluation;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;

/**
 * Gain from training: the mean JCT of a trained policy against that of the same policy before its first update, on the
 * same episodes.
 *
 * @param comparison the trained policy, with its untrained start as the reference; corrected for no other comparison
 * @param overJobs reduction of the mean JCT over all jobs of all episodes, per cent of the untrained policy's
 */
public record TrainingGain(PairedComparison comparison, double overJobs) {
    static TrainingGain of(PairedComparison comparison, List<SchedulerRuns> trained, List<SchedulerRuns> untrained) {
        return new TrainingGain(comparison, 100 * (1 - meanJct(trained) / meanJct(untrained)));
    }

    private static double meanJct(List<SchedulerRuns> runs) {
        return runs.stream()
                .flatMap(run -> run.jobs().stream())
                .mapToDouble(JobOutcome::jctNanos)
                .average()
                .orElseThrow();
    }

    /** Reduction of the mean JCT by training, per cent of the untrained policy's; negative for an increase. */
    public double percent() {
        return 0 - comparison.mean();
    }

    /** The interval of {@link #percent}, or null with a single episode. */
    public PairedComparison.@Nullable Interval interval() {
        PairedComparison.Interval interval = comparison.interval();
        return interval == null ? null : new PairedComparison.Interval(0 - interval.high(), 0 - interval.low());
    }

    /** The gain, its interval and the conclusion in a sentence; with that over all jobs where it has another sign. */
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
        String opposite = new OppositeMeans(percent(), overJobs).words("%.1f %%");
        return "%s: training gained %s against %s%s%s."
                .formatted(comparison.name(), figure, comparison.reference(), opposite, conclusion);
    }
}
