package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

/** Damaged and senseless requests: each gets an error of its sender, none stops the service or changes what it knows. */
class FuzzedRequestsTest {
    private static final List<String> PATHS = List.of(
            "/v1/placements",
            "/v1/clusters/tiny/events",
            "/v1/clusters/tiny/events",
            "/v1/clusters/tiny",
            "/v1/clusters/new",
            "/v1/clusters/nobody/events",
            "/v1/clusters/%2e%2e/events");
    private static final List<String> BODIES = List.of(
            "{\"cluster\": \"tiny\", \"now_nanos\": 5}",
            "{\"events\": [{\"sequence\": 3, \"time_nanos\": 9, \"type\": \"arrival\", \"job\": \"x\", \"gpus\": 2,"
                    + " \"gpu_types\": [\"V100\"]}]}",
            "{\"events\": [{\"sequence\": 3, \"time_nanos\": 9, \"type\": \"started\", \"job\": \"j1\", \"placement\":"
                    + " [{\"server\": \"server 0\", \"gpus\": [0, 1]}]}]}",
            "{\"events\": [{\"sequence\": 3, \"time_nanos\": 9, \"type\": \"node_down\", \"server\": \"server 0\","
                    + " \"gpu\": 1}]}",
            RunningService.TINY);
    private static final List<String> ODD = List.of(
            "NaN",
            "-1",
            "1e999",
            "99999999999999999999999999",
            "null",
            "[]",
            "{}",
            "\"\"",
            "true",
            "0.5",
            "\"\\u0000\"",
            "\"tiny\"",
            "[[[[[[[[]]]]]]]]");
    private static final List<String> TYPES =
            List.of("application/json", "application/json; charset=utf-8", "application/yaml", "text/plain", "x");

    private final RunningService service = new RunningService(RunningService.serving("sjf"));

    private static String mutated(String body, RandomGenerator random) {
        String text = body;
        for (int times = random.nextInt(4); times > 0; times--) {
            int at = random.nextInt(text.length() + 1);
            int end = Math.min(text.length(), at + random.nextInt(12));
            text = switch (random.nextInt(6)) {
                case 0 -> text.substring(0, at);
                case 1 -> text.substring(0, at) + text.substring(end);
                case 2 -> text.substring(0, at) + (char) random.nextInt(1, 0xD7FF) + text.substring(at);
                case 3 ->
                    text.replaceFirst(
                            "(: )[^,{}\\[\\]]+",
                            "$1" + ODD.get(random.nextInt(ODD.size())).replace("\\", "\\\\"));
                case 4 ->
                    text.replaceFirst(
                            "\\d+", ODD.get(random.nextInt(ODD.size())).replace("\\", "\\\\"));
                default -> text.substring(0, at) + "[".repeat(random.nextInt(200)) + text.substring(at);
            };
        }
        return text;
    }

    private void fuzz(int requests, long seed) throws Exception {
        RandomGenerator random = RandomStreams.stream(seed, "fuzz");
        service.post("/v1/clusters/tiny", RunningService.TINY);
        String two =
                "{\"events\": [{\"sequence\": 1, \"time_nanos\": 1, \"type\": \"arrival\", \"job\": \"j1\", \"gpus\":"
                        + " 2},{\"sequence\": 2, \"time_nanos\": 2, \"type\": \"arrival\", \"job\": \"j2\", \"gpus\":"
                        + " 4}]}";
        assertThat(service.post("/v1/clusters/tiny/events", two).status()).isEqualTo(200);
        int refused = 0;
        for (int i = 0; i < requests; i++) {
            String path = PATHS.get(random.nextInt(PATHS.size()));
            String body = mutated(BODIES.get(random.nextInt(BODIES.size())), random);
            String type = random.nextInt(4) > 0 ? TYPES.get(0) : TYPES.get(random.nextInt(TYPES.size()));
            RunningService.Answer answer = service.send(service.request(path)
                    .timeout(Duration.ofSeconds(20))
                    .header("Content-Type", type)
                    .POST(HttpRequest.BodyPublishers.ofString(body)));
            assertThat(answer.status())
                    .as("request %d, %s %s %s: %s", i, path, type, body, answer.text())
                    .isLessThan(500);
            if (answer.status() >= 400) {
                refused++;
                JsonNode error = answer.json().get("error");
                assertThat(error.get("place").asText()).as(body).isNotBlank();
                assertThat(error.get("expected").asText()).as(body).isNotBlank();
            }
            if (i % 100 == 0) {
                halfBody(random);
            }
        }
        assertThat(refused).isGreaterThan(requests / 2);
        requireSound();
    }

    /** A request that ends before its body does, or is no HTTP at all. */
    private void halfBody(RandomGenerator random) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port)) {
            socket.setSoTimeout(30_000);
            String request = random.nextBoolean()
                    ? String.join(
                            "\r\n",
                            "POST /v1/placements HTTP/1.1",
                            "Host: localhost",
                            "Content-Type: application/json",
                            "Content-Length: 100",
                            "",
                            "{\"cluster\"")
                    : "NONSENSE\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!answer.isEmpty()) {
                assertThat(answer).startsWith("HTTP/1.1 4").contains("\"expected\"");
            }
        }
    }

    private void requireSound() {
        JsonNode view = service.get("/v1/clusters/tiny").json();
        long sequence = view.get("sequence").longValue();
        String next =
                "{\"events\": [{\"sequence\": %d, \"time_nanos\": %d, \"type\": \"arrival\", \"job\": \"last\", \"gpus\": 1}]}"
                        .formatted(sequence + 1, view.get("now_nanos").longValue() + 1);
        assertThat(service.post("/v1/clusters/tiny/events", next).status()).isEqualTo(200);
        RunningService.Answer answer = service.post(
                "/v1/placements",
                "{\"cluster\": \"tiny\", \"now_nanos\": %d}"
                        .formatted(view.get("now_nanos").longValue() + 2));
        assertThat(answer.json().get("decided_by").asText()).as(answer.text()).isEqualTo("policy");
        assertThat(service.get("/readyz").status()).isEqualTo(200);
        assertThat(service.get("/metrics").text()).doesNotContain("status=\"5");
        service.close();
    }

    @Test
    void two_thousand_fuzzed_requests_are_refused_and_nothing_is_lost() throws Exception {
        fuzz(2_000, 1);
    }

    @Test
    @Tag("thorough")
    void ten_thousand_fuzzed_requests_are_refused_and_nothing_is_lost() throws Exception {
        fuzz(10_000, 2);
    }
}
