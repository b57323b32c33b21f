package org.trainyard.env.gym.decentralised;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.Offer;
import org.trainyard.env.gym.domain.DomainSummary;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.domain.OtherDomains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * The agent of one domain, or the coordinator: holds auctions among its own bids, one at a time, and says which bid
 * wins, at what price.
 */
final class DomainAgent implements OtherDomains {
    private final int domain;
    private final ClusterDivision division;
    private final DelegatingView view;
    private final DomainSummary[] seen;
    private final double minutesOld;
    private final boolean canMove;
    private final List<Silence> silences;
    private final Auctioneer auctioneer;
    private final Bidder bidder;
    private @Nullable Auction open;
    private @Nullable Offer offer;
    /** Size of the journal of its own view when it last waited; negative when it does not wait. */
    private int waitedAt = -1;

    private int waitedIn;
    private long untilNanos = Long.MAX_VALUE;

    /**
     * @param domain the number of domains for the coordinator
     * @param believed the topology of the view as the agent believes it to be
     * @param seen summaries of the domains as agents see them; kept up to date by others
     */
    DomainAgent(
            int domain,
            ClusterDivision division,
            DelegatingView view,
            Topology believed,
            DomainSummary[] seen,
            DecentralisedSettings settings,
            AuctionSettings auctions,
            InterferenceModel belief,
            Function<Auctioneer, Bidder> bidders) {
        this.domain = domain;
        this.division = division;
        this.view = view;
        this.seen = seen;
        minutesOld = settings.minutesOld();
        canMove = auctions.preemption() && auctions.moves() > 0 && domain < division.count();
        silences = settings.silent().stream()
                .filter(silence -> silence.agent() == domain)
                .toList();
        boolean forwards = settings.ownJobs() && settings.hops() > 0 && domain < division.count();
        auctioneer = new Auctioneer(
                view,
                believed,
                auctions,
                Domains.even(view.topology(), 1),
                belief,
                view.fastest(),
                forwards ? this : null);
        bidder = bidders.apply(auctioneer);
    }

    /** Whether it has something to decide at this instant, which has a number. */
    boolean isAwake(int instant, boolean readsOthers) {
        return hasWork()
                && (waitedAt != view.journalSize()
                        || view.nowNanos() >= untilNanos
                        || (instant != waitedIn && readsOthers && view.waitingCount() > 0));
    }

    private boolean hasWork() {
        return view.waitingCount() > 0 || (canMove && view.runningCount() > 0) || isMakingRoom();
    }

    /** Whether it answers nothing at this instant. */
    boolean isSilent() {
        return silentUntilNanos() > view.nowNanos();
    }

    private long silentUntilNanos() {
        long until = view.nowNanos();
        for (Silence silence : silences) {
            until = silence.lastsAt(view.nowNanos()) ? Math.max(until, silence.endNanos()) : until;
        }
        return until;
    }

    /** Holds an auction: {@link #job} and {@link #price} are its offer. Touches nothing that is not its own. */
    void bid() {
        offer = null;
        open = null;
        if (isMakingRoom()) {
            return;
        }
        Auction auction = auctioneer.open();
        open = auction;
        offer = auction.size() == 1 ? new Offer(0, 0) : bidder.offer(auction, auctioneer.firstLegal());
    }

    /** The waiting job that starts or makes room by the offer; {@link SimView#NONE} when that is none. */
    int job() {
        Offer made = offer;
        Auction held = open;
        if (made == null || held == null) {
            return SimView.NONE;
        }
        return switch (held.kind(made.bid())) {
            case START, MAKE_ROOM -> held.job(made.bid());
            case WAIT, PATIENCE, MOVE, FORWARD -> SimView.NONE;
        };
    }

    /** Cost of the set of servers that it offers; infinite where the job starts after others have made room. */
    double cost() {
        return Objects.requireNonNull(open).cost(Objects.requireNonNull(offer).bid());
    }

    double price() {
        return Objects.requireNonNull(offer).price();
    }

    /** Carries out its offer. */
    void act(DecisionSink decisions, int instant) {
        DecisionSink outside = new Outside(decisions);
        if (offer == null) {
            // Without room after all, it holds an auction in the next round.
            auctioneer.startBeneficiary(outside);
            return;
        }
        Decision wait = auctioneer.win(offer.bid(), outside);
        waitedAt = wait == null ? -1 : view.journalSize();
        waitedIn = instant;
        untilNanos = wait == null ? Long.MAX_VALUE : ((Decision.Wait) wait).untilNanos();
    }

    /**
     * Time until which the agent waits, if nothing happens: after the present instant unless it is awake. It may wait
     * no more for what ends then: others have taken the last job of its queue.
     */
    long untilNanos() {
        if (!hasWork()) {
            return Long.MAX_VALUE;
        }
        return isSilent() ? silentUntilNanos() : untilNanos;
    }

    boolean isMakingRoom() {
        return auctioneer.isMakingRoom();
    }

    /** Reports decisions within the domain to the whole cluster. */
    private final class Outside implements DecisionSink {
        private final DecisionSink decisions;

        Outside(DecisionSink decisions) {
            this.decisions = decisions;
        }

        @Override
        public void start(int job, Placement placement) {
            boolean isInside = view instanceof DomainView;
            decisions.start(job, isInside ? ((DomainView) view).outside(placement) : placement);
        }

        @Override
        public void forward(int job, int to) {
            division.forward(job, domain, to);
            decisions.forward(job, to);
        }

        @Override
        public void preempt(int job) {
            decisions.preempt(job);
        }
    }

    @Override
    public int count() {
        return division.count();
    }

    @Override
    public boolean mayForward(int job, int to) {
        return division.mayForward(job, domain, to);
    }

    @Override
    public int hops(int job) {
        return division.hops(job);
    }

    @Override
    public DomainSummary summary(int other) {
        return seen[other];
    }

    @Override
    public DomainSummary own() {
        return division.part(domain).summary();
    }

    @Override
    public double minutesOld() {
        return minutesOld;
    }
}
