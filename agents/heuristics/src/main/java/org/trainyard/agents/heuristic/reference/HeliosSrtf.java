package org.trainyard.agents.heuristic.reference;

import it.unimi.dsi.fastutil.ints.Int2IntRBTreeMap;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntBidirectionalIterator;
import it.unimi.dsi.fastutil.ints.IntComparator;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.order.OracleRunTime;
import org.trainyard.agents.heuristic.queue.DecisionPlan;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * The {@code srtf} of the Helios simulator: jobs in order of remaining time share a quota of all GPUs, skipping jobs
 * that do not fit; running jobs outside the quota are preempted, and pending jobs inside it start where
 * {@code consolidate} finds a placement.
 *
 * <p>Ties go to pending jobs before running ones, then to the job that entered its list first. A preemption adds a
 * checkpoint to the remaining time.
 *
 * <p>Source: simulator of Q. Hu, P. Sun, S. Yan, Y. Wen, T. Zhang: Characterization and prediction of deep learning
 * workloads in large-scale GPU datacenters, SC 2021. Equal to it job by job in {@link SimulatorSettings#HELIOS_SRTF}
 * with predictions of an oracle. The simulator decides every second, this class only when a job arrives or ends, with
 * equal results: between such instants remaining times change only for running jobs, which then precede pending jobs
 * even more. A running job inside the quota takes nothing from others inside it, and outside the quota there are only
 * pending jobs. So the members of the quota stay the same, and a job without a placement still has none. O(running log
 * running + pending jobs skipped) per event.
 */
public final class HeliosSrtf implements Scheduler {
    private static final long SECOND = 1_000_000_000L;

    private final DecisionPlan plan;
    private final IntComparator order = this::compare;
    private final IntRBTreeSet waiting = new IntRBTreeSet(order);
    /** The number of pending jobs by GPU demand. */
    private final Int2IntRBTreeMap waitingByDemand = new Int2IntRBTreeMap();

    private long[] remainingNanos = new long[64];
    /** The sequence number with which a job entered its list. */
    private int[] entered = new int[64];

    private int[] running = new int[64];
    private int entries;
    private int journalRead;
    private int quota;

    public HeliosSrtf(HeliosConsolidate placer) {
        plan = new DecisionPlan(placer);
    }

    private int compare(int a, int b) {
        int byTime = Long.compare(remainingNanos[a], remainingNanos[b]);
        return byTime != 0 ? byTime : Integer.compare(entered[a], entered[b]);
    }

    @Override
    public Decision decide(SimView view) {
        @Nullable Decision decision = plan.decide(view, this::plan);
        return decision != null ? decision : Decision.WAIT;
    }

    private void plan(SimView view) {
        readJournal(view);
        int runners = listRunning(view);
        quota = view.topology().gpus();
        IntBidirectionalIterator waiters = waiting.iterator();
        int waiter = nextWaiter(view, waiters);
        for (int i = 0; i < runners; i++) {
            int runner = running[i];
            while (waiter != SimView.NONE && remainingNanos[waiter] <= remainingNanos[runner]) {
                admit(view, waiter);
                waiter = nextWaiter(view, waiters);
            }
            if (view.job(runner).gpus() <= quota) {
                quota -= view.job(runner).gpus();
            } else {
                plan.preempt(runner);
            }
        }
        for (; waiter != SimView.NONE; waiter = nextWaiter(view, waiters)) {
            admit(view, waiter);
        }
    }

    private void admit(SimView view, int waiter) {
        if (view.job(waiter).gpus() <= quota) {
            quota -= view.job(waiter).gpus();
            plan.start(waiter);
        }
    }

    /** The next pending job that fits in the quota, or {@link SimView#NONE}. */
    private int nextWaiter(SimView view, IntBidirectionalIterator waiters) {
        boolean isExhausted = waitingByDemand.isEmpty() || waitingByDemand.firstIntKey() > quota;
        while (!isExhausted && waiters.hasNext()) {
            int job = waiters.nextInt();
            if (view.job(job).gpus() <= quota) {
                return job;
            }
        }
        return SimView.NONE;
    }

    private int listRunning(SimView view) {
        if (running.length < view.runningCount()) {
            running = new int[2 * view.runningCount()];
        }
        int count = 0;
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            remainingNanos[job] = remaining(view, job);
            running[count++] = job;
        }
        IntArrays.quickSort(running, 0, count, order);
        return count;
    }

    /** The checkpoint that the simulator adds to the work of a preempted job of so many GPUs. */
    static long checkpointNanos(int gpus) {
        if (gpus == 1) {
            return 7 * SECOND;
        }
        return (gpus <= 8 ? 30 : 60) * SECOND;
    }

    private static long remaining(SimView view, int job) {
        long checkpoints = view.preemptions(job) * checkpointNanos(view.job(job).gpus());
        return OracleRunTime.remainingNanos(view, job) + checkpoints;
    }

    private void readJournal(SimView view) {
        if (view.arrived() > entered.length) {
            entered = Arrays.copyOf(entered, 2 * view.arrived());
            remainingNanos = Arrays.copyOf(remainingNanos, 2 * view.arrived());
        }
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case ARRIVE, PREEMPT, KILL -> enqueue(view, job);
                case START -> {
                    waiting.remove(job);
                    count(view, job, -1);
                    entered[job] = entries++;
                }
                case FINISH, FORWARD, RESIZE, DOWN, UP, REJECT, FREEZE, HOST_CPU, HOST_MEMORY, HOLD, TIMEOUT -> {}
            }
        }
    }

    private void enqueue(SimView view, int job) {
        remainingNanos[job] = remaining(view, job);
        entered[job] = entries++;
        waiting.add(job);
        count(view, job, 1);
    }

    private void count(SimView view, int job, int more) {
        int gpus = view.job(job).gpus();
        if (waitingByDemand.addTo(gpus, more) + more == 0) {
            waitingByDemand.remove(gpus);
        }
    }
}
