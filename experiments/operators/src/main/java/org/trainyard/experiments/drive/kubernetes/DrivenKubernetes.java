package org.trainyard.experiments.drive.kubernetes;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.experiments.drive.DriveLevel;
import org.trainyard.experiments.drive.DriveSettings;
import org.trainyard.experiments.drive.DrivenCluster;
import org.trainyard.experiments.drive.LiveJob;
import org.trainyard.experiments.drive.LiveSnapshot;
import org.trainyard.experiments.drive.RefusedException;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.kubernetes.AccessReview;
import org.trainyard.experiments.service.kubernetes.WatchedPods;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;
import org.trainyard.experiments.slurm.UnreadableAnswerException;

/**
 * A live Kubernetes, by a watch on its nodes and pods. Jobs wait behind the scheduling gate of their pods; a start
 * removes it from all pods of a job, and kube-scheduler places them, on the nodes that they are told to where there are
 * any.
 */
public final class DrivenKubernetes implements DrivenCluster {
    /** Seconds for which a pod without its gate may look for a node before it is made anew behind the gate. */
    private static final long PATIENCE_SECONDS = 30;
    /** Milliseconds by which the watch may lag behind a change of ours. */
    private static final long LAG_MILLIS = 5_000;

    private static final String HOSTNAME = "kubernetes.io/hostname";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
    private static final ResourceDefinitionContext NAMESPACE = clusterWide("", "Namespace", "namespaces");
    private static final ResourceDefinitionContext PRIORITY_CLASS =
            clusterWide("scheduling.k8s.io", "PriorityClass", "priorityclasses");

    private final KubernetesClient client;
    private final Clock clock;
    private final WatchedPods watched;
    private Map<String, PodJob> jobs = Map.of();
    /** By job, when it was told to start. */
    private final Map<String, Long> toldMillis = new HashMap<>();

    /** @param client is closed with it */
    public DrivenKubernetes(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
        try {
            watched = new WatchedPods(client);
        } catch (InputException e) {
            client.close();
            throw e;
        }
    }

    private static ResourceDefinitionContext clusterWide(String group, String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion("v1")
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(false)
                .build();
    }

    /** A refusal where there was an answer. */
    private static RuntimeException refused(String what, KubernetesClientException e) {
        return e.getCode() == 0
                ? InputException.at("kubernetes", what, "an answer (%s)".formatted(String.valueOf(e.getMessage())))
                : new RefusedException(
                        "%s: %s".formatted(what, e.getMessage()),
                        e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                                || e.getCode() == HttpURLConnection.HTTP_CONFLICT);
    }

    @Override
    public void requireRights(DriveLevel level) {
        AccessReview.requirePods(client, "patch", null);
        if (level != DriveLevel.PRIORITY) {
            AccessReview.requirePods(client, "delete", null);
        }
        if (level == DriveLevel.PREEMPTION) {
            AccessReview.requirePods(client, "create", "eviction");
        }
    }

    /**
     * Each name is asked for by itself, which takes fewer rights than a list. Users are words of annotations, no
     * objects.
     */
    @Override
    public void requireKnown(DriveSettings settings, LiveSnapshot seen) {
        requireKnown("--namespace", NAMESPACE, settings.partition());
        settings.leftPartitions().forEach(name -> requireKnown("--leave-namespace", NAMESPACE, name));
        requireKnown("--priority-class", PRIORITY_CLASS, settings.qos());
    }

    private void requireKnown(String option, ResourceDefinitionContext kind, @Nullable String name) {
        if (name == null) {
            return;
        }
        boolean isKnown;
        try {
            isKnown = NAME.matcher(name).matches()
                    && client.genericKubernetesResources(kind).withName(name).get() != null;
        } catch (KubernetesClientException e) {
            throw InputException.at(
                    option, name, "a %s that we may get (%s)".formatted(kind.getKind(), e.getMessage()));
        }
        if (!isKnown) {
            throw InputException.at(option, name, "a %s of the cluster".formatted(kind.getKind()));
        }
    }

    @Override
    public String name() {
        return "Kubernetes";
    }

    @Override
    public LiveSnapshot look() {
        if (watched.isBroken()) {
            throw new UnreadableAnswerException(
                    new InputException("the watch of %s is broken".formatted(client.getMasterUrl())));
        }
        Map<String, LiveSnapshot.Node> known = new TreeMap<>();
        watched.nodes().list().forEach(node -> known.put(node.getMetadata().getName(), node(node)));
        jobs = PodJob.of(watched.pods());
        toldMillis.keySet().retainAll(jobs.keySet());
        Map<String, LiveJob> live = new LinkedHashMap<>();
        jobs.forEach((id, job) -> live.put(id, job.live()));
        return new LiveSnapshot(live, known);
    }

    private static LiveSnapshot.Node node(Node node) {
        return new LiveSnapshot.Node(
                node.getMetadata().getName(),
                WatchedPods.gpus(node),
                WatchedPods.labels(node).getOrDefault("nvidia.com/gpu.product", ""),
                WatchedPods.takesNoPods(node));
    }

    private List<Pod> alive(LiveJob job) {
        PodJob known = jobs.get(job.id());
        return known == null ? List.of() : known.alive();
    }

    private PodResource named(Pod pod) {
        return client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName());
    }

    private boolean isLate(Pod pod) {
        return !PodJob.isGated(pod)
                && pod.getSpec().getNodeName() == null
                && clock.millis() / 1000 - PodJob.toldSeconds(pod) > PATIENCE_SECONDS;
    }

    @Override
    public long startedMillis() {
        return 0;
    }

    /** A gate cannot be put back: pods that found no node in time are made anew, behind their gate. */
    @Override
    public void postpone(List<LiveJob> waiting, int seconds) {
        waiting.forEach(this::renewLate);
    }

    private boolean renewLate(LiveJob job) {
        List<Pod> late = alive(job).stream().filter(this::isLate).toList();
        late.forEach(pod -> {
            requireController(pod);
            try {
                // A pod that has found its node meanwhile is another version, and stays.
                client.resource(pod)
                        .lockResourceVersion(pod.getMetadata().getResourceVersion())
                        .delete();
            } catch (KubernetesClientException e) {
                throw refused("delete pod " + pod.getMetadata().getName(), e);
            }
        });
        return !late.isEmpty();
    }

    private static void requireController(Pod pod) {
        boolean isControlled = pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController()));
        if (!isControlled) {
            throw new RefusedException(
                    "pod %s has no controller that makes it again"
                            .formatted(pod.getMetadata().getName()),
                    false);
        }
    }

    /** No pod is held but by its gate. */
    @Override
    public void release(List<LiveJob> held) {}

    @Override
    public void start(LiveJob job, long priority, List<ServerGpus> placement) {
        if (renewLate(job)) {
            throw new RefusedException("no node for each pod in time; they are made anew", true);
        }
        List<Pod> all = alive(job);
        Map<Pod, String> places = placement.isEmpty() ? Map.of() : places(all, placement);
        for (Pod pod : all) {
            if (PodJob.isGated(pod)) {
                open(pod, places.get(pod));
            }
        }
        toldMillis.put(job.id(), clock.millis());
    }

    /** Body of a patch: the changed fields; a null removes one. */
    private record Patch(Metadata metadata, Spec spec) {}

    private record Metadata(String uid, Map<String, String> annotations) {}

    private record Spec(
            @JsonProperty("schedulingGates") @Nullable List<String> schedulingGates,

            @JsonProperty("nodeSelector") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, String> nodeSelector) {}

    private void open(Pod pod, @Nullable String node) {
        String told = Long.toString(clock.millis() / 1000);
        Patch patch = new Patch(
                new Metadata(pod.getMetadata().getUid(), Map.of(PodJob.TOLD, told)),
                new Spec(null, node == null ? null : Map.of(HOSTNAME, hostname(node))));
        try {
            named(pod).patch(PatchContext.of(PatchType.JSON_MERGE), JsonText.compact(patch));
        } catch (KubernetesClientException e) {
            throw refused("remove the gate of pod " + pod.getMetadata().getName(), e);
        }
    }

    private String hostname(String node) {
        Node known = watched.nodes().getByKey(node);
        return known == null ? node : WatchedPods.labels(known).getOrDefault(HOSTNAME, node);
    }

    /** A node for each pod, so that GPUs of the job are where the placement has them; the largest pods first. */
    private Map<Pod, String> places(List<Pod> all, List<ServerGpus> placement) {
        Map<String, Integer> free = new LinkedHashMap<>();
        placement.forEach(one -> free.put(one.server(), one.gpus().size()));
        Map<Pod, String> places = new HashMap<>();
        List<Pod> order = new ArrayList<>(all);
        order.sort((a, b) -> Integer.compare(WatchedPods.gpus(b), WatchedPods.gpus(a)));
        for (Pod pod : order) {
            int gpus = WatchedPods.gpus(pod);
            String node = free.entrySet().stream()
                    .filter(one -> one.getValue() >= gpus)
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow(() -> new RefusedException(
                            Counted.say("the placement has no %d GPUs for each pod of that size", gpus), false));
            free.merge(node, -gpus, Integer::sum);
            places.put(pod, node);
        }
        return places;
    }

    /** A driver that was killed between two pods of a job has left some behind their gates. */
    @Override
    public boolean hasMissed(LiveJob job) {
        List<Pod> all = alive(job);
        boolean isRecent = clock.millis() - toldMillis.getOrDefault(job.id(), 0L) < LAG_MILLIS;
        return !isRecent && all.stream().anyMatch(pod -> PodJob.isGated(pod) || isLate(pod));
    }

    @Override
    public void requeue(LiveJob job) {
        List<Pod> all = alive(job);
        all.forEach(DrivenKubernetes::requireController);
        for (Pod pod : all) {
            try {
                if (!named(pod).evict()) {
                    throw new RefusedException(
                            "pod %s may not be evicted now"
                                    .formatted(pod.getMetadata().getName()),
                            false);
                }
            } catch (KubernetesClientException e) {
                throw refused("evict pod " + pod.getMetadata().getName(), e);
            }
        }
    }

    @Override
    public boolean startsByItself() {
        return false;
    }

    /** Gates stay: pods that wait wait for the next driver. */
    @Override
    public void giveBack(List<LiveJob> waiting) {}

    @Override
    public void close() {
        watched.close();
        client.close();
    }
}
