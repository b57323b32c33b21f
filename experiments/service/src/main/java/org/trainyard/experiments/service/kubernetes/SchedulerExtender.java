package org.trainyard.experiments.service.kubernetes;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.javalin.http.Context;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.http.Bodies;
import org.trainyard.experiments.service.http.Endpoint;
import org.trainyard.experiments.service.kubernetes.ExtenderRequest.Candidate;
import org.trainyard.experiments.service.live.PlacementAnswer;
import org.trainyard.experiments.service.live.PlacementAnswer.ProposedDecision;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.service.live.RequestException;
import org.trainyard.experiments.service.live.ServedCluster;
import org.trainyard.experiments.service.live.ServedClusters;

/**
 * A scheduler extender of Kubernetes: {@code filter} says on which nodes the pod of a job may start now,
 * {@code prioritize} orders them, {@code preempt} says where it may take the place of others.
 *
 * <p>A pod belongs to the job that its label {@value #JOB} names, on the cluster that its label {@value #CLUSTER}
 * names; without the second there must be one cluster. Events tell the service of the job, as of any other. A node is
 * the server that its label {@value #SERVER} names or, without that label, the server of the node's own name. Pods
 * without the label of a job, and pods whose containers ask for no GPU nor a part of one, are none of our business: all
 * nodes pass.
 *
 * <p>The nodes of a job are those of the service's present answer, so a gang starts where the scheduler wants it; a job
 * that it holds passes nowhere, and kube-scheduler asks again later.
 */
public final class SchedulerExtender {
    static final String JOB = "trainyard.org/job";
    static final String CLUSTER = "trainyard.org/cluster";
    static final String SERVER = "trainyard.org/server";

    private static final String NUMBERED = "server-";
    /** The highest score of an extender. */
    private static final long MOST = 10;

    private static final Map<String, Object> ARGS =
            Map.of("type", "object", "description", "ExtenderArgs of k8s.io/kube-scheduler/extender/v1.");

    /** Held pods that are remembered at most; kube-scheduler tries others again by itself. */
    private static final int MOST_HELD = 10_000;

    private final Supplier<ServedClusters> clusters;
    private final @Nullable PodBinder binder;
    /** Pods that passed nowhere when they were asked for last, by uid. */
    private final Map<String, RequestedPod> held = new ConcurrentHashMap<>();

    /** An extender that binds no pods. */
    public SchedulerExtender(Supplier<ServedClusters> clusters) {
        this(clusters, null);
    }

    /**
     * @param clusters on which jobs are placed
     * @param binder of pods, or null for a kube-scheduler that binds them itself
     */
    public SchedulerExtender(Supplier<ServedClusters> clusters, @Nullable PodBinder binder) {
        this.clusters = clusters;
        this.binder = binder;
    }

    public List<Endpoint> endpoints() {
        List<Endpoint> endpoints = new ArrayList<>(placing());
        PodBinder by = binder;
        if (by != null) {
            endpoints.add(Endpoint.post(
                    "/k8s/bind",
                    "Kubernetes: binds a pod to a node.",
                    Map.of(
                            "type",
                            "object",
                            "description",
                            "ExtenderBindingArgs of k8s.io/kube-scheduler/extender/v1."),
                    Map.class,
                    request -> {
                        String error = by.bind(Bodies.bytes(request));
                        request.contentType("application/json").result(json(Map.of("Error", error)));
                    }));
        }
        return endpoints;
    }

    private List<Endpoint> placing() {
        return List.of(
                Endpoint.post(
                        "/k8s/filter",
                        "Kubernetes: the nodes on which a pod may start now.",
                        ARGS,
                        Map.class,
                        this::filter),
                Endpoint.post(
                        "/k8s/prioritize", "Kubernetes: scores of nodes for a pod.", ARGS, Map.class, this::prioritize),
                Endpoint.post(
                        "/k8s/preempt",
                        "Kubernetes: the nodes on which a pod may take the place of others.",
                        ARGS,
                        Map.class,
                        this::preempt));
    }

    /**
     * Lets kube-scheduler try those held pods again that may start now. Cost: an answer for each cluster that has
     * changed.
     */
    public void retry() {
        PodBinder by = binder;
        if (by == null) {
            return;
        }
        held.forEach((uid, pod) -> {
            try {
                Wanted wanted = wanted(pod);
                // A pod that is asked for meanwhile is another object, and stays.
                if ((wanted == null || !wanted.servers().isEmpty()) && held.remove(uid, pod) && !by.tryAgain(pod)) {
                    held.putIfAbsent(uid, pod);
                }
            } catch (RequestException e) {
                // Its cluster is not there any more, or not sound: whoever asks next is told so.
                held.remove(uid, pod);
            }
        });
    }

    /** The wanted servers of a pod's job with the number of GPUs on each. */
    private record Wanted(Map<String, Integer> servers) {
        /** GPUs of the job there. */
        int gpusOn(String server) {
            return servers.getOrDefault(SchedulerExtender.server(server, servers::containsKey), 0);
        }
    }

    /**
     * A server by the name that a node has for it: {@code server-7} stands for {@code server 7}, since no label and no
     * node can hold a blank.
     */
    static String server(String name, Predicate<String> isKnown) {
        return !isKnown.test(name) && name.startsWith(NUMBERED) ? "server " + name.substring(NUMBERED.length()) : name;
    }

    private void filter(Context request) {
        byte[] body = Bodies.bytes(request);
        ExtenderRequest args = ExtenderRequest.read(body);
        Wanted wanted = wanted(args.pod());
        if (wanted != null && wanted.servers().isEmpty() && binder != null && held.size() < MOST_HELD) {
            held.put(args.pod().metadata("uid"), args.pod());
        } else {
            held.remove(args.pod().metadata("uid"));
        }
        Map<String, String> failed = new LinkedHashMap<>();
        List<Candidate> passed = new ArrayList<>();
        for (Candidate one : args.candidates()) {
            String reason = wanted == null ? null : reason(wanted, one.server());
            if (reason == null) {
                passed.add(one);
            } else {
                failed.put(one.name(), reason);
            }
        }
        request.contentType("application/json").result(filtered(args, body, passed, failed));
    }

    /** {@code ExtenderFilterResult} of k8s.io/kube-scheduler/extender/v1; whole nodes are answered as they came. */
    private static InputStream filtered(
            ExtenderRequest args, byte[] body, List<Candidate> passed, Map<String, String> failed) {
        String rest = ",\"FailedNodes\":%s,\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}".formatted(json(failed));
        if (!args.hasNodes()) {
            List<String> names = passed.stream().map(Candidate::name).toList();
            return text("{\"Nodes\":null,\"NodeNames\":" + json(names) + rest);
        }
        List<InputStream> parts = new ArrayList<>();
        parts.add(text("{\"Nodes\":{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":["));
        for (Candidate one : passed) {
            if (parts.size() > 1) {
                parts.add(text(","));
            }
            parts.add(new ByteArrayInputStream(body, one.from(), one.to() - one.from()));
        }
        parts.add(text("]},\"NodeNames\":null" + rest));
        return new SequenceInputStream(Collections.enumeration(parts));
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String json(Object value) {
        return JsonText.compact(value);
    }

    private static @Nullable String reason(Wanted wanted, String server) {
        if (wanted.servers().isEmpty()) {
            return "the scheduler holds the job";
        }
        return wanted.gpusOn(server) > 0 ? null : "the scheduler places the job elsewhere";
    }

    private void prioritize(Context request) {
        ExtenderRequest args = ExtenderRequest.read(Bodies.bytes(request));
        Wanted wanted = wanted(args.pod());
        long most = wanted == null
                ? 0
                : wanted.servers().values().stream()
                        .mapToInt(Integer::intValue)
                        .max()
                        .orElse(0);
        List<HostPriority> priorities = new ArrayList<>();
        for (Candidate one : args.candidates()) {
            int gpus = wanted == null ? 0 : wanted.gpusOn(one.server());
            priorities.add(new HostPriority(one.name(), most == 0 ? 0 : MOST * gpus / most));
        }
        request.contentType("application/json").result(json(priorities));
    }

    /**
     * {@code ExtenderPreemptionResult}: the pod of a job takes places where the scheduler wants it alone, and a job
     * that the scheduler keeps running loses none, whoever asks. Victims of which only the uid was sent are nobody's.
     */
    private void preempt(Context request) {
        PreemptionRequest args = PreemptionRequest.read(Bodies.bytes(request));
        Wanted wanted = wanted(args.pod());
        Map<String, MetaVictims> nodes = new LinkedHashMap<>();
        args.byNode().forEach((node, victims) -> {
            if ((wanted == null || wanted.gpusOn(node) > 0)
                    && victims.pods.stream().noneMatch(this::isKept)) {
                nodes.put(
                        node,
                        new MetaVictims(
                                victims.pods.stream()
                                        .map(pod -> new MetaPod(pod.metadata("uid")))
                                        .toList(),
                                victims.violations));
            }
        });
        request.contentType("application/json").result(json(Map.of("NodeNameToMetaVictims", nodes)));
    }

    /** Whether a pod is of a job that runs and that the scheduler does not take off now. */
    private boolean isKept(RequestedPod pod) {
        String job = pod.labels().get(JOB);
        if (job == null || !pod.mayWantGpus()) {
            return false;
        }
        ServedCluster cluster = cluster(pod.labels().get(CLUSTER));
        return cluster.view().running().stream().anyMatch(running -> PodFeed.isNamed(running.job(), job))
                && cluster.placeNow().decisions().stream()
                        .noneMatch(one -> one.kind().equals("preempt") && PodFeed.isNamed(one.job(), job));
    }

    /** Where the pod's job is to run; null for a pod that belongs to no job, or wants no GPU. */
    private @Nullable Wanted wanted(RequestedPod pod) {
        String job = pod.labels().get(JOB);
        if (job == null || !pod.mayWantGpus()) {
            return null;
        }
        ServedCluster cluster = cluster(pod.labels().get(CLUSTER));
        Map<String, Integer> servers = new HashMap<>();
        for (ServerGpus where : placement(cluster, job)) {
            servers.put(where.server(), Math.max(1, where.gpus().size()));
        }
        return new Wanted(servers);
    }

    private ServedCluster cluster(@Nullable String label) {
        if (label != null) {
            return clusters.get().cluster("Pod.metadata.labels." + CLUSTER, label);
        }
        if (clusters.get().registrations().size() != 1) {
            throw new RequestException(
                    RequestException.IMPOSSIBLE,
                    "Pod.metadata.labels." + CLUSTER,
                    "nothing",
                    CellFormat.number(
                            "the cluster of the job, for there are %d clusters",
                            clusters.get().registrations().size()));
        }
        return clusters.get()
                .cluster("cluster", clusters.get().registrations().get(0).cluster());
    }

    /** Where the job runs or is to start; empty when the scheduler holds it. */
    private static List<ServerGpus> placement(ServedCluster cluster, String job) {
        for (var running : cluster.view().running()) {
            if (PodFeed.isNamed(running.job(), job)) {
                return running.placement();
            }
        }
        PlacementAnswer answer = cluster.placeNow();
        for (ProposedDecision decision : answer.decisions()) {
            if (PodFeed.isNamed(decision.job(), job)
                    && decision.placement() != null
                    && decision.predictedSlowdown() != null) {
                return Objects.requireNonNull(decision.placement());
            }
        }
        return List.of();
    }

    private record MetaPod(@JsonProperty("UID") String uid) {}

    private record MetaVictims(
            @JsonProperty("Pods") List<MetaPod> pods,
            @JsonProperty("NumPDBViolations") long violations) {}

    /** The score of a node, 0 to 10 ({@code HostPriority} of k8s.io/kube-scheduler/extender/v1). */
    record HostPriority(
            @JsonProperty("Host") String host,
            @JsonProperty("Score") long score) {}
}
