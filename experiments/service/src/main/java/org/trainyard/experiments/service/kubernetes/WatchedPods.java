package org.trainyard.experiments.service.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.Store;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;

/** The pods and nodes of Kubernetes, by a watch, with the one reading of them that the service and drivers share. */
public final class WatchedPods implements AutoCloseable {
    /** The annotation that says how many pods a job has. */
    public static final String PODS = "trainyard.org/pods";

    private final SharedIndexInformer<Pod> pods;
    private final SharedIndexInformer<Node> nodes;

    /** Begins to watch. The client is not closed with it. */
    public WatchedPods(KubernetesClient client) {
        try {
            nodes = client.nodes().inform();
            pods = client.pods().inAnyNamespace().inform();
        } catch (KubernetesClientException e) {
            throw InputException.at("kubernetes", "list nodes and pods", "success (%s)".formatted(e.getMessage()));
        }
    }

    public boolean isBroken() {
        return !nodes.isWatching() || !pods.isWatching();
    }

    /** All pods, in the order in which they were made. */
    public List<Pod> pods() {
        return pods.getStore().list().stream()
                .sorted(Comparator.comparing(
                                (Pod pod) -> String.valueOf(pod.getMetadata().getCreationTimestamp()))
                        .thenComparing(Cache::metaNamespaceKeyFunc))
                .toList();
    }

    public Store<Node> nodes() {
        return nodes.getStore();
    }

    public static Map<String, String> labels(HasMetadata one) {
        return Objects.requireNonNullElse(one.getMetadata().getLabels(), Map.of());
    }

    public static Map<String, String> annotations(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
    }

    /** The number of pods that an annotation promises; 0 without one that is a number. */
    public static int promised(Pod pod, String annotation) {
        String size = annotations(pod).getOrDefault(annotation, "");
        return size.matches("[1-9]\\d{0,4}") ? Integer.parseInt(size) : 0;
    }

    /** Phase of the pod; empty without one. */
    public static String phase(Pod pod) {
        return pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
    }

    public static boolean hasEnded(Pod pod) {
        return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
    }

    /** Limits of all its containers. */
    static Stream<Map.Entry<String, Quantity>> limits(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .filter(one -> one.getResources() != null && one.getResources().getLimits() != null)
                .flatMap(one -> one.getResources().getLimits().entrySet().stream());
    }

    /** Whole GPUs of all its containers, of any maker. */
    public static int gpus(Pod pod) {
        return gpus(limits(pod));
    }

    /** Whole GPUs that a node has for pods, of any maker. */
    public static int gpus(Node node) {
        Map<String, Quantity> has = node.getStatus().getAllocatable();
        return has == null ? 0 : gpus(has.entrySet().stream());
    }

    private static int gpus(Stream<Map.Entry<String, Quantity>> resources) {
        return resources
                .filter(one -> one.getKey().endsWith("/gpu"))
                .mapToInt(one -> one.getValue().getNumericalAmount().intValue())
                .sum();
    }

    /** Whether a node is not there, cordoned or not ready. */
    public static boolean takesNoPods(@Nullable Node node) {
        return node == null
                || Boolean.TRUE.equals(node.getSpec().getUnschedulable())
                || !node.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals("Ready"))
                        .allMatch(condition -> condition.getStatus().equals("True"));
    }

    @Override
    public void close() {
        pods.close();
        nodes.close();
    }
}
