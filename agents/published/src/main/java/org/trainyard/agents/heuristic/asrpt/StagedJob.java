package org.trainyard.agents.heuristic.asrpt;

import java.util.List;
import org.trainyard.env.Invalid;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.JobSpec;

/**
 * The parallelism of a job: pipeline stages, each with its replicas. Replicas are numbered consecutively, stage by
 * stage.
 *
 * @param stages in the order of the pipeline, at least one
 */
record StagedJob(List<Stage> stages) {
    StagedJob {
        stages = List.copyOf(stages);
        Invalid.when(stages.isEmpty(), "a job has at least one stage");
    }

    /** Provides the parallelism of a job. */
    @FunctionalInterface
    interface Source {
        StagedJob of(JobSpec job);
    }

    /** A data-parallel job: one stage with as many replicas as GPUs, or one replica for a job without GPUs. */
    static StagedJob dataParallel(JobSpec job, GpuType type) {
        int replicas = Math.max(1, job.gpus());
        return new StagedJob(List.of(new Stage(
                replicas, job.model().computeSecondsOn(type), 0, job.model().gradientBytes())));
    }

    /** Replicas of all stages, a GPU each. */
    int gpus() {
        int sum = 0;
        for (Stage stage : stages) {
            sum += stage.replicas();
        }
        return sum;
    }
}
