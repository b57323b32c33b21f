package org.trainyard.env.gym.auction;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.interruption.EvictionPlan;
import org.trainyard.env.scheduling.interruption.EvictionPlanning;
import org.trainyard.env.scheduling.interruption.MigrationSearch;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;

/**
 * The bids of one moment: of waiting jobs to start, to make room or to be patient, of running jobs to move, and to
 * wait.
 */
final class BidCollection {
    /** Bound on the rounding of a bid's columns. */
    private static final double ROUNDING = 1e-5;

    /** Place of the first column of the bid to wait, which is the first bid. */
    private static final int WAIT = 0;

    /**
     * A waiting job that bids, and relative speeds of GPUs for it, 1 for the fastest of the cluster.
     *
     * @param seconds its estimated remaining time
     * @param found sets on which it can start
     * @param top of the fastest GPUs that it may have, anywhere
     * @param fastest of its consolidated sets; 0 without any
     * @param linked the same over the slowdown by their rings
     */
    private record BiddingJob(int job, double seconds, int found, double top, double fastest, double linked) {
        boolean consolidates() {
            return fastest > 0;
        }
    }

    private final AuctionSettings settings;
    private final BiddingJobs jobs;
    private final BidSearches searches;
    private final BidSheet sheet;
    private final SimView view;
    private final WaitingJobs waiting;
    private final GangCandidates sets;
    private final Auction auction;
    private final BidColumns columns;
    /** Null when all bids are to be made, also those that cannot win. */
    private Chooser.@Nullable ByScore scores;
    /** The job of the last bid. */
    private int described;
    /** Columns of the job of the last bid, and of the cluster. */
    private final float[] ofJob = new float[BidColumn.COUNT];
    /** The highest score so far. */
    private double best;
    /** Jobs that have bid in this auction. */
    private int position;
    /** Jobs of this auction for which room was planned. */
    private int planned;
    /**
     * The patient jobs that have no bid until the next event, with the plans that were tried for each: 0 or 1. After a
     * bid for patience, agents bid again at the same instant.
     */
    private final Int2IntOpenHashMap silent = new Int2IntOpenHashMap();

    private long silentNanos = -1;
    private long silentVersion = -1;

    BidCollection(AuctionSettings settings, BiddingJobs jobs, BidSearches searches, BidSheet sheet) {
        this.settings = settings;
        this.jobs = jobs;
        this.searches = searches;
        this.sheet = sheet;
        view = jobs.view();
        waiting = jobs.waiting();
        sets = searches.sets();
        auction = sheet.auction();
        columns = sheet.columns();
        silent.defaultReturnValue(-1);
    }

    /** Leaves out bids that cannot win from now on; null to make all bids. */
    void leaveOut(Chooser.@Nullable ByScore newScores) {
        scores = newScores;
    }

    /** Fills the auction anew, in the order of the waiting jobs. */
    void collect() {
        auction.clear();
        position = 0;
        planned = 0;
        described = SimView.NONE;
        if (silentNanos != view.nowNanos() || silentVersion != view.version()) {
            silentNanos = view.nowNanos();
            silentVersion = view.version();
            silent.clear();
        }
        int wait = auction.add(BidKind.WAIT, -1, SimView.NONE);
        int first = waiting.first();
        columns.begin(first == SimView.NONE ? 0 : jobs.remainingSeconds(first));
        columns.cluster(view, auction, wait, jobs.options().active());
        best = Double.NEGATIVE_INFINITY;
        if (view.runningCount() > 0) {
            weigh(wait);
        }
        for (int job = first; job != SimView.NONE && position < settings.jobs(); job = waiting.first()) {
            int plans = silent.get(job);
            if (plans >= 0) {
                planned += plans;
                waiting.passOver(view, job);
            } else {
                bidFor(job);
            }
        }
        bidToMove();
    }

    private void bidFor(int job) {
        int found = sets.find(view, job);
        BiddingJob bidder = bidder(job, found);
        boolean isPatient = jobs.options().isPatient(view, job);
        int before = auction.size();
        int plannedBefore = planned;
        bidToStart(bidder, isPatient);
        bidToMakeRoom(bidder);
        bidForPatience(bidder, isPatient);
        if (auction.size() > before) {
            position++;
            waiting.passOver(view, job);
        } else if (found > 0) {
            // Only a patient job has sets and no bid.
            silent.put(job, planned - plannedBefore);
            waiting.passOver(view, job);
        } else {
            waiting.refuse(view, job);
        }
    }

    private BiddingJob bidder(int job, int found) {
        double fastest = 0;
        double linked = 0;
        for (int set = 0; set < found; set++) {
            if (sets.isConsolidated(set)) {
                fastest = Math.max(fastest, sets.speedOf(set));
                linked = Math.max(linked, linkedSpeed(set));
            }
        }
        return new BiddingJob(job, jobs.remainingSeconds(job), found, sets.mostSpeed(), fastest, linked);
    }

    /**
     * A patient job bids for ideal sets alone: consolidated, on the fastest GPUs that it may have and over a wide ring.
     */
    private void bidToStart(BiddingJob bidder, boolean isPatient) {
        for (int set = 0; set < bidder.found; set++) {
            if (!isPatient || (sets.isConsolidated(set) && linkedSpeed(set) >= bidder.top)) {
                addSet(BidKind.START, bidder.job, set, bidder.seconds, bidder.consolidates());
                weigh(auction.size() - 1);
            }
        }
    }

    private void bidToMakeRoom(BiddingJob bidder) {
        if (view.job(bidder.job).demand().gpuMilli() < Demand.WHOLE) {
            double free = findsFreeGpus(bidder.found);
            bidToMakeRoom(bidder, free, free, 1);
        } else {
            bidToMakeRoom(bidder, bidder.fastest, bidder.linked, bidder.top);
        }
    }

    private void bidForPatience(BiddingJob bidder, boolean isPatient) {
        boolean hasIdeal = bidder.linked >= bidder.top;
        if (!settings.patience() || isPatient || bidder.found == 0 || hasIdeal || view.runningCount() == 0) {
            return;
        }
        for (int length = 0; length < DelaySchedulingOptions.LENGTHS.length; length++) {
            int at = addSet(BidKind.PATIENCE, bidder.job, 0, bidder.seconds, bidder.consolidates());
            auction.setLength(length);
            auction.set(at, DelaySchedulingOptions.COLUMNS.get(length), 1);
        }
    }

    /** 1 when one of the sets is of free GPUs rather than beside other jobs on theirs, otherwise 0. */
    private double findsFreeGpus(int found) {
        for (int set = 0; set < found; set++) {
            if (sets.freeGpusTaken(view, set) > 0) {
                return 1;
            }
        }
        return 0;
    }

    private void weigh(int bid) {
        if (scores != null) {
            best = Math.max(best, scores.score(auction, bid));
        }
    }

    private void bidToMove() {
        MigrationSearch search = searches.moves();
        if (search == null || settings.moves() == 0 || (scores != null && best >= scores.moving())) {
            return;
        }
        double leastSeconds = scores == null ? 0 : scores.leastSavedSeconds();
        int found = search.find(view);
        int bids = 0;
        for (int i = 0; i < found && bids < settings.moves(); i++) {
            int set = search.betterSet(view, search.job(i), sets, leastSeconds);
            if (set != SimView.NONE) {
                bids++;
                bidToMove(search, search.job(i), set);
            }
        }
    }

    private void bidToMove(MigrationSearch search, int job, int set) {
        double seconds = jobs.remainingSeconds(job);
        int at = addSet(BidKind.MOVE, job, set, seconds, sets.isConsolidated(set));
        columns.move(view, auction, at, job, seconds, search.speedUp(), search.savedSeconds(view, job));
    }

    /** Adds a bid for a set; returns where its columns begin. */
    private int addSet(BidKind kind, int job, int set, double seconds, boolean consolidates) {
        int at = add(kind, sets.server(set, 0), job, seconds, consolidates);
        columns.set(view, auction, at, job, seconds, set);
        for (int i = 0; i < sets.servers(set); i++) {
            auction.addServer(sets.server(set, i), sets.gpusOn(set, i), sets.mask(set));
        }
        auction.setGpu(sets.gpu(set));
        auction.setCost(sets.cost(set));
        return at;
    }

    /** Adds the servers of the victims; one of several victims counts for each. */
    private void addServers(EvictionPlan plan) {
        for (int v = 0; v < plan.size(); v++) {
            Placement placement = view.placement(plan.victim(v));
            for (int i = 0; i < placement.serverCount(); i++) {
                auction.addServer(placement.server(i), 0, SetChoice.ANY);
            }
        }
    }

    /** The speed of the GPUs of a set over the slowdown by their ring, 1 for the best of the cluster. */
    private double linkedSpeed(int set) {
        return sets.speedOf(set) / SetChoice.felt(sets.ring(set));
    }

    /**
     * Bids for plans on servers with faster GPUs than the best set, and with wider rings, where that is below the top.
     */
    private void bidToMakeRoom(BiddingJob bidder, double fastest, double linked, double top) {
        EvictionPlanning room = searches.evictions();
        if (room == null || linked >= top || planned == AuctionSettings.PLANNED_JOBS) {
            return;
        }
        int job = bidder.job;
        double seconds = bidder.seconds;
        planned++;
        room.begin(job);
        double time = BidColumn.scaledTime(seconds);
        double work = BidColumn.scaledTime(seconds * view.job(job).gpus());
        for (int p = 0; p < room.count(); p++) {
            boolean isFaster = room.linkedSpeed(p) > (room.isByLinks(p) ? linked : fastest);
            // At this cost a plan cannot win.
            double limit = scores == null
                    ? Double.POSITIVE_INFINITY
                    : scores.makingRoom(work, (1 - room.linkedSpeed(p)) * time) - best + ROUNDING;
            EvictionPlan plan = isFaster && limit > 0 ? room.plan(p, limit) : null;
            if (plan != null) {
                int server = view.placement(plan.victim(0)).server(0);
                int at = add(BidKind.MAKE_ROOM, server, job, seconds, bidder.consolidates());
                columns.plan(view, auction, at, job, plan, room.speed(p), seconds);
                columns.beside(view, auction, at, job, plan.victim(0), room);
                addServers(plan);
                auction.setPlan(room.kept(plan));
                weigh(auction.size() - 1);
            }
        }
    }

    /** Adds a bid with the columns of the cluster, which are those of the bid to wait, and of its job. */
    private int add(BidKind kind, int server, int job, double remainingSeconds, boolean consolidates) {
        int at = auction.add(kind, sheet.domains().domainOf(server), job);
        if (job == described) {
            auction.setRow(at, ofJob);
            return at;
        }
        auction.copyRow(WAIT, at);
        columns.job(view, auction, at, job, remainingSeconds, position, consolidates);
        auction.readRow(at, ofJob);
        described = job;
        return at;
    }
}
