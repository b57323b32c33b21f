package org.trainyard.env.workload.trace;

import java.util.List;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.trace.log.TraceFieldException;
import org.trainyard.env.workload.trace.log.TraceLimits;
import org.trainyard.env.workload.trace.log.TraceRow;

/**
 * Folds the pods of Kubernetes into jobs: pods of one namespace with the same {@code job} are a gang, every other pod is a job of its own. A pod holds its GPUs from the time when it
 * was scheduled to its end. Pods without GPUs, pods that never ran and pods that still run are left out and counted.
 */
final class PodGangs extends RowFolder {
    private int pods;

    PodGangs() {
        super("pods");
    }

    @Override
    void add(TraceRow row) {
        String pod = row.text("pod");
        int gpus = (int) row.whole("gpus", 0, TraceLimits.GPUS);
        if (gpus == 0) {
            leaveOut("without GPUs");
        } else if (!row.isKnown("scheduled")) {
            leaveOut("that never ran");
        } else if (!row.isKnown("finished")) {
            leaveOut("that still ran");
        } else {
            take(row, pod, gpus);
        }
    }

    private void take(TraceRow row, String pod, int gpus) {
        long created = row.clockNanos("created");
        long scheduled = row.clockNanos("scheduled");
        long finished = row.clockNanos("finished");
        if (scheduled < created) {
            throw new TraceFieldException("scheduled", row.text("scheduled"), "a time not before the column created");
        }
        if (finished < scheduled) {
            throw new TraceFieldException("finished", row.text("finished"), "a time not before the column scheduled");
        }
        String namespace = row.textOrNull("namespace");
        String name = row.textOr("job", pod);
        LoggedJob job = byId.computeIfAbsent(
                namespace == null ? name : namespace + "/" + name, id -> new LoggedJob(id, created));
        // Runs of one cron job or sweep differ in the number at the end of their names.
        job.describe(row.textOrNull("user"), name.replaceFirst("-\\d+$", ""), namespace);
        job.submittedBy(created);
        job.ran(scheduled, finished, gpus);
        String type = row.textOrNull("gpu_type");
        if (type != null) {
            job.asksFor(GpuType.nameIn(type));
        }
        pods++;
    }

    @Override
    List<String> remarks() {
        List<String> remarks = super.remarks();
        if (pods > byId.size()) {
            remarks.add("%,d pods are %,d jobs.".formatted(pods, byId.size()));
        }
        return remarks;
    }
}
