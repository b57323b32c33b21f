package org.trainyard.env.workload.trace.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.TraceColumns;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.LogJobs;

/**
 * Reads pods, as {@code kubectl get pods -o json} lists them or as rows of a table: pods of one namespace and one gang
 * ({@link PodGang}) are a job, every other pod is a job of its own. A pod holds its GPUs from the time when it was
 * scheduled to its end. Pods without GPUs, pods that never ran and pods that still run are left out and counted.
 */
public final class PodRows {
    public static final List<String> COLUMNS =
            List.of("pod", "gpus", "created", "scheduled", "finished", "namespace", "job", "user", "gpu_type");

    private static final List<String> USER_LABELS =
            List.of("user", "app.kubernetes.io/created-by", "owner", "run.ai/user", "username");
    private static final List<String> TYPE_LABELS = List.of(
            "nvidia.com/gpu.product",
            "cloud.google.com/gke-accelerator",
            "amd.com/gpu.product-name",
            "gpu.nvidia.com/model",
            "k8s.amazonaws.com/accelerator");
    private static final List<String> QUEUES = List.of(
            "kueue.x-k8s.io/queue-name",
            "kai.scheduler/queue",
            "runai/queue",
            "volcano.sh/queue-name",
            "scheduling.volcano.sh/queue-name");

    private static final long MIB = 1 << 20;
    /** More than a server has, in thousandths of a core or bytes. */
    private static final long MOST = 1L << 50;

    private final LogJobs jobs;
    private final int replicas;
    private final boolean loads;
    private final TraceColumns columns = new TraceColumns(COLUMNS);

    /**
     * @param replicasOfGpu replicas that time slicing makes of a GPU; 0 when nobody says
     * @param keepsLoads whether pods without GPUs are kept where they ask for CPUs or memory
     */
    public PodRows(LogJobs jobs, int replicasOfGpu, boolean keepsLoads) {
        this.jobs = jobs;
        loads = keepsLoads;
        replicas = replicasOfGpu;
        jobs.numbered();
    }

    /** Takes a row of a table with these columns. */
    public void add(TraceRow row) {
        String pod = row.text("pod");
        int gpus = (int) row.whole("gpus", 0, TraceLimits.GPUS);
        String namespace = row.textOrNull("namespace");
        String gang = row.textOrNull("job");
        String name = gang == null ? pod : gang;
        LogEntry entry = new LogEntry(namespace == null ? name : namespace + "/" + name)
                .gpus(gpus, 1000)
                .by(row.textOrNull("user"), null, recurring(name))
                .in(namespace);
        if (gang != null) {
            entry.partOf(pod).resumable(true);
        }
        String type = row.textOrNull("gpu_type");
        if (gpus == 0) {
            jobs.leaveOut("without GPUs");
        } else if (times(row, entry, "that still ran")) {
            take(entry, type);
        }
    }

    private void take(LogEntry entry, @Nullable String type) {
        if (type != null) {
            entry.asksFor(GpuType.nameIn(type));
        }
        jobs.take(entry);
    }

    /** Runs of one cron job or sweep differ in the number at the end of their names. */
    private static String recurring(String name) {
        return name.replaceFirst("-\\d+$", "");
    }

    /** Whether the pod ran and ended. */
    private boolean times(TraceRow row, LogEntry entry, String otherwise) {
        if (!row.isKnown("scheduled")) {
            if (otherwise.equals(LeftOut.RUNNING) && !row.isKnown("finished")) {
                jobs.queued(entry.submitted(jobs.clock().nanos("created", row.text("created"), 0)));
            } else {
                jobs.leaveOut("that never ran");
            }
            return false;
        }
        entry.submitted(jobs.clock().nanos("created", row.text("created"), 0));
        long scheduled = jobs.clock().nanos("scheduled", row.text("scheduled"), 0);
        if (!row.isKnown("finished")) {
            jobs.leaveOut(otherwise, entry.ran(scheduled, -1));
            return false;
        }
        entry.ran(scheduled, jobs.clock().nanos("finished", row.text("finished"), 0));
        jobs.order(entry, row, "created", "scheduled", "finished");
        return true;
    }

    /** Takes a pod. */
    public void add(JsonNode pod, int line) {
        JsonNode meta = pod.path("metadata");
        JsonNode status = pod.path("status");
        PodTimes when = PodTimes.of(status);
        String name = meta.path("name").asText();
        TraceRow row = new TraceRow(columns, fields(name, meta, when), line);
        row.text("pod");
        String type = PodGang.firstOf(pod.path("spec").path("nodeSelector"), TYPE_LABELS);
        type = type.isEmpty() ? affinity(pod.path("spec")) : type;
        PodGpus gpus = PodGpus.of(pod, type.isEmpty() ? null : type, replicas);
        if (gpus.count() == 0) {
            HostShare asked = host(pod.path("spec"));
            if (!loads || !gpus.reason().equals("without GPUs") || asked.equals(HostShare.NONE)) {
                jobs.leaveOut(gpus.reason());
                return;
            }
            LogEntry load = new LogEntry(meta.path("namespace").asText() + "/" + name)
                    .host(asked)
                    .on(textOrNull(pod.path("spec").path("nodeName")));
            if (times(row, load, PodTimes.hasEnded(status) ? "whose end is unknown" : "that still ran")) {
                jobs.take(load);
            }
            return;
        }
        LogEntry entry = entry(pod, name, gpus);
        String otherwise = PodTimes.hasEnded(status) ? "whose end is unknown" : "that still ran";
        if (!times(row, entry, otherwise)) {
            return;
        }
        if (gpus.remark() != null) {
            jobs.note(gpus.remark());
        }
        take(entry, type.isEmpty() ? null : type);
    }

    private LogEntry entry(JsonNode pod, String name, PodGpus gpus) {
        JsonNode meta = pod.path("metadata");
        JsonNode spec = pod.path("spec");
        JsonNode status = pod.path("status");
        String namespace = meta.path("namespace").asText();
        PodGang gang = PodGang.of(meta);
        String job = gang == null ? name : gang.name();
        boolean failed = status.path("phase").asText().equals("Failed");
        String queue = PodGang.labelled(meta, QUEUES);
        String user = PodGang.labelled(meta, USER_LABELS);
        LogEntry entry = new LogEntry(namespace.isEmpty() ? job : namespace + "/" + job)
                .gpus(gpus.count(), gpus.milli())
                .host(host(spec))
                .by(
                        user.isEmpty() ? null : jobs.shared(user),
                        gang == null ? null : gang.generation(),
                        jobs.shared(recurring(job)))
                .in(namespace.isEmpty() ? null : jobs.shared(namespace))
                .on(textOrNull(spec.path("nodeName")))
                .ended(textOrNull(status.path("phase")), null, textOrNull(status.path("reason")))
                .terms(new SubmissionTerms.Builder()
                        .partition(queue.isEmpty() ? null : queue)
                        .qos(textOrNull(spec.path("priorityClassName")))
                        .priority(
                                spec.path("priority").isNumber()
                                        ? Long.valueOf(spec.path("priority").asLong())
                                        : null)
                        .build());
        if (gang != null) {
            String uid = meta.path("uid").asText();
            entry.partOf(uid.isEmpty() ? name : uid).resumable(!gang.isOfTasks() || failed);
        }
        return entry;
    }

    /** CPU and memory that the scheduler keeps for a pod: the requests of its containers, or of one that starts it. */
    private static HostShare host(JsonNode spec) {
        long cpu = 0;
        long bytes = 0;
        for (JsonNode container : spec.path("containers")) {
            cpu += amount(container, "cpu");
            bytes += amount(container, "memory");
        }
        long startingCpu = 0;
        long startingBytes = 0;
        for (JsonNode starting : spec.path("initContainers")) {
            boolean stays = starting.path("restartPolicy").asText().equals("Always");
            cpu += stays ? amount(starting, "cpu") : 0;
            bytes += stays ? amount(starting, "memory") : 0;
            startingCpu = Math.max(startingCpu, amount(starting, "cpu"));
            startingBytes = Math.max(startingBytes, amount(starting, "memory"));
        }
        long most = Math.max(bytes, startingBytes);
        return new HostShare(Math.max(cpu, startingCpu), most / MIB + (most % MIB == 0 ? 0 : 1));
    }

    /** The request of a container, else its limit; 0 where neither can be read. */
    private static long amount(JsonNode container, String resource) {
        JsonNode resources = container.path("resources");
        JsonNode asked = resources.path("requests").path(resource);
        String text = (asked.isMissingNode() ? resources.path("limits").path(resource) : asked).asText();
        try {
            return text.isBlank() ? 0 : Math.max(0, Math.min(MOST, Quantity.of(resource, resource, text.strip())));
        } catch (InputException unreadable) {
            return 0;
        }
    }

    private @Nullable String textOrNull(JsonNode node) {
        return node.isTextual() && !node.asText().isEmpty() ? jobs.shared(node.asText()) : null;
    }

    /** The one type of GPU that a required affinity names; empty when there is none or several. */
    private static String affinity(JsonNode spec) {
        List<String> types = new ArrayList<>();
        JsonNode terms = spec.path("affinity")
                .path("nodeAffinity")
                .path("requiredDuringSchedulingIgnoredDuringExecution")
                .path("nodeSelectorTerms");
        for (JsonNode term : terms) {
            for (JsonNode expression : term.path("matchExpressions")) {
                boolean isIn = expression.path("operator").asText().equals("In");
                if (isIn && TYPE_LABELS.contains(expression.path("key").asText())) {
                    expression.path("values").forEach(value -> types.add(value.asText()));
                }
            }
        }
        return types.size() == 1 ? types.get(0) : "";
    }

    private static List<String> fields(String name, JsonNode meta, PodTimes when) {
        return List.of(
                name, "", meta.path("creationTimestamp").asText(), when.scheduled(), when.finished(), "", "", "", "");
    }

    /** Whether an object is a pod; one of another kind is a {@link TraceFieldException} that names it. */
    public static boolean isPod(JsonNode node) {
        return node.path("metadata").isObject() && node.has("spec");
    }
}
