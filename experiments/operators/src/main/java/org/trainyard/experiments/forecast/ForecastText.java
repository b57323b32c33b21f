package org.trainyard.experiments.forecast;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.experiments.io.Counted;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.TextTable;

/** Forecasts and their backtests in words and for machines; times of the latter in seconds. */
public final class ForecastText {
    private ForecastText() {}

    public static List<String> sentences(StartForecast forecast) {
        ClusterMoment moment = forecast.moment();
        List<String> sentences = new ArrayList<>();
        sentences.add("Now: %s after the first submission; %,d of %s held by %s, %s %s for %s."
                .formatted(
                        Durations.human(moment.nowNanos() / 1e9),
                        moment.gpusHeld(),
                        Counted.of(forecast.gpus(), "GPU"),
                        Counted.of(moment.running().size(), "job"),
                        Counted.of(moment.waiting().size(), "job"),
                        Counted.verb(moment.waiting().size(), "wait"),
                        Counted.of(moment.gpusWanted(), "GPU")));
        Quantiles wait = forecast.corrected();
        sentences.add("Starts: in %s (p50); %s (p10) to %s (p90)."
                .formatted(human(wait.p50()), human(wait.p10()), human(wait.p90())));
        forecast.reasons().forEach(reason -> sentences.add("Waits for: " + reason + "."));
        sentences.add("Simulated: %s under %s%s; run times and jobs to come are drawn from the log."
                .formatted(
                        Counted.of(forecast.futures(), "future"),
                        forecast.scheduler(),
                        Double.isNaN(forecast.distance())
                                ? ""
                                : ", of those without preemption the nearest to the past (waits differ by %.0f %%)"
                                        .formatted(100 * Math.expm1(forecast.distance()))));
        sentences.add(
                forecast.taught() == 0
                        ? "Calibration: none; the interval is as simulated."
                        : "Calibration: by the forecasts of %s; as simulated it was %s, %s to %s."
                                .formatted(
                                        Counted.of(forecast.taught(), "past job"),
                                        human(forecast.raw().p50()),
                                        human(forecast.raw().p10()),
                                        human(forecast.raw().p90())));
        return sentences;
    }

    private static String human(double seconds) {
        return Double.isInfinite(seconds) ? "never" : seconds < 1 ? "0 s" : Durations.human(seconds);
    }

    /** A forecast for machines. */
    public static String json(StartForecast forecast) {
        return JsonText.pretty(node(forecast));
    }

    /** A forecast as an object; an infinite wait is null. */
    public static ObjectNode node(StartForecast forecast) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("now_s", forecast.moment().nowNanos() / 1e9);
        root.putObject("job")
                .put("gpus", forecast.job().gpus())
                .put("limit_s", forecast.job().terms().limitNanos() / 1e9);
        put(root.putObject("wait_s"), forecast.corrected());
        put(root.putObject("simulated_wait_s"), forecast.raw());
        root.put("scheduler", forecast.scheduler()).put("futures", forecast.futures());
        root.put("calibrated_by", forecast.taught());
        root.putObject("cluster")
                .put("gpus", forecast.gpus())
                .put("gpus_held", forecast.moment().gpusHeld())
                .put("running", forecast.moment().running().size())
                .put("waiting", forecast.moment().waiting().size());
        ArrayNode reasons = root.putArray("reasons");
        forecast.reasons().forEach(reasons::add);
        ArrayNode ahead = root.putArray("ahead");
        forecast.ahead().forEach(ahead::add);
        return root;
    }

    private static void put(ObjectNode node, Quantiles wait) {
        put(node, "p10", wait.p10());
        put(node, "p50", wait.p50());
        put(node, "p90", wait.p90());
    }

    private static void put(ObjectNode node, String name, double seconds) {
        if (Double.isInfinite(seconds)) {
            node.putNull(name);
        } else {
            node.put(name, seconds);
        }
    }

    /** A backtest in sentences and a table. */
    public static String text(ForecastBacktest backtest, String scheduler) {
        TextTable table = new TextTable("estimate of the wait", "median error", "mean error");
        table.add(
                "when: p50 of the forecast",
                Durations.human(backtest.medianError()),
                Durations.human(backtest.meanError()));
        for (WaitEstimator one : WaitEstimator.values()) {
            table.add(
                    one.words(), Durations.human(backtest.medianError(one)), Durations.human(backtest.meanError(one)));
        }
        return "%s of the last third of the log, each forecast at its submission under %s.%n"
                        .formatted(Counted.of(backtest.size(), "job"), scheduler)
                + "80 %% intervals cover %.0f %% of the starts (%.0f %% as simulated, before calibration).%n%n"
                        .formatted(100 * backtest.coverage(), 100 * backtest.rawCoverage())
                + table.render();
    }

    /** A backtest for machines. */
    public static String json(ForecastBacktest backtest, String scheduler) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("jobs", backtest.size()).put("scheduler", scheduler);
        root.put("coverage_80", backtest.coverage()).put("coverage_80_simulated", backtest.rawCoverage());
        root.putObject("error_s").put("median", backtest.medianError()).put("mean", backtest.meanError());
        ArrayNode others = root.putArray("others");
        for (WaitEstimator one : WaitEstimator.values()) {
            others.addObject()
                    .put("name", one.words())
                    .putObject("error_s")
                    .put("median", backtest.medianError(one))
                    .put("mean", backtest.meanError(one));
        }
        ArrayNode jobs = root.putArray("forecasts");
        for (ForecastBacktest.Tested one : backtest.tested()) {
            ObjectNode row = jobs.addObject()
                    .put("job", one.job().id())
                    .put("gpus", one.job().gpus())
                    .put("waited_s", one.waitedSeconds());
            put(row.putObject("wait_s"), one.forecast());
            put(row.putObject("simulated_wait_s"), one.raw());
        }
        return JsonText.pretty(root);
    }
}
