package org.trainyard.experiments.forecast;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.Counted;
import org.trainyard.experiments.simulation.LoggedServers;

/**
 * When a job would start, and why it waits.
 *
 * @param moment from which it was simulated
 * @param job asked about
 * @param gpus of the cluster
 * @param scheduler in words
 * @param distance of the scheduler's waits from those of the past, a mean of logarithms; NaN when it was named
 * @param corrected wait from now, corrected by earlier forecasts
 * @param raw as simulated
 * @param taught number of past forecasts that correct it
 * @param futures number of them
 * @param reasons why it waits, sentences without their full stops
 * @param ahead jobs that wait now and start before it in the median future
 */
public record StartForecast(
        ClusterMoment moment,
        TraceJob job,
        int gpus,
        String scheduler,
        double distance,
        Quantiles corrected,
        Quantiles raw,
        int taught,
        int futures,
        List<String> reasons,
        List<String> ahead) {
    private static final int NAMED = 5;

    public StartForecast {
        reasons = List.copyOf(reasons);
        ahead = List.copyOf(ahead);
    }

    /**
     * Forecasts one job.
     *
     * @param scheduler of the forecaster
     * @param backtest to learn from; null for none
     * @param draws futures
     */
    public static StartForecast of(
            StartForecaster forecaster,
            NearestScheduler scheduler,
            Topology topology,
            ClusterMoment moment,
            TraceJob job,
            @Nullable ForecastBacktest backtest,
            int draws) {
        try (ThreadWorkerPool workers = new ThreadWorkerPool()) {
            StartForecaster.Futures futures = forecaster.futures(moment, job, workers::map);
            Quantiles raw = futures.quantiles();
            Calibration calibration = backtest == null
                    ? new Calibration(List.of(), Calibration.Aim.START)
                    : backtest.calibration(moment.nowNanos(), job.gpus());
            StartDraw.Outcome median = futures.median();
            return new StartForecast(
                    moment,
                    job,
                    topology.gpus(),
                    scheduler.name(),
                    scheduler.distance(),
                    calibration.apply(raw),
                    raw,
                    calibration.size(),
                    draws,
                    reasons(moment, topology, median),
                    median.ahead());
        }
    }

    /** Learns from the last jobs of a log. */
    public static ForecastBacktest learn(
            StartForecaster forecaster, List<TraceJob> dated, LoggedServers servers, int most) {
        return ForecastBacktest.before(forecaster, dated, servers, most);
    }

    private static List<String> reasons(ClusterMoment moment, Topology topology, StartDraw.Outcome median) {
        List<String> reasons = new ArrayList<>();
        int free = moment.gpusFree(topology);
        if (Double.isInfinite(median.seconds())) {
            reasons.add("Resources: nothing that runs or waits makes room for it on this cluster");
            return reasons;
        }
        if (median.seconds() < 1) {
            reasons.add("None: %s free and nobody is ahead".formatted(are(free)));
            return reasons;
        }
        reasons.addAll(median.reasons());
        if (!median.ahead().isEmpty()) {
            reasons.add("Ahead: in the median future %s of those that wait %s before it (%s)"
                    .formatted(
                            Counted.of(median.ahead().size(), "job"),
                            Counted.verb(median.ahead().size(), "start"),
                            some(median.ahead())));
        }
        if (median.comers() > 0) {
            reasons.add("Ahead: about %s yet to come %s before it"
                    .formatted(Counted.of(median.comers(), "job"), Counted.verb(median.comers(), "start")));
        }
        if (!median.endings().isEmpty()) {
            reasons.add("Ahead: about %s %s before it starts (%s)"
                    .formatted(
                            Counted.of(median.endings().size(), "running job"),
                            Counted.verb(median.endings().size(), "end"),
                            some(median.endings())));
        }
        return reasons;
    }

    private static String are(int gpus) {
        return Counted.of(gpus, "GPU") + (gpus == 1 ? " is" : " are");
    }

    private static String some(List<String> ids) {
        return String.join(", ", ids.subList(0, Math.min(NAMED, ids.size()))) + (ids.size() > NAMED ? ", ..." : "");
    }
}
