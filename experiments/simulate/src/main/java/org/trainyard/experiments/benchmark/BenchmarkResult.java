package org.trainyard.experiments.benchmark;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.Bounds;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.EpisodeSample;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.metrics.Statistics;

/**
 * The result of a scheduler in a {@link BenchmarkTask}, as in its JSON file: replaying the task must give the same.
 *
 * @param taskSha256 {@link BenchmarkTask#sha256} when the scheduler played it
 * @param scheduler name in the registry, or {@value #LEARNED} for a trained policy
 * @param policySha256 SHA-256 of the file of the trained policy; null for schedulers of the registry
 * @param episodes in the order of the test episodes
 */
public record BenchmarkResult(
        String task,
        String taskSha256,
        String scheduler,
        @Nullable String policySha256,
        List<Episode> episodes) {
    /** The name of trained policies. */
    public static final String LEARNED = "learned";

    /** Root of the bootstrap of every interval. */
    private static final EpisodeSample SAMPLE = EpisodeSample.independent(1);

    /**
     * Result of the scheduler in an episode.
     *
     * @param meanJctSeconds mean over the completed jobs
     * @param rejected jobs that the scheduler turned away
     */
    public record Episode(double meanJctSeconds, int jobs, int rejected, String eventLogSha256) {
        static Episode of(RunResult run) {
            return new Episode(
                    run.meanJctSeconds(), run.jobs().size(), run.rejected().size(), run.eventLogSha256());
        }
    }

    public BenchmarkResult {
        episodes = List.copyOf(episodes);
    }

    static BenchmarkResult of(BenchmarkTask task, SchedulerRuns runs, @Nullable String policySha256) {
        return new BenchmarkResult(
                task.name(),
                task.sha256(),
                runs.name(),
                policySha256,
                runs.episodes().stream().map(Episode::of).toList());
    }

    /** SHA-256 of the hashes of the event logs, one a line, as in the record book. */
    public String sha256() {
        return Sha256.of(
                episodes.stream().map(episode -> episode.eventLogSha256 + "\n").collect(Collectors.joining()));
    }

    /** Mean over episodes of the mean JCT: the score. */
    public double meanSeconds() {
        return Statistics.mean(seconds());
    }

    /** 95 % interval of the score over episodes, seconds; null with too few episodes. */
    public PairedComparison.@Nullable Interval interval() {
        return isEnough() ? PairedComparison.Interval.ofMean(seconds(), SAMPLE) : null;
    }

    /** Jobs turned away in all episodes; times of a scheduler that rejects are not those of the same jobs. */
    public int rejected() {
        return episodes.stream().mapToInt(Episode::rejected).sum();
    }

    /** The difference of the mean JCTs, paired by episode. */
    public PairedComparison against(BenchmarkResult reference) {
        return PairedComparison.of(scheduler, seconds(), reference.scheduler, reference.seconds(), SAMPLE);
    }

    private boolean isEnough() {
        return episodes.size() >= PairedComparison.ENOUGH_EPISODES;
    }

    private double[] seconds() {
        return episodes.stream().mapToDouble(Episode::meanJctSeconds).toArray();
    }

    /** Differences of a replay from this result, a clause each; empty when all is equal. */
    public List<String> differences(BenchmarkResult replayed) {
        List<String> differences = new ArrayList<>();
        if (!taskSha256.equals(replayed.taskSha256)) {
            differences.add("the task has hash %s, now %s".formatted(taskSha256, replayed.taskSha256));
        }
        if (episodes.size() != replayed.episodes.size()) {
            differences.add(Counted.say("%d episodes, replayed %d", episodes.size(), replayed.episodes.size()));
            return differences;
        }
        for (int i = 0; i < episodes.size(); i++) {
            Episode stored = episodes.get(i);
            Episode now = replayed.episodes.get(i);
            if (!stored.eventLogSha256.equals(now.eventLogSha256)) {
                differences.add("episode %d has event log %s, replayed %s"
                        .formatted(i, stored.eventLogSha256, now.eventLogSha256));
            } else if (!stored.equals(now)) {
                differences.add(Counted.say(
                        "episode %d has a mean JCT of %s s, %d jobs and %d rejected, replayed %s s, %d and %d",
                        i,
                        stored.meanJctSeconds,
                        stored.jobs,
                        stored.rejected,
                        now.meanJctSeconds,
                        now.jobs,
                        now.rejected));
            }
        }
        return differences;
    }

    /** Name of the file of a result, without characters that some system refuses. */
    private static String fileName(String scheduler) {
        return scheduler.replaceAll("[^A-Za-z0-9.+=_-]", "_") + ".json";
    }

    /** Writes the result below a folder, as {@code TASK/SCHEDULER.json}; returns the file. */
    public Path write(Path folder) {
        Path file = folder.resolve(task).resolve(fileName(scheduler));
        AtomicFiles.makeFolder(folder.resolve(task));
        AtomicFiles.deleteUnfinished(folder.resolve(task));
        AtomicFiles.write(file, JsonText.pretty(file()));
        return file;
    }

    /** Whether the result of a scheduler in this version of a task is below a folder. */
    public static boolean isIn(Path folder, BenchmarkTask task, String scheduler) {
        Path file = folder.resolve(task.name()).resolve(fileName(scheduler));
        return Files.isRegularFile(file) && read(file).taskSha256.equals(task.sha256());
    }

    /** @param interval from its low to its high end; left out with too few episodes */
    private record Times(
            @Bounds double mean,

            @OptionalKey @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Double> interval) {}

    /** @param kind of the scheduler, which older files lack; null for a trained policy */
    private record File(
            String task,
            String taskSha256,
            String scheduler,
            @OptionalKey @Nullable String kind,
            @Nullable String policySha256,
            Times jctS,
            @Bounds(least = 1) List<Row> episodes) {
        private File {
            requireHash("taskSha256", taskSha256);
            if (policySha256 != null) {
                requireHash("policySha256", policySha256);
            }
        }

        private static void requireHash(String component, String text) {
            if (!Sha256.isWritten(text)) {
                throw new InvalidFieldException(component, text, "a SHA-256 in hexadecimal");
            }
        }

        private record Row(
                Times jctS, @Bounds int jobs, @Bounds int rejected, String eventLogSha256) {
            Row {
                requireHash("eventLogSha256", eventLogSha256);
            }

            static Row of(Episode one) {
                return new Row(new Times(one.meanJctSeconds, null), one.jobs, one.rejected, one.eventLogSha256);
            }

            Episode episode() {
                return new Episode(jctS.mean, jobs, rejected, eventLogSha256);
            }
        }
    }

    private File file() {
        PairedComparison.Interval interval = interval();
        return new File(
                task,
                taskSha256,
                scheduler,
                Schedulers.kind(scheduler),
                policySha256,
                new Times(meanSeconds(), interval == null ? null : List.of(interval.low(), interval.high())),
                episodes.stream().map(File.Row::of).toList());
    }

    /** Reads a result; one whose score is not that of its episodes is refused. */
    public static BenchmarkResult read(Path file) {
        File read = Binder.bind(YamlReader.read(file.toString(), InputFiles.text(file)), File.class);
        BenchmarkResult result = new BenchmarkResult(
                read.task,
                read.taskSha256,
                read.scheduler,
                read.policySha256,
                read.episodes.stream().map(File.Row::episode).toList());
        if (read.jctS.mean != result.meanSeconds()) {
            throw InputException.at(
                    file + ", jct_s, mean",
                    read.jctS.mean,
                    "%s, the mean of its episodes".formatted(result.meanSeconds()));
        }
        return result;
    }
}
