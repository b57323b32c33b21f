package org.trainyard.experiments.forecast;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trainyard.env.Counted;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.simulation.LoggedServers;

/**
 * Forecasts of past jobs at their submissions, by the knowledge of then, beside their waits. Jobs of the middle third
 * of a log teach the {@link Calibration} of those of its last third, each of which also learns from the ones before.
 */
public final class ForecastBacktest {
    /**
     * A job of the last third, for machines too.
     *
     * @param waitedS until it started, seconds
     * @param waitS forecast, calibrated by earlier forecasts
     * @param simulatedWaitS without correction
     * @param estimates of its wait by simpler means, seconds
     */
    private record Tested(
            String job,
            int gpus,
            double waitedS,
            Quantiles waitS,
            Quantiles simulatedWaitS,
            @JsonIgnore Map<WaitEstimator, Double> estimates) {}

    /** Absolute errors of an estimate of the waits, seconds. */
    private record Errors(double median, double mean) {}

    private record Estimate(String name, Errors errorS) {}

    /** A backtest for machines. */
    private record Report(
            int jobs,
            String scheduler,
            @JsonProperty("coverage_80") double coverage,
            @JsonProperty("coverage_80_simulated") double rawCoverage,
            Errors errorS,
            List<Estimate> others,
            List<Tested> forecasts) {}

    /** @param raw by rule */
    private record Made(int job, List<Quantiles> raw) {
        Quantiles by(ForecastRule rule) {
            return raw.get(rule.index());
        }
    }

    /** Corrected forecasts, from their job's submission on, by rule. */
    private record Corrected(int job, List<Quantiles> forecasts) {
        Quantiles by(ForecastRule rule) {
            return forecasts.get(rule.index());
        }
    }

    /** Waiting jobs that are forecast at a past moment. */
    private static final int TOGETHER = 10;
    /** Futures of a forecast at a past moment, at most: quantiles of more would correct new forecasts hardly better. */
    private static final int FUTURES = 25;

    private final List<TraceJob> jobs;
    private final List<Made> made;
    private final List<Corrected> corrected = new ArrayList<>();
    private final List<Tested> tested = new ArrayList<>();

    private ForecastBacktest(List<TraceJob> jobs, List<Made> made) {
        this.jobs = jobs;
        this.made = made;
        for (Made one : made) {
            long now = jobs.get(one.job).submitNanos();
            int gpus = jobs.get(one.job).gpus();
            corrected.add(new Corrected(
                    one.job,
                    Stream.of(ForecastRule.values())
                            .map(rule -> calibration(now, one.job, gpus, rule).apply(one.by(rule)))
                            .toList()));
        }
    }

    /**
     * Forecasts jobs of the last two thirds.
     *
     * @param dated jobs of the log in order of submission, all with a past
     * @param endNanos of the log; jobs that had not started then are not judged
     * @param most jobs of each third
     */
    public static ForecastBacktest of(
            StartForecaster forecaster,
            List<TraceJob> dated,
            LoggedServers servers,
            int gpus,
            long endNanos,
            int most) {
        int size = dated.size();
        int[] started = IntStream.range(0, size)
                .filter(job -> past(dated.get(job)).startNanos() <= endNanos)
                .toArray();
        int third = 2 * started.length / 3;
        int[] learned = withGpus(dated, of(started, evenly(started.length / 3, third, most)));
        int[] judged = withGpus(dated, of(started, evenly(third, started.length, most)));
        List<Made> made = new ArrayList<>(forecast(forecaster.atMost(FUTURES), dated, servers, learned));
        made.addAll(forecast(forecaster, dated, servers, judged));
        ForecastBacktest backtest = new ForecastBacktest(dated, made);
        for (int i = learned.length; i < backtest.made.size(); i++) {
            Made one = backtest.made.get(i);
            TraceJob job = dated.get(one.job);
            ClusterMoment moment = moment(dated, servers, one.job);
            Map<WaitEstimator, Double> estimates = new LinkedHashMap<>();
            for (WaitEstimator estimator : WaitEstimator.values()) {
                estimates.put(estimator, estimator.seconds(moment, job, gpus));
            }
            backtest.tested.add(new Tested(
                    job.id(),
                    job.gpus(),
                    wait(job),
                    backtest.corrected.get(i).by(backtest.rule(job.submitNanos(), one.job)),
                    one.by(ForecastRule.SIMULATED),
                    estimates));
        }
        return backtest;
    }

    /** Forecasts the last jobs before a moment, to learn from them alone. */
    static ForecastBacktest before(StartForecaster forecaster, List<TraceJob> dated, LoggedServers servers, int most) {
        int[] learned = withGpus(dated, evenly(dated.size() / 3, dated.size(), most));
        return new ForecastBacktest(dated, forecast(forecaster.atMost(FUTURES), dated, servers, learned));
    }

    /**
     * Calibration of jobs that wait, by joint forecasts of those that waited at earlier moments of a log.
     *
     * @param nowNanos until when it is known which of them started
     * @param most of them; {@value #TOGETHER} at a moment, evenly among those that waited
     */
    static Calibration waiting(
            StartForecaster forecaster, List<TraceJob> dated, LoggedServers servers, long nowNanos, int most) {
        int[] when = evenly(dated.size() / 3, dated.size(), (most + TOGETHER - 1) / TOGETHER);
        try (ThreadWorkerPool workers = new ThreadWorkerPool();
                Progress progress = Progress.startLate("forecast waiting jobs", Math.max(1, when.length))) {
            int[] done = {0};
            List<List<Calibration.Seen>> seen = workers.map(
                    when.length,
                    i -> waiting(forecaster.atMost(FUTURES), moment(dated, servers, when[i]), nowNanos),
                    () -> progress.to(++done[0], Counted.of(done[0], "moment")));
            return new Calibration(seen.stream().flatMap(List::stream).toList(), Calibration.Aim.at(seen));
        }
    }

    private static List<Calibration.Seen> waiting(StartForecaster forecaster, ClusterMoment moment, long nowNanos) {
        List<TraceJob> all =
                moment.waiting().stream().filter(job -> job.gpus() > 0).toList();
        List<TraceJob> asked = Arrays.stream(evenly(0, all.size(), TOGETHER))
                .mapToObj(all::get)
                .toList();
        List<Quantiles> forecasts = asked.isEmpty() ? List.of() : forecaster.atOnce(moment, asked);
        return IntStream.range(0, asked.size())
                .mapToObj(i -> {
                    long start = past(asked.get(i)).startNanos();
                    double seconds = (Math.min(start, nowNanos) - moment.nowNanos()) / 1e9;
                    return new Calibration.Seen(forecasts.get(i), seconds, start <= nowNanos);
                })
                .toList();
    }

    /** The chosen jobs without those that hold CPUs and memory alone. */
    private static int[] withGpus(List<TraceJob> jobs, int[] chosen) {
        return Arrays.stream(chosen).filter(job -> jobs.get(job).gpus() > 0).toArray();
    }

    private static List<Made> forecast(
            StartForecaster forecaster, List<TraceJob> dated, LoggedServers servers, int[] chosen) {
        try (ThreadWorkerPool workers = new ThreadWorkerPool();
                Progress progress = Progress.startLate("forecast past jobs", Math.max(1, chosen.length))) {
            int[] done = {0};
            return workers.map(
                    chosen.length,
                    i -> made(forecaster, dated, chosen[i], moment(dated, servers, chosen[i])),
                    () -> progress.to(++done[0], Counted.of(done[0], "job")));
        }
    }

    private static Made made(StartForecaster forecaster, List<TraceJob> dated, int job, ClusterMoment moment) {
        Quantiles simulated = forecaster.atSubmission(moment, dated.get(job));
        double[] similar = WaitEstimator.rests(moment, dated.get(job));
        return new Made(
                job,
                Stream.of(ForecastRule.values())
                        .map(rule -> rule.raw(simulated, similar))
                        .toList());
    }

    private static int[] evenly(int from, int to, int most) {
        int count = Math.min(most, to - from);
        return IntStream.range(0, count)
                .map(i -> from + (int) ((long) i * (to - from) / count))
                .toArray();
    }

    private static int[] of(int[] all, int[] places) {
        return Arrays.stream(places).map(place -> all[place]).toArray();
    }

    private static ClusterMoment moment(List<TraceJob> dated, LoggedServers servers, int job) {
        return ClusterMoment.of(dated.subList(0, job), servers, dated.get(job).submitNanos());
    }

    private static double wait(TraceJob job) {
        return (past(job).startNanos() - job.submitNanos()) / 1e9;
    }

    private static LoggedRun past(TraceJob job) {
        return Objects.requireNonNull(job.past());
    }

    /** Calibration at an instant by the forecasts of earlier jobs; of similarly wide jobs only, if there are enough. */
    private Calibration calibration(long nowNanos, int before, int gpus, ForecastRule rule) {
        List<Calibration.Seen> seen = new ArrayList<>();
        List<Calibration.Seen> alike = new ArrayList<>();
        for (Made one : made) {
            if (one.job < before) {
                TraceJob job = jobs.get(one.job);
                boolean isOver = past(job).startNanos() <= nowNanos;
                double waited = isOver ? wait(job) : (nowNanos - job.submitNanos()) / 1e9;
                seen.add(new Calibration.Seen(one.by(rule), waited, isOver));
                if (job.gpus() > JobMetric.NARROW == gpus > JobMetric.NARROW) {
                    alike.add(seen.get(seen.size() - 1));
                }
            }
        }
        return new Calibration(alike.size() < Calibration.LEAST ? seen : alike, aim(nowNanos, before, rule));
    }

    /** Aim after the corrected forecasts of earlier jobs that had started by an instant, in order of starts. */
    private Calibration.Aim aim(long nowNanos, int before, ForecastRule rule) {
        Calibration.Aim aim = Calibration.Aim.START;
        List<Corrected> started = corrected.stream()
                .filter(one -> one.job < before && past(jobs.get(one.job)).startNanos() <= nowNanos)
                .sorted(Comparator.comparingLong(one -> past(jobs.get(one.job)).startNanos()))
                .toList();
        for (Corrected one : started) {
            aim = aim.after(one.by(rule), wait(jobs.get(one.job)));
        }
        return aim;
    }

    /** Calibration at an instant for a job of so many GPUs, by all forecasts. */
    Calibration calibration(long nowNanos, int gpus, ForecastRule rule) {
        return calibration(nowNanos, Integer.MAX_VALUE, gpus, rule);
    }

    /** The rule that was nearest at an instant, by all forecasts. */
    ForecastRule rule(long nowNanos) {
        return rule(nowNanos, Integer.MAX_VALUE);
    }

    /**
     * The rule whose corrected forecasts of earlier jobs, of those that had started by an instant, were nearest to
     * their waits: by the mean difference of ln(wait + 60 s). The futures, where too few jobs tell or none is nearer.
     */
    private ForecastRule rule(long nowNanos, int before) {
        double[] errors = new double[ForecastRule.values().length];
        int told = 0;
        for (Corrected one : corrected) {
            TraceJob job = jobs.get(one.job);
            if (one.job < before && past(job).startNanos() <= nowNanos) {
                told++;
                for (ForecastRule rule : ForecastRule.values()) {
                    errors[rule.index()] += Calibration.distance(one.by(rule).p50(), wait(job));
                }
            }
        }
        ForecastRule best = ForecastRule.SIMULATED;
        for (ForecastRule rule : ForecastRule.values()) {
            best = told >= Calibration.LEAST && errors[rule.index()] < errors[best.index()] ? rule : best;
        }
        return best;
    }

    /** The share of the jobs that started between p10 and p90. */
    private double coverage(Function<Tested, Quantiles> forecast) {
        return tested.stream()
                        .filter(one -> forecast.apply(one).covers(one.waitedS))
                        .count()
                / (double) Math.max(1, tested.size());
    }

    private Errors errors(ToDoubleFunction<Tested> estimate) {
        double[] errors = tested.stream()
                .mapToDouble(one -> Math.abs(estimate.applyAsDouble(one) - one.waitedS))
                .toArray();
        return new Errors(
                WaitEstimator.median(errors), Arrays.stream(errors).average().orElse(0));
    }

    private Report report(String scheduler) {
        return new Report(
                tested.size(),
                scheduler,
                coverage(Tested::waitS),
                coverage(Tested::simulatedWaitS),
                errors(one -> one.waitS.p50()),
                Arrays.stream(WaitEstimator.values())
                        .map(by ->
                                new Estimate(by.words(), errors(one -> Objects.requireNonNull(one.estimates.get(by)))))
                        .toList(),
                tested);
    }

    /** The report in sentences and a table. */
    public Answer answer(String scheduler) {
        Report report = report(scheduler);
        List<Estimate> estimates = new ArrayList<>(report.others);
        estimates.add(0, new Estimate("when: p50 of the forecast", report.errorS));
        return new Answer()
                .tell(
                        "%s of the last third of the log, each forecast at its submission under %s.",
                        Counted.of(report.jobs, "job"), scheduler)
                .tell(
                        "80 %% intervals cover %.0f %% of the starts (%.0f %% as simulated, before calibration).",
                        100 * report.coverage, 100 * report.rawCoverage)
                .gap()
                .table(AnswerTable.of(estimates)
                        .text("estimate of the wait", Estimate::name)
                        .duration("median error", one -> one.errorS.median)
                        .duration("mean error", one -> one.errorS.mean));
    }

    /** For machines; times in seconds. */
    public String json(String scheduler) {
        return JsonText.pretty(report(scheduler));
    }
}
