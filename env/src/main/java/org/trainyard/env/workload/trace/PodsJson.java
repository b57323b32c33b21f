package org.trainyard.env.workload.trace;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.trainyard.env.InputException;

/**
 * Reads what {@code kubectl get pods -o json} prints, pod by pod, as rows of {@link TraceFormat#KUBERNETES}.
 *
 * <p>The gang of a pod is named by the first of these labels and annotations: pod group of Volcano, Kueue and the scheduler plugins, job of the Kubeflow training operator, job of Kubernetes; else
 * by its controlling owner.
 */
final class PodsJson {
    static final List<String> COLUMNS =
            List.of("pod", "gpus", "created", "scheduled", "finished", "namespace", "job", "user", "gpu_type");

    private static final List<String> GANG_LABELS = List.of(
            "scheduling.k8s.io/group-name",
            "volcano.sh/job-name",
            "kueue.x-k8s.io/pod-group-name",
            "scheduling.x-k8s.io/pod-group",
            "training.kubeflow.org/job-name",
            "pytorch-job-name",
            "leaderworkerset.sigs.k8s.io/name",
            "ray.io/cluster",
            "batch.kubernetes.io/job-name",
            "job-name");
    private static final List<String> USER_LABELS = List.of("user", "app.kubernetes.io/created-by", "owner");
    private static final List<String> GPU_RESOURCES = List.of("nvidia.com/gpu", "amd.com/gpu", "habana.ai/gaudi");
    private static final List<String> TYPE_LABELS =
            List.of("nvidia.com/gpu.product", "cloud.google.com/gke-accelerator", "amd.com/gpu.product-name");
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,15}");
    private static final ObjectMapper JSON = new ObjectMapper();

    private PodsJson() {}

    /**
     * Hands every pod to the collector.
     *
     * @throws InputException when the file is no list of pods
     * @throws IOException when it is no JSON, or ends early
     */
    static void read(String file, Reader text, TraceCollector jobs) throws IOException {
        try (JsonParser parser = JSON.createParser(text)) {
            if (!isAtItems(parser)) {
                throw InputException.at(
                        file, "JSON without items", "a list of pods, as kubectl get pods -o json prints it");
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                int line = parser.currentTokenLocation().getLineNr();
                JsonNode pod = parser.readValueAsTree();
                jobs.add(row(pod), line);
            }
        }
    }

    /** Moves to the array of pods: the file itself, or its field {@code items}. */
    private static boolean isAtItems(JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean isItems = parser.currentName().equals("items");
                token = parser.nextToken();
                if (isItems) {
                    return token == JsonToken.START_ARRAY;
                }
                parser.skipChildren();
            }
            return false;
        }
        return token == JsonToken.START_ARRAY;
    }

    private static List<String> row(JsonNode pod) {
        JsonNode meta = pod.path("metadata");
        JsonNode status = pod.path("status");
        List<String> row = new ArrayList<>();
        row.add(meta.path("name").asText());
        row.add(gpus(pod.path("spec")));
        row.add(meta.path("creationTimestamp").asText());
        row.add(scheduled(status));
        row.add(finished(status));
        row.add(meta.path("namespace").asText());
        row.add(gang(meta));
        row.add(labelled(meta, USER_LABELS));
        row.add(firstOf(pod.path("spec").path("nodeSelector"), TYPE_LABELS));
        return row;
    }

    /** The GPUs of a pod; or the first quantity that is no whole number, as it is, which the row then refuses. */
    private static String gpus(JsonNode spec) {
        List<List<String>> running = gpusByContainer(spec.path("containers"));
        List<List<String>> starting = gpusByContainer(spec.path("initContainers"));
        return Stream.concat(running.stream(), starting.stream())
                .flatMap(List::stream)
                .filter(quantity -> !WHOLE.matcher(quantity).matches())
                .findFirst()
                .orElseGet(() -> Long.toString(Math.max(
                        running.stream().mapToLong(PodsJson::sum).sum(),
                        starting.stream().mapToLong(PodsJson::sum).max().orElse(0))));
    }

    private static List<List<String>> gpusByContainer(JsonNode containers) {
        List<List<String>> quantities = new ArrayList<>();
        for (JsonNode container : containers) {
            quantities.add(gpusOf(container.path("resources")));
        }
        return quantities;
    }

    /** What a container says of each kind of GPU: its limit, or else its request. */
    private static List<String> gpusOf(JsonNode resources) {
        return GPU_RESOURCES.stream()
                .map(kind -> resources
                        .path(resources.path("limits").has(kind) ? "limits" : "requests")
                        .path(kind))
                .filter(quantity -> !quantity.isMissingNode())
                .map(JsonNode::asText)
                .toList();
    }

    private static long sum(List<String> quantities) {
        return quantities.stream().mapToLong(Long::parseLong).sum();
    }

    private static String scheduled(JsonNode status) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")
                    && condition.path("status").asText().equals("True")) {
                return condition.path("lastTransitionTime").asText();
            }
        }
        return status.path("startTime").asText();
    }

    /** The end of the last container; empty while one has not ended. */
    private static String finished(JsonNode status) {
        String last = "";
        for (JsonNode container : status.path("containerStatuses")) {
            String end = container
                    .path("state")
                    .path("terminated")
                    .path("finishedAt")
                    .asText();
            if (end.isEmpty()) {
                return "";
            }
            last = end.compareTo(last) > 0 ? end : last;
        }
        return last;
    }

    private static String gang(JsonNode meta) {
        String labelled = labelled(meta, GANG_LABELS);
        if (!labelled.isEmpty()) {
            return labelled;
        }
        for (JsonNode owner : meta.path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                return owner.path("name").asText();
            }
        }
        return "";
    }

    /** The first label or annotation of these names; empty when there is none. */
    private static String labelled(JsonNode meta, List<String> names) {
        String label = firstOf(meta.path("labels"), names);
        return label.isEmpty() ? firstOf(meta.path("annotations"), names) : label;
    }

    private static String firstOf(JsonNode values, List<String> names) {
        return names.stream()
                .map(name -> values.path(name).asText())
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }
}
