package org.trainyard.agents.heuristic.composed;

import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.backfill.Backfill;
import org.trainyard.agents.heuristic.backfill.RunTimeEstimate;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.Las;
import org.trainyard.agents.heuristic.classic.Sjf;
import org.trainyard.agents.heuristic.classic.Srtf;
import org.trainyard.agents.heuristic.victims.PreemptionCandidates;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.order.OrderedScheduler;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.FewestServers;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.scheduling.placement.ServerCost;
import org.trainyard.env.scheduling.preemption.PreemptionCharge;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/**
 * The tuned family: an order, a placement preference and delay scheduling, each a knob of {@link ComposedSettings}.
 * With knobs chosen on other episodes it is the opponent against which a learned policy is measured.
 *
 * <p>Jobs are considered in order; a job that does not fit, or is delayed, is skipped. A job whose placement would take
 * more servers than it needs on an empty cluster waits for a better one, up to its delay from when it last entered the
 * queue. Preemptive orders preempt running jobs of worse rank when that lets the pending job start on as few servers as
 * its delay requires; with {@code migrate}, jobs in the way move to another server where one has room
 * ({@link EvictionQueue}). A placement whose ring is slow counts as one on too many servers ({@link SlowPlacements}).
 *
 * <p>Sources: delay scheduling is that of M. Zaharia et al.: Delay scheduling: a simple technique for achieving
 * locality and fairness in cluster scheduling, EuroSys 2010, here in units of the job's run time; the orders are those
 * of {@link Fifo}, {@link Sjf}, {@link Srtf}, {@link Las}; predicted work is that of QSSF (Q. Hu et al., SC 2021); the
 * Gittins order and migration are those of the learning agents. Ours: the rules of limit and share, which are waived
 * while nothing else runs, so that no job waits for ever. O(pending jobs + cost of the placer per different demand).
 */
public final class ComposedScheduler implements OrderedScheduler {
    private static final double NANOS = 1e9;
    /** Weight of a free GPU beside a slowdown, where it decides between equals only. */
    private static final double LEAST_FIRST = 1e-6;
    /** More than any time of a simulation, seconds, and than the negative of any rank. */
    private static final double AGED = 1e12;
    /** Weight of a slowdown by links beside a number of GPUs. */
    private static final double LINKS_FIRST = 1e4;

    private final ComposedSettings settings;
    private final WaitingJobs waiting;
    private final LimitedPlacer placer;
    private final FewestServers fewest;
    private final GpuSpeeds speeds;
    private final InterferenceCost interference;
    private final PreemptionCandidates candidates;
    private final ComposedOrder order;
    private final Rank rank;
    private final LongJobs longJobs;
    private final double margin;
    private final EvictionQueue evictions;
    /** Null without reservations. */
    private final @Nullable Backfill backfill;

    /** Null unless the order alone decides who is looked at. */
    private final @Nullable ShortJobs shortJobs;

    private final double ageNanos;
    private final SetChoice choice;
    private final SlowPlacements slow;
    /** By demand class: whether one of its jobs was found not to fit on the fewest servers in this decision. */
    private boolean[] isSpread = new boolean[16];
    /** By demand class: whether no preemption makes room for one of its jobs on the fewest servers. */
    private boolean[] hasNoVictims = new boolean[16];

    /** By model, demand class and whether the job is delayed: whether one such job exceeds the interference limit. */
    private final IdentityHashMap<ModelProfile, BitSet> interfering = new IdentityHashMap<>();

    private long retryNanos;

    /** @param belief the interference model that placements and limits consult */
    public ComposedScheduler(ComposedSettings settings, Topology topology, InterferenceModel belief) {
        this.settings = settings;
        speeds = new GpuSpeeds(topology);
        order = new ComposedOrder(settings, speeds);
        rank = order.rank();
        longJobs = new LongJobs(settings);
        ageNanos = settings.value(Knob.AGE) * 3600 * NANOS;
        waiting = new WaitingJobs((view, job) -> isAged(view, job) ? agedRank(view, job) : rank.of(view, job));
        PreemptionCharge charge = new PreemptionCharge(settings.value(Knob.CHARGE));
        candidates = new PreemptionCandidates(rank, order.running(), charge);
        margin = settings.order().isByRemainingTime() ? settings.value(Knob.MARGIN) : 0;
        backfill = backfill(settings);
        shortJobs = backfill == null || !ShortJobs.mayLeaveOut(settings) ? null : new ShortJobs(backfill, waiting);
        evictions = new EvictionQueue(topology, belief, rank, settings.keepsToRack(), charge);
        choice = new SetChoice(topology, settings.gpus());
        boolean isWeighted = settings.placement().isWeighted();
        interference =
                new InterferenceCost(topology, belief, isWeighted ? ResidualTimeFloor::seconds : (view, job) -> 1);
        placer = settings.placement() == ComposedSettings.Placement.SETS
                ? LimitedPlacer.bySet(topology, belief, settings.keepsToRack(), settings.gpus())
                : LimitedPlacer.byServer(linked(settings), choice);
        slow = new SlowPlacements(settings, topology, choice);
        fewest = new FewestServers(topology);
    }

    private static @Nullable Backfill backfill(ComposedSettings settings) {
        double most = settings.value(Knob.RESERVATIONS);
        return most == 0
                ? null
                : new Backfill(
                        (int) Math.min(Integer.MAX_VALUE, Math.max(1, most)),
                        settings.value(Knob.PREDICTED) == 1 ? RunTimeEstimate.PREDICTIONS : RunTimeEstimate.LIMITS);
    }

    /** The cost of a server with that of the GPUs that the job would take there. */
    private ServerCost linked(ComposedSettings chosen) {
        ServerCost cost = cost(chosen.placement());
        if (!choice.counts()) {
            return cost;
        }
        boolean isSlowdown = chosen.placement() == ComposedSettings.Placement.LIF
                || chosen.placement() == ComposedSettings.Placement.LIFW;
        double weight = isSlowdown ? 1 : LINKS_FIRST;
        return (view, job, server, available, workers, spans) -> {
            long set = spans ? SetChoice.ANY : choice.set(view, job, server, workers, 0);
            double links = spans ? 0 : choice.cost(view, job, server, set, workers);
            return weight * links + cost.of(view, job, server, available, workers, spans);
        };
    }

    private ServerCost cost(ComposedSettings.Placement placement) {
        return switch (placement) {
            case BEST_FIT -> (view, job, server, available, workers, spans) -> available;
            case FIRST_FIT -> (view, job, server, available, workers, spans) -> server;
            case SPREAD -> (view, job, server, available, workers, spans) -> -available;
            case LIF, LIFW, SETS -> interference;
            case FASTEST ->
                (view, job, server, available, workers, spans) ->
                        1 / speeds.of(server, job.model()) + available * LEAST_FIRST;
        };
    }

    @Override
    public double rank(SimView view, int job) {
        return rank.of(view, job);
    }

    @Override
    public String rankName() {
        return settings.order().name().toLowerCase(Locale.ROOT) + " rank";
    }

    @Override
    public @Nullable String hindrance(SimView view, int job) {
        if (backfill == null || !backfill.hasStanding()) {
            return null;
        }
        long own = backfill.startNanos(job);
        int first = backfill.firstJob();
        return own < Long.MAX_VALUE
                ? "Resources: it has a reservation from %,.0f s on".formatted(own / NANOS)
                : "Reservation: GPUs are kept for job %s from %,.0f s on"
                        .formatted(view.job(first).name(), backfill.startNanos(first) / NANOS);
    }

    @Override
    public Decision decide(SimView view) {
        Decision decision = pass(view);
        // A reservation that this pass has made may begin now: in another pass its job is due.
        return decision instanceof Decision.Wait wait && wait.untilNanos() <= view.nowNanos() ? pass(view) : decision;
    }

    /** The first decision of a pass through the waiting jobs, or what to wait for. */
    private Decision pass(SimView view) {
        Decision planned = evictions.next(view);
        if (planned != null) {
            return planned;
        }
        waiting.update(view);
        order.renewRanks(view, waiting);
        putAgedFirst(view);
        Arrays.fill(isSpread, false);
        Arrays.fill(hasNoVictims, false);
        interfering.clear();
        retryNanos = Long.MAX_VALUE;
        longJobs.forget();
        if (backfill != null) {
            backfill.begin(view, !settings.order().isPreemptive());
        }
        if (shortJobs != null) {
            shortJobs.update(view);
        }
        Decision beneficiary = startBeneficiary(view);
        if (beneficiary != null) {
            return beneficiary;
        }
        for (int job = waiting.first(mostGpus(view)); job != SimView.NONE; job = waiting.first(mostGpus(view))) {
            Decision decision = consider(view, job);
            if (decision != null) {
                return decision;
            }
        }
        return waitFor(view);
    }

    /** Jobs wider than what is free are of interest while they may preempt others or get reservations. */
    private int mostGpus(SimView view) {
        boolean anyWidth = settings.order().isPreemptive()
                || view.cluster().isShared()
                || (backfill != null && !backfill.isFull());
        return anyWidth ? Integer.MAX_VALUE : view.cluster().free();
    }

    private boolean isAged(SimView view, int job) {
        return view.nowNanos() - view.queuedSinceNanos(job) >= ageNanos;
    }

    /** A rank before all others; the longest wait first. */
    private static double agedRank(SimView view, int job) {
        return view.queuedSinceNanos(job) / NANOS - AGED;
    }

    private void putAgedFirst(SimView view) {
        int job = view.firstWaiting();
        while (ageNanos < Double.POSITIVE_INFINITY && job != SimView.NONE && isAged(view, job)) {
            if (waiting.rank(job) != agedRank(view, job)) {
                waiting.rerank(view, job);
            }
            job = view.nextWaiting(job);
        }
    }

    /**
     * Starts the job for which a plan has just made room, where servers differ in size on as many as the plan has
     * cleared.
     */
    private @Nullable Decision startBeneficiary(SimView view) {
        int job = evictions.takeBeneficiary();
        if (job == SimView.NONE || view.state(job) != JobState.WAITING) {
            return null;
        }
        Placement where = !view.cluster().isShared() && evictions.clearsFewest()
                ? placeTogether(view, view.job(job), job)
                : placer.place(view, view.job(job), serversOfBeneficiary(view, job));
        return where == null ? null : new Decision.Start(job, where);
    }

    /**
     * The most servers of a job for which room was made: a plan that keeps to racks leaves them where none can be
     * cleared.
     */
    private int serversOfBeneficiary(SimView view, int job) {
        return settings.keepsToRack() || !view.cluster().isShared()
                ? Integer.MAX_VALUE
                : fewest.of(view.job(job).demand());
    }

    /** The decision on the job, or null when it is skipped. */
    private @Nullable Decision consider(SimView view, int job) {
        JobSpec spec = view.job(job);
        if (!view.isWithinQuota(job, spec.gpus())) {
            waiting.refuse(view, job);
            return null;
        }
        if (longJobs.exceedsShare(view, job)) {
            waiting.passOver(view, job);
            return null;
        }
        if (shortJobs != null && shortJobs.leavesOut(view, job)) {
            return null;
        }
        if (backfill != null) {
            backfill.visit(view, job);
        }
        boolean isDelayed = isDelayed(view, job, settings.value(Knob.DELAY));
        boolean avoidsInterference = isDelayed(view, job, settings.value(Knob.PATIENCE));
        if (avoidsInterference && isKnownToInterfere(view, job, isDelayed)) {
            passOver(view, job, settings.value(Knob.PATIENCE));
            return null;
        }
        Placement where = placeTogether(view, spec, job);
        if (where == null && !isDelayed) {
            where = placer.place(view, spec, Integer.MAX_VALUE);
            if (where == null && !settings.order().isPreemptive()) {
                leaveWaiting(view, job, true, 0);
                return null;
            }
        }
        if (where == null) {
            return preemptOrSkip(view, job, isDelayed);
        }
        if (slow.refuses(view, job, where) && isDelayed(view, job, slow.runs())) {
            passOver(view, job, slow.runs());
            return null;
        }
        if (avoidsInterference && interferes(view, spec, where)) {
            Decision preemption = preemptsSharers(view) && isFirstToWait()
                    ? preemptSharer(view, job, settings.value(Knob.LIMIT) - 1)
                    : null;
            if (preemption != null) {
                return preemption;
            }
            interfering.computeIfAbsent(spec.model(), model -> new BitSet()).set(delayClass(view, job, isDelayed));
            passOver(view, job, settings.value(Knob.PATIENCE));
            return null;
        }
        return backfill == null ? new Decision.Start(job, where) : startBeside(backfill, view, job, where);
    }

    /** The start of a job that delays no reservation, or null. */
    private @Nullable Decision startBeside(Backfill reservations, SimView view, int job, Placement where) {
        if (reservations.mayStart(view, job, where)) {
            return new Decision.Start(job, where);
        }
        Placement beside = reservations.beside(view, view.job(job), mostServers(view, job));
        if (beside != null && reservations.mayStart(view, job, beside)) {
            return new Decision.Start(job, beside);
        }
        leaveWaiting(view, job, false, 0);
        return null;
    }

    /** The most servers on which the job may start now. */
    private int mostServers(SimView view, int job) {
        return isDelayed(view, job, settings.value(Knob.DELAY))
                ? fewest.of(view.job(job).demand())
                : Integer.MAX_VALUE;
    }

    /**
     * Skips a job that does not start, with a reservation if it is among the first: with all jobs of its demand if the
     * reason applies to those of worse rank too, and none of them is to have a reservation.
     */
    private void leaveWaiting(SimView view, int job, boolean appliesToDemand, double runs) {
        if (backfill != null) {
            backfill.reserve(view, job, mostServers(view, job));
        }
        if (appliesToDemand && (backfill == null || backfill.isFull())) {
            waiting.refuse(view, job);
        } else {
            passOver(view, job, runs);
        }
    }

    /**
     * Whether a job of the same model, demand and delay exceeds the interference limit on its placement, which applies
     * to this job too.
     */
    private boolean isKnownToInterfere(SimView view, int job, boolean isDelayed) {
        BitSet found = interfering.get(view.job(job).model());
        boolean isOwn = settings.placement().isWeighted();
        return found != null && !isOwn && found.get(delayClass(view, job, isDelayed));
    }

    private int delayClass(SimView view, int job, boolean isDelayed) {
        return 2 * waiting.kind(view, job) + (isDelayed ? 1 : 0);
    }

    private @Nullable Placement placeTogether(SimView view, JobSpec spec, int job) {
        int kind = waiting.kind(view, job);
        if (kind >= isSpread.length) {
            isSpread = Arrays.copyOf(isSpread, 2 * kind);
            hasNoVictims = Arrays.copyOf(hasNoVictims, 2 * kind);
        }
        Placement where = isSpread[kind] ? null : placer.place(view, spec, fewest.of(spec.demand()));
        isSpread[kind] = where == null;
        return where;
    }

    /**
     * Preempts a job for the pending job, or skips it: with all jobs of its demand if the reason applies to those of
     * worse rank too.
     */
    private @Nullable Decision preemptOrSkip(SimView view, int job, boolean isDelayed) {
        JobSpec spec = view.job(job);
        if (preemptsSharers(view)) {
            Decision preemption = isFirstToWait() ? preemptSharer(view, job, Double.POSITIVE_INFINITY) : null;
            if (preemption == null) {
                leaveWaiting(view, job, false, isDelayed ? settings.value(Knob.DELAY) : 0);
            }
            return preemption;
        }
        int kind = waiting.kind(view, job);
        boolean avoidsInterference = settings.value(Knob.LIMIT) < Double.POSITIVE_INFINITY
                && isDelayed(view, job, settings.value(Knob.PATIENCE));
        boolean mayPreempt =
                settings.order().isPreemptive() && spec.demand().isPlain() && !avoidsInterference && isFirstToWait();
        if (mayPreempt && !(isDelayed && hasNoVictims[kind])) {
            Decision preemption =
                    settings.value(Knob.MIGRATE) > 0 && !view.cluster().isShared()
                            ? evictions.begin(view, job, settings.value(Knob.MIGRATE))
                            : preempt(view, job, isDelayed);
            if (preemption != null) {
                return preemption;
            }
            hasNoVictims[kind] = true;
        }
        boolean appliesToDemand =
                !settings.order().isPreemptive() || !spec.demand().isPlain() || mayPreempt;
        boolean appliesNow = appliesToDemand && (!isDelayed || settings.value(Knob.DELAY) == Double.POSITIVE_INFINITY);
        leaveWaiting(view, job, appliesNow, isDelayed ? settings.value(Knob.DELAY) : 0);
        return null;
    }

    /** Whether no job before this one has a reservation, which what a preemption frees would have to serve first. */
    private boolean isFirstToWait() {
        return backfill == null || !backfill.hasStanding();
    }

    /**
     * Whether jobs for parts of GPUs preempt each other: only where two jobs may share one, and only by remaining time.
     */
    private boolean preemptsSharers(SimView view) {
        return view.cluster().isShared() && settings.order().isByRemainingTime();
    }

    private @Nullable Decision preemptSharer(SimView view, int job, double mostInterference) {
        double least = Math.max(waiting.rank(job), rank.of(view, job)) + margin;
        return evictions.beginShared(view, job, least, mostInterference);
    }

    private @Nullable Decision preempt(SimView view, int job, boolean isDelayed) {
        JobSpec spec = view.job(job);
        int servers = isDelayed ? fewest.of(spec.demand()) : Integer.MAX_VALUE;
        double limit = Math.max(waiting.rank(job), rank.of(view, job)) + margin;
        int victim = candidates.victim(view, limit, spec.gpus(), servers);
        if (victim == SimView.NONE) {
            return null;
        }
        slow.preempted(view, job);
        return new Decision.Preempt(victim);
    }

    /** Skips the job, at the latest until it has waited so many predicted run times. */
    private void passOver(SimView view, int job, double runs) {
        double nanos = runs * view.predictedSeconds(job) * NANOS;
        if (runs > 0 && nanos < Long.MAX_VALUE / 4.0) {
            long until = Math.max(view.nowNanos() + 1, view.queuedSinceNanos(job) + (long) Math.ceil(nanos));
            retryNanos = Math.min(retryNanos, until);
        }
        waiting.passOver(view, job);
    }

    /** Whether the job has waited less than so many of its predicted run times, and another job is running. */
    private static boolean isDelayed(SimView view, int job, double runs) {
        return view.runningCount() > 0
                && view.nowNanos() - view.queuedSinceNanos(job) < runs * view.predictedSeconds(job) * NANOS;
    }

    private boolean interferes(SimView view, JobSpec spec, Placement where) {
        return settings.value(Knob.LIMIT) < Double.POSITIVE_INFINITY
                && 1 + interference.of(view, spec, where) > settings.value(Knob.LIMIT);
    }

    private Decision waitFor(SimView view) {
        if (backfill != null && view.runningCount() == 0) {
            // Plans by wrong estimates may leave an idle cluster on which no event will come.
            retryNanos = Math.min(retryNanos, backfill.nextStartNanos());
        }
        long until = Math.min(retryNanos, order.nextChangeNanos(view, waiting));
        return until == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(until);
    }
}
