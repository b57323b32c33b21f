package org.trainyard.experiments.service.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.service.http.Bodies;
import org.trainyard.experiments.service.http.Endpoint;
import org.trainyard.experiments.service.live.PlacementAnswer;
import org.trainyard.experiments.service.live.PlacementAnswer.ProposedDecision;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.service.live.RequestException;
import org.trainyard.experiments.service.live.ServedCluster;
import org.trainyard.experiments.service.live.ServedClusters;

/**
 * A scheduler extender of Kubernetes: {@code filter} says on which nodes the pod of a job may start now, {@code prioritize} orders them.
 *
 * <p>A pod belongs to the job that its label {@value #JOB} names, on the cluster that its label {@value #CLUSTER} names; without the
 * second there must be one cluster. Events tell the service of the job, as of any other. A node is the server that its label {@value #SERVER}
 * names or, without that label, the server of the node's own name. Pods without the label of a job are none of our business: all nodes pass.
 *
 * <p>The nodes of a job are those of the service's present answer, so a gang starts where the scheduler wants it; a job that it holds passes
 * nowhere, and kube-scheduler asks again later.
 */
public final class SchedulerExtender {
    static final String JOB = "trainyard.org/job";
    static final String CLUSTER = "trainyard.org/cluster";
    static final String SERVER = "trainyard.org/server";
    /** The highest score of an extender. */
    private static final long MOST = 10;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final Map<String, Object> ARGS =
            Map.of("type", "object", "description", "ExtenderArgs of k8s.io/kube-scheduler/extender/v1.");

    private final ServedClusters clusters;

    /** @param clusters on which jobs are placed */
    public SchedulerExtender(ServedClusters clusters) {
        this.clusters = clusters;
    }

    /** Its endpoints. */
    public List<Endpoint> endpoints() {
        return List.of(
                Endpoint.post(
                        "/k8s/filter",
                        "Kubernetes: the nodes on which a pod may start now.",
                        ARGS,
                        Map.class,
                        this::filter),
                Endpoint.post(
                        "/k8s/prioritize",
                        "Kubernetes: scores of nodes for a pod.",
                        ARGS,
                        Map.class,
                        this::prioritize));
    }

    /** The wanted servers of a pod's job with the number of GPUs on each; null for a pod that belongs to no job. */
    private record Wanted(Map<String, Integer> servers) {
        /** GPUs of the job there; {@code server-7} stands for {@code server 7}, since no label and no node can hold a blank. */
        int gpusOn(String server) {
            Integer gpus = servers.get(server);
            return gpus != null ? gpus : servers.getOrDefault(server.replaceFirst("^server-(\\d+)$", "server $1"), 0);
        }
    }

    private void filter(Context request) {
        ExtenderArgs args = args(request);
        Wanted wanted = wanted(args);
        Map<String, String> failed = new LinkedHashMap<>();
        List<String> passed = new ArrayList<>();
        List<Node> nodes = new ArrayList<>();
        names(args).forEach((name, node) -> {
            String reason = wanted == null ? null : reason(wanted, server(name, node));
            if (reason != null) {
                failed.put(name, reason);
                return;
            }
            passed.add(name);
            if (node != null) {
                nodes.add(node);
            }
        });
        boolean isWhole = args.nodes() != null;
        NodeList list = new NodeList();
        list.setItems(nodes);
        answer(request, new ExtenderFilterResult(isWhole ? list : null, isWhole ? null : passed, failed, Map.of(), ""));
    }

    private static @Nullable String reason(Wanted wanted, String server) {
        if (wanted.servers().isEmpty()) {
            return "the scheduler holds the job";
        }
        return wanted.gpusOn(server) > 0 ? null : "the scheduler places the job elsewhere";
    }

    private void prioritize(Context request) {
        ExtenderArgs args = args(request);
        Wanted wanted = wanted(args);
        long most = wanted == null
                ? 0
                : wanted.servers().values().stream()
                        .mapToInt(Integer::intValue)
                        .max()
                        .orElse(0);
        List<HostPriority> priorities = new ArrayList<>();
        names(args).forEach((name, node) -> {
            int gpus = wanted == null ? 0 : wanted.gpusOn(server(name, node));
            priorities.add(new HostPriority(name, most == 0 ? 0 : MOST * gpus / most));
        });
        answer(request, priorities);
    }

    private static ExtenderArgs args(Context request) {
        try {
            ExtenderArgs args = JSON.treeToValue(Bodies.json(request), ExtenderArgs.class);
            if (args.nodes() == null && args.nodeNames() == null) {
                throw new RequestException(RequestException.MALFORMED, "NodeNames", "nothing", "Nodes or NodeNames");
            }
            return args;
        } catch (JsonProcessingException e) {
            throw new RequestException(
                    RequestException.MALFORMED, "body", e.getOriginalMessage(), "ExtenderArgs of extender/v1");
        }
    }

    /** The candidates by name; a node is null when only its name was sent. */
    private static Map<String, @Nullable Node> names(ExtenderArgs args) {
        Map<String, @Nullable Node> names = new LinkedHashMap<>();
        if (args.nodes() != null) {
            for (Node node : args.nodes().getItems()) {
                ObjectMeta meta = node == null ? null : node.getMetadata();
                if (meta == null || meta.getName() == null) {
                    throw new RequestException(
                            RequestException.MALFORMED, "Nodes.items", "a node without a name", "nodes with names");
                }
                names.put(meta.getName(), node);
            }
        } else if (args.nodeNames() != null) {
            args.nodeNames().forEach(name -> names.put(String.valueOf(name), null));
        }
        return names;
    }

    private static String server(String name, @Nullable Node node) {
        Map<String, String> labels = node == null ? null : node.getMetadata().getLabels();
        return labels == null ? name : labels.getOrDefault(SERVER, name);
    }

    private @Nullable Wanted wanted(ExtenderArgs args) {
        Pod pod = args.pod();
        ObjectMeta meta = pod == null ? null : pod.getMetadata();
        Map<String, String> labels = meta == null || meta.getLabels() == null ? Map.of() : meta.getLabels();
        String job = labels.get(JOB);
        if (job == null) {
            return null;
        }
        ServedCluster cluster = cluster(labels.get(CLUSTER));
        Map<String, Integer> servers = new HashMap<>();
        for (ServerGpus where : placement(cluster, job)) {
            servers.put(where.server(), Math.max(1, where.gpus().size()));
        }
        return new Wanted(servers);
    }

    private ServedCluster cluster(@Nullable String label) {
        if (label != null) {
            return clusters.cluster("Pod.metadata.labels." + CLUSTER, label);
        }
        if (clusters.registrations().size() != 1) {
            throw new RequestException(
                    RequestException.IMPOSSIBLE,
                    "Pod.metadata.labels." + CLUSTER,
                    "nothing",
                    "the cluster of the job, for there are %d clusters"
                            .formatted(clusters.registrations().size()));
        }
        return clusters.cluster("cluster", clusters.registrations().get(0).cluster());
    }

    /** Where the job runs or is to start; empty when the scheduler holds it. */
    private static List<ServerGpus> placement(ServedCluster cluster, String job) {
        for (var running : cluster.view().running()) {
            if (running.job().equals(job)) {
                return running.placement();
            }
        }
        PlacementAnswer answer = cluster.placeNow();
        for (ProposedDecision decision : answer.decisions()) {
            if (decision.job().equals(job) && decision.placement() != null && decision.predictedSlowdown() != null) {
                return Objects.requireNonNull(decision.placement());
            }
        }
        return List.of();
    }

    private static void answer(Context request, Object value) {
        try {
            request.contentType("application/json").result(JSON.writeValueAsString(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("answers can be written as JSON", e);
        }
    }
}
