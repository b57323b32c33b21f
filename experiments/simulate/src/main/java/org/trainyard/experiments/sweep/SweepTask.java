package org.trainyard.experiments.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.distributed.FleetTask;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.evaluation.RunRecording;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.report.RunReport;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.TrainingSession;

/**
 * A run of a sweep. The broadcast is {@code {"config", "train", "folder"}}, an input {@code {"number", "overrides"}},
 * an answer the text of {@code {"schedulers": [...], "validation_jct_s"}} with schedulers as in {@code summary.json};
 * the validation is null without training. A training has a folder of its own, from which it is resumed.
 */
public final class SweepTask implements FleetTask {
    private record Broadcast(String config, boolean train, String folder) {}

    private record Input(int number, List<String> overrides) {}

    private record Answer(
            List<Map<String, JsonNode>> schedulers,
            @Nullable Double validationJctS) {
        static Answer of(JsonNode summary, @Nullable Double validated) {
            List<Map<String, JsonNode>> schedulers = new ArrayList<>();
            for (JsonNode scheduler : summary.path("schedulers")) {
                Map<String, JsonNode> columns = new LinkedHashMap<>();
                SweepColumn.NAMES.forEach(column -> columns.put(column.name(), scheduler.at(column.pointer())));
                schedulers.add(columns);
            }
            return new Answer(schedulers, validated);
        }
    }

    /** Broadcast input of all runs. */
    static byte[] broadcast(SweepConfig sweep, Path folder) {
        return bytes(new Broadcast(sweep.config(), sweep.train(), folder.toString()));
    }

    /** Input of one run. */
    static byte[] input(int number, List<String> overrides) {
        return bytes(new Input(number, overrides));
    }

    private static byte[] bytes(Object value) {
        return JsonText.compact(value).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] run(byte[] broadcast, byte[] input) {
        JsonNode sweep = JsonText.read(new String(broadcast, StandardCharsets.UTF_8));
        JsonNode run = JsonText.read(new String(input, StandardCharsets.UTF_8));
        List<String> overrides = new ArrayList<>();
        run.path("overrides").forEach(override -> overrides.add(override.asText()));
        ExperimentConfig config =
                ConfigReader.read(InputFiles.path(sweep.path("config").asText()), overrides);
        Path folder = InputFiles.path(sweep.path("folder").asText())
                .resolve("%06d".formatted(run.path("number").asInt()));
        return Progress.quietly(
                () -> bytes(sweep.path("train").asBoolean() ? train(config, folder) : evaluate(config)));
    }

    private static Answer evaluate(ExperimentConfig config) {
        try (Experiment experiment = new Experiment(config)) {
            ExperimentEvaluation results =
                    ExperimentEvaluation.of(experiment, ExperimentEvaluation.Plan.of(config.schedulers()));
            RunReport report = new RunReport(
                    RunReport.Subject.of(config),
                    results.evaluation(),
                    null,
                    experiment.remarks(),
                    List.of(),
                    List.of(),
                    RunRecording.Timelines.NONE);
            return Answer.of(report.summary(), null);
        }
    }

    private static Answer train(ExperimentConfig config, Path folder) {
        String yaml = ConfigWriter.yaml(config);
        RunDirectory.OtherRun earlier =
                RunDirectory.isOf(folder, yaml) ? RunDirectory.OtherRun.REFUSE : RunDirectory.OtherRun.REPLACE;
        try (RunDirectory directory = RunDirectory.create(folder, yaml, earlier);
                TrainingSession session = new TrainingSession(
                        new Experiment(config), directory, TrainingSession.isResumable(directory))) {
            double validated = session.trainAndCompare(new PrintWriter(Writer.nullWriter()));
            return Answer.of(JsonText.read(InputFiles.text(directory.summary())), validated);
        }
    }
}
