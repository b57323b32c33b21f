package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.TrainyardProcess;

/** Fits compute with ND4J; what uses a fitted model runs on a class path without it. */
class ServiceWithoutNd4jTest {
    private static final Pattern PORT = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+);");
    private static final Pattern ND4J = Pattern.compile("[/\\\\](nd4j|bytedeco)[/\\\\]");

    @TempDir
    private Path folder;

    /** Measurements in DeepShare's format. */
    private Path matrix() throws IOException {
        List<String> labels = List.of("FSDP,2,2", "FSDP,4,2", "FSDP,8,4", "MoE,2,2", "MoE,4,4", "DLRM,8,8");
        StringBuilder text = new StringBuilder(labels.stream().collect(Collectors.joining("\",\"", ",\"", "\"\n")));
        for (int victim = 0; victim < labels.size(); victim++) {
            text.append('"').append(labels.get(victim)).append('"');
            for (int neighbour = 0; neighbour < labels.size(); neighbour++) {
                text.append(",").append(0.9 - 0.01 * victim - 0.04 * neighbour);
            }
            text.append('\n');
        }
        return Files.writeString(folder.resolve("matrix.csv"), text);
    }

    private static String classPath() {
        List<String> entries =
                Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator, -1));
        List<String> without =
                entries.stream().filter(entry -> !ND4J.matcher(entry).find()).toList();
        assertThat(without).hasSizeLessThan(entries.size());
        return without.stream().collect(Collectors.joining(File.pathSeparator));
    }

    private static JsonNode post(int port, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return RunningService.json(answer.body());
    }

    /** The port that a service says in its log, once it does. */
    private static int port(Process process, Path log) throws IOException, InterruptedException {
        while (process.isAlive()) {
            Matcher said = PORT.matcher(Files.readString(log));
            if (said.find()) {
                return Integer.parseInt(said.group(1));
            }
            process.waitFor(50, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError(Files.readString(log));
    }

    @Test
    void serve_answers_with_a_fitted_model_as_its_belief() throws Exception {
        Path model = folder.resolve("model");
        Shell fitted = Shell.command("fit interference --data %s --out %s", matrix(), model);
        assertThat(fitted.code()).as(fitted.err()).isZero();
        Path log = folder.resolve("serve.log");
        String checkpoint = RunningService.ROOT.resolve("checkpoints/default").toString();

        Process process = TrainyardProcess.start(
                log,
                classPath(),
                List.of(
                        "serve",
                        checkpoint,
                        "--interference-model",
                        model.toString(),
                        "--port",
                        "0",
                        "--budget-ms",
                        "60000"));
        try {
            int port = port(process, log);
            post(port, "/v1/clusters/tiny", RunningService.TINY);
            post(port, "/v1/clusters/tiny/events", """
                {"events": [
                  {"sequence": 1, "time_nanos": 1, "type": "arrival", "job": "j1", "gpus": 2, "model": "resnet50"},
                  {"sequence": 2, "time_nanos": 2, "type": "arrival", "job": "j2", "gpus": 2, "model": "vgg19"}]}
                """);
            JsonNode answer = post(port, "/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": 10}");

            assertThat(answer.get("decisions")).as(answer.toString()).isNotEmpty();
            assertThat(answer.get("decided_by").asText()).as(answer.toString()).isEqualTo("policy");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void a_fit_says_in_one_line_that_it_needs_it() throws Exception {
        Path log = folder.resolve("fit.log");

        Process process = TrainyardProcess.start(
                log, classPath(), Shell.words("fit interference --data %s --out %s", matrix(), folder.resolve("m")));

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(Files.readString(log))
                .contains("trainyard: this needs native libraries (PyTorch, ND4J")
                .doesNotContain("\tat ");
    }
}
