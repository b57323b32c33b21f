package org.trainyard.env.gym.auction;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.preemption.PreemptionPlanner;
import org.trainyard.env.scheduling.preemption.SharedMigration;
import org.trainyard.env.scheduling.preemption.SharedRoomPlanner;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;

/**
 * The planners that make room for a waiting job: one for every run of servers whose GPUs are equally fast, or a single
 * one where GPUs are shared. Their
 * plans keep to the fewest racks where those can be cleared.
 */
final class RoomPlanners {
    private final SimView view;
    private final List<PreemptionPlanner> planners = new ArrayList<>();
    private final SharedRoomPlanner shared;
    /** By planner, one of its servers. */
    private final int[] serverOf;

    private final GpuSpeeds speeds;
    private final PlacementBuilder builder;

    /**
     * @param belief the interference model of the agents
     * @param remaining what the lower of two jobs goes first by: estimated remaining time, seconds, or that times a
     *     power of the GPUs
     * @param builder an empty builder of the same cluster
     */
    RoomPlanners(SimView view, InterferenceModel belief, Rank remaining, PlacementBuilder builder) {
        this.view = view;
        this.builder = builder;
        shared = new SharedRoomPlanner(belief, remaining, true);
        Topology topology = view.topology();
        serverOf = new int[topology.servers()];
        speeds = new GpuSpeeds(topology);
        PlacementPreview preview = new PlacementPreview(topology, belief);
        int from = 0;
        for (int server = 1; server <= topology.servers(); server++) {
            if (server == topology.servers() || speeds.of(server) != speeds.of(from)) {
                serverOf[planners.size()] = from;
                planners.add(new PreemptionPlanner(view, from, server, remaining, preview, true));
                from = server;
            }
        }
    }

    /** Planners on a cluster. */
    static int count(Topology topology) {
        GpuSpeeds speeds = new GpuSpeeds(topology);
        int count = 1;
        for (int server = 1; server < topology.servers(); server++) {
            count += speeds.of(server) == speeds.of(server - 1) ? 0 : 1;
        }
        return count;
    }

    int count() {
        return view.cluster().isShared() ? 1 : planners.size();
    }

    /** Relative speed, for a model, of the GPUs on which a planner makes room. */
    double speed(int planner, ModelProfile model) {
        return speeds.of(serverOf[planner], model);
    }

    /** The plan for a waiting job; null when this planner has none that costs less than a limit. */
    @Nullable PreemptionPlan plan(int planner, int job, double limit) {
        return view.cluster().isShared()
                ? shared.plan(view, job)
                : planners.get(planner).plan(job, limit);
    }

    /**
     * Predicted slowdown of the waiting job where the last plan makes room beside another job, at least 1; 1 elsewhere.
     */
    double own() {
        return view.cluster().isShared() ? shared.own() : 1;
    }

    /** Predicted extra slowdown of the job beside it. */
    double harm() {
        return view.cluster().isShared() ? shared.harm() : 0;
    }

    /** The last plan, as it is until the next event: the planner of shared GPUs overwrites its own by the next. */
    PreemptionPlan kept(PreemptionPlan plan) {
        return view.cluster().isShared() ? plan.copy() : plan;
    }

    /** Preempts and migrates the victims of a plan; all planners choose targets of migrations alike. */
    void carryOut(PreemptionPlan plan, DecisionSink decisions) {
        if (view.cluster().isShared()) {
            SharedMigration.carryOut(view, plan, builder, decisions);
            return;
        }
        planners.get(0).carryOut(plan, builder, decisions);
    }
}
