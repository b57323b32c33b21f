package org.trainyard.experiments.service.kubernetes;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.trainyard.experiments.io.JsonText;

/**
 * Changes pods by the API server: binds them to nodes for kube-scheduler ({@code ExtenderBindingArgs} of
 * k8s.io/kube-scheduler/extender/v1), and notes when one that was held may start.
 */
public final class PodBinder implements AutoCloseable {
    /** The annotation that says since when a pod may start. */
    static final String MAY_START = "trainyard.org/may-start";

    private static final String TYPE = "ExtenderBindingArgs of extender/v1";

    private final KubernetesClient client;

    /** @param client is closed with it */
    public PodBinder(KubernetesClient client) {
        this.client = client;
    }

    /** Binds what a request names; returns why not, or an empty text. */
    String bind(byte[] body) {
        Map<String, String> args = new HashMap<>();
        RequestStream.read(body, TYPE, (stream, name) -> read(stream, name, args));
        for (String key : new String[] {"podname", "podnamespace", "poduid", "node"}) {
            if (args.getOrDefault(key, "").isEmpty()) {
                throw RequestStream.malformed(key, "nothing", TYPE);
            }
        }
        try {
            client.bindings()
                    .resource(new BindingBuilder()
                            .withNewMetadata()
                            .withName(args.get("podname"))
                            .withNamespace(args.get("podnamespace"))
                            .withUid(args.get("poduid"))
                            .endMetadata()
                            .withNewTarget()
                            .withApiVersion("v1")
                            .withKind("Node")
                            .withName(args.get("node"))
                            .endTarget()
                            .build())
                    .create();
            return "";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * Notes on a pod that it may start. kube-scheduler tries a pod again as soon as it changes, and after five minutes else.
     *
     * @return whether the pod is there and was changed
     */
    boolean tryAgain(RequestedPod pod) {
        try {
            return client.pods()
                            .inNamespace(pod.metadata("namespace"))
                            .withName(pod.metadata("name"))
                            .patch(
                                    PatchContext.of(PatchType.JSON_MERGE),
                                    JsonText.compact(Map.of(
                                            "metadata",
                                            Map.of(
                                                    "uid",
                                                    pod.metadata("uid"),
                                                    "annotations",
                                                    Map.of(
                                                            MAY_START,
                                                            Instant.now().toString())))))
                    != null;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private static void read(RequestStream stream, String name, Map<String, String> args) throws IOException {
        args.put(name, stream.scalar());
    }

    @Override
    public void close() {
        client.close();
    }
}
