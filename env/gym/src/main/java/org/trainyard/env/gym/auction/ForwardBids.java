package org.trainyard.env.gym.auction;

import java.util.Comparator;
import org.trainyard.env.gym.domain.DomainSummary;
import org.trainyard.env.gym.domain.OtherDomains;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.SimView;

/**
 * The bids of one moment to hand waiting jobs to other domains: of each of the first jobs, whether it can start or not,
 * one for the domain with most room as far as the agent knows, one for that with the least waiting work, and where GPUs
 * differ in speed one for that with most room among the fastest.
 */
final class ForwardBids {
    private static final Comparator<DomainSummary> BY_ROOM = Comparator.comparingDouble(ForwardBids::room);
    private static final Comparator<DomainSummary> BY_IDLENESS =
            Comparator.comparingDouble(DomainSummary::load).reversed();
    private static final Comparator<DomainSummary> BY_SPEED =
            Comparator.comparingDouble(DomainSummary::fastest).thenComparing(BY_ROOM);

    private final AuctionSettings settings;
    private final BiddingJobs jobs;
    private final BidSheet sheet;
    private final OtherDomains others;
    private final SimView view;
    private final Auction auction;
    /** Waiting jobs, whether they can start or not; an auction takes its jobs from a queue of its own. */
    private final WaitingJobs waiting;

    private int rankings;

    ForwardBids(AuctionSettings settings, BiddingJobs jobs, BidSheet sheet, OtherDomains others) {
        this.settings = settings;
        this.jobs = jobs;
        this.sheet = sheet;
        this.others = others;
        view = jobs.view();
        auction = sheet.auction();
        waiting = new WaitingJobs(jobs.order());
    }

    /**
     * Adds the bids to those of the auction.
     *
     * @param newRankings how often the waiting jobs were ranked anew
     */
    void collect(int newRankings) {
        waiting.update(view);
        if (rankings != newRankings) {
            rankings = newRankings;
            waiting.rerankAll(view);
        }
        int own = auction.size();
        int job = waiting.first();
        for (int position = 0; job != SimView.NONE && position < settings.jobs(); position++) {
            int roomy = target(job, BY_ROOM);
            if (roomy >= 0) {
                boolean startsHere = startsHere(job, own);
                add(job, position, roomy, startsHere);
                int idle = target(job, BY_IDLENESS);
                if (idle != roomy) {
                    add(job, position, idle, startsHere);
                }
                int fast = target(job, BY_SPEED);
                boolean isFaster =
                        others.summary(fast).fastest() > others.summary(roomy).fastest();
                if (isFaster && fast != idle) {
                    add(job, position, fast, startsHere);
                }
            }
            waiting.passOver(view, job);
            job = waiting.first();
        }
    }

    private static double room(DomainSummary there) {
        return there.widest() + there.free() / (1.0 + there.gpus());
    }

    /** The best domain, of equal ones the first; -1 where the job may go nowhere. */
    private int target(int job, Comparator<DomainSummary> worth) {
        int best = -1;
        for (int domain = 0; domain < others.count(); domain++) {
            boolean isBetter = others.mayForward(job, domain)
                    && (best < 0 || worth.compare(others.summary(domain), others.summary(best)) > 0);
            best = isBetter ? domain : best;
        }
        return best;
    }

    private boolean startsHere(int job, int bids) {
        for (int bid = 1; bid < bids; bid++) {
            if (auction.job(bid) == job && auction.kind(bid) == BidKind.START) {
                return true;
            }
        }
        return false;
    }

    private void add(int job, int position, int domain, boolean startsHere) {
        DomainSummary there = others.summary(domain);
        int gpus = view.job(job).gpus();
        int at = auction.add(BidKind.FORWARD, 0, job);
        auction.setTarget(domain);
        double seconds = jobs.remainingSeconds(job);
        sheet.columns().job(view, auction, at, job, seconds, position, there.widest() >= gpus);
        sheet.columns().there(auction, at, there, seconds);
        double left = (double) (there.free() - gpus) / there.gpus();
        auction.set(at, BidColumn.FREE_AFTER, left);
        auction.set(at, BidColumn.HOPS, others.hops(job));
        auction.set(at, BidColumn.SUMMARY_AGE, others.minutesOld());
        double gap = others.own().load() - there.load();
        auction.set(at, BidColumn.LOAD_GAP, gap);
        auction.set(at, BidColumn.FITS_THERE, there.free() >= gpus ? 1 : 0);
        auction.set(at, BidColumn.FITS_HERE, startsHere ? 1 : 0);
    }
}
