package org.trainyard.agents.heuristic.provisioning;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Decisions about host CPU and memory beside any scheduler: while jobs wait, running jobs first go back to no more
 * than they asked for, then the scheduler places jobs among them, and last the rule divides what is left.
 *
 * <p>So the scheduler sees the free cores and memory of a cluster without extra grants. Changes are free, so that
 * going back costs nothing.
 */
final class ProvisioningScheduler implements Scheduler {
    private final Scheduler placing;
    private final CoreAllocation allocation;
    private final boolean extendsJobs;
    private final Queue<Decision> changes = new ArrayDeque<>();
    /** Whether running jobs have gone back at this instant. */
    private boolean isRoomMade;
    /** The wait of the scheduler, to be handed on after the changes. */
    private Decision.@Nullable Wait held;

    /** @param extendsJobs whether jobs may get more than they asked for */
    ProvisioningScheduler(Scheduler placing, CoreAllocation allocation, boolean extendsJobs) {
        this.placing = placing;
        this.allocation = allocation;
        this.extendsJobs = extendsJobs;
    }

    @Override
    public Decision decide(SimView view) {
        if (held == null && changes.isEmpty() && !isRoomMade) {
            isRoomMade = true;
            if (view.waitingCount() > 0) {
                changes.addAll(allocation.changes(view, false));
            }
        }
        if (held == null && changes.isEmpty()) {
            Decision decision = placing.decide(view);
            if (!(decision instanceof Decision.Wait wait)) {
                return decision;
            }
            held = wait;
            changes.addAll(allocation.changes(view, extendsJobs));
        }
        Decision change = changes.poll();
        if (change != null) {
            return change;
        }
        Decision.Wait wait = held;
        held = null;
        isRoomMade = false;
        return wait == null ? Decision.WAIT : wait;
    }
}
