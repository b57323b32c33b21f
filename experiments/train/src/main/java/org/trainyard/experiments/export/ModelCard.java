package org.trainyard.experiments.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.Provenance;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.TensorData;

/** The model card of an exported policy, {@code README.md}. */
final class ModelCard {
    private final Checkpoint checkpoint;
    private final ExperimentConfig config;
    private final ExportedBids policy;
    private final Map<String, Object> facts;

    /** @param facts about the policy, by name */
    ModelCard(Checkpoint checkpoint, ExperimentConfig config, ExportedBids policy, Map<String, Object> facts) {
        this.checkpoint = checkpoint;
        this.config = config;
        this.policy = policy;
        this.facts = facts;
    }

    /** The card as Markdown. */
    String text(OnnxGraph graph, Parity parity, int episodes) {
        StringBuilder text = new StringBuilder("# Policy %s\n\n".formatted(config.name()));
        text.append(
                "A policy that schedules jobs on a cluster of GPUs, trained with Trainyard and exported from a checkpoint.\n");
        text.append("`contract.json` describes every input and output.\n\n| | |\n|---|---|\n");
        row(text, "what it is", policy.title());
        facts.forEach((name, value) -> row(text, name, value));
        row(text, "weights", graph.weights().stream().mapToInt(TensorData::size).sum());
        row(text, "trained by", learner());
        row(
                text,
                "trained on",
                Counted.say(
                        "cluster `%s`, %s, %d jobs an episode%s",
                        config.cluster(), jobs(), config.episodes().jobs(), worlds()));
        row(text, "seed", config.seed());
        Provenance provenance = checkpoint.provenance();
        row(
                text,
                "code",
                provenance == null
                        ? "not recorded"
                        : provenance.codeVersion() + ", SHA-256 " + provenance.codeSha256());
        row(text, "gained by training", gain());
        row(text, "inputs", String.join(", ", policy.inputs().keySet()));
        row(text, "parity", Counted.say("%s, recorded in %d episodes", parity.summary(), episodes));
        text.append("""

                ## Run it

                    pip install onnxruntime numpy
                    python3 example.py

                Inputs may be of any size along the axes that `contract.json` names. `checkpoint/` holds the same policy for
                Trainyard itself: `trainyard evaluate --checkpoint DIR` runs it in Java.

                ## Limits

                - On clusters and workloads on which it was not trained it may do worse than a heuristic. Evaluate it there first.
                - Inputs must be computed as `contract.json` says. Other units or another order of columns give numbers, not errors.
                - Remaining times are predictions; with worse predictions decisions are worse.
                - It decides for jobs of fixed size.
                - Scores have no meaning across decisions: only their order within one counts.
                """);
        text.append("\nONNX operator set %d, file format %d.\n".formatted(OnnxGraph.OPSET, OnnxGraph.IR_VERSION));
        return text.toString();
    }

    private static void row(StringBuilder text, String name, Object value) {
        text.append("| %s | %s |\n"
                .formatted(name, String.valueOf(value).replace("|", "\\|").replace('\n', ' ')));
    }

    private String learner() {
        return config.learner().getClass().getSimpleName();
    }

    private String worlds() {
        List<String> others = config.worlds();
        return others == null || others.isEmpty() ? "" : ", and %d further worlds".formatted(others.size());
    }

    private String jobs() {
        String trace = config.workload().trace();
        if (config.workload().adversary() != null) {
            return "hard workloads that a search found";
        }
        return trace == null
                ? "generated jobs"
                : "jobs of the trace `%s`".formatted(Path.of(trace).getFileName());
    }

    /** Gain from training as the checkpoint's own card, or else the summary of its run, states it. */
    private String gain() {
        Path card = checkpoint.folder().resolve("README.md");
        String known = Files.isRegularFile(card) ? firstLine(card, "training gained") : measured();
        return known == null
                ? "not recorded; `trainyard evaluate --checkpoint DIR` compares it with the policy before its first update"
                : known;
    }

    private @Nullable String measured() {
        Path summary = checkpoint.summary();
        JsonNode sentence = summary == null
                ? MissingNode.getInstance()
                : JsonText.read(InputFiles.text(summary)).at("/training_gain/0/sentence");
        return sentence.isTextual() ? sentence.asText() : null;
    }

    private static @Nullable String firstLine(Path file, String words) {
        try (Stream<String> lines = Files.lines(file)) {
            Optional<String> found = lines.map(String::strip)
                    .filter(line -> line.startsWith("learned: " + words) || line.startsWith("Training gained"))
                    .findFirst();
            return found.orElse(null);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(file, e), e);
        }
    }
}
