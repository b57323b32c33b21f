package org.trainyard.experiments.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.service.http.PlacementServer;
import org.trainyard.experiments.service.http.ServerSettings;
import org.trainyard.experiments.service.journal.StateFolder;
import org.trainyard.experiments.service.kubernetes.PodBinder;
import org.trainyard.experiments.service.kubernetes.SchedulerExtender;
import org.trainyard.experiments.service.live.ServedClusters;
import org.trainyard.experiments.service.live.ServiceMetrics;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.service.target.ServedScheduler;
import org.trainyard.experiments.service.target.ServedTarget;

/** A service that listens on a free port, and a client of it. */
final class RunningService implements AutoCloseable {
    static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    /** Two servers with four GPUs each. */
    static final String TINY = """
        {"type": "FatTree", "name": "tiny", "k": 2,
         "nvlink": {"gigabytes_per_second": 150, "latency_micros": 1},
         "pcie": {"gigabytes_per_second": 12, "latency_micros": 2},
         "link": {"gigabytes_per_second": 12.5, "latency_micros": 5},
         "server": {"gpus": 4, "gpu_type": "V100", "sockets": 2, "nvlink": true, "cpu_milli": null,
           "memory_mib": null, "sharing": "whole"}}
        """;

    static final ServerSettings ANY_PORT = new ServerSettings("127.0.0.1", 0, null, null, 1 << 20, 1e6);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long BUDGET_NANOS = 60_000_000_000L;

    /** An answer: its status and its body. */
    record Answer(int status, String text) {
        JsonNode json() {
            return RunningService.json(text);
        }
    }

    private final PlacementServer server;
    final SchedulerExtender extender;
    final Supplier<ServedClusters> clusters;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    final int port;
    /** What a client of the service says that it may use it; null where all may. */
    final @Nullable String authorization;

    RunningService(ServiceSettings settings) {
        this(settings, ANY_PORT, null);
    }

    RunningService(ServiceSettings settings, ServerSettings http, @Nullable Path state) {
        this(settings, http, state, true, null);
    }

    /** One whose extender changes pods. */
    RunningService(ServiceSettings settings, PodBinder binder) {
        this(settings, ANY_PORT, null, true, binder);
    }

    private RunningService(
            ServiceSettings settings,
            ServerSettings http,
            @Nullable Path state,
            boolean isOpen,
            @Nullable PodBinder binder) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ServiceMetrics metrics = new ServiceMetrics(registry);
        ServedClusters made =
                new ServedClusters(settings, metrics, state == null ? null : new StateFolder(state, false));
        clusters = () -> made;
        authorization = http.token() == null ? null : "Bearer " + http.token();
        extender = new SchedulerExtender(clusters, binder);
        server = new PlacementServer(http, clusters, metrics, registry, extender.endpoints());
        port = isOpen ? server.start() : server.listen();
    }

    /** One that makes its clusters again until it is opened. */
    static RunningService starting() {
        return new RunningService(serving(heuristic("sjf"), BUDGET_NANOS), ANY_PORT, null, false, null);
    }

    void open() {
        server.open();
    }

    /** A service of a scheduler or checkpoint, with a generous budget. */
    static ServiceSettings serving(String target) {
        ServedTarget opened = ServedTarget.open("serve", target, null, 1);
        return new ServiceSettings(
                opened.served(),
                heuristic("fifo-backfill"),
                opened.belief(),
                null,
                opened.runtime(),
                1,
                BUDGET_NANOS,
                ServiceSettings.Limits.DEFAULT);
    }

    /** A service of a scheduler that is made for a test. */
    static ServiceSettings serving(ServedScheduler served, long budgetNanos) {
        return new ServiceSettings(
                served,
                heuristic("sjf"),
                InterferenceModel.NONE,
                null,
                new RuntimeConfig.History(),
                1,
                budgetNanos,
                ServiceSettings.Limits.DEFAULT);
    }

    static ServedScheduler heuristic(String name) {
        return ServedScheduler.of(SchedulerRegistry.named(name), InterferenceModel.NONE, 1);
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    Answer get(String path) {
        return send(allowed(path).GET());
    }

    private HttpRequest.Builder allowed(String path) {
        return authorization == null ? request(path) : request(path).header("Authorization", authorization);
    }

    Answer post(String path, String json) {
        return post(path, "application/json", json);
    }

    Answer post(String path, String type, String body) {
        return send(allowed(path).header("Content-Type", type).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                .timeout(Duration.ofSeconds(30));
    }

    Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What the service answers to these bytes, until the connection is closed. */
    String raw(String request) {
        return raw(port, request);
    }

    /**
     * What a port of this machine answers to these bytes. A service ends a connection of which it could read nothing
     * for 20 s, as on a machine that stands still for so long; then they are sent once more.
     */
    static String raw(int port, String request) {
        long from = System.nanoTime();
        String answer = sent(port, request);
        return answer.isEmpty() && System.nanoTime() - from > 15_000_000_000L ? sent(port, request) : answer;
    }

    /** A body that is refused is not read to its end: the answer is there before, and then the connection ends. */
    private static String sent(int port, String request) {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            try {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            } finally {
                socket.getInputStream().transferTo(answer);
            }
        } catch (IOException e) {
            if (answer.size() == 0) {
                throw new UncheckedIOException(e);
            }
        }
        return answer.toString(StandardCharsets.UTF_8);
    }

    /** The answer to a request of such a first line and Host, after which the connection ends. */
    String raw(String line, String host) {
        return raw("%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(line, host));
    }

    /** A socket over which these bytes were sent. */
    Socket connected(String request) throws IOException {
        return connected(port, request);
    }

    private static Socket connected(int port, String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    @Override
    public void close() {
        server.close();
    }
}
