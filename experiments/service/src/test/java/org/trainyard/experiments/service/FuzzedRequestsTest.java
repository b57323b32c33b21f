package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.service.http.ServerSettings;

/**
 * Damaged and senseless requests: each gets an error of its sender, none stops the service or changes what it knows.
 */
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

    private RunningService service = new RunningService(RunningService.serving("sjf"));

    @AfterEach
    void close() {
        service.close();
    }

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

    /** Some clients at once, and one that asks for the health of the service all the time. */
    private ProbeTimes fuzz(int clients, int requests, long seed) throws Exception {
        return fuzz(
                clients,
                requests,
                seed,
                () -> assertThat(service.raw("GET /healthz", "localhost")).startsWith("HTTP/1.1 200"));
    }

    /** @param asked all the time, and measured */
    private ProbeTimes fuzz(int clients, int requests, long seed, Runnable asked) throws Exception {
        service.post("/v1/clusters/tiny", RunningService.TINY);
        String two =
                "{\"events\": [{\"sequence\": 1, \"time_nanos\": 1, \"type\": \"arrival\", \"job\": \"j1\", \"gpus\":"
                        + " 2},{\"sequence\": 2, \"time_nanos\": 2, \"type\": \"arrival\", \"job\": \"j2\", \"gpus\":"
                        + " 4}]}";
        assertThat(service.post("/v1/clusters/tiny/events", two).status()).isEqualTo(200);
        OpenApiRequests described =
                new OpenApiRequests(service.get("/openapi.json").json());
        ExecutorService threads = Executors.newFixedThreadPool(clients + 1);
        AtomicBoolean isDone = new AtomicBoolean();
        try {
            Future<ProbeTimes> probe = threads.submit(() -> probe(isDone, asked));
            List<Future<Integer>> running = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                RandomGenerator random = RandomStreams.stream(seed, "fuzz " + client);
                running.add(threads.submit(() -> client(requests / clients, random, described)));
            }
            int refused = 0;
            for (Future<Integer> one : running) {
                refused += one.get();
            }
            isDone.set(true);
            assertThat(refused).isGreaterThan(requests / 4);
            requireSound();
            return probe.get();
        } finally {
            isDone.set(true);
            threads.shutdownNow();
        }
    }

    /**
     * Times of probes of the service, and beside each that of a server which does nothing else: so the machine's part
     * is known.
     */
    private static final class ProbeTimes {
        private final List<Long> ours = new ArrayList<>();
        private final List<Long> bare = new ArrayList<>();

        long slowest() {
            return Collections.max(ours);
        }

        @Override
        public String toString() {
            return "the service: %s; a bare server: %s".formatted(described(ours), described(bare));
        }

        double millisOfP99() {
            return ours.stream().sorted().toList().get(ours.size() * 99 / 100) / 1e6;
        }

        private static String described(List<Long> nanos) {
            List<Long> sorted = nanos.stream().sorted().toList();
            return "p50 %.1f ms, p99 %.1f ms, most %.1f ms of %d"
                    .formatted(
                            sorted.get(sorted.size() / 2) / 1e6,
                            sorted.get(sorted.size() * 99 / 100) / 1e6,
                            sorted.get(sorted.size() - 1) / 1e6,
                            sorted.size());
        }
    }

    private ProbeTimes probe(AtomicBoolean isDone, Runnable asked) throws IOException {
        ProbeTimes times = new ProbeTimes();
        HttpServer bare = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        bare.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        bare.start();
        try {
            do {
                long from = System.nanoTime();
                asked.run();
                long middle = System.nanoTime();
                RunningService.raw(
                        bare.getAddress().getPort(), "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
                times.ours.add(middle - from);
                times.bare.add(System.nanoTime() - middle);
                LockSupport.parkNanos(20_000_000);
            } while (!isDone.get());
        } finally {
            bare.stop(0);
        }
        return times;
    }

    /** Sends requests one after another; returns how many were refused. */
    private int client(int requests, RandomGenerator random, OpenApiRequests described) throws IOException {
        int refused = 0;
        for (int i = 0; i < requests; i++) {
            OpenApiRequests.Request request = random.nextBoolean()
                    ? described.draw(random)
                    : new OpenApiRequests.Request(
                            "POST", PATHS.get(random.nextInt(PATHS.size())), BODIES.get(random.nextInt(BODIES.size())));
            // A path that is none is answered by the parser, which waits for no body.
            boolean isLong = random.nextInt(500) == 0 && !request.path().contains("%");
            String body = isLong ? " ".repeat(3 << 20) : mutated(request.body(), random);
            String type = random.nextInt(4) > 0 ? TYPES.get(0) : TYPES.get(random.nextInt(TYPES.size()));
            String sent = "request %d, %s %s %s".formatted(i, request, type, body.length() < 3_000 ? body : "long");
            long from = System.nanoTime();
            String answer = answer(request, type, body, sent);
            assertThat(answer)
                    .as("%s, after %.1f s", sent, (System.nanoTime() - from) / 1e9)
                    .matches("(?s)HTTP/1.1 [24]\\d\\d .*");
            assertThat(answer)
                    .as(sent)
                    .doesNotContain("\tat ")
                    .doesNotContainPattern("\\b(java|org|com|io)\\.[a-z]+\\.\\w");
            if (answer.charAt("HTTP/1.1 ".length()) == '4') {
                refused++;
                JsonNode error = RunningService.json(answer.substring(answer.indexOf("\r\n\r\n") + 4))
                        .get("error");
                assertThat(error.get("place").asText()).as(sent).isNotBlank();
                assertThat(error.get("expected").asText()).as(sent).isNotBlank();
            }
            if (i % 100 == 0) {
                halfBody(random);
            }
        }
        return refused;
    }

    private String answer(OpenApiRequests.Request request, String type, String body, String sent) {
        try {
            return service.raw(String.join(
                    "\r\n",
                    request.method() + " " + request.path() + " HTTP/1.1",
                    "Host: localhost",
                    "Connection: close",
                    "Authorization: " + service.authorization,
                    "Content-Type: " + type,
                    "Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length,
                    "",
                    body));
        } catch (UncheckedIOException e) {
            throw new AssertionError("without an answer: " + sent, e);
        }
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
    }

    @Test
    void two_thousand_fuzzed_requests_are_refused_and_nothing_is_lost() throws Exception {
        fuzz(2, 2_000, 1);
    }

    @ParameterizedTest
    @Tag("thorough")
    @CsvSource({"sjf, 33334, 2", "checkpoints/default, 33333, 3", "random, 33333, 4"})
    void a_hundred_thousand_fuzzed_requests_are_refused_and_nothing_is_lost(
            String target, int requests, long seed, TestReporter reporter) throws Exception {
        service.close();
        Path checkpoint = RunningService.ROOT.resolve(target);
        service = new RunningService(
                RunningService.serving(Files.isDirectory(checkpoint) ? checkpoint.toString() : target));
        ProbeTimes times = fuzz(2, requests, seed);
        reporter.publishEntry(target, times.toString());
        // A machine that does something else as well may need longer than the 100 ms of one that does not.
        assertThat(times.slowest()).isLessThan(20_000_000_000L);
    }

    /**
     * Strangers whose bodies do not end, in small or large chunks, or come a byte at a time; cut off, they begin anew.
     */
    private void besiege(ExecutorService strangers, AtomicBoolean isOver) {
        String head = "POST /v1/placements HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\n\r\n";
        for (int bytes : new int[] {1, 1, 1, 65_536, 65_536, 0, 0, 0}) {
            String chunk = "%x\r\n%s\r\n".formatted(bytes, " ".repeat(bytes));
            byte[] sent =
                    bytes == 0 ? new byte[] {' '} : chunk.repeat(65_536 / bytes).getBytes(StandardCharsets.US_ASCII);
            String length = bytes == 0 ? "Content-Length: 1000000" : "Transfer-Encoding: chunked";
            strangers.execute(() -> {
                while (!isOver.get()) {
                    try (Socket socket = service.connected(head.formatted(length))) {
                        while (!isOver.get()) {
                            socket.getOutputStream().write(sent);
                            LockSupport.parkNanos(bytes == 0 ? 50_000_000 : 0);
                        }
                    } catch (IOException e) {
                        LockSupport.parkNanos(1_000_000);
                    }
                }
            });
        }
    }

    /**
     * Fuzzed requests and bodies that do not end, beside a client that holds the token: what it waits for a placement,
     * and what the heap holds after a collection, that of the clients in it.
     *
     * @param isFree whether the machine does nothing else, so that the time is the service's
     */
    private void holderIsServed(int requests, boolean isFree, TestReporter reporter) throws Exception {
        service.close();
        service = new RunningService(
                RunningService.serving("sjf"),
                new ServerSettings("127.0.0.1", 0, "a-token-of-the-test", null, 1 << 20, 1e6),
                null);
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService strangers = Executors.newCachedThreadPool();
        try {
            besiege(strangers, isOver);
            ProbeTimes times = fuzz(
                    2,
                    requests,
                    5,
                    () -> assertThat(service.post("/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": 5}")
                                    .status())
                            .isIn(200, 422));
            System.gc();
            long held = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
            reporter.publishEntry("besieged", "%s; heap %d MB".formatted(times, held));
            assertThat(times.millisOfP99()).as(times.toString()).isLessThan(isFree ? 50 : 20_000);
            assertThat(held).as("MB").isLessThan(300);
        } finally {
            isOver.set(true);
            strangers.shutdownNow();
        }
    }

    @Test
    void who_holds_the_token_is_served_beside_bodies_without_end(TestReporter reporter) throws Exception {
        holderIsServed(400, false, reporter);
    }

    @Test
    @Tag("thorough")
    void who_holds_the_token_is_served_beside_a_hundred_thousand_fuzzed_requests(TestReporter reporter)
            throws Exception {
        OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
        holderIsServed(100_000, machine.getSystemLoadAverage() < machine.getAvailableProcessors(), reporter);
    }
}
