package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeListBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The protocol of scheduler extenders, with the keys of Kubernetes' own types. */
class SchedulerExtenderTest {
    private final RunningService service = new RunningService(RunningService.serving("fifo"));

    @BeforeEach
    void register() {
        service.post("/v1/clusters/tiny", RunningService.TINY);
        service.post("/v1/clusters/tiny/events", """
            {"events": [
              {"sequence": 1, "time_nanos": 1, "type": "node_down", "server": "server 0", "gpu": 0},
              {"sequence": 2, "time_nanos": 1, "type": "arrival", "job": "wide", "gpus": 4},
              {"sequence": 3, "time_nanos": 1, "type": "arrival", "job": "late", "gpus": 4}]}
            """);
    }

    @AfterEach
    void close() {
        service.close();
    }

    private static String asJson(Object value) {
        return new ObjectMapper().valueToTree(value).toString();
    }

    private static String pod(String... labels) {
        PodBuilder pod = new PodBuilder().withNewMetadata().withName("p").endMetadata();
        for (int i = 0; i < labels.length; i += 2) {
            pod = pod.editMetadata().addToLabels(labels[i], labels[i + 1]).endMetadata();
        }
        return asJson(pod.build());
    }

    private JsonNode filter(String pod, String nodes, String names) {
        RunningService.Answer answer = service.post(
                "/k8s/filter", "{\"Pod\": %s, \"Nodes\": %s, \"NodeNames\": %s}".formatted(pod, nodes, names));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.json().fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("Nodes", "NodeNames", "FailedNodes", "FailedAndUnresolvableNodes", "Error");
        return answer.json();
    }

    @Test
    void the_pod_of_a_job_passes_where_the_scheduler_places_it() {
        JsonNode result = filter(pod("trainyard.org/job", "wide"), "null", "[\"server 0\", \"server 1\", \"unknown\"]");

        assertThat(result.get("Nodes").isNull()).isTrue();
        assertThat(result.get("NodeNames")).hasSize(1);
        assertThat(result.at("/NodeNames/0").asText()).isEqualTo("server 1");
        assertThat(result.at("/FailedNodes/server 0").asText()).contains("elsewhere");
        assertThat(result.get("FailedNodes")).hasSize(2);
        assertThat(result.get("Error").asText()).isEmpty();
    }

    @Test
    void a_job_that_is_held_passes_nowhere_and_a_pod_without_job_everywhere() {
        JsonNode held =
                filter(pod("trainyard.org/job", "late", "trainyard.org/cluster", "tiny"), "null", "[\"server 1\"]");
        assertThat(held.get("NodeNames")).isEmpty();
        assertThat(held.at("/FailedNodes/server 1").asText()).contains("holds");

        assertThat(filter(pod(), "null", "[\"a\", \"b\"]").get("NodeNames")).hasSize(2);
    }

    @Test
    void whole_nodes_are_mapped_by_their_labels() {
        String nodes = asJson(new NodeListBuilder()
                .withItems(
                        new NodeBuilder()
                                .withNewMetadata()
                                .withName("gpu-a")
                                .addToLabels("trainyard.org/server", "server-1")
                                .endMetadata()
                                .build(),
                        new NodeBuilder()
                                .withNewMetadata()
                                .withName("gpu-b")
                                .endMetadata()
                                .build())
                .build());
        JsonNode result = filter(pod("trainyard.org/job", "wide"), nodes, "null");

        assertThat(result.get("NodeNames").isNull()).isTrue();
        assertThat(result.at("/Nodes/items")).hasSize(1);
        assertThat(result.at("/Nodes/items/0/metadata/name").asText()).isEqualTo("gpu-a");
    }

    @Test
    void a_gang_has_scores_by_its_gpus_on_each_node() {
        service.post("/v1/clusters/tiny/events", """
            {"events": [
              {"sequence": 4, "time_nanos": 2, "type": "cancelled", "job": "wide"},
              {"sequence": 5, "time_nanos": 2, "type": "cancelled", "job": "late"},
              {"sequence": 6, "time_nanos": 2, "type": "arrival", "job": "gang", "gpus": 6}]}
            """);
        RunningService.Answer answer = service.post(
                "/k8s/prioritize",
                "{\"pod\": %s, \"Nodes\": null, \"nodenames\": [\"server 0\", \"server 1\", \"c\"]}"
                        .formatted(pod("trainyard.org/job", "gang")));

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        JsonNode scores = answer.json();
        assertThat(scores).hasSize(3);
        assertThat(scores.get(0).fieldNames()).toIterable().containsExactlyInAnyOrder("Host", "Score");
        List<Long> both =
                List.of(scores.at("/0/Score").longValue(), scores.at("/1/Score").longValue());
        assertThat(both).contains(10L).allSatisfy(score -> assertThat(score).isBetween(5L, 10L));
        assertThat(scores.at("/2/Score").longValue()).isZero();
    }

    /** The request of {@code TestCompatibility} in k8s.io/kube-scheduler/extender/v1. */
    @Test
    void the_golden_request_of_kubernetes_is_read() {
        String golden = "{\"Pod\":{\"metadata\":{\"name\":\"podname\"},\"spec\":{\"containers\":null},\"status\":{}},"
                + "\"Nodes\":{\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"nodename\"},\"spec\":{},\"status\":"
                + "{\"daemonEndpoints\":{\"kubeletEndpoint\":{\"Port\":0}},\"nodeInfo\":{\"machineID\":\"\",\"systemUUID\":\"\","
                + "\"bootID\":\"\",\"kernelVersion\":\"\",\"osImage\":\"\",\"containerRuntimeVersion\":\"\",\"kubeletVersion\":\"\","
                + "\"kubeProxyVersion\":\"\",\"operatingSystem\":\"\",\"architecture\":\"\"}}}]},\"NodeNames\":[\"node1\"]}";
        RunningService.Answer filtered = service.post("/k8s/filter", golden);
        assertThat(filtered.status()).as(filtered.text()).isEqualTo(200);
        assertThat(filtered.json().at("/Nodes/items/0/metadata/name").asText()).isEqualTo("nodename");
        assertThat(service.post("/k8s/prioritize", golden).text()).isEqualTo("[{\"Host\":\"nodename\",\"Score\":0}]");
    }

    /** A pod of a job with one container that asks for such a resource. */
    private static String asking(String resource, int count) {
        return asJson(new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .addToLabels("trainyard.org/job", "wide")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("m")
                .withNewResources()
                .addToRequests(resource, new Quantity(String.valueOf(count)))
                .endResources()
                .endContainer()
                .endSpec()
                .build());
    }

    @Test
    void a_pod_that_asks_for_no_gpu_passes_everywhere_and_one_that_asks_for_a_part_where_its_job_is() {
        String names = "[\"server 0\", \"server 1\"]";
        assertThat(filter(asking("cpu", 4), "null", names).get("NodeNames")).hasSize(2);
        assertThat(filter(asking("nvidia.com/gpu", 0), "null", names).get("NodeNames"))
                .hasSize(2);
        for (String resource :
                List.of("nvidia.com/gpu", "nvidia.com/mig-1g.5gb", "amd.com/gpu", "nvidia.com/gpu.shared")) {
            JsonNode result = filter(asking(resource, 1), "null", names);
            assertThat(result.get("NodeNames")).as(resource).hasSize(1);
            assertThat(result.at("/NodeNames/0").asText()).isEqualTo("server 1");
        }
        RunningService.Answer scores = service.post(
                "/k8s/prioritize",
                "{\"Pod\": %s, \"NodeNames\": %s}".formatted(asking("nvidia.com/mig-1g.5gb", 1), names));
        assertThat(scores.json().at("/1/Score").longValue()).isEqualTo(10);
    }

    private JsonNode preempt(String pod, String victims) {
        RunningService.Answer answer = service.post("/k8s/preempt", "{\"Pod\": %s, %s}".formatted(pod, victims));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().get("NodeNameToMetaVictims");
    }

    @Test
    void a_pod_takes_places_where_the_scheduler_wants_it_and_no_job_that_is_kept() {
        String uids =
                "\"NodeNameToMetaVictims\": {\"server-0\": {\"Pods\": [{\"UID\": \"a\"}], \"NumPDBViolations\": 1},"
                        + " \"server-1\": {\"Pods\": [{\"UID\": \"b\"}, {\"UID\": \"c\"}], \"NumPDBViolations\": 2}}";
        JsonNode wide = preempt(pod("trainyard.org/job", "wide"), uids);
        assertThat(wide).hasSize(1);
        assertThat(wide.at("/server-1/Pods/1/UID").asText()).isEqualTo("c");
        assertThat(wide.at("/server-1/NumPDBViolations").asInt()).isEqualTo(2);
        assertThat(preempt(pod("trainyard.org/job", "late"), uids)).isEmpty();
        assertThat(preempt(pod(), uids)).hasSize(2);

        service.post("/v1/clusters/tiny/events", """
            {"events": [{"sequence": 4, "time_nanos": 2, "type": "started", "job": "wide",
              "placement": [{"server": "server 1", "gpus": [0, 1, 2, 3]}]}]}
            """);
        String whole = "\"NodeNameToVictims\": {\"server-1\": {\"Pods\": [%s]}, \"server-0\": {\"Pods\": [%s]}}"
                .formatted(pod("trainyard.org/job", "wide"), pod());
        assertThat(preempt(pod(), whole).fieldNames()).toIterable().containsExactly("server-0");
        assertThat(service.post("/k8s/preempt", "{\"NodeNameToVictims\": {\"a\": {\"Pods\": [7]}}}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void no_nodes_are_answered_with_no_nodes() {
        for (String nodes : List.of("{\"metadata\": {}, \"items\": null}", "{\"items\": []}", "{}")) {
            JsonNode result = filter(pod("trainyard.org/job", "wide"), nodes, "null");
            assertThat(result.at("/Nodes/items")).isEmpty();
            assertThat(result.get("NodeNames").isNull()).isTrue();
        }
    }

    /** More than any other body may have; the nodes that pass are answered as they came. */
    @Test
    void five_thousand_whole_nodes_are_read() {
        StringBuilder nodes = new StringBuilder("{\"kind\": \"NodeList\", \"items\": [");
        for (int i = 0; i < 5_000; i++) {
            nodes.append(i == 0 ? "" : " ,\n ").append(node(i));
        }
        nodes.append("]}");
        assertThat(nodes.length()).isGreaterThan(10 << 20);
        JsonNode placed = filter(pod("trainyard.org/job", "wide"), nodes.toString(), "null");
        assertThat(placed.at("/Nodes/items")).hasSize(1);
        assertThat(placed.at("/Nodes/items/0")).isEqualTo(RunningService.json(node(4_321)));
        assertThat(placed.get("FailedNodes")).hasSize(4_999);

        JsonNode all = filter(pod(), nodes.toString(), "null").at("/Nodes/items");
        assertThat(all).hasSize(5_000);
        assertThat(all.get(4_999)).isEqualTo(RunningService.json(node(4_999)));
    }

    private static String node(int number) {
        return "{\"spec\": {\"taints\": [{\"a\": [1, {}]}]}, \"metadata\": {\"name\": \"node-%d\", \"uid\": \"€\", \"labels\": {\"trainyard.org/server\": \"%s\"}, \"annotations\": {\"x\": \"%s\"}}, \"status\": null}"
                .formatted(number, number == 4_321 ? "server-1" : "none-" + number, "}".repeat(2_000));
    }

    @Test
    void no_refusal_names_a_class_and_no_body_is_a_fault_of_the_server() {
        for (String body : List.of(
                "{\"Pod\": {\"spec\": {\"containers\": 7}}, \"NodeNames\": []}",
                "{\"Pod\": {\"metadata\": {\"labels\": [1]}}, \"NodeNames\": []}",
                "{\"Pod\": {\"metadata\": {\"labels\": {\"a\": {}}}}, \"NodeNames\": []}",
                "{\"Pod\": null, \"Nodes\": {\"items\": [null]}}",
                "{\"Pod\": null, \"Nodes\": {\"items\": [{}]}}",
                "{\"Pod\": null, \"Nodes\": {\"items\": [{\"metadata\": {\"name\": 7}}]}}",
                "{\"Pod\": null, \"Nodes\": []}",
                "{\"Pod\": null, \"NodeNames\": [null]}",
                "{\"Pod\": null, \"NodeNames\": {}}",
                "{\"NodeNames\": [] ",
                "{\"NodeNames\": []} {}",
                "{\"NodeNames\": []}]",
                "{\"x\": " + "[".repeat(5_000),
                "[]",
                "7",
                "",
                "{\"NodeNames\": [\"a\"], \"x\": nul}")) {
            for (String path : List.of("/k8s/filter", "/k8s/prioritize")) {
                RunningService.Answer answer = service.post(path, body);
                assertThat(answer.status()).as("%s: %s", body, answer.text()).isEqualTo(400);
                assertThat(answer.text()).doesNotContain("java", "fabric8", "jackson", "trainyard.experiments");
            }
        }
    }

    @Test
    void a_bad_request_is_refused() {
        assertThat(service.post("/k8s/filter", "{}").status()).isEqualTo(400);
        assertThat(service.post("/k8s/filter", "{\"Pod\": 7, \"NodeNames\": []}")
                        .status())
                .isEqualTo(400);
        assertThat(service.post(
                                "/k8s/filter",
                                "{\"Pod\": %s, \"NodeNames\": []}"
                                        .formatted(pod("trainyard.org/job", "j", "trainyard.org/cluster", "other")))
                        .status())
                .isEqualTo(404);
    }
}
