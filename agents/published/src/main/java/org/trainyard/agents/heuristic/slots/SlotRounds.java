package org.trainyard.agents.heuristic.slots;

import java.util.ArrayDeque;
import java.util.Deque;
import org.trainyard.agents.heuristic.elastic.AllocationMoves;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.agents.heuristic.elastic.UnplannedJobs;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Time-slotted scheduling: at the start of each slot a {@link SlotAllocator} decides who holds which GPUs, and
 * between slots nothing changes.
 *
 * <p>Slots begin at whole multiples of their length. When no job was there, the first one begins a slot at once.
 * {@link UnplannedJobs} start where they fit.
 */
public final class SlotRounds implements Scheduler {
    /** Length of a slot, seconds. */
    public static final long SLOT_SECONDS = 600;

    private static final long SLOT_NANOS = SLOT_SECONDS * 1_000_000_000L;

    private final SlotAllocator allocator;
    private final SlotJobs jobs = new SlotJobs();
    private final AllocationMoves moves = new AllocationMoves();
    private final UnplannedJobs unplanned = new UnplannedJobs(new BestFit());
    private final Deque<Integer> rejected = new ArrayDeque<>();
    private final SlotHosts hosts = new SlotHosts();
    private long nextSlotNanos;

    public SlotRounds(SlotAllocator allocator) {
        this.allocator = allocator;
    }

    @Override
    public Decision decide(SimView view) {
        jobs.update(view, job -> unplanned.arrive(view, job));
        if (view.nowNanos() >= nextSlotNanos && !jobs.noneIsLive()) {
            long slot = view.nowNanos() / SLOT_NANOS;
            nextSlotNanos = (slot + 1) * SLOT_NANOS;
            allocate(view, slot);
        }
        Integer next = rejected.poll();
        if (next != null) {
            return new Decision.Reject(next);
        }
        Decision less = hosts.nextLess(view);
        if (less != null) {
            return less;
        }
        Decision move = moves.next(view);
        if (move != null) {
            return move;
        }
        Decision more = hosts.nextMore(view);
        if (more != null) {
            return more;
        }
        Decision start = unplanned.start(view);
        if (start != null) {
            return start;
        }
        return jobs.noneIsLive() ? Decision.WAIT : Decision.waitUntil(nextSlotNanos);
    }

    private void allocate(SimView view, long slot) {
        SlotAllocation allocation = allocator.allocate(view, jobs, slot);
        jobs.endSlot();
        moves.clear();
        hosts.begin(view, allocation);
        for (int i = 0; i < allocation.size(); i++) {
            int job = allocation.job(i);
            GpusByServer gpus = allocation.gpus(i);
            if (gpus == null) {
                rejected.add(job);
            } else if (!gpus.areHeldBy(view, job)) {
                moves.add(job, gpus);
            }
        }
    }
}
