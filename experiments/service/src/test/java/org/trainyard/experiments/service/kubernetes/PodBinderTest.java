package org.trainyard.experiments.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.trainyard.env.InputException;
import org.trainyard.experiments.service.live.RequestException;

/** The bind verb of an extender, on a server that answers as Kubernetes does. */
@EnableKubernetesMockClient(https = false)
class PodBinderTest {
    private static final String ARGS =
            "{\"PodName\": \"p\", \"PodNamespace\": \"team\", \"PodUID\": \"u\", \"Node\": \"%s\"}";

    // Set by the extension.
    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void a_pod_is_bound_to_the_node_that_kube_scheduler_names() throws InterruptedException {
        server.expect()
                .post()
                .withPath("/api/v1/namespaces/team/bindings")
                .andReturn(201, "{}")
                .once();
        PodBinder binder = new PodBinder(client);

        assertThat(binder.bind(bytes(ARGS.formatted("gpu-a")))).isEmpty();
        assertThat(server.getLastRequest().getBody().readUtf8())
                .contains("\"uid\":\"u\"", "\"kind\":\"Node\"", "\"name\":\"gpu-a\"");
        assertThat(binder.bind(bytes(ARGS.formatted("gone")))).contains("Not Found");
        assertThatThrownBy(() -> binder.bind(bytes("{\"PodName\": \"p\"}"))).isInstanceOf(RequestException.class);
    }

    @Test
    void a_right_that_is_missing_is_named_at_the_start() {
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReturn(201, "{\"status\": {\"allowed\": true}}")
                .once();
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReturn(201, "{\"status\": {\"allowed\": false}}")
                .once();

        assertThatThrownBy(() -> new PodBinder(client).requireRights())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("patch pods");
    }
}
