package org.trainyard.experiments.service.kubernetes;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;

/**
 * Changes pods by the API server: binds them to nodes for kube-scheduler ({@code ExtenderBindingArgs} of
 * k8s.io/kube-scheduler/extender/v1), and notes when one that was held may start.
 */
public final class PodBinder implements AutoCloseable {
    /** The annotation that says since when a pod may start. */
    static final String MAY_START = "trainyard.org/may-start";

    private static final ResourceDefinitionContext POD = new ResourceDefinitionContext.Builder()
            .withVersion("v1")
            .withKind("Pod")
            .withPlural("pods")
            .withNamespaced(true)
            .build();
    private static final int TOO_MANY = 429;
    private static final String TYPE = "ExtenderBindingArgs of extender/v1";

    private final KubernetesClient client;

    /** @param client is closed with it */
    public PodBinder(KubernetesClient client) {
        this.client = client;
    }

    /**
     * A client of the usual configuration that gives up at once: pods are tried again each second, without its longer
     * waits.
     */
    public static KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder().withRequestRetryBackoffLimit(0).build())
                .build();
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
     * Requires the rights to read and change pods. It asks for a pod that is not there, so that the client's classes
     * are loaded before a held pod may start: that takes seconds on a busy machine.
     *
     * @throws InputException when it is missing, or there is no answer
     */
    public void requireRights() {
        AccessReview.requirePods(client, "get", null);
        AccessReview.requirePods(client, "patch", null);
        tryAgain("default", "trainyard.org", "");
    }

    /**
     * Notes on a pod that it may start. kube-scheduler tries a pod again as soon as it changes, and after five minutes
     * else.
     *
     * @return whether the pod was changed or is gone
     */
    boolean tryAgain(RequestedPod pod) {
        return tryAgain(pod.metadata("namespace"), pod.metadata("name"), pod.metadata("uid"));
    }

    private boolean tryAgain(String namespace, String name, String uid) {
        try {
            // Of the pod nothing but its name is read: the classes of a whole pod take a second to load.
            client.genericKubernetesResources(POD)
                    .inNamespace(namespace)
                    .withName(name)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            JsonText.compact(Map.of(
                                    "metadata",
                                    Map.of(
                                            "uid",
                                            uid,
                                            "annotations",
                                            Map.of(MAY_START, Instant.now().toString())))));
            return true;
        } catch (KubernetesClientException e) {
            // No answer, or one of a server that is overloaded or being restarted; any other would be the same again.
            return e.getCode() != 0 && e.getCode() != TOO_MANY && e.getCode() < HttpURLConnection.HTTP_INTERNAL_ERROR;
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
