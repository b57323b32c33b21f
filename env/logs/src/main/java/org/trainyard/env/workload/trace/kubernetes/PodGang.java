package org.trainyard.env.workload.trace.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The gang that a pod belongs to: named by the labels and annotations of those who schedule pods together, or else by a
 * controller that starts its pods as one job. Pods of a ReplicaSet, a StatefulSet, a DaemonSet or a workflow are jobs
 * of their own.
 *
 * @param generation tells gangs of one name apart, such as the uid of the controller; may be empty
 * @param isOfTasks whether it is a plain Job, of which only pods that overlap or follow a failed one belong together
 */
record PodGang(String name, String generation, boolean isOfTasks) {
    private static final String JOB_SET = "jobset.sigs.k8s.io/jobset-name";
    private static final String LEADER_WORKER = "leaderworkerset.sigs.k8s.io/name";
    private static final String VOLCANO_GROUP = "scheduling.k8s.io/group-name";
    private static final List<String> GANGS = List.of(
            "volcano.sh/job-name",
            "kueue.x-k8s.io/pod-group-name",
            "scheduling.x-k8s.io/pod-group",
            "pod-group.scheduling.sigs.k8s.io",
            "pod-group.scheduling.sigs.k8s.io/name",
            "training.kubeflow.org/job-name",
            "trainer.kubeflow.org/trainjob-name",
            "ray.io/cluster",
            VOLCANO_GROUP,
            "pod-group-name",
            "kai.scheduler/pod-group",
            "runai/job-name",
            "run.ai/workload-name",
            "yunikorn.apache.org/app-id",
            "pytorch-job-name",
            "tf-job-name",
            "mpi-job-name",
            "spark-app-selector");
    private static final List<String> TASKS = List.of("batch.kubernetes.io/job-name", "job-name");
    private static final Set<String> GANG_KINDS = Set.of(
            "JobSet",
            "LeaderWorkerSet",
            "RayCluster",
            "RayJob",
            "PyTorchJob",
            "TFJob",
            "MPIJob",
            "XGBoostJob",
            "PaddleJob",
            "JAXJob",
            "MXJob",
            "TrainJob",
            "AppWrapper",
            "PodGroup",
            "SparkApplication",
            "AIJob",
            "DistributedJob");
    private static final Set<String> LOOSE_KINDS = Set.of(
            "ReplicaSet",
            "StatefulSet",
            "DaemonSet",
            "ReplicationController",
            "Deployment",
            "Workflow",
            "Node",
            "Notebook");

    /** The gang of a pod by its metadata, or null when it is a job of its own. */
    static @Nullable PodGang of(JsonNode meta) {
        JsonNode owner = controller(meta);
        String kind = owner.path("kind").asText();
        String uid = owner.path("uid").asText();
        String set = labelled(meta, List.of(JOB_SET));
        if (!set.isEmpty()) {
            return new PodGang(set, labelled(meta, List.of("jobset.sigs.k8s.io/jobset-uid")), false);
        }
        String leader = labelled(meta, List.of(LEADER_WORKER));
        if (!leader.isEmpty()) {
            String group = labelled(meta, List.of("leaderworkerset.sigs.k8s.io/group-index"));
            return new PodGang(group.isEmpty() ? leader : leader + "-" + group, "", false);
        }
        String gang = labelled(meta, GANGS);
        // Volcano gives every pod a group of its own or of its controller; only those that somebody made are gangs.
        boolean isMadeUp =
                gang.startsWith("podgroup-") || gang.equals(meta.path("name").asText());
        if (!gang.isEmpty() && !(isMadeUp && (LOOSE_KINDS.contains(kind) || kind.isEmpty()))) {
            return new PodGang(gang, GANG_KINDS.contains(kind) ? uid : "", false);
        }
        if (GANG_KINDS.contains(kind)) {
            return new PodGang(owner.path("name").asText(), uid, false);
        }
        boolean isVolcano = owner.path("apiVersion").asText().startsWith("batch.volcano.sh");
        String tasks = labelled(meta, TASKS);
        if (kind.equals("Job") || (kind.isEmpty() && !tasks.isEmpty())) {
            String name = kind.equals("Job") ? owner.path("name").asText() : tasks;
            return new PodGang(name, uid, !isVolcano);
        }
        return null;
    }

    private static JsonNode controller(JsonNode meta) {
        for (JsonNode owner : meta.path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                return owner;
            }
        }
        return meta.path("no owner");
    }

    /** The first label or annotation of these names; empty when there is none. */
    static String labelled(JsonNode meta, List<String> names) {
        String label = firstOf(meta.path("labels"), names);
        return label.isEmpty() ? firstOf(meta.path("annotations"), names) : label;
    }

    static String firstOf(JsonNode values, List<String> names) {
        return names.stream()
                .map(name -> values.path(name).asText())
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }
}
