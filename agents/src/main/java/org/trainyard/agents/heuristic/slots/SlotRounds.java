package org.trainyard.agents.heuristic.slots;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.AllocationMoves;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.agents.heuristic.elastic.UnplannedJobs;
import org.trainyard.env.scheduling.placement.BestFit;
import org.trainyard.env.scheduling.queue.LiveJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Time-slotted scheduling: at the start of each slot a {@link SlotAllocator} decides who holds which GPUs, and between slots nothing changes.
 *
 * <p>Slots begin at whole multiples of their length. When no job was there, the first one begins a slot at once. {@link UnplannedJobs} start where they fit.
 */
public final class SlotRounds implements Scheduler {
    /** Length of a slot, seconds. */
    public static final long SLOT_SECONDS = 600;

    private static final long SLOT_NANOS = SLOT_SECONDS * 1_000_000_000L;

    private final SlotAllocator allocator;
    private final LiveJobs live = new LiveJobs();
    private final AllocationMoves moves = new AllocationMoves();
    private final UnplannedJobs unplanned = new UnplannedJobs(new BestFit());
    private final Deque<Integer> rejected = new ArrayDeque<>();
    private long nextSlotNanos;

    public SlotRounds(SlotAllocator allocator) {
        this.allocator = allocator;
    }

    @Override
    public Decision decide(SimView view) {
        live.update(view, job -> unplanned.arrive(view, job));
        if (view.nowNanos() >= nextSlotNanos && !live.list.isEmpty()) {
            long slot = view.nowNanos() / SLOT_NANOS;
            nextSlotNanos = (slot + 1) * SLOT_NANOS;
            allocate(view, slot);
        }
        Integer next = rejected.poll();
        if (next != null) {
            return new Decision.Reject(next);
        }
        Decision move = moves.next(view);
        if (move != null) {
            return move;
        }
        Decision start = unplanned.start(view);
        if (start != null) {
            return start;
        }
        return live.list.isEmpty() ? Decision.WAIT : Decision.waitUntil(nextSlotNanos);
    }

    private void allocate(SimView view, long slot) {
        List<Integer> planned = new ArrayList<>();
        for (int i = 0; i < live.list.size(); i++) {
            if (view.job(live.list.getInt(i)).demand().isPlain()) {
                planned.add(live.list.getInt(i));
            }
        }
        List<@Nullable GpusByServer> rows = allocator.allocate(view, planned, slot);
        moves.clear();
        for (int i = 0; i < rows.size(); i++) {
            int job = planned.get(i);
            GpusByServer row = rows.get(i);
            if (row == null) {
                rejected.add(job);
            } else if (!row.areHeldBy(view, job)) {
                moves.add(job, row);
            }
        }
    }
}
