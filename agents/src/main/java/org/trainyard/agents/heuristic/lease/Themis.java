package org.trainyard.agents.heuristic.lease;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.BestFit;
import org.trainyard.env.scheduling.queue.DecisionPlan;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Themis: GPUs are leased for 20 minutes; free GPUs and GPUs of expired leases are auctioned to the jobs with the worst finish-time
 * fairness.
 *
 * <p>The ratio of a job is (time since submission + predicted remaining time) / (predicted run time x max(1, GPUs x present jobs / GPUs of
 * the cluster)). The fifth of pending jobs and jobs with expired leases that has the worst ratios bids; among these the job with the
 * largest gain per GPU from a lease, in the logarithm of its ratio, wins first; then the others by ratio, the worst first. A job that wins
 * its own GPUs stays on them.
 *
 * <p>Source: K. Mahajan, A. Balasubramanian, A. Singhvi, S. Venkataraman, A. Akella, A. Phanishayee, S. Chawla: Themis: fair and efficient
 * GPU cluster scheduling, NSDI 2020 (known second-hand). Needs predictions. Our deviations: (1) gangs are placed whole, so a bid is one
 * number instead of a table of allocations, and the auction is greedy instead of the allocation of greatest Nash welfare, without its
 * hidden payments; (2) jobs are their own applications and bid truthfully; (3) the equal share is the present one, not averaged over a
 * job's life; (4) placement is best-fit and does not enter the bid; (5) an expired lease without other bids is renewed; (6) GPUs left over
 * go to any job that fits, by submission. O(n log n) per event with GPUs to offer.
 */
public final class Themis implements Scheduler {
    /** The lease of the paper. */
    private static final long LEASE_NANOS = 1_200_000_000_000L;
    /** Fraction of the bidders excluded from the auction: the fairness knob f, 0.8 in the paper. */
    private static final double FAIRNESS_KNOB = 0.8;

    private final BestFit placer = new BestFit();
    private final DecisionPlan plan = new DecisionPlan(placer);
    /** Starts jobs on GPUs that the auction left over, in order of submission. */
    private final WaitingJobs backfill = new WaitingJobs((view, job) -> job);

    private final IntArrayList bidders = new IntArrayList();
    private long[] leaseEndNanos = new long[0];
    private double[] ratio = new double[0];
    private double[] gain = new double[0];
    private int journalRead;
    private long nextEndNanos;

    @Override
    public Decision decide(SimView view) {
        follow(view);
        @Nullable Decision decision = plan.decide(view, this::plan);
        if (decision != null) {
            return decision;
        }
        backfill.update(view);
        decision = backfill.startFirstThatFits(view, placer);
        if (!(decision instanceof Decision.Wait)) {
            return decision;
        }
        return nextEndNanos == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(nextEndNanos);
    }

    /** Follows the journal: a lease begins with every start, whichever scheduler decided it. */
    private void follow(SimView view) {
        if (leaseEndNanos.length < view.arrived()) {
            leaseEndNanos = Arrays.copyOf(leaseEndNanos, 2 * view.arrived());
            ratio = new double[leaseEndNanos.length];
            gain = new double[leaseEndNanos.length];
        }
        for (; journalRead < view.journalSize(); journalRead++) {
            switch (view.journalKind(journalRead)) {
                case START, RESIZE -> {
                    int job = view.journalJob(journalRead);
                    leaseEndNanos[job] = view.nowNanos() + LEASE_NANOS;
                    nextEndNanos = Math.min(nextEndNanos, leaseEndNanos[job]);
                }
                case ARRIVE, PREEMPT, FINISH, FORWARD, KILL, DOWN, UP, REJECT, FREEZE, HOST_CPU, HOST_MEMORY -> {}
            }
        }
    }

    private void plan(SimView view) {
        bidders.clear();
        int onOffer = view.cluster().free();
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            if (leaseEndNanos[job] <= view.nowNanos()) {
                bidders.add(job);
                onOffer += view.placement(job).gpuCount();
            }
        }
        for (int job = view.firstWaiting(); job != SimView.NONE && onOffer > 0; job = view.nextWaiting(job)) {
            int gpus = view.job(job).gpus();
            if (gpus <= onOffer && view.isWithinQuota(job, gpus)) {
                bidders.add(job);
            }
        }
        if (!bidders.isEmpty()) {
            auction(view, onOffer);
        }
        findNextEnd(view);
    }

    private void auction(SimView view, int onOffer) {
        int jobs = view.waitingCount() + view.runningCount();
        for (int i = 0; i < bidders.size(); i++) {
            value(view, bidders.getInt(i), jobs);
        }
        int[] order = bidders.toIntArray();
        IntArrays.mergeSort(order, (a, b) -> byRatio(a, b));
        int inAuction = (int) Math.ceil((1 - FAIRNESS_KNOB) * order.length);
        IntArrays.mergeSort(order, 0, inAuction, (a, b) -> {
            int byGain = Double.compare(gain[b], gain[a]);
            return byGain != 0 ? byGain : byRatio(a, b);
        });
        int left = onOffer;
        for (int job : order) {
            boolean runs = view.state(job) == JobState.RUNNING;
            int gpus = runs ? view.placement(job).gpuCount() : view.job(job).gpus();
            boolean wins = gpus <= left;
            left -= wins ? gpus : 0;
            if (runs && wins) {
                leaseEndNanos[job] = view.nowNanos() + LEASE_NANOS;
            } else if (runs) {
                plan.preempt(job);
            } else if (wins) {
                plan.start(job);
            }
        }
    }

    private int byRatio(int a, int b) {
        int byRatio = Double.compare(ratio[b], ratio[a]);
        return byRatio != 0 ? byRatio : Integer.compare(a, b);
    }

    private void value(SimView view, int job, int jobs) {
        int gpus = Math.max(1, view.job(job).gpus());
        double stretch =
                Math.max(1, (double) gpus * jobs / Math.max(1, view.topology().gpus()));
        double sharedSeconds =
                (view.nowNanos() - view.job(job).submitNanos()) / 1e9 + view.predictedRemainingSeconds(job);
        ratio[job] = sharedSeconds / (view.predictedSeconds(job) * stretch);
        gain[job] = Math.log1p(LEASE_NANOS / 1e9 / sharedSeconds) / gpus;
    }

    private void findNextEnd(SimView view) {
        nextEndNanos = Long.MAX_VALUE;
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            if (leaseEndNanos[job] > view.nowNanos()) {
                nextEndNanos = Math.min(nextEndNanos, leaseEndNanos[job]);
            }
        }
    }
}
