package org.trainyard.experiments.export;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.export.Choice;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.TensorData;

/**
 * Writes the policy of a checkpoint as a folder: {@code policy.onnx contract.json parity.json policy.safetensors
 * example.py observation.json README.md checkpoint/}. Nothing is written unless ONNX Runtime decides as plain Java on
 * recorded decisions.
 */
public final class PolicyExport {
    /** The file by which an export is recognised. */
    public static final String CONTRACT = "contract.json";

    private static final String POLICY = "policy.onnx";
    private static final String WEIGHTS = "policy.safetensors";
    private static final String EXAMPLE = "example.py";
    /** The folder of the checkpoint in an export. */
    public static final String CHECKPOINT = "checkpoint";
    /** Files of a checkpoint that are copied when they are there. */
    private static final List<String> COPIED =
            List.of("policy.bin", "config.yaml", "untrained.bin", "provenance.json", "README.md");

    private final Checkpoint checkpoint;
    private final ExperimentConfig config;

    public PolicyExport(Checkpoint checkpoint) {
        this.checkpoint = checkpoint;
        config = ConfigReader.read(checkpoint.config(), List.of());
    }

    /**
     * Writes the folder.
     *
     * @param force whether an earlier export there is replaced
     * @param decisions to be recorded and compared
     * @return what was compared, a sentence
     */
    public String write(Path folder, boolean force, int decisions) {
        BidPolicy trained = checkpoint.policy();
        ExportedBids policy = new ExportedBids(trained);
        try (ExportFolder files = new ExportFolder(folder, force);
                Experiment experiment = new Experiment(config)) {
            experiment.requirePlaceableJobs();
            Map<String, Object> facts = trained.facts();
            OnnxGraph graph = policy.graph();
            byte[] model = graph.model(modelFacts());
            DecisionRecorder recorder = DecisionRecorder.play(experiment, policy, decisions);
            if (recorder.recorded().isEmpty()) {
                throw new InputException("%s: its policy has no choice in any episode, so nothing can be compared"
                        .formatted(checkpoint.config()));
            }
            Parity parity = compared(model, policy, recorder);
            writeAll(files, policy, graph, model, facts, recorder, parity);
            files.publish();
            return parity.summary();
        }
    }

    private static Parity compared(byte[] model, ExportedBids policy, DecisionRecorder recorder) {
        try (PolicySession session = new PolicySession(model)) {
            Parity parity = Parity.of(session, policy, recorder.recorded());
            if (!parity.isMet()) {
                throw new IllegalStateException(
                        "the exported policy does not decide as the policy in Java: %s, %d illegal, expected all equal within %.0e; nothing was written"
                                .formatted(parity.summary(), parity.illegalBest(), Parity.LIMIT));
            }
            return parity;
        }
    }

    private Map<String, String> modelFacts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("name", config.name());
        facts.put("seed", Long.toString(config.seed()));
        facts.put("policy_sha256", Sha256.of(checkpoint.policyFile()));
        return facts;
    }

    private void writeAll(
            ExportFolder files,
            ExportedBids policy,
            OnnxGraph graph,
            byte[] model,
            Map<String, Object> facts,
            DecisionRecorder recorder,
            Parity parity) {
        AtomicFiles.write(files.file(POLICY), model);
        AtomicFiles.write(files.file(WEIGHTS), out -> SafetensorsFile.write(graph.weights(), modelFacts(), out));
        copyCheckpoint(files.file(CHECKPOINT));
        Map<String, String> sha256 = new LinkedHashMap<>();
        sha256.put(POLICY, Sha256.of(files.file(POLICY)));
        sha256.put(WEIGHTS, Sha256.of(files.file(WEIGHTS)));
        sha256.put("policy.bin", Sha256.of(checkpoint.policyFile()));
        json(files.file(CONTRACT), new Contract(policy, graph).json(facts, sha256));
        Map<String, Object> compared = parity.json();
        compared.put("episodes", recorder.episodes());
        compared.put(
                "source",
                recorder.episodes() > config.episodes().validation()
                        ? "validation episodes of checkpoint/config.yaml, then training episodes"
                        : "validation episodes of checkpoint/config.yaml");
        compared.put("runtime", "onnxruntime " + PolicySession.version());
        compared.put("reference", "plain Java, checkpoint/policy.bin");
        json(files.file("parity.json"), compared);
        AtomicFiles.write(
                files.file("observation.json"),
                JsonText.compact(JsonText.tree(new ObservationJson(example(recorder), policy).json())) + "\n");
        AtomicFiles.write(files.file(EXAMPLE), resource(EXAMPLE));
        String card = new ModelCard(checkpoint, config, policy, facts).text(graph, parity, recorder.episodes());
        AtomicFiles.write(files.file("README.md"), card);
    }

    private static void json(Path file, Map<String, Object> value) {
        AtomicFiles.write(file, JsonText.pretty(JsonText.tree(value)));
    }

    /** The decision with the most legal choices of the first hundred, the first of equals. */
    private static RecordedDecision example(DecisionRecorder recorder) {
        List<RecordedDecision> recorded = recorder.recorded();
        RecordedDecision most = recorded.get(0);
        for (RecordedDecision decision : recorded.subList(0, Math.min(100, recorded.size()))) {
            most = decision.legalChoices() > most.legalChoices() ? decision : most;
        }
        return most;
    }

    private void copyCheckpoint(Path folder) {
        AtomicFiles.makeFolder(folder);
        for (String name : COPIED) {
            Path file = checkpoint.folder().resolve(name);
            if (Files.isRegularFile(file)) {
                AtomicFiles.copy(file, folder.resolve(name));
            }
        }
    }

    private static byte[] resource(String name) {
        try (InputStream in = Objects.requireNonNull(PolicyExport.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + name, e);
        }
    }

    /**
     * A recorded decision as JSON, {@code observation.json}: of every input type, shape and elements, and the outcome
     * in Java.
     */
    private static final class ObservationJson {
        private final RecordedDecision decision;
        private final ExportedBids policy;

        ObservationJson(RecordedDecision decision, ExportedBids policy) {
            this.decision = decision;
            this.policy = policy;
        }

        /** The fields of the file. */
        Map<String, Object> json() {
            Map<String, Object> inputs = new LinkedHashMap<>();
            for (TensorData input : decision.inputs()) {
                Map<String, Object> tensor = new LinkedHashMap<>();
                tensor.put("dtype", input.type().numpy());
                tensor.put("shape", input.shape());
                tensor.put("data", elements(input));
                inputs.put(input.name(), tensor);
            }
            List<Object> values = new ArrayList<>();
            for (int choice = 0; choice < decision.choices(); choice++) {
                values.add(decision.score(choice));
            }
            Map<String, Object> expected = new LinkedHashMap<>();
            expected.put(policy.comparedOutput(), values);
            expected.put(Choice.BEST, decision.best());
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("inputs", inputs);
            json.put("expected", expected);
            return json;
        }

        private static List<Object> elements(TensorData tensor) {
            ByteBuffer data = tensor.data();
            List<Object> elements = new ArrayList<>();
            while (data.hasRemaining()) {
                elements.add(element(tensor.type(), data));
            }
            return elements;
        }

        private static Object element(ElementType type, ByteBuffer data) {
            return switch (type) {
                case FLOAT -> data.getFloat();
                case LONG -> data.getLong();
                case BOOL -> data.get() != 0;
            };
        }
    }

    /**
     * Records decisions of a policy while it plays the validation episodes of its experiment, then training episodes if
     * these are too few; never test episodes. Takes every {@value #STRIDE}th decision, and from an episode at most the
     * {@value #EPISODES}th part of all, so that decisions differ.
     */
    private static final class DecisionRecorder {
        private static final int STRIDE = 7;
        private static final int EPISODES = 8;
        private static final int TRAINING_EPISODES = 200;

        private final List<RecordedDecision> recorded = new ArrayList<>();
        private final int wanted;
        private int seen;
        private int episodes;
        private int ofEpisode;

        private DecisionRecorder(int wanted) {
            this.wanted = wanted;
        }

        /** Records this many decisions, or fewer when all episodes have fewer. */
        static DecisionRecorder play(Experiment experiment, ExportedBids policy, int wanted) {
            DecisionRecorder recorder = new DecisionRecorder(wanted);
            Iterator<Workload> workloads = Stream.concat(
                            experiment.validation().stream(),
                            IntStream.range(0, TRAINING_EPISODES).mapToObj(experiment::train))
                    .iterator();
            while (recorder.recorded.size() < wanted && workloads.hasNext()) {
                Simulator simulator = experiment.world().simulator(workloads.next());
                simulator.run(policy.scheduler(experiment.deployment(), recorder::take));
                recorder.episodes++;
                recorder.ofEpisode = 0;
            }
            return recorder;
        }

        private void take(Supplier<RecordedDecision> decision) {
            if (seen++ % STRIDE == 0 && recorded.size() < wanted && ofEpisode <= wanted / EPISODES) {
                recorded.add(decision.get());
                ofEpisode++;
            }
        }

        List<RecordedDecision> recorded() {
            return recorded;
        }

        /** Episodes that were played. */
        int episodes() {
            return episodes;
        }
    }
}
