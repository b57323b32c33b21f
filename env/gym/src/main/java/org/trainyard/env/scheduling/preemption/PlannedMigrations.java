package org.trainyard.env.scheduling.preemption;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * Carries out the plans of a {@link PreemptionPlanner}: preempts the victims and chooses where the migrated ones
 * start again.
 */
final class PlannedMigrations {
    /** For each number of free GPUs, at most so many servers are considered as migration targets. */
    private static final int TARGETS_PER_FREE = 8;
    /**
     * A target server with all but one GPU left free costs as much as this slowdown: room for gangs shall stay
     * together.
     */
    private static final double LEFTOVER = 1.0 / 4;

    private final SimView view;
    private final PlacementPreview preview;
    private final List<@Nullable Placement> targets = new ArrayList<>();

    PlannedMigrations(SimView view, PlacementPreview preview) {
        this.view = view;
        this.preview = preview;
    }

    /**
     * Preempts the victims of a plan and starts the migrated ones again, each on the server of least
     * {@link PlacementPreview#costOn} among a few servers of each number of free GPUs.
     *
     * @param builder an empty builder; it is left empty
     */
    void carryOut(PreemptionPlan valid, PlacementBuilder builder, DecisionSink decisions) {
        // Placements are built before the first preemption: the sink may apply decisions at once or later, with the
        // same GPUs.
        targets.clear();
        for (int v = 0; v < valid.size(); v++) {
            targets.add(valid.target(v) == SimView.NONE ? null : buildTarget(valid, v, builder));
        }
        valid.carryOut(targets, decisions);
    }

    private Placement buildTarget(PreemptionPlan valid, int v, PlacementBuilder builder) {
        int job = valid.victim(v);
        int target = cheapestTarget(valid, job, valid.target(v));
        valid.setTarget(v, target);
        builder.take(target, view.job(job).gpus());
        return builder.build();
    }

    private int cheapestTarget(PreemptionPlan valid, int job, int tightest) {
        int server = view.placement(job).server(0);
        int cheapest = tightest;
        double leastThere = preview.costOn(view, job, tightest, LEFTOVER);
        int widest = view.topology().widestServer();
        FreeGpuIndex free = view.cluster().byFreeGpus();
        for (int freeThere = view.job(job).gpus(); freeThere <= widest; freeThere++) {
            int target = free.next(freeThere, 0);
            for (int i = 0; i < TARGETS_PER_FREE && target != SimView.NONE; i++) {
                double cost = isTarget(valid, target, server)
                        ? preview.costOn(view, job, target, LEFTOVER)
                        : Double.POSITIVE_INFINITY;
                if (cost < leastThere) {
                    leastThere = cost;
                    cheapest = target;
                }
                target = free.next(freeThere, target + 1);
            }
        }
        return cheapest;
    }

    /** Whether a job may migrate there: the plan neither clears that server nor migrates another job to it. */
    private static boolean isTarget(PreemptionPlan plan, int target, int server) {
        return target != server && !plan.servers.contains(target) && !plan.isTarget(target);
    }
}
