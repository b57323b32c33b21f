package org.trainyard.experiments.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.TinyTraining;

/** Exports of policies over observation rows: the shipped rules, and a network after two updates. */
class ExportRowPoliciesTest {
    private static final Path SHIPPED = Path.of(System.getProperty("trainyard.root", ".."), "checkpoints");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private JsonNode json(String name) throws IOException {
        return JSON.readTree(directory.resolve("out").resolve(name).toFile());
    }

    private void export(Path checkpoint) {
        Shell shell = Shell.run(
                "export",
                checkpoint.toString(),
                "--out",
                directory.resolve("out").toString());
        assertThat(shell.code()).as(shell.err()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rule", "no-preemption"})
    void a_rule_decides_alike_without_any_tie(String name) throws IOException {
        export(SHIPPED.resolve(name));
        JsonNode parity = json("parity.json");
        assertThat(parity.path("decisions").asInt()).isEqualTo(1000);
        assertThat(parity.path("equal_best").asInt()).isEqualTo(1000);
        assertThat(parity.path("ties").asInt()).isZero();
        JsonNode contract = json("contract.json");
        assertThat(contract.path("choices").asText()).isEqualTo("actions");
        assertThat(contract.path("inputs").findValuesAsText("name"))
                .contains("candidates", "jobs", "mask")
                .doesNotContain("gpus");
        assertThat(contract.path("policy").path("preemption").asBoolean()).isEqualTo(name.equals("rule"));
        assertThat(Files.size(directory.resolve("out/policy.onnx"))).isLessThan(20_000);
    }

    @Test
    void a_network_of_a_run_decides_alike() throws IOException {
        Path run = directory.resolve("run");
        assertThat(TinyTraining.run(List.of("ppo.yaml"), run).code()).isZero();
        export(run);
        JsonNode parity = json("parity.json");
        assertThat(parity.path("decisions").asInt()).isGreaterThan(100);
        assertThat(parity.path("equal_best").asInt())
                .isEqualTo(parity.path("decisions").asInt());
        assertThat(parity.path("largest_difference").asDouble()).isLessThan(1e-4);
        JsonNode contract = json("contract.json");
        assertThat(contract.path("inputs").findValuesAsText("name"))
                .contains("gpus", "servers", "links", "parents", "global", "mask");
        for (JsonNode column : contract.findValues("columns").get(0)) {
            assertThat(column.path("meaning").asText()).isNotBlank();
        }
    }
}
