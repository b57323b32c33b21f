package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.experiments.service.http.ServerSettings;
import org.trainyard.experiments.service.input.TopologyDescription;
import org.trainyard.experiments.service.live.RequestException;
import org.trainyard.experiments.service.live.ServedClusters;
import org.trainyard.experiments.service.live.ServiceMetrics;

/** A description that a client sends opens no file, and costs no more than its size says before it is accepted. */
class UntrustedDescriptionTest {
    private static final String SECRET = "hunter2-of-this-test";
    private static final ServerSettings WIDE = new ServerSettings("127.0.0.1", 0, null, null, 8 << 20, 1e6);

    @TempDir
    private Path folder;

    private static RunningService service() {
        return new RunningService(RunningService.serving(RunningService.heuristic("sjf"), 1_000_000_000));
    }

    private static String tree(String name, int racks, int servers) {
        return """
            type: Tree
            name: %s
            fabric:
              nvlink: {gigabytes_per_second: 150, latency_micros: 1}
              pcie: {gigabytes_per_second: 12, latency_micros: 2}
              nic: {gigabytes_per_second: 12.5, latency_micros: 5}
              tor: {gigabytes_per_second: 12.5, latency_micros: 5}
              spine: {gigabytes_per_second: 12.5, latency_micros: 5}
            racks: [{count: %d, servers: %d, uplinks: 4, server: {gpus: 4, gpu_type: V100, sockets: 2, nvlink: true, cpu_milli: null,
              memory_mib: null, sharing: whole}}]
            racks_per_pod: 4
            pod_uplinks: 4
            """.formatted(name, racks, servers);
    }

    private static String leafSpine(int leaves, int spines) {
        return tree("wide", 1, 1)
                .replaceFirst(
                        "(?s)racks: .*", "leaves: %d\nspines: %d\nservers_per_leaf: 1\n".formatted(leaves, spines))
                .replace("Tree", "LeafSpine")
                .concat("oversubscription: 2\nserver: {gpus: 4, gpu_type: V100, sockets: 2, nvlink: true,")
                .concat(" cpu_milli: null, memory_mib: null, sharing: whole}\n");
    }

    @Test
    void a_name_of_a_file_is_neither_opened_nor_quoted() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), SECRET + "\n");
        Path shipped =
                RunningService.ROOT.resolve("experiments/clusters/small.yaml").toAbsolutePath();
        Path table = Files.writeString(folder.resolve("nodes.csv"), "virtual_cluster,cluster\n" + SECRET + ",small\n");
        List<String> names = List.of(
                "/etc/passwd",
                secret.toString(),
                secret.toUri().toString(),
                shipped.toString(),
                shipped.toUri().toString(),
                "experiments/clusters/small.yaml",
                "../experiments/clusters/small.yaml",
                "philly-like",
                table.toString(),
                table + ".gz");
        try (RunningService service = service()) {
            for (String name : names) {
                for (String body : List.of(name, "\"%s\"".formatted(name), "{\"name\": \"%s\"}".formatted(name))) {
                    RunningService.Answer answer = service.post("/v1/clusters/x", "application/yaml", body);
                    assertThat(answer.status())
                            .as("%s: %s", body, answer.text())
                            .isEqualTo(400);
                    assertThat(answer.text()).doesNotContain(SECRET, "root:x");
                    String absent = name.substring(0, name.length() - 1) + "~";
                    String missing = service.post("/v1/clusters/x", "application/yaml", body.replace(name, absent))
                            .text();
                    assertThat(answer.text().replace(name, absent)).isEqualTo(missing);
                }
                String beside = "{\"type\": \"NodeList\", \"name\": \"x\", \"file\": \"%s\"}".formatted(name);
                assertThat(service.post("/v1/clusters/x", beside).text()).contains("LeafSpine, Tree");
            }
            assertThat(service.get("/v1/clusters").json()).isEmpty();
        }
    }

    /** Of every endpoint, in every field: the answer is the same as for a file that is not there. */
    @Test
    void a_name_of_a_file_is_a_text_like_others_in_every_field_of_every_request() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret.csv.gz"), SECRET + "\n");
        Path shipped =
                RunningService.ROOT.resolve("experiments/clusters/small.yaml").toAbsolutePath();
        try (RunningService service = service()) {
            service.post("/v1/clusters/tiny", RunningService.TINY);
            OpenApiRequests described =
                    new OpenApiRequests(service.get("/openapi.json").json());
            int sent = 0;
            for (String name : List.of(
                    "/etc/passwd",
                    secret.toString(),
                    secret.toUri().toString(),
                    shipped.toString(),
                    "experiments/clusters/small.yaml")) {
                for (OpenApiRequests.Request request : described.with(name)) {
                    RunningService.Answer answer = service.send(service.request(request.path())
                            .header("Content-Type", "application/json")
                            .method(request.method(), HttpRequest.BodyPublishers.ofString(request.body())));
                    assertThat(answer.status())
                            .as("%s: %s", request, answer.text())
                            .isLessThan(500);
                    assertThat(answer.text())
                            .as("%s", request)
                            .doesNotContain(SECRET, "root:x", "gigabytes_per_second: ");
                    sent++;
                }
            }
            assertThat(sent).isGreaterThan(200);
            List<String> registered = new ArrayList<>();
            service.get("/v1/clusters")
                    .json()
                    .forEach(one -> registered.add(one.get("cluster").asText()));
            assertThat(registered).isSubsetOf("tiny");
        }
    }

    @Test
    void a_preset_is_registered_by_its_name_in_json() {
        try (RunningService service = service()) {
            RunningService.Answer registered = service.post("/v1/clusters/lab", "{\"name\": \"small\"}");
            assertThat(registered.status()).as(registered.text()).isEqualTo(201);
            assertThat(registered.json().get("gpus").intValue()).isEqualTo(32);
            assertThat(service.post("/v1/clusters/lab", "{\"name\":\"small\"}").status())
                    .isEqualTo(200);
            assertThat(service.post("/v1/clusters/other", "small").status()).isEqualTo(400);
            assertThat(service.post("/v1/clusters/other", "{\"name\": \"9999x9999x8\"}")
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    void a_description_of_more_than_a_mebibyte_is_refused_before_it_is_parsed() {
        try (RunningService service = new RunningService(
                RunningService.serving(RunningService.heuristic("sjf"), 1_000_000_000), WIDE, null)) {
            RunningService.Answer answer =
                    service.post("/v1/clusters/x", "application/yaml", "type: Tree\nname: " + "x".repeat(2_000_000));
            assertThat(answer.status()).as(answer.text()).isEqualTo(413);
            assertThat(answer.json().at("/error/expected").asText()).contains("1048576 bytes");
        }
    }

    @Test
    void a_line_that_the_parser_reads_in_quadratic_time_is_refused() {
        for (String text : List.of(
                "type: Tree\nname: " + "x".repeat(1_000_000),
                "type: Tree\nname: '" + "x ".repeat(500_000) + "'",
                "# " + "x".repeat(1_000_000),
                "type:" + " ".repeat(1_000_000) + "Tree")) {
            assertThatThrownBy(() -> TopologyDescription.parse("body", text))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("expected YAML in lines of at most");
        }
        String digits = "{\"type\": \"FatTree\", \"name\": \"x\", \"k\": %s}".formatted("9".repeat(900_000));
        assertThatThrownBy(() -> TopologyDescription.parse("body", digits)).isInstanceOf(InputException.class);
    }

    @Test
    void no_message_names_a_class_of_a_parser() {
        for (String text : List.of(
                "[[",
                "{\"a\"[[: 1}",
                "a: 1_2_3_4_5_6_7_8_9_\n",
                "a: 1__0\nb: -_\n",
                "a: [1, {b: *x}]",
                "%YAML 9\n---\n",
                "a: \"\\q\"",
                "k: 0x_",
                "k: 1_")) {
            assertThatThrownBy(() -> TopologyDescription.parse("body", text))
                    .isInstanceOf(InputException.class)
                    .message()
                    .doesNotContainPattern("[a-z]+\\.[a-z]+\\.\\w");
        }
    }

    @Test
    void json_without_line_breaks_is_read() {
        StringBuilder servers = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            servers.append(i == 0 ? "" : ",").append("{\"id\":\"node-%d\",\"kind\":\"of-eight-cards\"}".formatted(i));
        }
        String text =
                ("{\"type\":\"Graph\",\"name\":\"x\",\"shape\":\"tree\",\"nvlink\":{\"gigabytes_per_second\":1,\"latency_micros\":1},"
                                + "\"pcie\":{\"gigabytes_per_second\":1,\"latency_micros\":1},\"kinds\":[{\"id\":\"of-eight-cards\",\"server\":{\"gpus\":8,"
                                + "\"gpu_type\":\"V100\",\"sockets\":2,\"nvlink\":true,\"cpu_milli\":null,\"memory_mib\":null,\"sharing\":\"whole\"}}],"
                                + "\"switches\":[],\"links\":[],\"servers\":[%s]}")
                        .formatted(servers);
        TopologyDescription description = TopologyDescription.parse("body", text);
        assertThat(text.length()).isGreaterThan(70_000);
        assertThat(description.servers()).isEqualTo(2_000);
        assertThat(description.gpus()).isEqualTo(16_000);
        assertThatThrownBy(description::build).hasMessageContaining("a server with a link to a leaf");
    }

    @Test
    void servers_gpus_and_links_are_counted_before_anything_is_made_of_them() {
        TopologyDescription wide = TopologyDescription.parse("body", tree("wide", 1_000, 100));
        assertThat(wide.servers()).isEqualTo(100_000);
        assertThat(wide.gpus()).isEqualTo(400_000);
        assertThatThrownBy(() -> TopologyDescription.parse("body", leafSpine(5_000, 1_000)))
                .hasMessageContaining("5000000 links between switches");
        try (RunningService service = service()) {
            RunningService.Answer answer = service.post("/v1/clusters/x", "application/yaml", tree("wide", 1_000, 100));
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.json().at("/error/value").asText()).isEqualTo("100000 servers, 400000 GPUs");
        }
    }

    @Test
    void a_description_is_read_without_the_lock_that_others_need() {
        ServiceMetrics metrics = new ServiceMetrics(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        try (ServedClusters clusters = new ServedClusters(
                RunningService.serving(RunningService.heuristic("sjf"), 1_000_000_000), metrics, null)) {
            for (String text : List.of("nonsense", tree("wide", 1_000, 100))) {
                synchronized (clusters) {
                    CompletableFuture<Boolean> registered =
                            CompletableFuture.supplyAsync(() -> clusters.register("x", text));
                    assertThatThrownBy(() -> registered.get(60, TimeUnit.SECONDS))
                            .hasCauseInstanceOf(RequestException.class);
                }
            }
        }
    }
}
