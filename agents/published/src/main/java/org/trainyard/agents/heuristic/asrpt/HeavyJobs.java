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
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;

/** Classifies jobs as communication-heavy, and computes their predicted work. */
final class HeavyJobs {
    private static final double LONGEST_SECONDS = 1e9;

    private final SpreadCost cost;
    private final double heaviness;
    private final StagedJob.Source shapes;

    /**
     * @param heaviness least ratio of the iteration time with all GPUs on different servers to that on the best
     *     placement
     * @param shapes stages and replicas of the jobs
     */
    HeavyJobs(Topology topology, double heaviness, StagedJob.Source shapes) {
        cost = new SpreadCost(IterationTime.of(topology));
        this.heaviness = heaviness;
        this.shapes = shapes;
    }

    /** Shapes of data-parallel jobs and pipelines, on GPUs of the cluster's widest servers. */
    static StagedJob.Source planned(Topology topology) {
        return new PlannedStages(topology, IterationTime.typicalServer(topology).gpuType());
    }

    boolean contains(JobSpec job) {
        return job.gpus() > 1 && cost.of(shapes.of(job)).ratio() >= heaviness;
    }

    /** Predicted run time on the best placement times the GPUs, or parts of GPUs, that the job demands. */
    static double predictedGpuSeconds(SimView view, int job) {
        Demand demand = view.job(job).demand();
        return view.predictedSeconds(job) * demand.gpus() * demand.gpuMilli() / Demand.WHOLE;
    }

    /** Whole nanoseconds, at most about thirty years. */
    static long nanos(double seconds) {
        return Math.round(1e9 * Math.min(seconds, LONGEST_SECONDS));
    }

    /**
     * Stages and replicas of jobs: those of a pipeline's planner on the job's best placement; any other job is one
     * stage with as many replicas as GPUs.
     *
     * <p>Ours. Plans are made once for each plan and number of GPUs.
     */
    private static final class PlannedStages implements StagedJob.Source {
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
                return known.computeIfAbsent(
                        new Request(pipeline, job.gpus()), request -> staged(pipeline, job.gpus()));
            }
            return StagedJob.dataParallel(job, type);
        }

        private StagedJob staged(Pipeline pipeline, int gpus) {
            LayerProfile profile = pipeline.profile().coarsened(Planned.MOST_LAYERS);
            Placement best = ideal.candidates(gpus).get(0);
            int microBatches = pipeline.microBatches();
            PipelinePlan plan =
                    pipeline.planner().planner().plan(profile, DeviceGraph.of(topology, best), microBatches);
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
}
