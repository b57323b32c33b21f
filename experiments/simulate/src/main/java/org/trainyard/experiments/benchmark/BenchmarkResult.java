package org.trainyard.experiments.benchmark;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
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

    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

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

    /** @param interval left out with too few episodes */
    private record Times(
            double mean,
            @JsonInclude(JsonInclude.Include.NON_NULL) PairedComparison.@Nullable Interval interval) {}

    private record File(
            String task,
            String taskSha256,
            String scheduler,
            @Nullable String kind,
            @Nullable String policySha256,
            Times jctS,
            List<Row> episodes) {
        private record Row(Times jctS, int jobs, int rejected, String eventLogSha256) {}
    }

    private File file() {
        return new File(
                task,
                taskSha256,
                scheduler,
                Schedulers.kind(scheduler),
                policySha256,
                new Times(meanSeconds(), interval()),
                episodes.stream()
                        .map(one -> new File.Row(
                                new Times(one.meanJctSeconds, null), one.jobs, one.rejected, one.eventLogSha256))
                        .toList());
    }

    /** Reads a result; one whose score is not that of its episodes is refused. */
    public static BenchmarkResult read(Path file) {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(InputFiles.text(file));
        } catch (JsonProcessingException e) {
            throw new InputException("%s: is not valid JSON: expected a result of bench".formatted(file));
        }
        List<Episode> episodes = new ArrayList<>();
        for (JsonNode episode : root.path("episodes")) {
            String place = "%s, episodes[%d]".formatted(file, episodes.size());
            episodes.add(new Episode(
                    number(place + ", jct_s", episode.path("jct_s"), "mean"),
                    (int) number(place, episode, "jobs"),
                    (int) number(place, episode, "rejected"),
                    hash(place, episode, "event_log_sha256")));
        }
        if (episodes.isEmpty()) {
            throw new InputException("%s: has no episodes: expected a result of bench".formatted(file));
        }
        String place = file.toString();
        BenchmarkResult result = new BenchmarkResult(
                text(place, root, "task"),
                hash(place, root, "task_sha256"),
                text(place, root, "scheduler"),
                root.path("policy_sha256").isTextual() ? hash(place, root, "policy_sha256") : null,
                episodes);
        double score = number(place + ", jct_s", root.path("jct_s"), "mean");
        if (score != result.meanSeconds()) {
            throw InputException.at(
                    place + ", jct_s, mean", score, "%s, the mean of its episodes".formatted(result.meanSeconds()));
        }
        return result;
    }

    private static String text(String place, JsonNode node, String key) {
        JsonNode value = node.path(key);
        if (!value.isTextual()) {
            throw InputException.at("%s, %s".formatted(place, key), value.isMissingNode() ? "missing" : value, "text");
        }
        return value.asText();
    }

    private static String hash(String place, JsonNode node, String key) {
        String text = text(place, node, key);
        if (!SHA_256.matcher(text).matches()) {
            throw InputException.at("%s, %s".formatted(place, key), text, "a SHA-256 in hexadecimal");
        }
        return text;
    }

    private static double number(String place, JsonNode node, String key) {
        JsonNode value = node.path(key);
        if (!value.isNumber() || !(value.asDouble() >= 0)) {
            throw InputException.at(
                    "%s, %s".formatted(place, key), value.isMissingNode() ? "missing" : value, "a number, at least 0");
        }
        return value.asDouble();
    }
}
