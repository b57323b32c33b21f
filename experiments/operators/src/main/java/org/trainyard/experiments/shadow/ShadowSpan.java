package org.trainyard.experiments.shadow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.trainyard.experiments.io.Counted;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.metrics.BlockBootstrap;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * The jobs submitted in a time, compared.
 *
 * @param name such as {@code Day 3}
 * @param jobs in order of submission
 * @param equal jobs whose two starts differ by no more than the tolerance
 * @param earlier jobs that the shadow starts earlier
 * @param later jobs that it starts later
 * @param realMean mean wait as it was, seconds
 * @param shadowMean mean wait in the shadow, seconds
 * @param low lower end of the 95 % interval of the mean of what each job would have waited less, seconds
 * @param high upper end
 * @param savedGpuHours GPU-hours of waiting that would have been saved
 * @param delayed jobs that would have waited longer than the tolerance, the worst first
 */
public record ShadowSpan(
        String name,
        int jobs,
        int equal,
        int earlier,
        int later,
        double realMean,
        double shadowMean,
        double low,
        double high,
        double savedGpuHours,
        List<ComparedJob> delayed) {
    private static final int NAMED = 3;

    public ShadowSpan {
        delayed = List.copyOf(delayed);
    }

    /** Compares some jobs, at least one. */
    static ShadowSpan of(String name, List<ComparedJob> jobs, double toleranceSeconds, long seed) {
        int equal = 0;
        int earlier = 0;
        double real = 0;
        double shadow = 0;
        double gpuHours = 0;
        double[] saved = new double[jobs.size()];
        List<ComparedJob> delayed = new ArrayList<>();
        for (int i = 0; i < saved.length; i++) {
            ComparedJob job = jobs.get(i);
            boolean isEqual = Math.abs(job.laterSeconds()) <= toleranceSeconds;
            equal += isEqual ? 1 : 0;
            earlier += !isEqual && job.laterSeconds() < 0 ? 1 : 0;
            real += job.realWaitSeconds() / saved.length;
            shadow += job.shadowWaitSeconds() / saved.length;
            gpuHours += job.savedGpuHours();
            saved[i] = job.savedSeconds();
            if (-saved[i] > toleranceSeconds) {
                delayed.add(job);
            }
        }
        delayed.sort(Comparator.comparingDouble(ComparedJob::savedSeconds));
        // The mean of differences, which may be negative, under the resampling of waits.
        BlockBootstrap.Bounds bounds = BlockBootstrap.bounds(saved, RankingMetric.MEAN_WAIT, seed);
        return new ShadowSpan(
                name,
                saved.length,
                equal,
                earlier,
                saved.length - equal - earlier,
                real,
                shadow,
                bounds.low(),
                bounds.high(),
                gpuHours,
                delayed);
    }

    double savedSeconds() {
        return realMean - shadowMean;
    }

    double meanDelaySeconds() {
        return delayed.stream()
                .mapToDouble(job -> -job.savedSeconds())
                .average()
                .orElse(0);
    }

    /** In sentences, each with its subject before a colon. */
    List<String> sentences(String scheduler) {
        List<String> sentences = new ArrayList<>();
        sentences.add("%s: %s; %,d start as they did, %,d earlier, %,d later."
                .formatted(name, Counted.of(jobs, "job"), equal, earlier, later));
        boolean isClear = low > 0 || high < 0;
        sentences.add("Waits: %s on average as it was, %s under %s; %s %s (%s .. %s)%s; %,.1f GPU-hours of waiting %s."
                .formatted(
                        Durations.human(realMean),
                        Durations.human(shadowMean),
                        scheduler,
                        Durations.human(Math.abs(savedSeconds())),
                        savedSeconds() >= 0 ? "saved" : "lost",
                        Durations.human(savedSeconds() >= 0 ? low : -high),
                        Durations.human(savedSeconds() >= 0 ? high : -low),
                        isClear ? "" : ", not shown, for the interval has zero in it",
                        Math.abs(savedGpuHours),
                        savedGpuHours >= 0 ? "saved" : "lost"));
        if (!delayed.isEmpty()) {
            List<String> worst = delayed.stream()
                    .limit(NAMED)
                    .map(job -> "%s by %s".formatted(job.words(), Durations.human(-job.savedSeconds())))
                    .toList();
            sentences.add("Delayed: %s would have waited longer, by %s on average; the worst are %s."
                    .formatted(
                            Counted.of(delayed.size(), "job"),
                            Durations.human(meanDelaySeconds()),
                            String.join("; ", worst)));
        }
        return sentences;
    }
}
