package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.experiments.TrainyardProcess;

/** A service that is killed comes back with the same state and the same next decision. */
class RestartTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PORT = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+);");

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private int sequence;

    /** Sends requests to a service, of this process or another. */
    private interface Service {
        JsonNode post(String path, String body);
    }

    private Service at(int port) {
        return (path, body) -> {
            try {
                HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                        .timeout(Duration.ofSeconds(60))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
                return RunningService.json(response.body());
            } catch (IOException e) {
                throw new AssertionError(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        };
    }

    private JsonNode view(int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v1/clusters/tiny".formatted(port)))
                .build();
        return RunningService.json(
                client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    private ObjectNode event(long time, String type, String job) {
        return JSON.createObjectNode()
                .put("sequence", ++sequence)
                .put("time_nanos", time)
                .put("type", type)
                .put("job", job);
    }

    private void feed(Service service, List<ObjectNode> events) {
        ObjectNode body = JSON.createObjectNode();
        body.set("events", JSON.createArrayNode().addAll(events));
        service.post("/v1/clusters/tiny/events", body.toString());
    }

    private static JsonNode ask(Service service, long now) {
        return service.post("/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": %d}".formatted(now));
    }

    /** A dozen jobs of random sizes, whose proposed starts and preemptions are carried out. */
    private void live(Service service) {
        sequence = 0;
        service.post("/v1/clusters/tiny", RunningService.TINY);
        for (int job = 1; job <= 12; job++) {
            long now = job * 60_000_000_000L;
            feed(
                    service,
                    List.of(event(now, "arrival", "j" + job)
                            .put("gpus", 1 + job % 4)
                            .put("user", "u" + job % 3)));
            if (job == 6) {
                feed(service, List.of(event(now, "progress", "j1").put("iterations", 12.5)));
            }
            for (JsonNode decision : ask(service, now).get("decisions")) {
                String name = decision.get("job").asText();
                ObjectNode done = decision.get("kind").asText().equals("start")
                        ? event(now, "started", name).set("placement", decision.get("placement"))
                        : event(now, "preempted", name);
                feed(service, List.of(done));
            }
            if (job == 9) {
                feed(service, List.of(event(now + 1, "ended", "j1")));
            }
        }
    }

    private Process start(String target, Path state) throws IOException {
        return TrainyardProcess.start(
                folder.resolve("log"),
                List.of("serve", target, "--port", "0", "--state", state.toString(), "--budget-ms", "60000"));
    }

    @Test
    void nobody_is_told_of_an_event_that_is_not_on_the_disk() throws Exception {
        assumeTrue(Files.exists(Path.of("/bin/sh")), "needs a shell to limit the size of files");
        Path state = folder.resolve("state");
        Process process = TrainyardProcess.start(
                List.of("/bin/sh", "-c", "ulimit -f 16; exec \"$@\"", "sh"),
                folder.resolve("log"),
                System.getProperty("java.class.path"),
                List.of("serve", "fifo", "--port", "0", "--state", state.toString()));
        int acknowledged = 0;
        try {
            int port = port(process);
            at(port).post("/v1/clusters/tiny", RunningService.TINY);
            HttpResponse<String> response = arrive(port);
            while (response.statusCode() == 200) {
                acknowledged = sequence;
                response = arrive(port);
            }
            assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
            assertThat(response.body()).contains("can be written (").doesNotContain("(null)");
            assertThat(view(port).at("/error/place").asText()).isEqualTo("cluster");
            assertThat(send(port, "/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": 9000}")
                            .statusCode())
                    .isEqualTo(503);
            HttpRequest all = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v1/clusters".formatted(port)))
                    .build();
            assertThat(RunningService.json(client.send(all, HttpResponse.BodyHandlers.ofString())
                                    .body())
                            .at("/0/sequence")
                            .intValue())
                    .isEqualTo(acknowledged);
        } finally {
            process.destroyForcibly().waitFor();
        }
        try (RunningService next = new RunningService(RunningService.serving("fifo"), RunningService.ANY_PORT, state)) {
            assertThat(view(next.port).get("sequence").intValue()).isEqualTo(acknowledged);
        }
    }

    private HttpResponse<String> arrive(int port) throws IOException, InterruptedException {
        String event = event(sequence, "arrival", "j" + sequence).put("gpus", 1).toString();
        return send(port, "/v1/clusters/tiny/events", "{\"events\": [%s]}".formatted(event));
    }

    private HttpResponse<String> send(int port, String path, String body) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private int port(Process process) throws Exception {
        for (int tries = 0; tries < 600 && process.isAlive(); tries++) {
            Matcher said = PORT.matcher(Files.readString(folder.resolve("log")));
            int port = 0;
            while (said.find()) {
                port = Integer.parseInt(said.group(1));
            }
            if (port > 0) {
                return port;
            }
            Thread.sleep(100);
        }
        throw new AssertionError(Files.readString(folder.resolve("log")));
    }

    @Test
    void a_killed_service_comes_back_with_the_same_view_and_the_same_next_decision() throws Exception {
        assertComesBack("random");
    }

    @Tag("thorough")
    @Test
    void a_killed_service_of_a_policy_comes_back_with_the_same_view_and_the_same_next_decision() throws Exception {
        assertComesBack(RunningService.ROOT.resolve("checkpoints/default").toString());
    }

    private void assertComesBack(String target) throws Exception {
        JsonNode expected;
        try (RunningService never = new RunningService(RunningService.serving(target))) {
            live(at(never.port));
            expected = ask(at(never.port), 800_000_000_000L);
        }
        Path state = folder.resolve("state");
        Process process = start(target, state);
        JsonNode before;
        try {
            int port = port(process);
            live(at(port));
            before = view(port);
        } finally {
            process.destroyForcibly().waitFor();
        }
        Files.writeString(state.resolve("tiny.journal"), "0123abcd {\"events\": [{\"seq", StandardOpenOption.APPEND);
        Files.delete(folder.resolve("log"));
        process = start(target, state);
        try {
            int port = port(process);
            assertThat(Files.readString(folder.resolve("log"))).contains("an incomplete last line was dropped");
            assertThat(view(port)).isEqualTo(before);
            JsonNode next = ask(at(port), 800_000_000_000L);
            assertThat(next.get("decisions")).isEqualTo(expected.get("decisions"));
            assertThat(next.get("hold")).isEqualTo(expected.get("hold"));
            assertThat(next.get("why")).isEqualTo(expected.get("why"));
            feed(at(port), List.of(event(900_000_000_000L, "arrival", "later").put("gpus", 1)));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void a_line_that_is_damaged_in_the_middle_is_refused() throws Exception {
        Path state = folder.resolve("state");
        try (RunningService first = new RunningService(RunningService.serving("sjf"), RunningService.ANY_PORT, state)) {
            live(at(first.port));
        }
        Path file = state.resolve("tiny.journal");
        byte[] sound = Files.readAllBytes(file);
        byte[] damaged = sound.clone();
        damaged[sound.length / 2] ^= 1;
        Files.write(file, damaged);

        assertThatThrownBy(() -> new RunningService(RunningService.serving("sjf"), RunningService.ANY_PORT, state))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("tiny.journal:")
                .hasMessageContaining("damaged");

        Files.write(file, sound);
        try (RunningService second =
                new RunningService(RunningService.serving("sjf"), RunningService.ANY_PORT, state)) {
            assertThat(view(second.port).get("sequence").intValue()).isEqualTo(sequence);
        }
    }
}
