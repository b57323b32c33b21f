package org.trainyard.env.gym.auction;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.domain.OtherDomains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.interruption.Interruptions;
import org.trainyard.env.scheduling.order.BoundedRank;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.order.RemainingTimeEstimator;
import org.trainyard.env.scheduling.order.WidthWeightedRank;
import org.trainyard.env.scheduling.pairs.ObservedPairs;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Collects the bids of all agents and carries out the one that wins: an auction in which an agent bids for the sets of
 * servers that begin in its domain, and the best bid of all acts.
 *
 * <p>At every moment the waiting jobs that are first by {@link RemainingTime} and can start or make room bid, each for
 * the cheapest sets of {@link GangCandidates}; running jobs that would run faster elsewhere bid to move there; one more
 * bid is to wait. Auctions follow each other at the same instant until that one wins. Because a whole gang is one bid,
 * no bid comes to nothing. On an idle cluster on which a job can start, waiting is not on offer.
 */
public final class Auctioneer {
    /** The most running jobs of an auction that look for a faster set. */
    private static final int MOVES_TRIED = 6;

    private final SimView view;
    private final RemainingTimeEstimator estimator;
    private final BiddingJobs jobs;
    private final BidSearches searches;
    private final ClusterSummary summary;
    /** The belief, where the agents correct it by what they measure. */
    private final @Nullable ObservedPairs observed;

    private final PlacementBuilder builder;
    private final Auction auction = new Auction();
    private final BidCollection bids;
    private final @Nullable ForwardBids forwards;
    private @Nullable ClusterGraph graph;
    private int rankings;
    /** The job for which the last bid has made room. */
    private int beneficiary = SimView.NONE;

    /** An auctioneer whose agents know the data centre as the run has it. */
    public Auctioneer(SimView view, AuctionSettings settings, Domains domains, InterferenceModel belief) {
        this(view, view.topology(), settings, domains, belief);
    }

    /**
     * @param view of the run that this auctioneer serves
     * @param topology as the agents believe it to be
     * @param belief the interference model of the agents, not that of the simulator
     */
    public Auctioneer(
            SimView view, Topology topology, AuctionSettings settings, Domains domains, InterferenceModel belief) {
        this(view, topology, settings, domains, belief, 1, null);
    }

    /**
     * The auctioneer of an agent that decides apart.
     *
     * @param fastest speed of the fastest GPUs of the view, relative to the fastest of the data centre
     * @param others to whose domains waiting jobs may be forwarded; null where none is
     */
    public Auctioneer(
            SimView view,
            Topology topology,
            AuctionSettings settings,
            Domains domains,
            InterferenceModel belief,
            double fastest,
            @Nullable OtherDomains others) {
        this.view = view;
        estimator = new RemainingTimeEstimator(settings.order().readsTimeLimit());
        Rank remaining = settings.order() == RemainingTime.PREDICTED ? SimView::predictedRemainingSeconds : estimator;
        double width = settings.order().width(view.cluster().isShared());
        Rank order = width == 0 ? remaining : new WidthWeightedRank((BoundedRank) remaining, width);
        jobs = new BiddingJobs(view, order, remaining, new WaitingJobs(order), new DelaySchedulingOptions());
        summary = new ClusterSummary(view.topology());
        builder = new PlacementBuilder(view.topology(), view.cluster());
        GangCandidates sets = new GangCandidates(topology, belief, settings.sets());
        Interruptions.Agents agents = new Interruptions.Agents(topology, belief, sets.choice());
        Interruptions running = settings.preemption() ? Interruptions.installed() : null;
        searches = new BidSearches(
                sets,
                running == null ? null : running.evictions(agents, view, order, builder),
                running == null ? null : running.migrations(agents, remaining, MOVES_TRIED));
        observed = belief instanceof ObservedPairs pairs ? pairs : null;
        BidColumns columns = new BidColumns(topology, settings, summary, sets, remaining, observed, fastest);
        BidSheet sheet = new BidSheet(auction, columns, domains);
        bids = new BidCollection(settings, jobs, searches, sheet);
        forwards = others == null ? null : new ForwardBids(settings, jobs, sheet, others);
    }

    /**
     * Refuses a demand for which agents cannot bid: without GPUs, for parts of several GPUs, in segments, or elastic.
     *
     * @param job how messages call the job
     * @param mayBePart whether a server of the cluster shares its GPUs; elsewhere agents bid for whole GPUs only
     * @throws InputException when it is such a demand
     */
    public static void requirePlaceable(String job, Demand demand, boolean mayBePart) {
        String other = (mayBePart && demand.gpus() == 1 ? demand.withGpuMilli(Demand.WHOLE) : demand).notFixedGpus();
        if (other != null) {
            throw InputException.at(
                    job,
                    other,
                    "%sa fixed number of whole GPUs, for agents place nothing else"
                            .formatted(mayBePart ? "a part of one GPU or " : ""));
        }
    }

    /** Has auctions from now on leave out bids that cannot win when this chooses. */
    public void leaveOutLosers(Chooser.ByScore chooser) {
        bids.leaveOut(chooser);
    }

    /**
     * Opens an auction now; the result is overwritten by the next. It has one bid, to wait, when no job can start or
     * make room.
     */
    public Auction open() {
        if (observed != null) {
            observed.update(view);
        }
        jobs.waiting().update(view);
        estimator.update(view, view.journalSize());
        if (estimator.isRenewalDue()) {
            jobs.waiting().rerankAll(view);
            rankings++;
        }
        summary.update(view);
        if (graph != null) {
            graph.update(view, summary);
        }
        jobs.options().survey(view);
        bids.collect();
        if (forwards != null) {
            forwards.collect(rankings);
        }
        if (graph != null) {
            graph.nameGpus(view, auction, builder);
        }
        return auction;
    }

    /** The data centre as a graph, at every auction that opens from now on. */
    public ClusterGraph graph() {
        if (graph == null) {
            graph = new ClusterGraph(view.topology());
        }
        return graph;
    }

    /** Whether waiting is legal in the auction that is open: not on an idle cluster on which a job can start. */
    public boolean mayWait() {
        return auction.size() == 1 || view.runningCount() > 0;
    }

    /**
     * Holds auctions and carries out their winners until the bid to wait wins; returns that wait, which ends this
     * instant.
     */
    public Decision play(DecisionSink decisions, Chooser chooser) {
        Decision wait = turn(decisions, chooser);
        while (wait == null) {
            wait = turn(decisions, chooser);
        }
        return wait;
    }

    /**
     * Makes the decisions that come next: those of one auction, or the start of a job for which room was made.
     *
     * @param chooser is asked when an auction has several bids
     * @return the wait that ends this instant; null when it goes on
     */
    public @Nullable Decision turn(DecisionSink decisions, Chooser chooser) {
        if (startBeneficiary(decisions)) {
            return null;
        }
        Auction open = open();
        return win(open.size() == 1 ? 0 : chooser.choose(open, firstLegal()), decisions);
    }

    /**
     * The next decision of a scheduler that makes one at a time: the first of the queue, into which auctions put theirs
     * while it is empty.
     *
     * @param decided the decisions that were made and not yet handed out
     */
    public Decision next(DecisionQueue decided, Chooser chooser) {
        while (decided.isEmpty()) {
            Decision wait = turn(decided, chooser);
            if (wait != null) {
                return wait;
            }
        }
        return decided.remove();
    }

    /** The first bid of the auction that is open that is legal: 1 where waiting is not. */
    public int firstLegal() {
        return mayWait() ? 0 : 1;
    }

    /**
     * Carries out a bid of the auction that is open.
     *
     * @return for the bid to wait, the wait that ends this instant; null for others
     */
    public @Nullable Decision win(int bid, DecisionSink decisions) {
        int job = auction.job(bid);
        switch (auction.kind(bid)) {
            case WAIT -> {
                return untilNext();
            }
            case START -> {
                jobs.options().end(job);
                decisions.start(job, placement(bid));
            }
            case MAKE_ROOM -> {
                Objects.requireNonNull(searches.evictions())
                        .carryOut(Objects.requireNonNull(auction.plan(bid)), decisions);
                jobs.options().end(job);
                beneficiary = job;
            }
            case MOVE -> {
                Objects.requireNonNull(searches.moves()).move(view, job);
                Placement there = placement(bid);
                decisions.preempt(job);
                decisions.start(job, there);
            }
            case FORWARD -> {
                jobs.options().end(job);
                decisions.forward(job, auction.target(bid));
            }
            case PATIENCE -> jobs.options().give(view, job, auction.length(bid), jobs.remainingSeconds(job));
        }
        return null;
    }

    /** The wait until something happens, or until an option of patience ends. */
    public Decision untilNext() {
        long end = jobs.options().nextEndNanos();
        return end == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(end);
    }

    /** The GPUs for which a bid was scored. */
    private Placement placement(int bid) {
        BidServers servers = auction.servers();
        int first = servers.first(bid);
        return builder.build(
                view.job(auction.job(bid)).demand(),
                auction.gpu(bid),
                servers.end(bid) - first,
                i -> servers.server(first + i),
                i -> auction.gpusOn(first + i),
                i -> auction.gpuSet(first + i));
    }

    /**
     * Starts the job for which the last bid has made room, once its victims are gone: on the cheapest set that is
     * consolidated. To be called before the next auction.
     *
     * @return whether a job starts
     */
    public boolean startBeneficiary(DecisionSink decisions) {
        int job = beneficiary;
        beneficiary = SimView.NONE;
        GangCandidates sets = searches.sets();
        int found = job == SimView.NONE ? 0 : sets.find(view, job);
        if (found == 0) {
            return false;
        }
        int set = 0;
        while (set < found && !sets.isConsolidated(set)) {
            set++;
        }
        decisions.start(job, sets.placement(set == found ? 0 : set, builder));
        return true;
    }

    /** Whether a job for which room was made has not started yet. */
    public boolean isMakingRoom() {
        return beneficiary != SimView.NONE;
    }
}
