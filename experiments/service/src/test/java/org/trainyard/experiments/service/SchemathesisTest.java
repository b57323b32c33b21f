package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The OpenAPI document under schemathesis, where this machine has Python and pip can fetch it; skipped elsewhere. */
@Tag("thorough")
class SchemathesisTest {
    private static final String PINNED = "schemathesis==4.32.5";

    @TempDir
    private Path folder;

    /** Runs Python; returns its exit code. */
    private int python(Path packages, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
        builder.environment().put("PYTHONPATH", packages.toString());
        try {
            Process process = builder.start();
            assertThat(process.waitFor(20, TimeUnit.MINUTES)).isTrue();
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }

    private Path installed() throws IOException, InterruptedException {
        Path packages =
                RunningService.ROOT.resolve("experiments/target/schemathesis").toAbsolutePath();
        if (!Files.isDirectory(packages.resolve("schemathesis"))) {
            int code = python(packages, "-m", "pip", "install", "-q", "--target", packages.toString(), PINNED);
            Assumptions.assumeTrue(code == 0, "no Python with pip that can fetch " + PINNED);
        }
        return packages;
    }

    @Test
    void no_request_that_is_drawn_from_the_document_is_a_fault_of_the_server() throws Exception {
        Path packages = installed();
        try (RunningService service = new RunningService(RunningService.serving("sjf"))) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            int code = python(
                    packages,
                    "-m",
                    "schemathesis.cli",
                    "run",
                    "http://127.0.0.1:%d/openapi.json".formatted(service.port),
                    "--checks",
                    "not_a_server_error,content_type_conformance,response_schema_conformance",
                    "--max-examples",
                    "40",
                    "--seed",
                    "1",
                    "--suppress-health-check",
                    "all",
                    "--warnings",
                    "off");
            assertThat(code).as(Files.readString(folder.resolve("log"))).isZero();
            assertThat(service.get("/healthz").status()).isEqualTo(200);
            assertThat(service.get("/metrics").text()).doesNotContain("status=\"5");
        }
    }
}
