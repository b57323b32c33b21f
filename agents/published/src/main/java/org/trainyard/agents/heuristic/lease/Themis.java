package org.trainyard.agents.heuristic.lease;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.queue.DecisionPlan;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Themis: GPUs are leased for 20 minutes; free GPUs and GPUs of expired leases are auctioned to the jobs with the worst
 * finish-time fairness.
 *
 * <p>The ratio of a job is (time since submission + predicted remaining time) / (predicted run time x max(1, GPUs x
 * present jobs / GPUs of the cluster)). The fifth of pending jobs and jobs with expired leases that has the worst
 * ratios bids; among these the job with the largest gain per GPU from a lease, in the logarithm of its ratio, wins
 * first; then the others by ratio, the worst first. A job that wins its own GPUs stays on them.
 *
 * <p>Source: K. Mahajan, A. Balasubramanian, A. Singhvi, S. Venkataraman, A. Akella, A. Phanishayee, S. Chawla: Themis:
 * fair and efficient GPU cluster scheduling, NSDI 2020 (known second-hand). Needs predictions. Our deviations: (1)
 * gangs are placed whole, so a bid is one number instead of a table of allocations, and the auction is greedy instead
 * of the allocation of greatest Nash welfare, without its hidden payments; (2) jobs are their own applications and bid
 * truthfully; (3) the equal share is the present one, not averaged over a job's life; (4) placement is best-fit and
 * does not enter the bid; (5) an expired lease without other bids is renewed; (6) GPUs left over go to any job that
 * fits, by submission. An event costs O(log n), and with GPUs to offer O(sqrt n) for each winner
 * ({@link FairnessAuction}).
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

    private final WaitingBids waiting = new WaitingBids();
    private final Leases leases = new Leases();
    /** Running jobs past their leases. */
    private final IntLinkedOpenHashSet expired = new IntLinkedOpenHashSet();

    private final FairnessAuction auction = new FairnessAuction(LEASE_NANOS / 1e9, 1 - FAIRNESS_KNOB);
    private final List<WaitingBids.Kind> fitting = new ArrayList<>();
    private final IntArrayList renewed = new IntArrayList();
    private int journalRead;

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
        long next = leases.nextEndNanos();
        return next == Leases.NO_LEASE ? Decision.WAIT : Decision.waitUntil(next);
    }

    /** Follows the journal: a lease begins with every start, whichever scheduler decided it. */
    private void follow(SimView view) {
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case START, RESIZE -> {
                    expired.remove(job);
                    leases.begin(job, view.nowNanos() + LEASE_NANOS);
                }
                case PREEMPT, KILL, FINISH, HOLD -> {
                    expired.remove(job);
                    leases.cancel(job);
                }
                case ARRIVE, FORWARD, DOWN, UP, REJECT, FREEZE, HOST_CPU, HOST_MEMORY, TIMEOUT -> {}
            }
        }
        for (int job = leases.nextOver(view.nowNanos()); job != SimView.NONE; job = leases.nextOver(view.nowNanos())) {
            expired.add(job);
        }
        waiting.update(view);
    }

    private void plan(SimView view) {
        int onOffer = view.cluster().free();
        for (IntIterator jobs = expired.iterator(); jobs.hasNext(); ) {
            onOffer += view.placement(jobs.nextInt()).gpuCount();
        }
        fitting.clear();
        if (onOffer > 0 && waiting.findFitting(view, onOffer, fitting)) {
            auction(view, onOffer);
        } else {
            renewed.addAll(expired);
        }
        for (int job : renewed) {
            expired.remove(job);
            leases.begin(job, view.nowNanos() + LEASE_NANOS);
        }
        renewed.clear();
    }

    private void auction(SimView view, int onOffer) {
        auction.begin(
                view.nowNanos(),
                view.waitingCount() + view.runningCount(),
                view.topology().gpus());
        for (IntIterator jobs = expired.iterator(); jobs.hasNext(); ) {
            int job = jobs.nextInt();
            BidTree bid = new BidTree();
            bid.add(view, job);
            auction.addHolder(bid, view.job(job).gpus(), view.placement(job).gpuCount());
        }
        fitting.forEach(auction::add);
        auction.sell(onOffer, winner -> {
            if (expired.contains(winner)) {
                renewed.add(winner);
            } else {
                plan.start(winner);
            }
        });
        auction.forLosers(plan::preempt);
    }
}
