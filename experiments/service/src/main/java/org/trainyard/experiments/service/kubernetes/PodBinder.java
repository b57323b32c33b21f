package org.trainyard.experiments.service.kubernetes;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Binds pods to nodes for kube-scheduler ({@code ExtenderBindingArgs} of k8s.io/kube-scheduler/extender/v1), by the API server.
 */
public final class PodBinder implements AutoCloseable {
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

    private static void read(RequestStream stream, String name, Map<String, String> args) throws IOException {
        args.put(name, stream.scalar());
    }

    @Override
    public void close() {
        client.close();
    }
}
