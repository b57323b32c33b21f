package org.trainyard.experiments.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.TinyTraining;
import org.trainyard.experiments.io.Sha256;

class ExportCommandTest {
    private static final Path SHIPPED = Path.of(System.getProperty("trainyard.root", ".."), "checkpoints");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path shared;

    @TempDir
    private Path directory;

    private static Path export;

    @BeforeAll
    static void exportTheShippedPolicy() {
        export = shared.resolve("default");
        Shell shell = Shell.command("export %s --out %s", SHIPPED.resolve("default"), export);
        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("1000 of 1000 decisions equal");
    }

    private static JsonNode json(String name) throws IOException {
        return JSON.readTree(export.resolve(name).toFile());
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String gain(Path card) throws IOException {
        try (Stream<String> lines = Files.lines(card)) {
            return lines.map(String::strip)
                    .filter(line -> line.startsWith("learned: "))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void an_export_is_complete() throws IOException {
        assertThat(names(export))
                .containsExactly(
                        "README.md",
                        "checkpoint",
                        "contract.json",
                        "example.py",
                        "observation.json",
                        "parity.json",
                        "policy.onnx",
                        "policy.safetensors");
        assertThat(names(shared)).as("no temporary folder").containsExactly("default");
        assertThat(export.resolve("checkpoint/policy.bin"))
                .hasSameBinaryContentAs(SHIPPED.resolve("default/policy.bin"));
        String gained = gain(SHIPPED.resolve("default/README.md"));
        assertThat(gained).containsPattern("training gained \\d+\\.\\d %");
        assertThat(export.resolve("README.md")).content().contains(gained, "1000 of 1000");
    }

    @Test
    void the_contract_says_what_every_column_is() throws IOException {
        JsonNode contract = json("contract.json");
        assertThat(contract.path("sha256").path("policy.onnx").asText())
                .isEqualTo(Sha256.of(export.resolve("policy.onnx")));
        assertThat(contract.path("sha256").path("policy.bin").asText())
                .isEqualTo(Sha256.of(export.resolve("checkpoint/policy.bin")));
        assertThat(contract.path("opset").asInt()).isEqualTo(18);
        JsonNode input = contract.path("inputs").get(0);
        assertThat(input.path("schema").asText()).isEqualTo(BidColumn.schema().hash());
        assertThat(input.path("shape").toString()).isEqualTo("[\"bids\",%d]".formatted(BidColumn.COUNT));
        assertThat(input.path("columns").size()).isEqualTo(BidColumn.COUNT);
        for (JsonNode column : input.path("columns")) {
            BidColumn known = BidColumn.valueOf(column.path("name").asText());
            assertThat(column.path("index").asInt()).isEqualTo(known.index());
            for (String field : List.of("unit", "scale", "meaning")) {
                assertThat(column.path(field).asText())
                        .as("%s of %s", field, known)
                        .isNotBlank();
            }
        }
        assertThat(contract.path("inputs").findValuesAsText("name")).contains("columns", "kind", "mask");
        assertThat(contract.path("outputs").findValuesAsText("name"))
                .containsExactly("scores", "log_probabilities", "best");
    }

    @Test
    void onnx_runtime_decides_as_plain_java() throws IOException {
        JsonNode parity = json("parity.json");
        assertThat(parity.path("decisions").asInt()).isEqualTo(1000);
        assertThat(parity.path("equal_best").asInt()).isEqualTo(1000);
        assertThat(parity.path("largest_difference").asDouble()).isBetween(0.0, Parity.LIMIT);
        assertThat(parity.path("illegal_best").asInt()).isZero();
        assertThat(parity.path("episodes").asInt()).isGreaterThanOrEqualTo(8);
    }

    @Test
    void the_weights_are_those_of_the_policy() throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(export.resolve("policy.safetensors")))
                .order(ByteOrder.LITTLE_ENDIAN);
        byte[] header = new byte[Math.toIntExact(file.getLong())];
        file.get(header);
        JsonNode tensors = JSON.readTree(new String(header, StandardCharsets.UTF_8));
        ByteBuffer data = file.slice().order(ByteOrder.LITTLE_ENDIAN);
        BidPolicy policy = BidPolicy.load(SHIPPED.resolve("default/policy.bin"));
        float[] weights = policy.network().weights();
        int kindSize = weights.length / BidKind.COUNT;
        int linear =
                tensors.path("bids.linear.weight").path("data_offsets").get(0).asInt();
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            for (int c = 0; c < BidColumn.COUNT; c++) {
                assertThat(data.getFloat(linear + 4 * (kind * BidColumn.COUNT + c)))
                        .isEqualTo(weights[kind * kindSize + 1 + c]);
            }
        }
        int end = 0;
        for (String name : List.of(
                "bids.hidden.weight", "bids.hidden.bias", "bids.out.weight", "bids.linear.weight", "bids.bias")) {
            assertThat(tensors.path(name).path("dtype").asText()).isEqualTo("F32");
            end = Math.max(end, tensors.path(name).path("data_offsets").get(1).asInt());
        }
        assertThat(end).isEqualTo(4 * weights.length).isEqualTo(data.capacity());
        assertThat((8 + header.length) % 8).isZero();
    }

    @Test
    void the_example_in_python_finds_the_same_choice() throws IOException, InterruptedException {
        assertThat(Files.readAllLines(export.resolve("example.py"))).hasSizeLessThanOrEqualTo(30);
        String python = System.getenv().getOrDefault("TRAINYARD_PYTHON", "python3");
        assumeTrue(run(List.of(python, "-c", "import onnxruntime, numpy")) == 0, python + " has no onnxruntime");
        assertThat(run(List.of(python, export.resolve("example.py").toString())))
                .isZero();
    }

    /** A policy whose encoder reads links inside servers has all inputs, which the page lists and its code feeds. */
    @Test
    void a_policy_of_the_quickstart_has_the_inputs_of_the_page_and_runs_by_its_code() throws Exception {
        Path trained = directory.resolve("run");
        Shell training = TinyTraining.run(List.of("quickstart.yaml"), trained, "--set", "cluster=4x8");
        assertThat(training.code()).as(training.err()).isZero();
        Path out = directory.resolve("out");
        Shell shell = Shell.command("export %s --out %s", trained, out);
        assertThat(shell.code()).as(shell.err()).isZero();

        String page = Files.readString(SHIPPED.resolveSibling("experiments/docs/guides/export.md"));
        List<String> inputs = new ArrayList<>();
        JSON.readTree(out.resolve("contract.json").toFile())
                .path("inputs")
                .forEach(input -> inputs.add(input.path("name").asText()));
        assertThat(inputs)
                .hasSize(13)
                .containsExactlyElementsOf(Pattern.compile("(?m)^\\| (`[a-z_`, ]+) \\| (?=float32|int64|bool)")
                        .matcher(page)
                        .results()
                        .flatMap(row -> Stream.of(row.group(1).replace("`", "").split(", ")))
                        .filter(name ->
                                !List.of("scores", "log_probabilities", "best").contains(name))
                        .toList());
        assertThat(JSON.readTree(out.resolve("parity.json").toFile())
                        .path("source")
                        .asText())
                .isEqualTo("validation episodes of checkpoint/config.yaml, then training episodes");
        assertThat(out.resolve("README.md"))
                .content()
                .contains("| gained by training | %s |\n"
                        .formatted(JSON.readTree(trained.resolve("summary.json").toFile())
                                .at("/training_gain/0/sentence")
                                .asText()));

        String code = page.substring(page.indexOf("    import json"), page.indexOf("\n\nIn C++"))
                .indent(-4);
        Path snippet = Files.writeString(
                out.resolve("snippet.py"),
                code + "assert best == json.load(open('observation.json'))['expected']['best']\n");
        String python = System.getenv().getOrDefault("TRAINYARD_PYTHON", "python3");
        assumeTrue(run(List.of(python, "-c", "import onnxruntime, numpy")) == 0, python + " has no onnxruntime");
        assertThat(run(out, List.of(python, snippet.toString()))).isZero();
    }

    private static int run(List<String> command) throws IOException, InterruptedException {
        return run(shared, command);
    }

    private static int run(Path folder, List<String> command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .inheritIO()
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return -1;
        }
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    @Test
    void an_export_is_replaced_only_on_request() throws IOException {
        Path out = Files.createDirectory(directory.resolve("again"));
        Files.writeString(out.resolve("contract.json"), "{}");
        Files.writeString(out.resolve("old"), "");
        List<String> command = List.of("export", SHIPPED.resolve("default").toString(), "--out", out.toString());
        Shell refused = Shell.run(command);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--force").hasLineCount(1);

        List<String> forced = new ArrayList<>(command);
        forced.add("--force");
        assertThat(Shell.run(forced).code()).isZero();
        assertThat(names(out)).contains("policy.onnx").doesNotContain("old");
        assertThat(names(directory)).containsExactly("again");
    }

    @Test
    void a_folder_with_other_files_is_never_replaced() throws IOException {
        Files.writeString(directory.resolve("notes.txt"), "mine");
        Shell shell = Shell.command("export %s --out %s --force", SHIPPED.resolve("default"), directory);
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("holds no export").hasLineCount(1);
        assertThat(names(directory)).containsExactly("notes.txt");
    }

    @Test
    void bad_checkpoints_are_refused_with_a_line() throws IOException {
        Path damaged = Files.createDirectory(directory.resolve("damaged"));
        Files.copy(SHIPPED.resolve("default/config.yaml"), damaged.resolve("config.yaml"));
        byte[] bytes = Files.readAllBytes(SHIPPED.resolve("default/policy.bin"));
        bytes[bytes.length / 2] ^= 4;
        Files.write(damaged.resolve("policy.bin"), bytes);
        Path out = directory.resolve("out");
        requireRefusal(damaged, out, "is damaged");
        Files.write(damaged.resolve("policy.bin"), new byte[] {1, 2, 3});
        requireRefusal(damaged, out, "policy.bin");
        requireRefusal(directory.resolve("missing"), out, "missing");
        requireRefusal(Files.createDirectory(directory.resolve("empty")), out, "policy.bin and config.yaml");
        assertThat(out).doesNotExist();
        assertThat(names(directory)).as("nothing else").containsExactly("damaged", "empty");
    }

    private static void requireRefusal(Path checkpoint, Path out, String message) {
        Shell shell = Shell.command("export %s --out %s", checkpoint, out);
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains(message).hasLineCount(1);
    }
}
