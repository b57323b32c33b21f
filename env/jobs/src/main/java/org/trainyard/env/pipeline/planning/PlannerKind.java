package org.trainyard.env.pipeline.planning;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The planners by name. */
public enum PlannerKind {
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

    /** The name in traces and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The planner of a name, or null. */
    public static @Nullable PlannerKind parse(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElse(null);
    }
}
