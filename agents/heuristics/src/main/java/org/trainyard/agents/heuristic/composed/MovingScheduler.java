package org.trainyard.agents.heuristic.composed;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.gpusets.GpuRule;
import org.trainyard.env.scheduling.migration.JobMoves;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.preemption.PreemptionCharge;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * A scheduler with moves of running jobs beside it: whenever it would wait, the job that loses most time where it is
 * restarts where it runs faster ({@link JobMoves}), if that saves enough time. The learning agents bid for the same
 * moves. Ours.
 */
public final class MovingScheduler implements Scheduler {
    private static final int TRIED = 6;
    private static final int SETS = 8;

    private final Scheduler other;
    private final JobMoves moves;
    private final GangCandidates sets;
    private final double leastSeconds;
    private final PreemptionCharge charge;
    private @Nullable PlacementBuilder builder;
    private Decision.@Nullable Start restart;

    /**
     * @param belief the interference model of the scheduler, not that of the simulator
     * @param leastMinutes least time that a move must save
     * @param rule which GPUs of a server a gang takes
     * @param charge factor on restart and lost work, which a move must save beside the least time
     */
    public MovingScheduler(
            Scheduler other,
            Topology topology,
            InterferenceModel belief,
            double leastMinutes,
            GpuRule rule,
            double charge) {
        this.charge = new PreemptionCharge(charge);
        this.other = other;
        sets = new GangCandidates(topology, belief, SETS, rule);
        moves = new JobMoves(topology, belief, ResidualTimeFloor.RANK, TRIED, sets.choice());
        leastSeconds = 60 * leastMinutes;
    }

    @Override
    public Decision decide(SimView view) {
        Decision planned = restart;
        restart = null;
        if (planned != null) {
            return planned;
        }
        Decision decision = other.decide(view);
        if (decision instanceof Decision.Wait) {
            int found = moves.find(view);
            for (int i = 0; i < found; i++) {
                int job = moves.job(i);
                int set = moves.betterSet(view, job, sets, leastSeconds + charge.seconds(view, job));
                if (set != SimView.NONE) {
                    moves.move(view, job);
                    restart = new Decision.Start(job, placement(view, set));
                    return new Decision.Preempt(job);
                }
            }
        }
        return decision;
    }

    private Placement placement(SimView view, int set) {
        PlacementBuilder known = builder;
        if (known == null) {
            known = new PlacementBuilder(view.topology(), view.cluster());
            builder = known;
        }
        return sets.placement(set, known);
    }
}
