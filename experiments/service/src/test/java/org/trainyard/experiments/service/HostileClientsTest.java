package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Decision;
import org.trainyard.experiments.service.http.LoopbackNames;
import org.trainyard.experiments.service.http.Patience;
import org.trainyard.experiments.service.http.ServerSettings;
import org.trainyard.experiments.service.target.ServedScheduler;

/**
 * Clients that are slow, many, guess tokens, come under foreign names or send what cannot be decoded; the others are
 * served.
 */
@Timeout(300)
class HostileClientsTest {
    private static final long MINUTE = 60_000_000_000L;
    private static final String HALF = post(1000) + "{";

    private static String post(int length) {
        return String.join(
                "\r\n",
                "POST /v1/placements HTTP/1.1",
                "Host: localhost",
                "Connection: close",
                "Content-Type: application/json",
                "Content-Length: " + length,
                "",
                "");
    }

    private static RunningService service(Patience patience, String... names) {
        ServerSettings settings = new ServerSettings(
                "127.0.0.1", 0, null, null, 1 << 20, 1e6, new LoopbackNames(List.of(names)), patience);
        return new RunningService(
                RunningService.serving(RunningService.heuristic("sjf"), 1_000_000_000), settings, null);
    }

    @Test
    void two_hundred_bodies_that_do_not_come_stop_neither_probes_nor_questions() throws IOException {
        try (RunningService service = service(new Patience(10 * MINUTE, 0, 0, 500))) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            List<Socket> slow = new ArrayList<>();
            try {
                for (int i = 0; i < 200; i++) {
                    slow.add(service.connected(HALF));
                }
                assertThat(service.get("/healthz").status()).isEqualTo(200);
                assertThat(service.get("/readyz").status()).isEqualTo(200);
                assertThat(service.post("/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": 5}")
                                .status())
                        .isEqualTo(200);
            } finally {
                for (Socket socket : slow) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void sixty_clients_that_do_not_read_their_answers_stop_nobody() throws IOException {
        String asked = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(400);
        try (RunningService service = service(new Patience(10 * MINUTE, 0, 0, 500))) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            List<Socket> deaf = new ArrayList<>();
            try {
                for (int i = 0; i < 60; i++) {
                    deaf.add(service.connected(asked));
                }
                for (int i = 0; i < 20; i++) {
                    assertThat(service.get("/healthz").status()).isEqualTo(200);
                    assertThat(service.post("/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": %d}".formatted(i))
                                    .status())
                            .isEqualTo(200);
                }
            } finally {
                for (Socket socket : deaf) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void a_body_below_the_least_rate_or_beyond_its_time_is_refused() {
        for (Patience patience :
                List.of(new Patience(MINUTE, 1 << 30, 100_000_000, 9), new Patience(100_000_000, 0, 0, 9))) {
            try (RunningService service = service(patience)) {
                assertThat(service.raw(HALF)).startsWith("HTTP/1.1 408").contains("\"place\":\"body\"", "a second");
                assertThat(service.get("/metrics").text()).contains("status=\"408\"");
            }
        }
    }

    @Test
    void probes_are_answered_while_all_other_threads_wait_for_a_scheduler() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        ServedScheduler stuck = new ServedScheduler(
                "stuck",
                (topology, listener) -> view -> {
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Decision.WAIT;
                },
                demand -> true);
        var clients = Executors.newFixedThreadPool(40);
        try (RunningService service =
                new RunningService(RunningService.serving(stuck, 5 * MINUTE), RunningService.ANY_PORT, null)) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            List<CompletableFuture<Integer>> asked = IntStream.range(0, 40)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> service.post("/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": 5}")
                                    .status(),
                            clients))
                    .toList();
            for (int i = 0; i < 20; i++) {
                assertThat(service.get("/healthz").status()).isEqualTo(200);
            }
            assertThat(asked).noneMatch(CompletableFuture::isDone);
            released.countDown();
            for (CompletableFuture<Integer> one : asked) {
                assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(200);
            }
        } finally {
            clients.shutdownNow();
        }
    }

    @Test
    void a_client_has_so_many_connections_and_no_more() throws IOException {
        String probe = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (RunningService service = service(new Patience(MINUTE, 0, 0, 3))) {
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Socket socket = service.connected(probe);
                assertThat(socket.getInputStream().read()).isEqualTo('H');
                open.add(socket);
            }
            assertThat(isAnswered(service, probe)).isFalse();
            for (Socket socket : open) {
                socket.close();
            }
            boolean isAgain = false;
            for (int i = 0; i < 10_000 && !isAgain; i++) {
                isAgain = isAnswered(service, probe);
            }
            assertThat(isAgain).isTrue();
        }
    }

    private static boolean isAnswered(RunningService service, String request) {
        try (Socket socket = service.connected(request);
                InputStream in = socket.getInputStream()) {
            return in.read() == 'H';
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void wrong_tokens_are_soon_told_to_come_later_and_the_right_one_passes() {
        ServerSettings guarded = new ServerSettings("127.0.0.1", 0, "a-token-of-the-test", null, 1 << 20, 1e6);
        try (RunningService service = new RunningService(
                RunningService.serving(RunningService.heuristic("sjf"), 1_000_000_000), guarded, null)) {
            List<Integer> statuses = IntStream.range(0, 60)
                    .mapToObj(i -> service.send(service.request("/v1/clusters")
                                    .header("Authorization", "Bearer guess-" + i)
                                    .GET())
                            .status())
                    .toList();
            assertThat(statuses.get(0)).isEqualTo(401);
            assertThat(statuses).contains(429).allMatch(status -> status == 401 || status == 429);
            assertThat(service.send(service.request("/v1/clusters")
                                    .header("Authorization", "Bearer a-token-of-the-test")
                                    .GET())
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_foreign_host_is_not_served_on_the_loopback_address() {
        try (RunningService service = service(Patience.DEFAULT, "trainyard.lab")) {
            for (String host : List.of(
                    "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.nip.io", "10.0.0.1")) {
                for (String path : List.of("/v1/clusters", "/healthz", "/metrics")) {
                    assertThat(service.raw("GET " + path, host))
                            .startsWith("HTTP/1.1 421")
                            .contains("\"Host\"");
                }
            }
            for (String host :
                    List.of("localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:80", "[::1]", "trainyard.lab")) {
                assertThat(service.raw("GET /v1/clusters", host)).as(host).startsWith("HTTP/1.1 200");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/clusters/%u0041",
                "/v1/clusters/%zz",
                "/v1/clusters/%",
                "/v1/clusters/%4",
                "/v1/clusters/a%u0041/events",
                "/v1/clusters?x=%zz",
                "/%u0041",
                "/healthz?%",
            })
    void a_malformed_escape_is_the_fault_of_its_sender(String path) {
        try (RunningService service = service(Patience.DEFAULT)) {
            for (String method : List.of("GET ", "POST ", "DELETE ")) {
                String answer = service.raw(method + path, "localhost");
                assertThat(answer).as(path).startsWith("HTTP/1.1 400").contains("\"expected\"");
            }
            assertThat(service.get("/metrics").text()).doesNotContain("status=\"5");
        }
    }

    /** What is answered to a request whose sender does not read before all is written, or nothing more is taken. */
    private static String answered(RunningService service, String head, String body) throws IOException {
        try (Socket socket = service.connected(head)) {
            try {
                socket.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // The rest of a refused body is not taken.
            }
            byte[] answer = new byte[1_000];
            int length = socket.getInputStream().readNBytes(answer, 0, "HTTP/1.1 400".length());
            return new String(answer, 0, length, StandardCharsets.UTF_8);
        }
    }

    @Test
    void a_body_that_is_too_large_is_answered_before_its_end() throws IOException {
        try (RunningService service = service(Patience.DEFAULT)) {
            assertThat(answered(service, post(30_000_000), " ".repeat(30_000_000)))
                    .isEqualTo("HTTP/1.1 413");
        }
    }

    /** Refused by its head, or by its path when its body has come. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/v1/clusters/%2e%2e/events", "/v1/clusters/..;/x", "/v1/clusters/a%2fb", "/%u0041", "/nothing"})
    void a_refused_request_with_a_long_body_is_answered(String path) throws IOException {
        try (RunningService service = service(Patience.DEFAULT)) {
            String head = post(3_000_000).replace("/v1/placements", path);
            assertThat(answered(service, head, " ".repeat(3_000_000))).startsWith("HTTP/1.1 4");
            head = post(60_000).replace("/v1/placements", path);
            assertThat(service.raw(head + " ".repeat(60_000)))
                    .startsWith("HTTP/1.1 4")
                    .contains("\"expected\"");
        }
    }

    /** Ten clients send bodies that do not end as fast as they are taken, and begin anew when they are thrown out. */
    @ParameterizedTest
    @CsvSource({"1, a-token-of-the-test", "1, another", "65536, a-token-of-the-test", "65536, another"})
    void bodies_that_do_not_end_stop_neither_probes_nor_questions(int bytesOfChunk, String token) throws Exception {
        String head = "POST /v1/placements HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer %s\r\nTransfer-Encoding: chunked\r\n\r\n".formatted(token);
        String chunk = "%x\r\n%s\r\n".formatted(bytesOfChunk, " ".repeat(bytesOfChunk));
        byte[] chunks = chunk.repeat(65_536 / bytesOfChunk).getBytes(StandardCharsets.UTF_8);
        ServerSettings guarded = new ServerSettings("127.0.0.1", 0, "a-token-of-the-test", null, 1 << 20, 1e6);
        AtomicBoolean isOver = new AtomicBoolean();
        CountDownLatch thrownOut = new CountDownLatch(20);
        var clients = Executors.newFixedThreadPool(10);
        try (RunningService service = new RunningService(
                RunningService.serving(RunningService.heuristic("sjf"), 60_000_000_000L), guarded, null)) {
            service.send(authorised(service, "/v1/clusters/tiny", RunningService.TINY));
            for (int i = 0; i < 10; i++) {
                clients.execute(() -> {
                    while (!isOver.get()) {
                        try (Socket socket = service.connected(head)) {
                            while (!isOver.get()) {
                                socket.getOutputStream().write(chunks);
                            }
                        } catch (IOException e) {
                            thrownOut.countDown();
                        }
                    }
                });
            }
            for (int i = 0; i < 10; i++) {
                assertThat(service.get("/healthz").status()).isEqualTo(200);
                assertThat(service.send(authorised(
                                        service, "/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": 5}"))
                                .status())
                        .isEqualTo(200);
            }
            assertThat(thrownOut.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            isOver.set(true);
            clients.shutdownNow();
        }
    }

    private static HttpRequest.Builder authorised(RunningService service, String path, String body) {
        return service.request(path)
                .header("Authorization", "Bearer a-token-of-the-test")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    @Test
    void probes_alone_are_answered_before_all_clusters_are_there() {
        try (RunningService service = RunningService.starting()) {
            assertThat(service.get("/healthz").status()).isEqualTo(200);
            assertThat(service.get("/readyz").status()).isEqualTo(503);
            assertThat(service.get("/readyz").text()).contains("starting");
            assertThat(service.get("/v1/clusters").status()).isEqualTo(503);
            assertThat(service.get("/v1/clusters").json().at("/error/value").asText())
                    .isEqualTo("starting");
            service.open();
            assertThat(service.get("/readyz").status()).isEqualTo(200);
            assertThat(service.get("/v1/clusters").status()).isEqualTo(200);
        }
    }

    @Test
    void an_address_without_characters_is_refused() {
        assertThatThrownBy(() -> new ServerSettings(" ", 0, null, null, 1 << 20, 1e6))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--host");
    }

    /** A mapping of many keys that no topology has takes long to read. */
    private static String unreadable() {
        StringBuilder text = new StringBuilder("type: Tree\n");
        for (int i = 0; i < 40_000; i++) {
            text.append("k").append(i).append(": 1\n");
        }
        return text.toString();
    }

    @Test
    void forty_descriptions_that_take_long_to_read_keep_no_question_waiting() throws Exception {
        try (RunningService service = service(new Patience(10 * MINUTE, 0, 0, 500))) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            String text = unreadable();
            AtomicInteger read = new AtomicInteger();
            AtomicInteger turnedAway = new AtomicInteger();
            ExecutorService clients = Executors.newFixedThreadPool(40);
            CountDownLatch begun = new CountDownLatch(40);
            for (int i = 0; i < 40; i++) {
                String path = "/v1/clusters/z" + i;
                clients.execute(() -> {
                    begun.countDown();
                    int status = service.post(path, "application/yaml", text).status();
                    (status == 429 ? turnedAway : read).incrementAndGet();
                });
            }
            begun.await();
            while (read.get() == 0) {
                Thread.sleep(10);
            }

            assertThat(service.post("/v1/placements", "{\"cluster\": \"tiny\", \"now_nanos\": 5}")
                            .status())
                    .isEqualTo(200);
            assertThat(read).hasValueLessThan(17);
            clients.shutdown();
            assertThat(clients.awaitTermination(4, TimeUnit.MINUTES)).isTrue();
            assertThat(turnedAway).hasPositiveValue();
        }
    }

    @Test
    void a_header_does_not_make_one_method_another() {
        try (RunningService service = service(new Patience(10 * MINUTE, 0, 0, 500))) {
            service.post("/v1/clusters/tiny", RunningService.TINY);

            RunningService.Answer answer = service.send(service.request("/v1/clusters/tiny")
                    .header("X-HTTP-Method-Override", "DELETE")
                    .POST(HttpRequest.BodyPublishers.noBody()));

            assertThat(answer.status()).isGreaterThanOrEqualTo(400);
            assertThat(service.get("/v1/clusters/tiny").status()).isEqualTo(200);
        }
    }
}
