package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * AlloX on GPUs of several types: whenever something has happened, the waiting jobs are matched with positions of GPUs
 * such that the sum of completion times is least ({@link AlloXPlan}), and those that are first on a free GPU start
 * there. They keep their GPUs until they end.
 *
 * <p>Source: T. N. Le, X. Sun, M. Chowdhury, Z. Liu: AlloX: compute allocation in hybrid clusters, EuroSys 2020. Our
 * deviations: (1) GPU types stand where CPUs and GPUs are there; (2) processing times are predictions on the throughput
 * matrix of {@link GpuKinds}, not estimated by profiling runs; (3) a gang counts as one job on one GPU whose processing
 * time is its GPU time, starts when its GPUs are free within its type, and jobs behind it may pass; (4) the oldest
 * {@value #CONSIDERED} waiting jobs are considered, in place of the published choice by fairness; (5) a job that fits
 * on no type alone starts wherever it fits, before the others.
 */
public final class AlloXQueue implements Scheduler {
    private static final int CONSIDERED = 64;
    private static final double LEAST_SECONDS = 1;

    /** A job that is to start on GPUs of a type; the type is {@link #ANY} for a job that fits on none alone. */
    private record Start(int job, int type, double order) {}

    private static final int ANY = -1;

    private final GpuKinds kinds;
    private final GpuReadyTimes ready;
    private final Placer placer;
    /** The waiting jobs in order of submission. */
    private final IntRBTreeSet waiting = new IntRBTreeSet();

    private final List<Start> starts = new ArrayList<>();
    private int plannedAt = -1;
    private long plannedNanos = -1;
    private int journalRead;

    /** @param placer of a job on GPUs of its type */
    public AlloXQueue(Topology topology, Placer placer) {
        kinds = new GpuKinds(topology);
        ready = new GpuReadyTimes(kinds);
        this.placer = placer;
    }

    @Override
    public Decision decide(SimView view) {
        if (plannedAt != view.journalSize() || plannedNanos != view.nowNanos()) {
            readJournal(view);
            plan(view);
            plannedAt = view.journalSize();
            plannedNanos = view.nowNanos();
        }
        while (!starts.isEmpty()) {
            Start next = starts.remove(starts.size() - 1);
            JobSpec job = view.job(next.job());
            @Nullable Placement where = view.isWithinQuota(next.job(), job.gpus())
                    ? placer.place(view, next.type() == ANY ? job : kinds.on(job, next.type()))
                    : null;
            if (where != null) {
                return new Decision.Start(next.job(), where);
            }
        }
        return Decision.WAIT;
    }

    private void readJournal(SimView view) {
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case ARRIVE, PREEMPT, KILL -> waiting.add(job);
                case START -> waiting.remove(job);
                case REJECT -> {
                    waiting.remove(job);
                    ready.forget(job);
                }
                case FINISH -> ready.forget(job);
                case FORWARD, RESIZE, DOWN, UP, FREEZE, HOST_CPU, HOST_MEMORY, HOLD, TIMEOUT -> {}
            }
        }
    }

    private void plan(SimView view) {
        starts.clear();
        int[] free = ready.free(view);
        IntArrayList jobs = new IntArrayList();
        List<double[]> seconds = new ArrayList<>();
        boolean someFit = false;
        IntIterator oldest = waiting.iterator();
        while (oldest.hasNext() && jobs.size() < CONSIDERED) {
            int job = oldest.nextInt();
            double[] there = gpuSeconds(view, job);
            if (Arrays.stream(there).anyMatch(Double::isFinite)) {
                jobs.add(job);
                seconds.add(there);
                someFit |= mayFit(view.job(job), there, free);
            } else if (!fitsOnOneKind(view, job)) {
                starts.add(new Start(job, ANY, Double.NEGATIVE_INFINITY));
            }
        }
        if (someFit) {
            match(view, jobs, seconds);
        }
        starts.sort(Comparator.comparingDouble(Start::order)
                .thenComparingInt(Start::job)
                .reversed());
    }

    /**
     * Whether the job may find GPUs now: enough of a type on which it can run are free, or for workers on parts of
     * GPUs, one is.
     */
    private static boolean mayFit(JobSpec job, double[] seconds, int[] free) {
        int least = job.demand().isPlain() ? job.gpus() : 1;
        for (int type = 0; type < free.length; type++) {
            if (Double.isFinite(seconds[type]) && free[type] >= least) {
                return true;
            }
        }
        return false;
    }

    private void match(SimView view, IntArrayList jobs, List<double[]> seconds) {
        List<AlloXPlan.Position> plan =
                AlloXPlan.of(seconds.toArray(double[][]::new), ready.seconds(view, jobs.size()));
        for (int i = 0; i < plan.size(); i++) {
            if (plan.get(i).readySeconds() == 0 && isFirst(plan, plan.get(i))) {
                int type = plan.get(i).type();
                starts.add(new Start(jobs.getInt(i), type, seconds.get(i)[type]));
            }
        }
    }

    private static boolean isFirst(List<AlloXPlan.Position> plan, AlloXPlan.Position position) {
        for (AlloXPlan.Position other : plan) {
            if (other.type() == position.type()
                    && other.gpu() == position.gpu()
                    && other.fromLast() > position.fromLast()) {
                return false;
            }
        }
        return true;
    }

    /** Predicted GPU time by type; infinite where it cannot run and where all GPUs are out of order. */
    private double[] gpuSeconds(SimView view, int job) {
        double[] seconds = new double[kinds.count()];
        int gpus = Math.max(1, view.job(job).gpus());
        for (int type = 0; type < seconds.length; type++) {
            boolean canRun = ready.rates(view, job)[type] > 0 && ready.someAreInOrder(view, type);
            seconds[type] = canRun
                    ? Math.max(LEAST_SECONDS, gpus * ready.leftSeconds(view, job, type))
                    : Double.POSITIVE_INFINITY;
        }
        return seconds;
    }

    private boolean fitsOnOneKind(SimView view, int job) {
        return Arrays.stream(ready.rates(view, job)).anyMatch(rate -> rate > 0);
    }
}
