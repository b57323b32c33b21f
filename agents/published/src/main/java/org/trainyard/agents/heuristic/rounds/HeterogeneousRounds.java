package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.queue.LiveJobs;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Gavel's rounds on GPUs of several types: in each round the pairs of job and type with the largest part of time over
 * the time received on that type get the GPUs of the type.
 *
 * <p>Parts of time are those of {@link EffectiveThroughput}, computed anew when jobs have arrived or finished. A job
 * runs on GPUs of one type at a time; to change the type it is preempted, and restarts. A job that is chosen for the
 * type it runs on stays. Accounts of received time are cleared when parts have changed, at most every 1,000 s, as in
 * {@link GavelRounds}.
 *
 * <p>Source: D. Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI
 * 2020, section 5. Our deviations: (1) a job that fits on no type alone has an equal part of the whole cluster, and
 * takes GPUs of any type; (2) a gang on several servers of its type takes those with most room, wherever they are.
 * O(jobs types log) per round besides the programme.
 */
final class HeterogeneousRounds implements Scheduler {
    /** A job for a type in a round; the type is {@link #ANY} for a job that fits on none alone. */
    private record Claim(int job, int kind, double priority, double part) {}

    private static final int ANY = -1;
    private static final double ACCOUNTS_SECONDS = 1_000;
    private static final double INITIAL_SECONDS = 60;

    private final GpuKinds kinds;
    private final double roundSeconds;
    private final Placer placer;
    private final LiveJobs live = new LiveJobs();
    private final Map<Integer, double[]> parts = new HashMap<>();
    private final Map<Integer, double[]> receivedSeconds = new HashMap<>();
    private final Deque<Integer> preemptions = new ArrayDeque<>();
    private final Deque<Claim> starts = new ArrayDeque<>();
    private final IntArrayList lastLive = new IntArrayList();
    private long roundEndNanos;
    private long clearedNanos;
    private long accountedNanos;
    private boolean arePartsNew;

    HeterogeneousRounds(Topology topology, double roundSeconds, Placer placer) {
        kinds = new GpuKinds(topology);
        this.roundSeconds = roundSeconds;
        this.placer = placer;
    }

    @Override
    public Decision decide(SimView view) {
        if (preemptions.isEmpty()
                && starts.isEmpty()
                && (view.runningCount() == 0 || view.nowNanos() >= roundEndNanos)) {
            plan(view);
        }
        while (!preemptions.isEmpty()) {
            int job = preemptions.remove();
            if (view.mayPreempt(job)) {
                return new Decision.Preempt(job);
            }
        }
        while (!starts.isEmpty()) {
            Claim claim = starts.remove();
            JobSpec job = view.job(claim.job());
            boolean mayStart =
                    view.state(claim.job()) == JobState.WAITING && view.isWithinQuota(claim.job(), job.gpus());
            @Nullable Placement where =
                    mayStart ? placer.place(view, claim.kind() == ANY ? job : kinds.on(job, claim.kind())) : null;
            if (where != null) {
                return new Decision.Start(claim.job(), where);
            }
        }
        return view.runningCount() == 0 ? Decision.WAIT : Decision.waitUntil(roundEndNanos);
    }

    private void plan(SimView view) {
        live.update(view, job -> receivedSeconds.put(job, new double[kinds.count() + 1]));
        account(view);
        if (live.list.isEmpty()) {
            return;
        }
        if (!lastLive.equals(live.list)) {
            computeParts(view);
            lastLive.clear();
            lastLive.addAll(live.list);
            arePartsNew = true;
        }
        if (arePartsNew && (view.nowNanos() - clearedNanos) / 1e9 >= ACCOUNTS_SECONDS) {
            clearedNanos = view.nowNanos();
            receivedSeconds.clear();
            arePartsNew = false;
        }
        choose(view);
        roundEndNanos = view.nowNanos() + Math.round(roundSeconds * 1e9);
    }

    private double[] received(int job) {
        return receivedSeconds.computeIfAbsent(job, key -> new double[kinds.count() + 1]);
    }

    /** Adds the time since the last round to the accounts. */
    private void account(SimView view) {
        double seconds = (view.nowNanos() - accountedNanos) / 1e9;
        accountedNanos = view.nowNanos();
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            received(job)[index(kindOf(view, job))] += seconds;
        }
    }

    private int index(int kind) {
        return kind == ANY ? kinds.count() : kind;
    }

    /** The type of the GPUs of a running job; {@link #ANY} when it fits on no type alone. */
    private int kindOf(SimView view, int job) {
        return fitsOnOneKind(view.job(job))
                ? kinds.kindOfServer(view.placement(job).server(0))
                : ANY;
    }

    private boolean fitsOnOneKind(JobSpec job) {
        return kinds.rates(job).stream().anyMatch(rate -> rate > 0);
    }

    private void computeParts(SimView view) {
        double gpus = view.topology().gpus();
        double reserved = 0;
        List<EffectiveThroughput.Row> rows = new ArrayList<>();
        IntArrayList inRows = new IntArrayList();
        parts.clear();
        for (int i = 0; i < live.list.size(); i++) {
            int job = live.list.getInt(i);
            JobSpec spec = view.job(job);
            if (fitsOnOneKind(spec)) {
                rows.add(new EffectiveThroughput.Row(Math.max(1, spec.gpus()), kinds.rates(spec)));
                inRows.add(job);
            } else {
                double part = Math.min(1, gpus / live.list.size() / Math.max(1, spec.gpus()));
                double[] row = new double[kinds.count() + 1];
                row[kinds.count()] = part;
                parts.put(job, row);
                reserved += part * spec.gpus();
            }
        }
        double[] left = new double[kinds.count()];
        for (int kind = 0; kind < left.length; kind++) {
            left[kind] = kinds.gpus(kind) * Math.max(0, 1 - reserved / gpus);
        }
        double[][] fair = rows.isEmpty() ? new double[0][] : EffectiveThroughput.maxMin(rows, left);
        for (int i = 0; i < fair.length; i++) {
            parts.put(inRows.getInt(i), fair[i]);
        }
    }

    /**
     * Chooses pairs of job and type in order of priority; types without a part of time come last, for GPUs that are
     * left over.
     */
    private void choose(SimView view) {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < live.list.size(); i++) {
            int job = live.list.getInt(i);
            double[] part = parts.getOrDefault(job, new double[0]);
            for (int at = 0; at < part.length; at++) {
                int kind = at == kinds.count() ? ANY : at;
                boolean canRun = kind == ANY || kinds.rates(view.job(job)).get(kind) > 0;
                if (canRun && (kind != ANY || part[at] > 0)) {
                    claims.add(new Claim(job, kind, part[at] / (INITIAL_SECONDS + received(job)[at]), part[at]));
                }
            }
        }
        claims.sort(Comparator.comparingDouble((Claim claim) -> -claim.priority())
                .thenComparingDouble(claim -> -claim.part())
                .thenComparingInt(Claim::job)
                .thenComparingInt(Claim::kind));
        int[] left = new int[kinds.count()];
        int all = 0;
        for (int kind = 0; kind < left.length; kind++) {
            left[kind] = kinds.gpus(kind);
            all += left[kind];
        }
        Map<Integer, Claim> chosen = new HashMap<>();
        for (Claim claim : claims) {
            int gpus = view.job(claim.job()).gpus();
            int room = claim.kind() == ANY ? all : Math.min(all, left[claim.kind()]);
            if (!chosen.containsKey(claim.job()) && gpus <= room) {
                chosen.put(claim.job(), claim);
                all -= gpus;
                if (claim.kind() != ANY) {
                    left[claim.kind()] -= gpus;
                }
                starts.add(claim);
            }
        }
        starts.removeIf(
                claim -> view.state(claim.job()) == JobState.RUNNING && kindOf(view, claim.job()) == claim.kind());
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            Claim claim = chosen.get(job);
            if (claim == null || claim.kind() != kindOf(view, job)) {
                preemptions.add(job);
            }
        }
    }
}
