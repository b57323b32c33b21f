package org.trainyard.agents.heuristic.slurm;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SchedulerParameters;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;

/**
 * A run of the main scheduler: it goes down the queue and starts jobs that fit; the first job of a partition that does
 * not fit closes the partition and takes the partition's nodes away for the rest of the run.
 */
public final class MainCycle {
    /** Seconds for which a job that preempted waits for its victims before it preempts again, beside KillWait. */
    private static final long MESSAGE_TIMEOUT = 10;

    /**
     * Outcome of a job; one that would not fit on the idle nodes either that reservations, drained nodes and closed
     * partitions leave closes no partition.
     */
    private enum Outcome {
        STARTED,
        BUSY,
        UNAVAILABLE
    }

    private final SlurmState state;
    private final Preemption preemption;
    private final CycleListener listener;
    private final boolean[] overlap = new boolean[1];
    private long cycles;

    public MainCycle(SlurmState state, CycleListener listener) {
        this.state = state;
        this.listener = listener;
        preemption = new Preemption(state);
    }

    /** Runs at a second; over the whole queue or over its first jobs only. */
    public void run(long second, boolean full) {
        cycles++;
        SchedulerParameters parameters = state.cluster().parameters();
        BitSet left = (BitSet) state.available.clone();
        Set<Object> closed = new HashSet<>();
        int[] ofPartition = new int[state.cluster().partitions().size()];
        Rejected rejected = new Rejected();
        int depth = 0;
        int starts = 0;
        for (Iterator<SlurmQueue.Entry> queue = state.queue(second); !left.isEmpty() && queue.hasNext(); ) {
            SlurmQueue.Entry entry = queue.next();
            SlurmJob job = entry.job();
            SlurmPartition partition = entry.partition();
            while (job != null) {
                if (job.state != SlurmJob.State.PENDING
                        || job.preemptedCycle == cycles
                        || rejected.passes(job, partition)) {
                    break;
                }
                if (parameters.partitionDepth() > 0
                        && ofPartition[partition.index()]++ >= parameters.partitionDepth()) {
                    break;
                }
                if ((!full && depth++ > parameters.queueDepth())
                        || (parameters.maxStartsPerRun() > 0 && starts >= parameters.maxStartsPerRun())) {
                    return;
                }
                String reservation = job.request().reservation();
                Object gate = reservation == null ? partition : reservation;
                if (closed.contains(gate)) {
                    break;
                }
                if (!state.limits.licensed(job)) {
                    break;
                }
                if (!state.limits.allow(job, partition)) {
                    if (parameters.limitStop()) {
                        close(gate, partition, left, closed);
                    }
                    break;
                }
                boolean shared = job.sharesPlace();
                Outcome outcome = start(job, partition, left, second);
                if (outcome == Outcome.BUSY && blocks(job, second)) {
                    close(gate, partition, left, closed);
                }
                if (outcome != Outcome.STARTED) {
                    break;
                }
                starts++;
                rejected.clear();
                job = shared ? nextTask(job) : null;
            }
        }
    }

    static @Nullable SlurmJob nextTask(SlurmJob started) {
        return started.array == null ? null : started.array.next();
    }

    private static void close(Object gate, SlurmPartition partition, BitSet left, Set<Object> closed) {
        closed.add(gate);
        if (gate == partition) {
            left.andNot(partition.nodes());
        }
    }

    private boolean blocks(SlurmJob job, long second) {
        SchedulerParameters parameters = state.cluster().parameters();
        return job.priority() >= parameters.minPriorityReserve()
                && second - job.beginSecond >= parameters.minAgeReserve();
    }

    private Outcome start(SlurmJob job, SlurmPartition partition, BitSet left, long second) {
        BitSet all = (BitSet) left.clone();
        all.and(partition.nodes());
        if (all.cardinality() < job.nodes()) {
            return Outcome.BUSY;
        }
        BitSet nodes = state.reservations.leave(job, second, job.limitSeconds(partition), overlap);
        if (nodes == null) {
            return Outcome.UNAVAILABLE;
        }
        nodes.and(all);
        if (nodes.cardinality() < job.nodes() && !nodes.intersects(state.completing)) {
            return Outcome.UNAVAILABLE;
        }
        if (nodes.cardinality() >= job.nodes() && !state.empty.wouldFit(job, partition, nodes)) {
            return Outcome.UNAVAILABLE;
        }
        return startAmong(job, partition, nodes, second, false) ? Outcome.STARTED : Outcome.BUSY;
    }

    /**
     * Starts a job on some nodes of its partition that are neither full nor being cleaned up, or makes others give way;
     * shared with the backfill loop.
     */
    boolean startAmong(SlurmJob job, SlurmPartition partition, BitSet among, long second, boolean backfilled) {
        BitSet nodes = (BitSet) among.clone();
        nodes.andNot(state.completing);
        BitSet chosen = state.free.choose(job, partition, nodes);
        if (chosen != null) {
            state.start(job, partition, chosen, second);
            listener.started(job, backfilled);
            return true;
        }
        List<SlurmJob> candidates = preemption.candidates(job, partition, second);
        if (candidates.isEmpty()) {
            return false;
        }
        List<SlurmJob> victims = preemption.victims(job, partition, nodes, candidates);
        boolean waits = job.preemptedSecond != 0
                && job.preemptedSecond > second - state.cluster().killWait() - MESSAGE_TIMEOUT;
        if (victims != null && !waits) {
            job.preemptedSecond = second;
            job.preemptedCycle = cycles;
            for (SlurmJob victim : victims) {
                listener.preempted(victim, job);
                state.preempt(victim, second);
            }
        }
        return false;
    }

    Preemption preemption() {
        return preemption;
    }
}
