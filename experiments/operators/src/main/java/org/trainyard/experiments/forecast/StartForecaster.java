package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.advice.NearestScheduler;

/**
 * Forecasts when a job starts, by many futures from one moment: run times of running jobs are drawn from those of
 * ended jobs that ran longer than they have so far, those of waiting jobs from all, and jobs to come from those that
 * came.
 */
public final class StartForecaster {
    /** Jobs to come are drawn for so many times the wait that there would be without them. */
    private static final int HORIZON = 4;

    private final Topology topology;
    private final NearestScheduler scheduler;
    private final int draws;
    private final long seed;

    /** @param draws futures of each forecast */
    public StartForecaster(Topology topology, NearestScheduler scheduler, int draws, long seed) {
        this.topology = topology;
        this.scheduler = scheduler;
        this.draws = draws;
        this.seed = seed;
    }

    /** A sample of futures, by rising wait. */
    record Futures(List<StartDraw.Outcome> sorted) {
        Quantiles quantiles() {
            return Quantiles.of(
                    sorted.stream().mapToDouble(StartDraw.Outcome::seconds).toArray());
        }

        StartDraw.Outcome median() {
            return sorted.get(sorted.size() / 2);
        }
    }

    /**
     * Futures of a job that waits at the moment, or is submitted then.
     *
     * @param draw plays {@code 0 .. n - 1}, perhaps on several threads
     */
    Futures futures(ClusterMoment moment, TraceJob target, Plays draw) {
        RunTimeHistory history = new RunTimeHistory(moment.ended());
        ArrivalHistory arrivals = new ArrivalHistory(moment.submitted(), moment.nowNanos());
        StartDraw.Outcome alone = draw(moment, target, history, List.of(), stream(target, "alone"));
        long horizon = (long) Math.min(Long.MAX_VALUE / 8.0, HORIZON * alone.seconds() * 1e9);
        List<StartDraw.Outcome> outcomes = new ArrayList<>(draw.of(draws, i -> {
            RandomGenerator random = stream(target, "future " + i);
            return draw(moment, target, history, arrivals.draw(horizon, random), random);
        }));
        outcomes.sort((a, b) -> Double.compare(a.seconds(), b.seconds()));
        return new Futures(List.copyOf(outcomes));
    }

    /** How futures are played. */
    interface Plays {
        List<StartDraw.Outcome> of(int count, IntFunction<StartDraw.Outcome> one);

        /** One after the other. */
        static List<StartDraw.Outcome> inTurn(int count, IntFunction<StartDraw.Outcome> one) {
            List<StartDraw.Outcome> all = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                all.add(one.apply(i));
            }
            return all;
        }
    }

    private RandomGenerator stream(TraceJob target, String purpose) {
        return RandomStreams.stream(seed, "%s of %s".formatted(purpose, target.id()));
    }

    private StartDraw.Outcome draw(
            ClusterMoment moment,
            TraceJob target,
            RunTimeHistory history,
            List<TraceJob> comers,
            RandomGenerator random) {
        long[] running = new long[moment.running().size()];
        for (int i = 0; i < running.length; i++) {
            ClusterMoment.Running one = moment.running().get(i);
            double elapsed = (moment.nowNanos() - one.startNanos()) / 1e9;
            running[i] = Math.round(1e9 * history.drawSeconds(one.job(), elapsed, random));
        }
        List<TraceJob> queued = new ArrayList<>();
        boolean isIn = false;
        for (TraceJob job : moment.waiting()) {
            isIn |= job.id().equals(target.id());
            queued.add(drawn(job, history, random));
        }
        if (!isIn) {
            queued.add(drawn(target, history, random));
        }
        for (TraceJob job : comers) {
            queued.add(drawn(job, history, random));
        }
        Function<Workload, RuntimePredictor> told = scheduler.isTold() ? RuntimePredictor::oracle : workload -> history;
        return new StartDraw(
                        moment,
                        topology,
                        running,
                        queued,
                        target.id(),
                        told,
                        scheduler.fresh().get())
                .play();
    }

    private static TraceJob drawn(TraceJob job, RunTimeHistory history, RandomGenerator random) {
        return StartDraw.lasting(job, Math.round(1e9 * history.drawSeconds(job, 0, random)));
    }

    /** A forecast of a past job, by what was known when it was submitted. */
    Quantiles atSubmission(ClusterMoment moment, TraceJob target) {
        return futures(moment, target, Plays::inTurn).quantiles();
    }
}
