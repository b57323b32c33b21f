package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.service.kubernetes.PodBinder;
import org.trainyard.experiments.service.kubernetes.PodFeed;

/**
 * The extender, when the service is told of jobs by the pods of Kubernetes; the server keeps pods as Kubernetes does.
 */
@EnableKubernetesMockClient(https = false, crud = true)
class PodFeedTest {
    /** A minute, for a watch of a busy machine; most are told at once. */
    private static final int TRIES = 2_400;

    // Set by the extension.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private RunningService service;

    @SuppressWarnings("NullAway.Init")
    private PodFeed feed;

    @BeforeEach
    void twoNodes() {
        service = new RunningService(RunningService.serving("fifo"), new PodBinder(client));
        service.post("/v1/clusters/tiny", RunningService.TINY);
        node("server-0", false);
        node("server-1", false);
        feed = new PodFeed(client, service.clusters, Clock.systemUTC());
    }

    @AfterEach
    void close() {
        feed.close();
        service.close();
    }

    private void node(String name, boolean isCordoned) {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withUnschedulable(isCordoned)
                        .endSpec()
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build())
                .createOr(one -> one.update());
    }

    private static PodBuilder pod(String name, int gpus) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("team")
                .withUid("u-" + name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("m")
                .withNewResources()
                .addToLimits("nvidia.com/gpu", new Quantity(String.valueOf(gpus)))
                .endResources()
                .endContainer()
                .endSpec();
    }

    private void create(String name, String job, int pods, int gpus) {
        client.resource(pod(name, gpus)
                        .editMetadata()
                        .addToLabels("trainyard.org/job", job)
                        .addToAnnotations("trainyard.org/pods", String.valueOf(pods))
                        .endMetadata()
                        .build())
                .create();
    }

    private Pod read(String name) {
        return Objects.requireNonNull(
                client.pods().inNamespace("team").withName(name).get());
    }

    private void bind(String name, String node) {
        client.resource(new PodBuilder(read(name))
                        .editSpec()
                        .withNodeName(node)
                        .endSpec()
                        .build())
                .update();
    }

    private void delete(String name) {
        client.pods().inNamespace("team").withName(name).withGracePeriod(0).delete();
    }

    private JsonNode view() {
        return service.get("/v1/clusters/tiny").json();
    }

    /** Looks until the service has so many jobs waiting and running: a watch is told a moment after the change. */
    private void awaits(int waiting, int running) throws InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            feed.look();
            if (view().get("waiting").size() == waiting && view().get("running").size() == running) {
                return;
            }
            Thread.sleep(25);
        }
        assertThat(view()).as("%d wait, %d run", waiting, running).isNull();
    }

    private List<String> nodesFor(String pod) {
        JsonNode names = service.post(
                        "/k8s/filter",
                        "{\"Pod\": {\"metadata\": {\"name\": \"%s\", \"namespace\": \"team\", \"uid\": \"u-%s\", \"labels\": {\"trainyard.org/job\": \"%s\"}}}, \"Nodes\": null, \"NodeNames\": [\"server-0\", \"server-1\"]}"
                                .formatted(
                                        pod,
                                        pod,
                                        read(pod).getMetadata().getLabels().get("trainyard.org/job")))
                .json()
                .get("NodeNames");
        List<String> nodes = new ArrayList<>();
        names.forEach(name -> nodes.add(name.asText()));
        return nodes;
    }

    @Test
    void a_held_pod_is_changed_when_the_pods_that_hold_its_gpus_are_gone() throws InterruptedException {
        create("a-0", "a", 2, 4);
        awaits(0, 0);
        create("a-1", "a", 2, 4);
        awaits(1, 0);
        assertThat(nodesFor("a-0")).containsExactly("server-0", "server-1");
        bind("a-0", "server-0");
        bind("a-1", "server-1");
        awaits(0, 1);
        create("b-0", "b", 1, 4);
        awaits(1, 1);
        assertThat(nodesFor("b-0")).isEmpty();

        delete("a-1");
        awaits(1, 1);
        service.extender.retry();
        assertThat(read("b-0").getMetadata().getAnnotations()).doesNotContainKey("trainyard.org/may-start");
        delete("a-0");
        awaits(1, 0);
        service.extender.retry();

        assertThat(read("b-0").getMetadata().getAnnotations()).containsKey("trainyard.org/may-start");
        assertThat(nodesFor("b-0")).hasSize(1);
    }

    @Test
    void a_label_may_come_again_and_pods_of_nobody_hold_their_gpus() throws InterruptedException {
        client.resource(pod("other", 3)
                        .editSpec()
                        .withNodeName("server-0")
                        .endSpec()
                        .build())
                .create();
        awaits(0, 1);
        for (int round = 0; round < 2; round++) {
            create("a-0", "a", 1, 4);
            awaits(1, 1);
            assertThat(nodesFor("a-0")).as("round %d", round).containsExactly("server-1");
            bind("a-0", "server-1");
            awaits(0, 2);
            delete("a-0");
            awaits(0, 1);
        }
        delete("other");
        awaits(0, 0);
        assertThat(view().get("free_gpus").asInt()).isEqualTo(8);
    }

    @Test
    void a_cordoned_node_has_no_free_gpus_and_a_pod_that_is_made_again_waits_again() throws InterruptedException {
        create("a-0", "a", 1, 4);
        awaits(1, 0);
        bind("a-0", "server-1");
        awaits(0, 1);
        node("server-0", true);
        for (int i = 0; i < TRIES && view().get("down_gpus").asInt() < 4; i++) {
            feed.look();
            Thread.sleep(25);
        }
        assertThat(view().get("down_gpus").asInt()).isEqualTo(4);
        create("a-1", "a", 1, 4);
        delete("a-0");
        awaits(1, 0);
        assertThat(nodesFor("a-1")).containsExactly("server-1");
        bind("a-1", "server-0");
        awaits(0, 1);
        assertThat(view().at("/running/0/placement/0/server").asText()).isEqualTo("server 0");
    }

    @Test
    void a_server_without_a_node_gets_no_pods() throws InterruptedException {
        client.nodes().withName("server-0").delete();
        create("a-0", "a", 1, 1);
        for (int i = 0; i < TRIES && view().get("down_gpus").asInt() < 4; i++) {
            feed.look();
            Thread.sleep(25);
        }
        awaits(1, 0);
        assertThat(nodesFor("a-0")).containsExactly("server-1");
    }
}
