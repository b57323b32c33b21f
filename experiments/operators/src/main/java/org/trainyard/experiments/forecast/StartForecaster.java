package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.simulation.FreeWait;
import org.trainyard.experiments.simulation.LoggedCluster;

/**
 * Forecasts when a job starts, by many futures from one moment: run times of running jobs are drawn from those of ended
 * jobs that ran longer than they have so far, those of waiting jobs from all, and jobs to come from those that came.
 * Jobs that wait when the log ends are cancelled as others were.
 */
public final class StartForecaster {
    /** Jobs to come are drawn for so many times the wait that there would be without them. */
    private static final int HORIZON = 4;

    private final Topology topology;
    private final NearestScheduler scheduler;
    private final Outlook outlook;
    private final int draws;
    private final long seed;

    /** @param draws futures of each forecast */
    public StartForecaster(Topology topology, NearestScheduler scheduler, int draws, long seed) {
        this(topology, scheduler, Outlook.NONE, draws, seed);
    }

    /**
     * A forecaster with an outlook on the time after a moment.
     *
     * @param draws futures of each forecast
     */
    public StartForecaster(Topology topology, NearestScheduler scheduler, Outlook outlook, int draws, long seed) {
        this.outlook = outlook;
        this.topology = topology;
        this.scheduler = scheduler;
        this.draws = draws;
        this.seed = seed;
    }

    /** Returns this forecaster with at most so many futures. */
    StartForecaster atMost(int futures) {
        return new StartForecaster(topology, scheduler, outlook, Math.min(draws, futures), seed);
    }

    /**
     * A sample of futures, by rising wait.
     *
     * @param delaySeconds that pass between a decision and the start
     */
    record Futures(List<StartDraw.Outcome> sorted, double delaySeconds) {
        Quantiles quantiles() {
            return Quantiles.of(sorted.stream()
                    .mapToDouble(one -> one.seconds() + delaySeconds)
                    .toArray());
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
        From from = new From(moment, List.of(target));
        List<StartDraw.Outcome> outcomes =
                new ArrayList<>(draw.of(draws, i -> from.future(i).play()));
        outcomes.sort((a, b) -> Double.compare(a.seconds(), b.seconds()));
        return new Futures(List.copyOf(outcomes), from.delaySeconds);
    }

    /**
     * Forecasts of several jobs by the same futures.
     *
     * @param asked jobs that wait at the moment, or are submitted then
     */
    List<Quantiles> atOnce(ClusterMoment moment, List<TraceJob> asked) {
        From from = new From(moment, asked);
        double[][] seconds = new double[asked.size()][draws];
        for (int i = 0; i < draws; i++) {
            double[] one = from.future(i).playAll();
            for (int job = 0; job < one.length; job++) {
                seconds[job][i] = one[job] + from.delaySeconds;
            }
        }
        return Arrays.stream(seconds)
                .map(sample -> Quantiles.of(Arrays.stream(sample).sorted().toArray()))
                .toList();
    }

    /** The common part of all futures of some jobs from a moment. */
    private final class From {
        private final ClusterMoment moment;
        private final List<TraceJob> asked;
        private final RunTimeHistory history;
        private final ArrivalHistory arrivals;
        private final Supplier<Scheduler> fresh;
        private final long horizon;
        private final double delaySeconds;

        From(ClusterMoment moment, List<TraceJob> asked) {
            this.moment = moment;
            this.asked = asked;
            history = new RunTimeHistory(moment.ended());
            arrivals = new ArrivalHistory(moment.submitted(), moment.nowNanos(), outlook);
            fresh = LoggedCluster.after(scheduler.fresh(), moment.ran(), moment.nowNanos());
            delaySeconds = FreeWait.ofDated(topology, moment.ended()).delaySeconds();
            double alone = Arrays.stream(draw(List.of(), stream("alone")).playAll())
                    .max()
                    .orElse(0);
            horizon = (long) Math.min(Long.MAX_VALUE / 8.0, HORIZON * alone * 1e9);
        }

        private RandomGenerator stream(String purpose) {
            return RandomStreams.stream(
                    seed, "%s of %s".formatted(purpose, asked.get(0).id()));
        }

        StartDraw future(int number) {
            RandomGenerator random = stream("future " + number);
            StartDraw draw = draw(arrivals.draw(horizon, random), random);
            if (outlook.patience().endsAfter(moment.nowNanos())) {
                RandomGenerator leaving = stream("patience " + number);
                Set<String> targets = asked.stream().map(TraceJob::id).collect(Collectors.toSet());
                for (TraceJob job : moment.waiting()) {
                    long until = outlook.patience().drawNanos(job, moment.nowNanos(), leaving);
                    if (!targets.contains(job.id())) {
                        draw.cancel(job.id(), until);
                    }
                }
            }
            return draw;
        }

        private StartDraw draw(List<TraceJob> comers, RandomGenerator random) {
            long[] running = new long[moment.running().size()];
            for (int i = 0; i < running.length; i++) {
                ClusterMoment.Running one = moment.running().get(i);
                double elapsed = (moment.nowNanos() - one.startNanos()) / 1e9;
                running[i] = Math.round(1e9 * history.drawSeconds(outlook.limited(one.job()), elapsed, random));
            }
            Set<String> waiting = moment.waiting().stream().map(TraceJob::id).collect(Collectors.toSet());
            List<TraceJob> queued = new ArrayList<>();
            Stream.of(
                            moment.waiting().stream(),
                            asked.stream().filter(job -> !waiting.contains(job.id())),
                            comers.stream())
                    .flatMap(jobs -> jobs)
                    .forEach(job -> queued.add(StartDraw.lasting(
                            job, Math.round(1e9 * history.drawSeconds(outlook.limited(job), 0, random)))));
            Function<Workload, RuntimePredictor> told =
                    scheduler.isTold() ? RuntimePredictor::oracle : workload -> history;
            World world = StartDraw.world(topology, moment).telling(told).maintained(moment.heeding(outlook.windows()));
            List<String> ids = asked.stream().map(TraceJob::id).toList();
            return new StartDraw(moment, world, running, queued, ids, fresh.get());
        }
    }

    /** How futures are played. */
    interface Plays {
        List<StartDraw.Outcome> of(int count, IntFunction<StartDraw.Outcome> one);

        /** Plays one future after the other. */
        static List<StartDraw.Outcome> inTurn(int count, IntFunction<StartDraw.Outcome> one) {
            List<StartDraw.Outcome> all = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                all.add(one.apply(i));
            }
            return all;
        }
    }

    /** A forecast of a past job, by what was known when it was submitted. */
    Quantiles atSubmission(ClusterMoment moment, TraceJob target) {
        return futures(moment, target, Plays::inTurn).quantiles();
    }

    /**
     * Submissions to come, drawn from those of the past in blocks: of a day at the same time of day where the past has
     * some days, of a weekend for a weekend where that is known, else of a third of the past (a moving-block bootstrap;
     * H. Künsch, Annals of Statistics 17, 1989): the load goes on as it was.
     */
    static final class ArrivalHistory {
        private static final long DAY_NANOS = 86_400_000_000_000L;
        private static final int MOST = 5000;
        /** Days of past from which blocks keep their time of day. */
        private static final int DAYS = 3;

        private final List<TraceJob> submitted;
        private final long nowNanos;
        private final long firstNanos;
        private final Outlook outlook;

        /** @param submitted in order of submission */
        ArrivalHistory(List<TraceJob> submitted, long nowNanos, Outlook outlook) {
            this.outlook = outlook;
            this.submitted = submitted;
            this.nowNanos = nowNanos;
            firstNanos = submitted.isEmpty() ? nowNanos : submitted.get(0).submitNanos();
        }

        /**
         * Jobs that are submitted within a time from now, in order of submission, with the durations they had; so many
         * at most that a draw stays short.
         */
        List<TraceJob> draw(long horizonNanos, RandomGenerator random) {
            List<TraceJob> drawn = new ArrayList<>();
            long span = nowNanos - firstNanos;
            if (span <= 0) {
                return drawn;
            }
            boolean isDaily = span >= DAYS * DAY_NANOS;
            long block = isDaily ? DAY_NANOS : Math.max(1, span / 3);
            for (long from = 0; from < horizonNanos && drawn.size() < MOST; from += block) {
                long begin = isDaily
                        ? nowNanos - DAY_NANOS * daysBack(nowNanos + from, span / DAY_NANOS, random)
                        : firstNanos + random.nextLong(span - block + 1);
                long shift = nowNanos + from - begin;
                for (int i = TraceJob.firstAtOrAfter(submitted, begin);
                        i < submitted.size() && drawn.size() < MOST;
                        i++) {
                    TraceJob job = submitted.get(i);
                    if (job.submitNanos() >= begin + block || job.submitNanos() + shift >= nowNanos + horizonNanos) {
                        break;
                    }
                    drawn.add(copy(job, job.submitNanos() + shift, drawn.size()));
                }
            }
            return drawn;
        }

        /** Draws one of the past days that are like a day to come; of all where fewer than two are. */
        private long daysBack(long dayNanos, long days, RandomGenerator random) {
            long[] alike = LongStream.rangeClosed(1, days)
                    .filter(back -> outlook.isAlike(dayNanos, nowNanos - back * DAY_NANOS))
                    .toArray();
            return alike.length < 2 ? 1 + random.nextLong(days) : alike[(int) random.nextLong(alike.length)];
        }

        private static TraceJob copy(TraceJob job, long submitNanos, int number) {
            return new TraceJob(
                            "to come " + number,
                            submitNanos,
                            job.demand(),
                            job.durationNanos(),
                            job.model(),
                            job.user(),
                            job.group(),
                            job.virtualCluster())
                    .parallel(job.plan())
                    .on(StartDraw.free(job.terms()));
        }
    }
}
