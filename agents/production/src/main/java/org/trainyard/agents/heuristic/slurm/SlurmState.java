package org.trainyard.agents.heuristic.slurm;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;

/** The state that Slurm's loops decide on: nodes, running jobs, pending jobs and reservations. */
public final class SlurmState {
    /** Seconds after which a requeued job may start again: a credential's life and one. */
    public static final long REQUEUE_DELAY = 121;

    private final SlurmCluster cluster;
    final FreeNodes free;
    private final long[] freeMask;
    /** Nodes that take jobs: neither down nor drained. */
    final BitSet available = new BitSet();
    /** Nodes on which an ended job is being cleaned up. */
    final BitSet completing = new BitSet();

    private final int[] beingCleaned;

    private final PendingJobs pending;
    final RunningJobs running = new RunningJobs();
    final Reservations reservations;
    final AccountingLimits limits;
    final EmptyCluster empty;
    /** Whether the world outside lets a running job be preempted. */
    Predicate<SlurmJob> mayPreempt = job -> true;

    public SlurmState(SlurmCluster cluster) {
        this.cluster = cluster;
        free = new FreeNodes(cluster);
        pending = new PendingJobs(cluster.preempts());
        reservations = new Reservations(available);
        limits = new AccountingLimits(cluster);
        freeMask = new long[cluster.nodes().size()];
        for (int node = 0; node < freeMask.length; node++) {
            int gpus = cluster.nodes().get(node).gpus();
            freeMask[node] = gpus >= 64 ? -1 : (1L << gpus) - 1;
        }
        for (int node = 0; node < freeMask.length; node++) {
            available.set(node, cluster.nodes().get(node).up());
        }
        empty = new EmptyCluster(cluster, limits);
        beingCleaned = new int[freeMask.length];
    }

    public SlurmCluster cluster() {
        return cluster;
    }

    SlurmJob job(SlurmJob.Request request, @Nullable String account, @Nullable SlurmArray array, long second) {
        return new SlurmJob(request, cluster.association(account, request.user()), account, array, second);
    }

    /** Why a job can never start; null where it can. */
    public @Nullable String refusal(SlurmJob.Request request, @Nullable String account) {
        return refusal(job(request, account, null, 0));
    }

    /** Why a job that is not submitted, or waits, can never start; null where it can. */
    @Nullable String refusal(SlurmJob job) {
        return empty.refusal(job);
    }

    /** Takes a job that is submitted; tasks of one array share an {@link SlurmArray}. */
    public SlurmJob submit(
            SlurmJob.Request request, @Nullable String account, @Nullable SlurmArray array, long second) {
        SlurmJob job = job(request, account, array, second);
        job.never = empty.never(job);
        pending.record(job);
        pending.age(job, request.reservation() == null ? second : -1);
        if (array != null) {
            array.add(job);
        }
        pending.add(job);
        return job;
    }

    /** Starts a pending job on nodes, on their free GPUs of lowest index; on all of them when it shares no node. */
    public void start(SlurmJob job, SlurmPartition in, BitSet nodes, long second) {
        int[] held = nodes.stream().toArray();
        long[] gpus = new long[held.length];
        for (int i = 0; i < held.length; i++) {
            long left = freeMask[held[i]];
            gpus[i] = job.request().exclusive() ? left : 0;
            for (int gpu = 0; gpu < job.request().gpusPerNode(); gpu++) {
                gpus[i] |= Long.lowestOneBit(left);
                left &= left - 1;
            }
        }
        startOn(job, in, held, gpus, second);
    }

    /** Starts a pending job on given GPUs of nodes, as far as they are free. */
    public void startOn(SlurmJob job, SlurmPartition in, int[] nodes, long[] gpus, long second) {
        require(job, SlurmJob.State.PENDING);
        job.partition = in;
        job.nodes = nodes;
        job.gpus = gpus;
        for (int i = 0; i < nodes.length; i++) {
            gpus[i] &= freeMask[nodes[i]];
            freeMask[nodes[i]] ^= gpus[i];
        }
        free.change(job, -1);
        job.state = SlurmJob.State.RUNNING;
        job.startSecond = second;
        job.countedSecond = second;
        job.endSecond = second + job.limitSeconds(in);
        job.preemptedSecond = 0;
        running.add(job);
        limits.hold(job, 1);
        boolean shared = pending.remove(job, true);
        if (job.array != null) {
            if (shared) {
                job.split = true;
                job.splitByStart = true;
            }
            job.array.count(1);
        }
    }

    /** Undoes the last start of a job. */
    public void undoStart(SlurmJob job) {
        release(job);
        job.state = SlurmJob.State.PENDING;
        pending.takeBack(job);
    }

    /** Confirms that a job which was started stays so. */
    public void settle(SlurmJob job) {
        job.splitByStart = false;
    }

    private void release(SlurmJob job) {
        require(job, SlurmJob.State.RUNNING);
        running.release(job);
        free.change(job, 1);
        for (int i = 0; i < job.nodes.length; i++) {
            freeMask[job.nodes[i]] |= job.gpus[i];
        }
        limits.hold(job, -1);
        if (job.array != null) {
            job.array.count(-1);
        }
    }

    /** Ends a running or pending job; its nodes and GPUs are free. */
    public void end(SlurmJob job) {
        if (job.state == SlurmJob.State.RUNNING) {
            release(job);
        } else if (job.state == SlurmJob.State.PENDING) {
            pending.remove(job, false);
        }
        job.state = SlurmJob.State.ENDED;
    }

    /**
     * Expects running jobs that outlive their time twice as long, and so on: only a limit that is a guess is outlived.
     */
    void expectLater(long second) {
        while (!running.isEmpty() && running.first().endSecond <= second) {
            SlurmJob job = running.first();
            running.release(job);
            job.endSecond = job.startSecond + 2 * Math.max(1, job.endSecond - job.startSecond);
            running.add(job);
        }
    }

    void preempt(SlurmJob job, long second) {
        completing(job.nodeSet(), true);
        if (cluster.cancels(job.request().qos())) {
            end(job);
        } else {
            requeue(job, second);
        }
    }

    /** Undoes that a job was preempted; its nodes and GPUs are free. */
    public void undoPreempt(SlurmJob job, long submitSecond, long beginSecond, long accrueSecond) {
        pending.remove(job, false);
        job.state = SlurmJob.State.RUNNING;
        job.submitSecond = submitSecond;
        job.beginSecond = beginSecond;
        job.accrueSecond = accrueSecond;
        running.add(job);
        free.change(job, -1);
        for (int i = 0; i < job.nodes.length; i++) {
            freeMask[job.nodes[i]] &= ~job.gpus[i];
        }
        limits.hold(job, 1);
        completing(job.nodeSet(), false);
        if (job.array != null) {
            job.array.count(1);
        }
    }

    /** Puts a running job back into the queue. */
    public void requeue(SlurmJob job, long second) {
        release(job);
        settle(job);
        job.state = SlurmJob.State.PENDING;
        job.submitSecond = second;
        job.beginSecond = second + REQUEUE_DELAY;
        pending.age(job, -1);
        pending.add(job);
    }

    /** Says that the nodes of a requeued job are clean; from then on its delay counts. */
    public void requeued(SlurmJob job, long second) {
        if (job.state == SlurmJob.State.PENDING) {
            job.beginSecond = second + REQUEUE_DELAY;
        }
    }

    /** Marks nodes of a job that has ended as completing, or, once for each time, as clean again. */
    public void completing(BitSet nodes, boolean are) {
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            beingCleaned[node] += are ? 1 : -1;
            completing.set(node, beingCleaned[node] > 0);
        }
    }

    /** Whether a node is being cleaned up for whose sake the loops do not run. */
    public boolean waitsForCleaning() {
        return cluster.completeWait() > 0 && !completing.isEmpty();
    }

    /**
     * The nodes on which a pending job would start now, were it alone in the queue and no node completing; null when it
     * does not fit.
     */
    public @Nullable BitSet choice(SlurmJob job, long second) {
        BitSet nodes = reservations.leave(job, second, job.limitSeconds(job.partition), new boolean[1]);
        if (nodes == null) {
            return null;
        }
        nodes.and(job.partition.nodes());
        return free.choose(job, job.partition, nodes);
    }

    /** Drains a node, or takes it back. */
    public void drain(int node, boolean drained) {
        available.set(node, !drained);
    }

    /** Adds a reservation. */
    public void reserve(SlurmReservation reservation) {
        reservations.add(reservation);
    }

    /** Sets or clears that a job is held by its user or the operator. */
    public void hold(SlurmJob job, boolean held, long second) {
        job.held = held;
        pending.age(job, held ? -1 : second);
    }

    /** Sets the second before which a job may not start. */
    public void beginAt(SlurmJob job, long second) {
        job.beginSecond = second;
        pending.age(job, -1);
    }

    /** Sets the priorities of a job in its partitions, or one for all of them. */
    public void prioritise(SlurmJob job, long... priorities) {
        if (job.state == SlurmJob.State.PENDING) {
            pending.prioritise(job, priorities);
        } else {
            job.prioritise(priorities);
        }
    }

    /** Sets how many jobs a job waits for. */
    public void waitFor(SlurmJob job, int others) {
        job.unmetDependencies = others;
        pending.age(job, others > 0 ? -1 : job.accrueSecond);
    }

    /** Says that one of the jobs that a job waits for has ended as it must. */
    public void met(SlurmJob job) {
        job.unmetDependencies--;
    }

    /** Begins to count the age of the pending jobs that may start at a second. */
    public void accrue(long second) {
        pending.accrue(second, job -> runnable(job, second));
    }

    /** The jobs that may start at a second, in order, for one run of a loop. */
    Iterator<SlurmQueue.Entry> queue(long second) {
        accrue(second);
        return pending.run(job -> runnable(job, second));
    }

    /** Sets the priorities of all pending jobs. */
    void prioritiseAll(Function<SlurmJob, long[]> priorities) {
        pending.prioritiseAll(priorities);
    }

    /** Whether a job may start at a second: it is due, not held, waits for no job, and its reservation is open. */
    boolean runnable(SlurmJob job, long second) {
        return job.runnable(second) && reservations.open(job.request().reservation(), second);
    }

    public Collection<SlurmJob> pending() {
        return pending.all();
    }

    public Collection<SlurmJob> running() {
        return Collections.unmodifiableCollection(running);
    }

    /** GPUs that no job holds. */
    public int freeGpus() {
        return Arrays.stream(free.gpus).sum();
    }

    private static void require(SlurmJob job, SlurmJob.State state) {
        if (job.state != state) {
            throw new IllegalStateException("job %s is %s, not %s".formatted(job, job.state, state));
        }
    }
}
