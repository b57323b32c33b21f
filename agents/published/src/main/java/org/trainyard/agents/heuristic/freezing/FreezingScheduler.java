package org.trainyard.agents.heuristic.freezing;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.freezing.FreezingProfile;

/**
 * A freeze rule beside any scheduler: on every whole minute, once the scheduler has nothing more to decide, each
 * running job that allows it freezes the layers that the rule says.
 *
 * <p>The scheduler is asked on these minutes too. O(running jobs) a minute.
 */
final class FreezingScheduler implements Scheduler {
    private static final long ROUND_NANOS = 60_000_000_000L;

    private final Scheduler placing;
    private final FreezeRule rule;
    private final Queue<Decision> freezes = new ArrayDeque<>();
    private long nextRoundNanos;
    /** The wait of the scheduler, to be handed on after the freezes. */
    private Decision.@Nullable Wait held;

    FreezingScheduler(Scheduler placing, FreezeRule rule) {
        this.placing = placing;
        this.rule = rule;
    }

    @Override
    public Decision decide(SimView view) {
        if (held == null) {
            Decision decision = placing.decide(view);
            if (!(decision instanceof Decision.Wait wait)) {
                return decision;
            }
            if (view.nowNanos() >= nextRoundNanos) {
                nextRoundNanos = (view.nowNanos() / ROUND_NANOS + 1) * ROUND_NANOS;
                plan(view);
            }
            held = wait;
        }
        Decision freeze = freezes.poll();
        if (freeze != null) {
            return freeze;
        }
        Decision.Wait wait = held;
        held = null;
        return someAllowFreezing(view) && wait.untilNanos() > nextRoundNanos
                ? Decision.waitUntil(nextRoundNanos)
                : wait;
    }

    private void plan(SimView view) {
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            FreezingProfile freezing = view.submitted(job).model().of(FreezingProfile.class);
            if (freezing != null) {
                int layers = freezing.wholeBlocks(rule.layers(view, job, freezing));
                int now = view.frozenLayers(job);
                if (layers > now || (layers < now && view.canThaw(job))) {
                    freezes.add(new Decision.Freeze(job, layers));
                }
            }
        }
    }

    private static boolean someAllowFreezing(SimView view) {
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            if (view.submitted(job).model().of(FreezingProfile.class) != null) {
                return true;
            }
        }
        return false;
    }
}
