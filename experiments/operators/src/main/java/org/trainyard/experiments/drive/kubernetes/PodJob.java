package org.trainyard.experiments.drive.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.drive.LiveJob;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.service.kubernetes.WatchedPods;

/**
 * The pods of one job, which start together. A pod that was made with the gate {@value #GATE} belongs to the job that
 * its first label of {@link #NAMES} names; any other pod with GPUs is a job by itself.
 */
final class PodJob {
    /** The scheduling gate behind which a pod waits for the driver. */
    static final String GATE = "trainyard.org/wait";
    /** The annotation of a pod whose gate was removed: when, seconds since 1970. */
    static final String TOLD = "trainyard.org/told";

    private static final List<String> NAMES = List.of(
            "trainyard.org/job",
            "kueue.x-k8s.io/pod-group-name",
            "scheduling.x-k8s.io/pod-group",
            "batch.kubernetes.io/job-name");
    /** Annotations that say how many pods the job has. */
    private static final List<String> SIZES = List.of(WatchedPods.PODS, "kueue.x-k8s.io/pod-group-total-count");

    private final String id;
    private final List<Pod> pods = new ArrayList<>();

    private PodJob(String id) {
        this.id = id;
    }

    /** The jobs of all pods with GPUs, by id, in the order in which their pods come. */
    static Map<String, PodJob> of(List<Pod> all) {
        Map<String, PodJob> jobs = new LinkedHashMap<>();
        all.stream()
                .filter(pod -> WatchedPods.gpus(pod) > 0)
                .forEach(pod -> jobs.computeIfAbsent(id(pod), PodJob::new).pods.add(pod));
        return jobs;
    }

    private static String id(Pod pod) {
        if (!isGated(pod) && toldSeconds(pod) == 0) {
            return Cache.metaNamespaceKeyFunc(pod);
        }
        for (String label : NAMES) {
            String job = WatchedPods.labels(pod).get(label);
            if (job != null) {
                return pod.getMetadata().getNamespace() + "/" + job;
            }
        }
        return Cache.metaNamespaceKeyFunc(pod);
    }

    /** Whether it waits behind our gate. */
    static boolean isGated(Pod pod) {
        return gates(pod).contains(GATE);
    }

    static List<String> gates(Pod pod) {
        return Objects.requireNonNullElse(pod.getSpec().getSchedulingGates(), List.<PodSchedulingGate>of()).stream()
                .map(PodSchedulingGate::getName)
                .toList();
    }

    /** When its gate was removed, seconds since 1970; 0 when it had none of ours. */
    static long toldSeconds(Pod pod) {
        String told = WatchedPods.annotations(pod).get(TOLD);
        return told != null && told.matches("\\d{1,12}") ? Long.parseLong(told) : 0;
    }

    private static long seconds(@Nullable String time) {
        return time == null ? 0 : Instant.parse(time).getEpochSecond();
    }

    private static long created(Pod pod) {
        return seconds(pod.getMetadata().getCreationTimestamp());
    }

    private static LongStream ends(Pod pod) {
        return pod.getStatus() == null
                ? LongStream.empty()
                : pod.getStatus().getContainerStatuses().stream()
                        .map(ContainerStatus::getState)
                        .filter(state -> state != null && state.getTerminated() != null)
                        .mapToLong(state -> seconds(state.getTerminated().getFinishedAt()));
    }

    /** Pods that run or may run. */
    List<Pod> alive() {
        return pods.stream().filter(pod -> !WatchedPods.hasEnded(pod)).toList();
    }

    /** The pods that count: those that failed are made anew or are not. */
    private List<Pod> counted() {
        return pods.stream()
                .filter(pod -> !WatchedPods.phase(pod).equals("Failed"))
                .toList();
    }

    private int size() {
        return SIZES.stream()
                .mapToInt(annotation -> WatchedPods.promised(pods.get(0), annotation))
                .filter(size -> size > 0)
                .findFirst()
                .orElseGet(() -> counted().size());
    }

    private Stage stage() {
        List<Pod> alive = alive();
        if (alive.isEmpty()) {
            return Stage.ENDED;
        }
        if (alive.stream().anyMatch(pod -> pod.getMetadata().getDeletionTimestamp() != null)) {
            return Stage.LEAVING;
        }
        long bound = alive.stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .count();
        if (bound == 0) {
            return Stage.PENDING;
        }
        // A part of a gang has its nodes: the rest follows, or the driver starts it anew.
        return bound == alive.size() ? Stage.RUNNING : Stage.LEAVING;
    }

    /** Why it is not for the driver, or an empty text. */
    private String special() {
        List<Pod> alive = alive();
        if (alive.stream().anyMatch(pod -> !isGated(pod) && toldSeconds(pod) == 0)) {
            return "has no scheduling gate " + GATE;
        }
        if (alive.stream().anyMatch(pod -> gates(pod).stream().anyMatch(gate -> !gate.equals(GATE)))) {
            return "has other scheduling gates";
        }
        int there = counted().size();
        return there < size() ? Counted.say("has %d of its %d pods", there, size()) : "";
    }

    /** The job as a driver sees it. */
    LiveJob live() {
        Pod first = pods.get(0);
        Stage stage = stage();
        Map<String, Integer> allocated = new LinkedHashMap<>();
        counted().stream()
                .filter(pod -> stage == Stage.RUNNING && pod.getSpec().getNodeName() != null)
                .forEach(pod -> allocated.merge(pod.getSpec().getNodeName(), WatchedPods.gpus(pod), Integer::sum));
        String namespace = first.getMetadata().getNamespace();
        String queue = WatchedPods.labels(first).getOrDefault("kueue.x-k8s.io/queue-name", namespace);
        List<Pod> shown = stage == Stage.ENDED ? pods : counted();
        return new LiveJob(
                id,
                stage,
                "",
                WatchedPods.annotations(first).getOrDefault("trainyard.org/user", namespace),
                queue,
                namespace,
                Objects.requireNonNullElse(first.getSpec().getPriorityClassName(), ""),
                shown.stream().mapToInt(WatchedPods::gpus).sum(),
                1,
                size(),
                allocated,
                1,
                created(first),
                0,
                pods.stream()
                        .filter(pod -> pod.getStatus() != null)
                        .mapToLong(pod -> seconds(pod.getStatus().getStartTime()))
                        .max()
                        .orElse(0),
                pods.stream().flatMapToLong(PodJob::ends).max().orElse(0),
                Objects.requireNonNullElse(first.getSpec().getActiveDeadlineSeconds(), 0L),
                // The youngest pod tells an evicted job from the one that took its place.
                (int) counted().stream().mapToLong(PodJob::created).max().orElse(0),
                "",
                LiveJob.Needs.parts(alive().stream()
                        .map(WatchedPods::gpus)
                        .sorted(Comparator.reverseOrder())
                        .toList()),
                special());
    }
}
