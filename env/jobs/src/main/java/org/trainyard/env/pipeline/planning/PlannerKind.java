package org.trainyard.env.pipeline.planning;

import org.trainyard.env.Labelled;

/** The planners by name. */
public enum PlannerKind implements Labelled {
    SPP,
    DAPPLE,
    PIPEDREAM,
    GPIPE,
    HETPIPE,
    DP;

    public PipelinePlanner planner() {
        return switch (this) {
            case SPP -> new SppPlanner();
            case DAPPLE -> new DapplePlanner();
            case PIPEDREAM -> new PipeDreamPlanner();
            case GPIPE -> new GPipePlanner();
            case HETPIPE -> new HetPipePlanner();
            case DP -> new DataParallelPlanner();
        };
    }
}
