package org.trainyard.agents.heuristic.slots;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.AllocationMoves;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.agents.heuristic.elastic.UnplannedJobs;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.JobSpec;

/**
 * Time-slotted scheduling: at the start of each slot a {@link SlotAllocator} decides who holds which GPUs, and between
 * slots nothing changes.
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

    /**
     * The host CPU and memory of the jobs of a slot: before GPUs change hands, jobs that will move or hold less give
     * theirs back; after that jobs get what they shall hold.
     */
    private static final class SlotHosts {
        private record Share(int job, HostShare host) {}

        private final Deque<Integer> giving = new ArrayDeque<>();
        private final Deque<Share> getting = new ArrayDeque<>();

        /** Plans the changes to an allocation. O(jobs of the allocation). */
        void begin(SimView view, SlotAllocation allocation) {
            giving.clear();
            getting.clear();
            for (int i = 0; i < allocation.size(); i++) {
                int job = allocation.job(i);
                GpusByServer gpus = allocation.gpus(i);
                JobSpec asked = view.submitted(job);
                if (gpus == null || !asked.plan().usesHosts()) {
                    continue;
                }
                HostShare own = asked.demand().host();
                HostShare shall = own.times(1, allocation.perWorker(i), asked.gpus());
                boolean isRunning = view.state(job) == JobState.RUNNING;
                HostShare holds = isRunning ? view.job(job).demand().host() : HostShare.NONE;
                if (isRunning && holds.equals(shall) && gpus.areHeldBy(view, job)) {
                    continue;
                }
                if (isRunning && !holds.equals(own)) {
                    giving.add(job);
                }
                if (!shall.equals(own)) {
                    getting.add(new Share(job, shall));
                }
            }
        }

        /** The next job that gives its share of the hosts back, or null. */
        @Nullable Decision nextLess(SimView view) {
            Integer job = giving.poll();
            if (job == null) {
                return null;
            }
            Demand asked = view.submitted(job).demand();
            return new Decision.Provision(job, asked.cpuMilli(), asked.memoryMib());
        }

        /** The next job that gets a share of its hosts, or null; jobs that did not start get none. */
        @Nullable Decision nextMore(SimView view) {
            for (Share share = getting.poll(); share != null; share = getting.poll()) {
                Demand shall =
                        view.submitted(share.job).demand().withHost(share.host.cpuMilli(), share.host.memoryMib());
                if (view.state(share.job) == JobState.RUNNING && fits(view, share.job, shall)) {
                    return new Decision.Provision(share.job, shall.cpuMilli(), shall.memoryMib());
                }
            }
            return null;
        }

        /** Whether the servers of a running job have as much; it may be on others than it should. */
        private static boolean fits(SimView view, int job, Demand shall) {
            Placement placement = view.placement(job);
            Demand holds = view.job(job).demand();
            for (int i = 0; i < placement.serverCount(); i++) {
                int gpus = placement.gpusOn(i);
                int server = placement.server(i);
                if (shall.cpuMilliOf(gpus)
                                > holds.cpuMilliOf(gpus) + view.cluster().freeCpuMilli(server)
                        || shall.memoryMibOf(gpus)
                                > holds.memoryMibOf(gpus) + view.cluster().freeMemoryMib(server)) {
                    return false;
                }
            }
            return true;
        }
    }
}
