package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.service.kubernetes.PodBinder;

/** Held pods of a job are tried again as soon as it may start: kube-scheduler looks again at a pod that changes. */
@EnableKubernetesMockClient(https = false)
class HeldPodsTest {
    // Set by the extension.
    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private RunningService service;

    @BeforeEach
    void aFullCluster() {
        service = new RunningService(RunningService.serving("fifo"), new PodBinder(client));
        fill();
    }

    private void fill() {
        service.post("/v1/clusters/tiny", RunningService.TINY);
        service.post("/v1/clusters/tiny/events", """
            {"events": [
              {"sequence": 1, "time_nanos": 1, "type": "arrival", "job": "first", "gpus": 8},
              {"sequence": 2, "time_nanos": 1, "type": "started", "job": "first", "placement": [
                {"server": "server 0", "gpus": [0, 1, 2, 3]}, {"server": "server 1", "gpus": [0, 1, 2, 3]}]},
              {"sequence": 3, "time_nanos": 1, "type": "arrival", "job": "second", "gpus": 4}]}
            """);
    }

    @AfterEach
    void close() {
        service.close();
    }

    private RunningService.Answer filter() {
        return service.post("/k8s/filter", """
            {"Pod": {"metadata": {"name": "p", "namespace": "team", "uid": "u-1", "labels": {"trainyard.org/job": "second"}}},
             "Nodes": null, "NodeNames": ["server 0", "server 1"]}
            """);
    }

    @Test
    void a_held_pod_is_changed_once_when_its_job_may_start() throws InterruptedException {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/team/pods/p")
                .andReturn(200, "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"p\", \"namespace\": \"team\"}}")
                .always();
        server.expect()
                .patch()
                .withPath("/api/v1/namespaces/team/pods/p")
                .andReturn(200, "{}")
                .always();
        assertThat(filter().json().get("NodeNames")).isEmpty();
        int before = server.getRequestCount();
        service.extender.retry();
        assertThat(server.getRequestCount()).as("changes while it is held").isEqualTo(before);

        service.post("/v1/clusters/tiny/events", """
            {"events": [{"sequence": 4, "time_nanos": 2, "type": "ended", "job": "first"}]}
            """);
        service.extender.retry();

        assertThat(server.getLastRequest().getBody().readUtf8()).contains("\"uid\":\"u-1\"", "trainyard.org/may-start");
        int after = server.getRequestCount();
        service.extender.retry();
        assertThat(server.getRequestCount()).isEqualTo(after);
        assertThat(filter().json().get("NodeNames")).isNotEmpty();
    }

    @Test
    void a_pod_whose_change_finds_the_api_server_away_is_changed_later_and_one_that_is_gone_is_forgotten() {
        service.close();
        KubernetesClient once = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(client.getConfiguration())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
        service = new RunningService(RunningService.serving("fifo"), new PodBinder(once));
        fill();
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/team/pods/p")
                .andReturn(503, "{}")
                .once();
        assertThat(filter().json().get("NodeNames")).isEmpty();
        service.post("/v1/clusters/tiny/events", """
            {"events": [{"sequence": 4, "time_nanos": 2, "type": "ended", "job": "first"}]}
            """);
        int before = server.getRequestCount();
        service.extender.retry();
        assertThat(server.getRequestCount()).isEqualTo(before + 1);
        service.extender.retry();
        assertThat(server.getRequestCount())
                .as("it is tried again, and is gone")
                .isEqualTo(before + 2);
        service.extender.retry();
        assertThat(server.getRequestCount()).isEqualTo(before + 2);
        once.close();
    }
}
