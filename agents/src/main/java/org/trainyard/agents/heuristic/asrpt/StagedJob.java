package org.trainyard.agents.heuristic.asrpt;

import java.util.List;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.JobSpec;

/**
 * How a job is parallel: pipeline stages, each with its replicas. Replicas are numbered through, stage by stage.
 *
 * @param stages in the order of the pipeline, at least one
 */
public record StagedJob(List<Stage> stages) {
    public StagedJob {
        stages = List.copyOf(stages);
        if (stages.isEmpty()) {
            throw new IllegalArgumentException("a job has at least one stage");
        }
    }

    /** Tells how a job is parallel. */
    @FunctionalInterface
    public interface Source {
        StagedJob of(JobSpec job);
    }

    /** A job whose GPUs all hold the whole model: one stage with as many replicas as GPUs. Of a job without GPUs, one replica. */
    public static StagedJob dataParallel(JobSpec job, GpuType type) {
        int replicas = Math.max(1, job.gpus());
        return new StagedJob(List.of(new Stage(
                replicas, job.model().computeSecondsOn(type), 0, job.model().gradientBytes())));
    }

    /** Replicas of all stages, a GPU each. */
    public int gpus() {
        int sum = 0;
        for (Stage stage : stages) {
            sum += stage.replicas();
        }
        return sum;
    }
}
