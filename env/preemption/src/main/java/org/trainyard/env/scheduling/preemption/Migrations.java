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

/** Carries out {@link PreemptionPlan}s: preempts the victims and chooses where the migrated ones start again. */
final class Migrations {
    /** The most servers that are considered as migration targets, for each number of free GPUs. */
    private static final int TARGETS_PER_FREE = 8;
    /**
     * A target server with all but one GPU left free costs as much as this slowdown: room for gangs shall stay
     * together.
     */
    private static final double LEFTOVER = 1.0 / 4;

    private Migrations() {}

    /**
     * Preempts the victims of a plan and starts the migrated ones again: on their targets, or with a preview each on
     * the server of least {@link PlacementPreview#costOn} among a few servers of each number of free GPUs.
     *
     * @param builder an empty builder; it is left empty
     */
    static void carryOut(
            SimView view,
            PreemptionPlan plan,
            @Nullable PlacementPreview preview,
            PlacementBuilder builder,
            DecisionSink decisions) {
        // Placements are built before the first preemption: the sink may apply decisions at once or later, with the
        // same GPUs.
        List<@Nullable Placement> targets = new ArrayList<>();
        for (int v = 0; v < plan.size(); v++) {
            if (preview != null && plan.target(v) != SimView.NONE) {
                plan.setTarget(v, cheapestTarget(view, plan, v, preview));
            }
            targets.add(
                    plan.target(v) == SimView.NONE ? null : placement(view, plan.victim(v), plan.target(v), builder));
        }
        for (int v = 0; v < plan.size(); v++) {
            decisions.preempt(plan.victim(v));
        }
        for (int v = 0; v < plan.size(); v++) {
            Placement there = targets.get(v);
            if (there != null) {
                decisions.start(plan.victim(v), there);
            }
        }
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

    private static int cheapestTarget(SimView view, PreemptionPlan plan, int v, PlacementPreview preview) {
        int job = plan.victim(v);
        int server = view.placement(job).server(0);
        int cheapest = plan.target(v);
        double leastThere = preview.costOn(view, job, cheapest, LEFTOVER);
        int widest = view.topology().widestServer();
        FreeGpuIndex free = view.cluster().byFreeGpus();
        for (int freeThere = view.job(job).gpus(); freeThere <= widest; freeThere++) {
            int target = free.next(freeThere, 0);
            for (int i = 0; i < TARGETS_PER_FREE && target != SimView.NONE; i++) {
                boolean isLeftAlone = target != server && !plan.servers.contains(target) && !plan.isTarget(target);
                double cost = isLeftAlone ? preview.costOn(view, job, target, LEFTOVER) : Double.POSITIVE_INFINITY;
                if (cost < leastThere) {
                    leastThere = cost;
                    cheapest = target;
                }
                target = free.next(freeThere, target + 1);
            }
        }
        return cheapest;
    }
}
