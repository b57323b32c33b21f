package org.trainyard.experiments.drive.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Quantity;
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

/**
 * The pods of one job, which start together. A pod that was made with the gate {@value #GATE} belongs to the job that its
 * first label of {@link #NAMES} names; any other pod with GPUs is a job by itself.
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
    private static final List<String> SIZES = List.of("trainyard.org/pods", "kueue.x-k8s.io/pod-group-total-count");

    private static final String GPU = "/gpu";

    private final String id;
    private final List<Pod> pods = new ArrayList<>();

    private PodJob(String id) {
        this.id = id;
    }

    /** The jobs of all pods with GPUs, by id, in the order of their first pods. */
    static Map<String, PodJob> of(List<Pod> all) {
        Map<String, PodJob> jobs = new LinkedHashMap<>();
        all.stream()
                .filter(pod -> gpus(pod) > 0)
                .sorted((a, b) -> {
                    int byTime = Long.compare(created(a), created(b));
                    return byTime != 0 ? byTime : name(a).compareTo(name(b));
                })
                .forEach(pod -> jobs.computeIfAbsent(id(pod), PodJob::new).pods.add(pod));
        return jobs;
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    private static Map<String, String> labels(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
    }

    private static Map<String, String> annotations(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
    }

    private static String id(Pod pod) {
        if (!isGated(pod) && toldSeconds(pod) == 0) {
            return name(pod);
        }
        for (String label : NAMES) {
            String job = labels(pod).get(label);
            if (job != null) {
                return pod.getMetadata().getNamespace() + "/" + job;
            }
        }
        return name(pod);
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
        String told = annotations(pod).get(TOLD);
        return told != null && told.matches("\\d{1,12}") ? Long.parseLong(told) : 0;
    }

    static boolean isBound(Pod pod) {
        return pod.getSpec().getNodeName() != null;
    }

    /** GPUs of all its containers, of any maker. */
    static int gpus(Pod pod) {
        int gpus = 0;
        for (Container container : pod.getSpec().getContainers()) {
            if (container.getResources() != null && container.getResources().getLimits() != null) {
                gpus += gpus(container.getResources().getLimits());
            }
        }
        return gpus;
    }

    /** Whole GPUs of any maker among resources. */
    static int gpus(Map<String, Quantity> resources) {
        return resources.entrySet().stream()
                .filter(one -> one.getKey().endsWith(GPU))
                .mapToInt(one -> one.getValue().getNumericalAmount().intValue())
                .sum();
    }

    private static boolean hasPhase(Pod pod, String phase) {
        return pod.getStatus() != null && phase.equals(pod.getStatus().getPhase());
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
        return pods.stream()
                .filter(pod -> !hasPhase(pod, "Succeeded") && !hasPhase(pod, "Failed"))
                .toList();
    }

    /** The pods that count: those that failed are made anew or are not. */
    private List<Pod> counted() {
        return pods.stream().filter(pod -> !hasPhase(pod, "Failed")).toList();
    }

    private int size() {
        for (String annotation : SIZES) {
            String size = annotations(pods.get(0)).get(annotation);
            if (size != null && size.matches("[1-9]\\d{0,4}")) {
                return Integer.parseInt(size);
            }
        }
        return counted().size();
    }

    private Stage stage() {
        List<Pod> alive = alive();
        if (alive.isEmpty()) {
            return Stage.ENDED;
        }
        if (alive.stream().anyMatch(pod -> pod.getMetadata().getDeletionTimestamp() != null)) {
            return Stage.LEAVING;
        }
        long bound = alive.stream().filter(PodJob::isBound).count();
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
                .filter(pod -> stage == Stage.RUNNING && isBound(pod))
                .forEach(pod -> allocated.merge(pod.getSpec().getNodeName(), gpus(pod), Integer::sum));
        String namespace = first.getMetadata().getNamespace();
        String queue = labels(first).getOrDefault("kueue.x-k8s.io/queue-name", namespace);
        List<Pod> shown = stage == Stage.ENDED ? pods : counted();
        return new LiveJob(
                id,
                stage,
                "",
                annotations(first).getOrDefault("trainyard.org/user", namespace),
                queue,
                namespace,
                Objects.requireNonNullElse(first.getSpec().getPriorityClassName(), ""),
                shown.stream().mapToInt(PodJob::gpus).sum(),
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
                // The youngest pod tells an evicted job from the one that took its place.
                (int) counted().stream().mapToLong(PodJob::created).max().orElse(0),
                "",
                LiveJob.Needs.parts(alive().stream()
                        .map(PodJob::gpus)
                        .sorted(Comparator.reverseOrder())
                        .toList()),
                special());
    }
}
