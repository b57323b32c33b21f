package org.trainyard.env.scheduling.preemption;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;

/** Where the victims of a {@link SharedRoomPlanner} migrate, and how its plans are carried out. */
public final class SharedMigration {
    private SharedMigration() {}

    /**
     * The server with the fewest free GPUs on which a job of a server has room, of those that a plan and what is
     * added to it leave alone; none when there is none.
     */
    static int target(SimView view, int job, int server, PreemptionPlan plan, PreemptionPlan onServer) {
        FreeGpuIndex index = view.cluster().byFreeGpus();
        Demand demand = view.job(job).demand();
        for (int free = demand.gpus(); free <= view.topology().widestServer(); free++) {
            int target = index.next(free, 0);
            while (target != SimView.NONE) {
                boolean isLeftAlone = target != server
                        && !plan.servers.contains(target)
                        && !plan.isTarget(target)
                        && !onServer.isTarget(target);
                if (isLeftAlone && view.cluster().room(demand, target) >= demand.gpus()) {
                    return target;
                }
                target = index.next(free, target + 1);
            }
        }
        return SimView.NONE;
    }

    /**
     * Preempts the victims of a plan and starts the migrated ones again, each on free GPUs of its target.
     *
     * @param builder an empty builder; it is left empty
     */
    public static void carryOut(SimView view, PreemptionPlan plan, PlacementBuilder builder, DecisionSink decisions) {
        // Placements are built before the first preemption: the sink may apply decisions at once or later, with the
        // same GPUs.
        List<@Nullable Placement> targets = new ArrayList<>();
        for (int v = 0; v < plan.size(); v++) {
            targets.add(
                    plan.target(v) == SimView.NONE ? null : placement(view, plan.victim(v), plan.target(v), builder));
        }
        plan.carryOut(targets, decisions);
    }

    private static Placement placement(SimView view, int job, int server, PlacementBuilder builder) {
        Demand demand = view.job(job).demand();
        if (demand.gpuMilli() < Demand.WHOLE) {
            int gpu = view.topology().firstGpu(server);
            while (view.cluster().owner(gpu) != Cluster.FREE) {
                gpu++;
            }
            return Placement.of(view.topology(), gpu);
        }
        builder.begin(demand);
        builder.take(server, demand.gpus());
        Placement placement = builder.build();
        builder.clear();
        return placement;
    }
}
