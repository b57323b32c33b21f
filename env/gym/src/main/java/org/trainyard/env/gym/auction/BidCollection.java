package org.trainyard.env.gym.auction;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.migration.JobMoves;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;

/**
 * The bids of one moment: of waiting jobs to start, to make room or to be patient, of running jobs to move, and to
 * wait.
 */
final class BidCollection {
    /** More than the columns of a bid are rounded by. */
    private static final double ROUNDING = 1e-5;

    /** Where the columns of the bid to wait begin, which is the first. */
    private static final int WAIT = 0;

    private final SimView view;
    private final AuctionSettings settings;
    private final Domains domains;
    private final Auction auction;
    private final BidColumns columns;
    private final Rank remaining;
    private final WaitingJobs waiting;
    private final GangCandidates sets;
    private final JobMoves moves;
    private final DelaySchedulingOptions options;
    /** Null without preemption. */
    private final @Nullable EvictionPlanners planners;
    /** Null when all bids are to be made, also those that cannot win. */
    private Chooser.@Nullable ByScore scores;
    /** The job of the last bid, and its columns and the cluster's. */
    private int described;

    private final float[] ofJob = new float[BidColumn.COUNT];
    /** The highest score so far. */
    private double best;
    /** Relative speed of the fastest GPUs that the job that bids may have. */
    private double top = 1;

    /** Jobs that have bid, and those for which room was planned. */
    private int position;

    private int planned;
    /**
     * The patient jobs that have no bid until the next event, with the plans that were tried for each: 0 or 1. After a
     * bid for patience, agents bid again at the same instant.
     */
    private final Int2IntOpenHashMap silent = new Int2IntOpenHashMap();

    private long silentNanos = -1;
    private long silentVersion = -1;

    BidCollection(
            SimView view,
            AuctionSettings settings,
            Domains domains,
            Auction auction,
            BidColumns columns,
            Rank remaining,
            WaitingJobs waiting,
            GangCandidates sets,
            JobMoves moves,
            DelaySchedulingOptions options,
            @Nullable EvictionPlanners planners) {
        this.view = view;
        this.settings = settings;
        this.domains = domains;
        this.auction = auction;
        this.columns = columns;
        this.remaining = remaining;
        this.waiting = waiting;
        this.sets = sets;
        this.moves = moves;
        this.options = options;
        this.planners = planners;
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
        columns.begin(first == SimView.NONE ? 0 : remaining.of(view, first));
        columns.cluster(view, auction, wait, options.active());
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
        top = sets.mostSpeed();
        boolean consolidates = false;
        double fastest = 0;
        double linked = 0;
        for (int set = 0; set < found; set++) {
            if (sets.isConsolidated(set)) {
                consolidates = true;
                fastest = Math.max(fastest, sets.speedOf(set));
                linked = Math.max(linked, linkedSpeed(set));
            }
        }
        double seconds = remaining.of(view, job);
        boolean isPatient = options.isPatient(view, job);
        int before = auction.size();
        int plannedBefore = planned;
        for (int set = 0; set < found; set++) {
            if (!isPatient || isIdeal(set)) {
                int at = add(BidKind.START, sets.server(set, 0), job, seconds, consolidates);
                columns.set(view, auction, at, job, seconds, set);
                addServers(set);
                weigh(auction.size() - 1);
            }
        }
        boolean isPart = view.job(job).demand().gpuMilli() < Demand.WHOLE;
        double speed = isPart ? findsFreeGpus(found) : fastest;
        double most = isPart ? speed : linked;
        boolean hasPlan = most < (isPart ? 1 : top) && bidToPreempt(job, seconds, speed, most, consolidates);
        if (found == 0 && !hasPlan) {
            waiting.refuse(view, job);
            return;
        }
        if (settings.patience() && found > 0 && linked < top && !isPatient && view.runningCount() > 0) {
            for (int length = 0; length < DelaySchedulingOptions.LENGTHS.length; length++) {
                int at = add(BidKind.PATIENCE, sets.server(0, 0), job, seconds, consolidates);
                columns.set(view, auction, at, job, seconds, 0);
                addServers(0);
                auction.setLength(length);
                auction.set(at, DelaySchedulingOptions.COLUMNS.get(length), 1);
            }
        }
        if (auction.size() > before || hasPlan) {
            position++;
        } else if (isPatient) {
            silent.put(job, planned - plannedBefore);
        }
        waiting.passOver(view, job);
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
        if (!settings.preemption() || settings.moves() == 0 || (scores != null && best >= scores.moving())) {
            return;
        }
        double leastSeconds = scores == null ? 0 : scores.leastSavedSeconds();
        int found = moves.find(view);
        int bids = 0;
        for (int i = 0; i < found && bids < settings.moves(); i++) {
            int set = moves.betterSet(view, moves.job(i), sets, leastSeconds);
            if (set != SimView.NONE) {
                bids++;
                bidToMove(moves.job(i), set);
            }
        }
    }

    private void bidToMove(int job, int set) {
        double seconds = remaining.of(view, job);
        int at = add(BidKind.MOVE, sets.server(set, 0), job, seconds, sets.isConsolidated(set));
        columns.set(view, auction, at, job, seconds, set);
        columns.move(view, auction, at, job, seconds, moves.speedUp(), moves.savedSeconds(view, job));
        addServers(set);
    }

    private void addServers(int set) {
        for (int i = 0; i < sets.servers(set); i++) {
            auction.addServer(sets.server(set, i), sets.gpusOn(set, i), sets.mask(set));
        }
        auction.setGpu(sets.gpu(set));
    }

    /** Adds the servers of the victims; one of several victims counts for each. */
    private void addServers(PreemptionPlan plan) {
        for (int v = 0; v < plan.size(); v++) {
            Placement placement = view.placement(plan.victim(v));
            for (int i = 0; i < placement.serverCount(); i++) {
                auction.addServer(placement.server(i), 0, SetChoice.ANY);
            }
        }
    }

    /** Whether a set is consolidated, on the fastest GPUs that the job may have and over a wide ring: what a patient job waits for. */
    private boolean isIdeal(int set) {
        return sets.isConsolidated(set) && linkedSpeed(set) >= top;
    }

    /** The speed of the GPUs of a set over the slowdown by their ring, 1 for the best of the cluster. */
    private double linkedSpeed(int set) {
        return sets.speedOf(set) / BidColumns.ring(sets.ring(set));
    }

    /**
     * Bids for plans on servers with faster GPUs than the best set, and with wider rings; returns whether there is one
     * that can win.
     */
    private boolean bidToPreempt(int job, double seconds, double fastest, double linked, boolean consolidates) {
        EvictionPlanners room = planners;
        if (room == null || planned == AuctionSettings.PLANNED_JOBS) {
            return false;
        }
        planned++;
        room.begin(job);
        double time = BidColumn.scaledTime(seconds);
        double work = BidColumn.scaledTime(seconds * view.job(job).gpus());
        int before = auction.size();
        for (int p = 0; p < room.count(); p++) {
            boolean isFaster = room.linkedSpeed(p) > (room.isByLinks(p) ? linked : fastest);
            // At this cost a plan cannot win.
            double limit = scores == null
                    ? Double.POSITIVE_INFINITY
                    : scores.makingRoom(work, (1 - room.linkedSpeed(p)) * time) - best + ROUNDING;
            PreemptionPlan plan = isFaster && limit > 0 ? room.plan(p, limit) : null;
            if (plan != null) {
                int server = view.placement(plan.victim(0)).server(0);
                int at = add(BidKind.MAKE_ROOM, server, job, seconds, consolidates);
                columns.plan(view, auction, at, job, plan, room.speed(p), seconds);
                columns.beside(view, auction, at, job, plan.victim(0), room);
                addServers(plan);
                auction.setPlan(room.kept(plan));
                weigh(auction.size() - 1);
            }
        }
        return auction.size() > before;
    }

    /** Adds a bid with the columns of the cluster, which are those of the bid to wait, and of its job. */
    private int add(BidKind kind, int server, int job, double remainingSeconds, boolean consolidates) {
        int at = auction.add(kind, domains.domainOf(server), job);
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
