package org.trainyard.env.gym.auction;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.scheduling.placement.GangCandidates;
import org.trainyard.env.scheduling.placement.PlacementPreview;
import org.trainyard.env.scheduling.placement.ServersByFreeGpus;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.preemption.PreemptionPlanner;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;

/**
 * Collects the bids of all agents and carries out the one that wins: a decentralised auction in which an agent bids for the sets of servers that
 * begin in its domain, and the best bid of all acts.
 *
 * <p>At every moment the waiting jobs of shortest remaining time that can start or make room bid, each for the cheapest sets of
 * {@link GangCandidates}; one more bid is to wait. Auctions follow each other at the same instant until that one wins. Because a whole gang is
 * one bid, no bid comes to nothing. On an idle cluster on which a job can start, waiting is not on offer.
 */
public final class Auctioneer {
    /** At most so many jobs of an auction look for a preemption plan. */
    private static final int PLANNED_JOBS = 4;

    private final SimView view;
    private final AuctionSettings settings;
    private final Domains domains;
    private final RemainingTimeEstimator estimator = new RemainingTimeEstimator();
    private final WaitingJobs waiting = new WaitingJobs(estimator);
    private final GangCandidates sets;
    private final ClusterSummary summary;
    private final BidColumns columns;
    private final PatienceOptions options = new PatienceOptions();
    private final @Nullable PreemptionPlanner planner;
    private final PlacementBuilder builder;
    private final Auction auction = new Auction();
    private int rerankFrom = 1;
    private int position;
    private int planned;
    /** The job for which the last bid has made room. */
    private int newcomer = SimView.NONE;

    /**
     * @param view of the run that this auctioneer serves
     * @param belief the interference model of the agents, not that of the simulator
     */
    public Auctioneer(SimView view, AuctionSettings settings, Domains domains, InterferenceModel belief) {
        this.view = view;
        this.settings = settings;
        this.domains = domains;
        sets = new GangCandidates(view.topology(), belief, settings.sets());
        summary = new ClusterSummary(view.topology());
        columns = new BidColumns(view.topology(), settings, summary, sets);
        builder = new PlacementBuilder(view.topology(), view.cluster());
        planner = settings.preemption()
                ? new PreemptionPlanner(
                        view,
                        0,
                        view.topology().servers(),
                        estimator::seconds,
                        new PlacementPreview(view.topology(), belief),
                        new ServersByFreeGpus(view, 1, server -> 0))
                : null;
    }

    /** Opens an auction now; the result is overwritten by the next. It has one bid, to wait, when no job can start or make room. */
    public Auction open() {
        waiting.update(view);
        estimator.update(view, view.journalSize());
        if (estimator.finishedJobs() >= rerankFrom) {
            rerankFrom = estimator.finishedJobs() + 1 + estimator.finishedJobs() / 20;
            waiting.rerankAll(view);
        }
        summary.update(view);
        options.survey(view);
        auction.clear();
        position = 0;
        planned = 0;
        int wait = auction.add(BidKind.WAIT, -1, SimView.NONE, 0);
        int first = waiting.first();
        columns.begin(first == SimView.NONE ? 0 : estimator.seconds(view, first));
        columns.cluster(view, auction, wait, options.active());
        for (int job = first; job != SimView.NONE && position < settings.jobs(); job = waiting.first()) {
            bidFor(job);
        }
        return auction;
    }

    /** Whether waiting is legal in the auction that is open: not on an idle cluster on which a job can start. */
    public boolean mayWait() {
        return auction.size() == 1 || view.runningCount() > 0;
    }

    private void bidFor(int job) {
        int found = sets.find(view, job);
        boolean consolidates = false;
        for (int set = 0; set < found; set++) {
            consolidates |= sets.isConsolidated(view, job, set);
        }
        double remaining = estimator.seconds(view, job);
        PreemptionPlan plan = consolidates ? null : plan(job);
        if (found == 0 && plan == null) {
            waiting.refuse(view, job);
            return;
        }
        boolean isPatient = options.isPatient(view, job);
        int before = auction.size();
        for (int set = 0; set < found; set++) {
            if (!isPatient || sets.isConsolidated(view, job, set)) {
                int at = add(BidKind.START, sets.server(set, 0), job, set, remaining, consolidates);
                columns.set(view, auction, at, job, remaining, set);
            }
        }
        if (plan != null) {
            int at = add(BidKind.MAKE_ROOM, view.placement(plan.victim(0)).server(0), job, 0, remaining, false);
            columns.plan(view, auction, at, plan);
        }
        if (settings.patience() && found > 0 && !consolidates && !isPatient && view.runningCount() > 0) {
            for (int length = 0; length < PatienceOptions.LENGTHS.length; length++) {
                int at = add(BidKind.PATIENCE, sets.server(0, 0), job, length, remaining, false);
                columns.set(view, auction, at, job, remaining, 0);
                auction.set(at, PatienceOptions.COLUMNS.get(length), 1);
            }
        }
        position += auction.size() > before ? 1 : 0;
        waiting.passOver(view, job);
    }

    private @Nullable PreemptionPlan plan(int job) {
        if (planner == null || planned == PLANNED_JOBS || view.cluster().isShared()) {
            return null;
        }
        planned++;
        return planner.plan(job);
    }

    private int add(BidKind kind, int server, int job, int choice, double remainingSeconds, boolean consolidates) {
        int at = auction.add(kind, domains.domainOf(server), job, choice);
        columns.cluster(view, auction, at, options.active());
        columns.job(view, auction, at, job, remainingSeconds, position, consolidates);
        return at;
    }

    /** Carries out a bid of the auction that is open; nothing for the bid to wait. */
    public void win(int bid, DecisionSink decisions) {
        int job = auction.job(bid);
        switch (auction.kind(bid)) {
            case WAIT -> {}
            case START -> {
                sets.find(view, job);
                start(job, auction.choice(bid), decisions);
            }
            case MAKE_ROOM -> makeRoom(job, decisions);
            case PATIENCE -> options.give(view, job, auction.choice(bid), estimator.seconds(view, job));
        }
    }

    private void start(int job, int set, DecisionSink decisions) {
        options.end(job);
        decisions.start(job, sets.placement(set, builder));
    }

    private void makeRoom(int job, DecisionSink decisions) {
        PreemptionPlan plan = planner == null ? null : planner.plan(job);
        if (planner == null || plan == null) {
            throw new IllegalStateException("no plan makes room for job (%d)".formatted(job));
        }
        planner.carryOut(plan, builder, decisions);
        options.end(job);
        newcomer = job;
    }

    /**
     * Starts the job for which the last bid has made room, once its victims are gone: on the cheapest set that is consolidated. To be called
     * before the next auction.
     */
    public void settle(DecisionSink decisions) {
        int job = newcomer;
        newcomer = SimView.NONE;
        if (job == SimView.NONE) {
            return;
        }
        int found = sets.find(view, job);
        for (int set = 0; set < found; set++) {
            if (sets.isConsolidated(view, job, set)) {
                start(job, set, decisions);
                return;
            }
        }
        if (found > 0) {
            start(job, 0, decisions);
        }
    }

    /** The wait that ends this instant: until something happens, or until an option of patience ends. */
    public Decision untilNext() {
        return options.nextEndNanos() == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(options.nextEndNanos());
    }
}
