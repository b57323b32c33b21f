package org.trainyard.agents.heuristic.asrpt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.performance.IdealPlacement;
import org.trainyard.env.performance.planned.Pipeline;
import org.trainyard.env.performance.planned.Planned;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.planning.DeviceGraph;
import org.trainyard.env.pipeline.planning.PipelinePlan;
import org.trainyard.env.pipeline.planning.PipelineStage;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;

/**
 * Stages and replicas of jobs: those of a pipeline's planner on the job's best placement; any other job is one
 * stage with as many replicas as GPUs.
 *
 * <p>Ours. Plans are made once for each plan and number of GPUs.
 */
final class PlannedStages implements StagedJob.Source {
    private record Request(TrainingPlan plan, int gpus) {}

    private final Topology topology;
    private final GpuType type;
    private final IdealPlacement ideal;
    private final Map<Request, StagedJob> known = new HashMap<>();

    /** @param type of GPU for which the stages of data-parallel jobs are timed */
    PlannedStages(Topology topology, GpuType type) {
        this.topology = topology;
        this.type = type;
        ideal = new IdealPlacement(topology);
    }

    @Override
    public StagedJob of(JobSpec job) {
        if (job.plan() instanceof Pipeline pipeline && job.gpus() <= topology.gpus()) {
            return known.computeIfAbsent(new Request(pipeline, job.gpus()), request -> staged(pipeline, job.gpus()));
        }
        return StagedJob.dataParallel(job, type);
    }

    private StagedJob staged(Pipeline pipeline, int gpus) {
        LayerProfile profile = pipeline.profile().coarsened(Planned.MOST_LAYERS);
        Placement best = ideal.candidates(gpus).get(0);
        int microBatches = pipeline.microBatches();
        PipelinePlan plan = pipeline.planner().planner().plan(profile, DeviceGraph.of(topology, best), microBatches);
        List<Stage> stages = new ArrayList<>();
        for (PipelineStage stage : plan.layout().stages()) {
            stages.add(new Stage(
                    stage.replicas(),
                    microBatches
                            * profile.computeSeconds(stage.first(), stage.end())
                            / (stage.replicas() * type.speed()),
                    microBatches * profile.cutBytes(stage.end()),
                    profile.parameterBytes(stage.first(), stage.end())));
        }
        return new StagedJob(stages);
    }
}
