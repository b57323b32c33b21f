package org.trainyard.env.gym.auction;

import static org.trainyard.env.gym.auction.BidColumn.scaledTime;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.domain.DomainSummary;
import org.trainyard.env.performance.ring.NetworkStretch;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.gpusets.GpuSets;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.interruption.EvictionPlan;
import org.trainyard.env.scheduling.interruption.EvictionPlanning;
import org.trainyard.env.scheduling.interruption.PreemptionOverhead;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.pairs.ObservedPairs;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/** Writes the columns of bids; see {@link BidColumn}. */
final class BidColumns {
    /** Empty servers that a job opens beside another on its GPU, by which {@link BidColumn#OPENS} is -1. */
    private static final double BESIDE = -4;

    private final Topology topology;
    private final AuctionSettings settings;
    private final ClusterSummary summary;
    private final GangCandidates sets;
    private final NetworkStretch stretch;
    private final SharedGpuFeatures parts;
    private final Rank remaining;
    /** Speed of the fastest GPUs that the agent sees, relative to the fastest of the data centre. */
    private final double fastest;
    /** Shortest remaining time of a job that bids in the present auction, seconds. */
    private double shortestSeconds;

    /**
     * @param remaining estimated remaining time of a job, seconds
     * @param observed measured slowdowns of pairs on a GPU; null where none are measured
     * @param fastest speed of the fastest GPUs that the agent sees, relative to the fastest of the data centre
     */
    BidColumns(
            Topology topology,
            AuctionSettings settings,
            ClusterSummary summary,
            GangCandidates sets,
            Rank remaining,
            @Nullable ObservedPairs observed,
            double fastest) {
        this.topology = topology;
        this.settings = settings;
        this.summary = summary;
        this.sets = sets;
        stretch = new NetworkStretch(topology);
        parts = new SharedGpuFeatures(remaining, sets, observed);
        this.remaining = remaining;
        this.fastest = fastest;
    }

    /** Begins an auction. */
    void begin(double newShortestSeconds) {
        shortestSeconds = newShortestSeconds;
    }

    /** The columns of the cluster, which all bids have. */
    void cluster(SimView view, Auction auction, int at, int patient) {
        double gpus = topology.gpus();
        auction.set(at, BidColumn.FREE, view.cluster().free() / gpus);
        auction.set(at, BidColumn.EMPTY, (double) summary.empty() / topology.servers());
        auction.set(at, BidColumn.WAITING, view.waitingCount());
        auction.set(at, BidColumn.RUNNING, view.runningCount());
        auction.set(at, BidColumn.WAITING_GPUS, summary.waitingGpus() / gpus);
        auction.set(at, BidColumn.PATIENT_SHARE, view.waitingCount() == 0 ? 0 : (double) patient / view.waitingCount());
        auction.set(at, BidColumn.LARGEST_HOLE, summary.largestHole());
        auction.set(at, BidColumn.SHORTEST_TIME, shortestSeconds / 60);
        parts.cluster(auction, at);
        PreemptionRules rules = settings.rules(view);
        auction.set(at, BidColumn.NO_PREEMPTION, rules.allowsAny() ? 0 : 1);
        auction.set(at, BidColumn.CHECKPOINT_INTERVAL, rules.savedEveryNanos() / 1e9 / 60);
    }

    /** The columns of the cluster, with another domain in its place, and of how fast the job would run there. */
    void there(Auction auction, int at, DomainSummary there, double remainingSeconds) {
        auction.set(at, BidColumn.SPEED_UP, there.fastest() / fastest);
        auction.set(at, BidColumn.SLOW_FOR_LONG, (1 - there.fastest()) * scaledTime(remainingSeconds));
        auction.set(at, BidColumn.FREE, (double) there.free() / there.gpus());
        auction.set(at, BidColumn.EMPTY, there.empty());
        auction.set(at, BidColumn.WAITING, there.waiting());
        auction.set(at, BidColumn.RUNNING, there.running());
        auction.set(at, BidColumn.WAITING_GPUS, there.load());
        auction.set(at, BidColumn.LARGEST_HOLE, there.hole());
        auction.set(at, BidColumn.SHORTEST_TIME, shortestSeconds / 60);
        auction.set(at, BidColumn.SPEED, there.speed());
    }

    void job(
            SimView view,
            Auction auction,
            int at,
            int job,
            double remainingSeconds,
            int position,
            boolean consolidates) {
        JobSpec spec = view.job(job);
        ModelProfile model = spec.model();
        double waited = (view.nowNanos() - view.queuedSinceNanos(job)) / 1e9;
        auction.set(at, BidColumn.GPUS, spec.gpus());
        auction.set(at, BidColumn.REMAINING_TIME, remainingSeconds / 60);
        auction.set(at, BidColumn.REMAINING_WORK, remainingSeconds * spec.gpus() / 60);
        auction.set(at, BidColumn.PREDICTED_TIME, ResidualTimeFloor.seconds(view, job) / 60);
        auction.set(at, BidColumn.WAITED, waited / 60);
        auction.set(at, BidColumn.WAITED_SHARE, waited / (waited + remainingSeconds));
        auction.set(at, BidColumn.NETWORK_STRETCH, stretch.overCard(spec));
        auction.set(at, BidColumn.PRESSURE_SOCKET, model.pressure().socket());
        auction.set(at, BidColumn.PRESSURE_PCIE, model.pressure().pcie());
        auction.set(at, BidColumn.PRESSURE_NIC, model.pressure().nic());
        auction.set(at, BidColumn.SENSITIVITY_SOCKET, model.sensitivity().socket());
        auction.set(at, BidColumn.SENSITIVITY_PCIE, model.sensitivity().pcie());
        auction.set(at, BidColumn.SENSITIVITY_NIC, model.sensitivity().nic());
        auction.set(at, BidColumn.PREEMPTIONS, view.preemptions(job));
        auction.set(at, BidColumn.POSITION, (double) position / settings.jobs());
        double longer = Math.max(1, remainingSeconds / Math.max(1, shortestSeconds));
        auction.set(at, BidColumn.LONGER_THAN_SHORTEST, longer);
        auction.set(at, BidColumn.CAN_CONSOLIDATE, consolidates ? 1 : 0);
        parts.job(auction, at, spec);
        double restart = view.restartSeconds(job);
        boolean pays = view.preemptions(job) + view.kills(job) > 0;
        auction.set(at, BidColumn.RESTART_TIME, restart / 60);
        auction.set(at, BidColumn.PAYS_RESTART, pays ? restart / Math.max(1, remainingSeconds) : 0);
        auction.set(
                at,
                BidColumn.STAYS,
                view.preemptions(job) >= settings.rules(view).mostPerJob() ? 1 : 0);
        auction.set(at, BidColumn.PRIORITY, summary.priority(spec.terms().priority()));
        int held = summary.heldBy(spec.terms().account());
        auction.set(at, BidColumn.ACCOUNT_SHARE, (double) held / topology.gpus());
    }

    /** The columns of the job's set of this number. */
    void set(SimView view, Auction auction, int at, int job, double remainingSeconds, int set) {
        int servers = sets.servers(set);
        int racks = sets.racks(set);
        int fewest = topology.fewestServers(view.job(job).gpus());
        double speed = sets.speedOf(set);
        auction.set(at, BidColumn.SERVERS, servers);
        auction.set(at, BidColumn.EXTRA_SERVERS, servers - fewest);
        auction.set(at, BidColumn.CONSOLIDATED, sets.isConsolidated(set) ? 1 : 0);
        auction.set(at, BidColumn.EXTRA_RACKS, racks - 1);
        auction.set(at, BidColumn.OWN_SLOWDOWN, sets.own(set) * speed);
        auction.set(at, BidColumn.NEIGHBOUR_SLOWDOWN, sets.harm(set));
        auction.set(at, BidColumn.SPEED, fastest * speed);
        double whole = fastest * speed / SetChoice.felt(sets.ring(set));
        auction.set(at, BidColumn.SLOW_FOR_LONG, (1 - whole) * scaledTime(remainingSeconds));
        auction.set(at, BidColumn.SET_POSITION, (double) set / settings.sets());
        auction.set(at, BidColumn.DEARER_THAN_CHEAPEST, sets.cost(set) - sets.cost(0));
        auction.set(at, BidColumn.STRETCH, stretch.over(view.job(job), servers, racks));
        room(view, auction, at, job, set, racks);
        links(view, auction, at, job, remainingSeconds, set);
        if (view.cluster().isShared()) {
            parts.set(view, auction, at, job, set);
        }
    }

    /** The links of a set on one server, where those inside servers differ. */
    private void links(SimView view, Auction auction, int at, int job, double remainingSeconds, int set) {
        SetChoice choice = sets.choice();
        if (!choice.counts() || sets.servers(set) > 1) {
            return;
        }
        int server = sets.server(set, 0);
        auction.set(
                at,
                BidColumn.LINKS_TAKEN,
                choice.loss(view, server, sets.mask(set), view.job(job).gpus()));
        ring(auction, at, view.job(job), server, sets.ring(set), remainingSeconds);
    }

    private void ring(Auction auction, int at, JobSpec job, int server, double slowdown, double remainingSeconds) {
        SetChoice choice = sets.choice();
        auction.set(at, BidColumn.RING_SLOWDOWN, slowdown);
        auction.set(at, BidColumn.LINK_SENSITIVITY, choice.most(job));
        auction.set(at, BidColumn.LINKS_FOR_LONG, choice.qualityOfAll(server) * scaledTime(remainingSeconds));
        auction.set(at, BidColumn.WIDER_ELSEWHERE, slowdown > SetChoice.WIDER ? 1 : 0);
    }

    /** The columns of the GPUs that a set leaves free, and of the gangs on the links of its ring. */
    private void room(SimView view, Auction auction, int at, int job, int set, int racks) {
        int taken = sets.freeGpusTaken(view, set);
        int opened = 0;
        int left = 0;
        int onNic = 0;
        int onUplink = 0;
        int freeInRacks = 0;
        int gpusInRacks = 0;
        for (int i = 0; i < sets.servers(set); i++) {
            int server = sets.server(set, i);
            int rack = topology.rackOf(server);
            int free = view.cluster().freeOn(server);
            boolean takesFree = taken > 0;
            opened += takesFree && free == topology.gpusOn(server) ? 1 : 0;
            left += takesFree ? free - sets.gpusOn(set, i) : free;
            onNic = Math.max(onNic, summary.gangsOnServer(server));
            onUplink = Math.max(onUplink, summary.gangsOnUplink(rack));
            boolean isNew = true;
            for (int j = 0; j < i; j++) {
                isNew &= topology.rackOf(sets.server(set, j)) != rack;
            }
            freeInRacks += isNew ? view.cluster().freeIn(rack) : 0;
            gpusInRacks += isNew ? summary.gpusIn(rack) : 0;
        }
        auction.set(at, BidColumn.LEFTOVER, (double) left / topology.widestServer());
        boolean isPart = taken != view.job(job).gpus();
        auction.set(at, BidColumn.FILLS, left == 0 || isPart ? 1 : 0);
        auction.set(at, BidColumn.OPENS, isPart ? BESIDE : opened);
        auction.set(at, BidColumn.RINGS_ON_NIC, sets.servers(set) > 1 ? onNic : 0);
        auction.set(at, BidColumn.RINGS_ON_UPLINK, racks > 1 ? onUplink : 0);
        auction.set(at, BidColumn.FREE_AFTER, (double) (view.cluster().free() - taken) / topology.gpus());
        auction.set(at, BidColumn.EMPTY_AFTER, (double) (summary.empty() - opened) / topology.servers());
        auction.set(at, BidColumn.RACK_FREE_AFTER, (double) (freeInRacks - taken) / gpusInRacks);
    }

    /** The columns of a preemption plan. */
    void plan(
            SimView view, Auction auction, int at, int job, EvictionPlan plan, double speed, double remainingSeconds) {
        int racks = plan.racks(topology);
        auction.set(at, BidColumn.SERVERS, plan.servers());
        auction.set(at, BidColumn.EXTRA_RACKS, racks - 1);
        auction.set(at, BidColumn.STRETCH, stretch.over(view.job(job), plan.servers(), racks));
        auction.set(at, BidColumn.SPEED, fastest * speed);
        double ring = 1;
        if (sets.choice().counts() && plan.servers() == 1) {
            int server = plan.server(0);
            ring = sets.choice()
                    .widestOf(
                            view.job(job),
                            server,
                            cleared(view, plan),
                            view.job(job).gpus());
            ring(auction, at, view.job(job), server, ring, remainingSeconds);
        }
        auction.set(
                at,
                BidColumn.SLOW_FOR_LONG,
                (1 - fastest * speed / SetChoice.felt(ring)) * scaledTime(remainingSeconds));
        double leastRun = Double.POSITIVE_INFINITY;
        int migrated = 0;
        for (int v = 0; v < plan.size(); v++) {
            leastRun = Math.min(leastRun, view.runNanos(plan.victim(v)) / 1e9);
            migrated += plan.target(v) == SimView.NONE ? 0 : 1;
        }
        auction.set(at, BidColumn.PLAN_COST, plan.cost());
        auction.set(at, BidColumn.PLAN_PREEMPTED, plan.size() - migrated);
        auction.set(at, BidColumn.PLAN_MIGRATED, migrated);
        auction.set(at, BidColumn.PLAN_LEAST_RUN, leastRun / 60);
        overhead(auction, at, PreemptionOverhead.of(view, plan, remaining, job, remainingSeconds));
    }

    /** The GPUs of the one server of a plan that are free, or that its victims give up. */
    private static long cleared(SimView view, EvictionPlan plan) {
        long gpus = GpuSets.free(view, plan.server(0));
        for (int v = 0; v < plan.size(); v++) {
            Placement held = view.placement(plan.victim(v));
            for (int i = 0; i < held.serverCount(); i++) {
                gpus |= held.server(i) == plan.server(0) ? held.maskOn(i) : 0;
            }
        }
        return gpus;
    }

    /**
     * The columns of a job for a part of a GPU whose plan, the last of these planners, takes the place of a victim: the
     * sharer that stays there.
     */
    void beside(SimView view, Auction auction, int at, int job, int victim, EvictionPlanning room) {
        if (SharedGpuFeatures.isPart(view.job(job))) {
            auction.set(at, BidColumn.OWN_SLOWDOWN, room.own());
            auction.set(at, BidColumn.NEIGHBOUR_SLOWDOWN, room.harm());
            parts.sharer(view, auction, at, job, view.placement(victim).gpu(0), victim);
        }
    }

    void move(
            SimView view,
            Auction auction,
            int at,
            int job,
            double remainingSeconds,
            double speedUp,
            double savedSeconds) {
        auction.set(at, BidColumn.SPEED_UP, speedUp);
        auction.set(at, BidColumn.SAVED_TIME, savedSeconds / 60);
        auction.set(at, BidColumn.PLAN_LEAST_RUN, view.runNanos(job) / 1e9 / 60);
        PreemptionOverhead cost = PreemptionOverhead.ofMove(view, job, remainingSeconds, savedSeconds);
        auction.set(at, BidColumn.PAYS_RESTART, cost.restarts());
        overhead(auction, at, cost);
    }

    private static void overhead(Auction auction, int at, PreemptionOverhead overhead) {
        auction.set(at, BidColumn.PLAN_RESTARTS, overhead.restarts());
        auction.set(at, BidColumn.PLAN_LOST_WORK, overhead.lostWork());
        auction.set(at, BidColumn.PLAN_OVERHEAD, overhead.share());
        auction.set(at, BidColumn.PLAN_PREEMPTIONS, overhead.preemptions());
    }
}
