package org.trainyard.experiments.shadow;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * The jobs submitted in a time, compared. For machines, times in seconds.
 *
 * @param name such as {@code Day 3}
 * @param past as it was
 * @param difference of the waits
 * @param gpuHours GPU-hours of that difference
 * @param delayed jobs that would have waited longer than the tolerance
 * @param isPromised whether a difference is a gain
 */
@JsonPropertyOrder({"name", "jobs", "starts", "past", "shadow", "saved_s", "saved_gpu_hours", "delayed"})
record ShadowSpan(
        String name,
        int jobs,
        Starts starts,
        Side past,
        Side shadow,
        @JsonIgnore Saved difference,
        @JsonIgnore double gpuHours,
        Delayed delayed,
        @JsonIgnore boolean isPromised) {
    private static final int SHOWN = 10;
    private static final int NAMED = 3;

    /**
     * Numbers of jobs by their two starts.
     *
     * @param equal that differ by no more than the tolerance
     * @param earlier that the shadow starts earlier
     * @param later that it starts later
     */
    record Starts(int equal, int earlier, int later) {}

    record Side(Wait waitS) {
        double mean() {
            return waitS.mean;
        }
    }

    record Wait(double mean) {}

    /** The mean of what each job would have waited less, with its 95 % interval. */
    record Saved(double mean, BlockBootstrap.Bounds interval) {}

    /** @param worst the first of them, the longest delay first */
    record Delayed(int jobs, double meanS, List<Late> worst) {}

    record Late(
            String job, int gpus, double laterS, @JsonIgnore String words) {
        Late(ComparedJob job) {
            this(job.job().id(), job.job().gpus(), -job.savedSeconds(), job.words());
        }
    }

    /** Time saved or lost; null where less wait is no gain. */
    @JsonProperty("saved_s")
    @Nullable Saved saved() {
        return isTold() ? difference : null;
    }

    /** GPU-hours of waiting that would have been saved, likewise. */
    @JsonProperty("saved_gpu_hours")
    @Nullable Double savedGpuHours() {
        return isTold() ? gpuHours : null;
    }

    private boolean isTold() {
        return isPromised || difference.mean < 0;
    }

    /** Compares some jobs, at least one. */
    static ShadowSpan of(String name, List<ComparedJob> jobs, double toleranceSeconds, long seed, boolean isPromised) {
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
        double delay = delayed.stream()
                .mapToDouble(job -> -job.savedSeconds())
                .average()
                .orElse(0);
        return new ShadowSpan(
                name,
                saved.length,
                new Starts(equal, earlier, saved.length - equal - earlier),
                new Side(new Wait(real)),
                new Side(new Wait(shadow)),
                // The mean of differences, which may be negative, under the resampling of waits.
                new Saved(real - shadow, BlockBootstrap.bounds(saved, RankingMetric.MEAN_WAIT, seed)),
                gpuHours,
                new Delayed(
                        delayed.size(),
                        delay,
                        delayed.stream().limit(SHOWN).map(Late::new).toList()),
                isPromised);
    }

    private String change(boolean isGain) {
        BlockBootstrap.Bounds interval = difference.interval;
        return "%s %s (%s)%s; %,.1f GPU-hours of waiting %s"
                .formatted(
                        Durations.human(Math.abs(difference.mean)),
                        isGain ? "saved" : "lost",
                        (isGain ? interval : interval.negated()).text(CellFormat.DURATION),
                        interval.isClear() ? "" : ", not significant (the interval includes 0)",
                        Math.abs(gpuHours),
                        gpuHours >= 0 ? "saved" : "lost");
    }

    /** The comparison in sentences, each with its subject before a colon. */
    Answer answer(String scheduler) {
        Answer answer = new Answer()
                .tell(
                        "%s: %s; %,d start as they did, %,d earlier, %,d later.",
                        name, Counted.of(jobs, "job"), starts.equal, starts.earlier, starts.later)
                .tell(
                        "Waits: %s on average as it was, %s under %s; %s.",
                        Durations.human(past.mean()),
                        Durations.human(shadow.mean()),
                        scheduler,
                        isTold()
                                ? change(difference.mean >= 0)
                                : "the difference is no gain that is promised, for GPUs were free while jobs waited");
        if (delayed.jobs > 0) {
            answer.tell(
                    "Delayed: %s would have waited longer, by %s on average; the worst are %s.",
                    Counted.of(delayed.jobs, "job"),
                    Durations.human(delayed.meanS),
                    delayed.worst.stream()
                            .limit(NAMED)
                            .map(job -> job.words + " by " + Durations.human(job.laterS))
                            .collect(Collectors.joining("; ")));
        }
        return answer;
    }
}
