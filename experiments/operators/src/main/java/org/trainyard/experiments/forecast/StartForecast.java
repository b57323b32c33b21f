package org.trainyard.experiments.forecast;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.simulation.FreeWait;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.simulation.LoggedServers;

/**
 * When a job would start, and why it waits. For machines, times in seconds.
 *
 * @param moment from which it was simulated
 * @param distance of the scheduler's waits from those of the past, a mean of logarithms; NaN when it was named
 * @param rule that was the nearest for past jobs
 * @param corrected wait from now, corrected by earlier forecasts
 * @param taught number of past forecasts that correct it
 * @param futures number of them
 * @param reasons why it waits, sentences without their full stops
 * @param ahead jobs that wait now and start before it in the median future
 * @param held waits that no scheduler explains, sentences
 */
@JsonPropertyOrder({"now_s", "job", "wait_s", "simulated_wait_s", "scheduler", "futures", "calibrated_by", "cluster"})
public record StartForecast(
        @JsonIgnore ClusterMoment moment,
        @JsonIgnore TraceJob asked,
        @JsonIgnore int gpus,
        String scheduler,
        @JsonIgnore double distance,
        @JsonIgnore ForecastRule rule,
        @JsonProperty("wait_s") Quantiles corrected,
        @JsonProperty("simulated_wait_s") Quantiles raw,
        @JsonProperty("calibrated_by") int taught,
        int futures,
        List<String> reasons,
        List<String> ahead,
        @JsonIgnore List<String> held) {
    private static final int NAMED = 5;

    public StartForecast {
        reasons = List.copyOf(reasons);
        ahead = List.copyOf(ahead);
    }

    /**
     * Forecasts one job.
     *
     * @param learned from past forecasts
     */
    public static StartForecast of(
            StartForecaster forecaster,
            NearestScheduler scheduler,
            Topology topology,
            ClusterMoment moment,
            TraceJob job,
            Learned learned,
            int draws) {
        try (ThreadWorkerPool workers = new ThreadWorkerPool();
                Progress progress = Progress.startLate("forecast the job", draws)) {
            int[] done = {0};
            StartForecaster.Futures futures = forecaster.futures(
                    moment,
                    job,
                    (count, one) ->
                            workers.map(count, one, () -> progress.to(++done[0], Counted.of(done[0], "future"))));
            Quantiles raw = futures.quantiles();
            StartDraw.Outcome median = futures.median();
            return new StartForecast(
                    moment,
                    job,
                    topology.gpus(),
                    scheduler.name(),
                    scheduler.distance(),
                    learned.rule,
                    learned.calibration.apply(learned.rule.raw(raw, WaitEstimator.rests(moment, job))),
                    raw,
                    learned.calibration.size(),
                    draws,
                    reasons(moment, topology, median),
                    median.ahead(),
                    held(topology, moment, job.demand()));
        }
    }

    /** Whether it rests on ends of jobs without a past: none has ended, so that run times are guesses. */
    public boolean isGuess() {
        return moment.ended().isEmpty() && raw.p90() > 0;
    }

    /** The rule and the corrections that past forecasts suggest for new ones. */
    public record Learned(ForecastRule rule, Calibration calibration) {
        /** No past forecasts. */
        public static final Learned NONE =
                new Learned(ForecastRule.SIMULATED, new Calibration(List.of(), Calibration.Aim.START));
    }

    /**
     * Learns from a log until a moment: for a job that waits then from those that waited at earlier moments, where
     * these are enough, else from jobs at their submissions.
     *
     * @param most past forecasts
     */
    public static Learned learn(
            StartForecaster forecaster,
            List<TraceJob> dated,
            LoggedServers servers,
            ClusterMoment moment,
            TraceJob job,
            int most) {
        boolean waits = moment.waiting().stream().anyMatch(one -> one.id().equals(job.id()));
        if (waits) {
            Calibration calibration = ForecastBacktest.waiting(forecaster, dated, servers, moment.nowNanos(), most);
            if (calibration.size() > 0) {
                return new Learned(ForecastRule.SIMULATED, calibration);
            }
        }
        ForecastBacktest backtest = ForecastBacktest.before(forecaster, dated, servers, most);
        ForecastRule rule = backtest.rule(moment.nowNanos());
        return new Learned(rule, backtest.calibration(moment.nowNanos(), job.gpus(), rule));
    }

    /** Sentences, by the ended jobs, on waits that no scheduler explains, and on the time that starts take. */
    private static List<String> held(Topology topology, ClusterMoment moment, Demand asked) {
        FreeWait free = FreeWait.ofDated(topology, moment.ended());
        List<String> held = new ArrayList<>();
        if (!new LoggedCluster(topology).saysHosts() && free.waitSeconds() > 0) {
            held.add(
                    "Free GPUs: %s; CPUs and memory, which the cluster does not say of its servers, are not in the forecast."
                            .formatted(free.words()));
        }
        if (asked.cpuMilli() > 0 || asked.memoryMib() > 0) {
            held.add("Asked: %,.0f CPUs and %,.0f GiB, as asked for, or the median of jobs of the log as wide."
                    .formatted(asked.cpuMilli() / 1000.0, asked.memoryMib() / 1024.0));
        }
        if (!free.delayWords().isEmpty()) {
            held.add("Starts: %s, which the forecast has.".formatted(free.delayWords()));
        }
        return held;
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

    /** The rule, where it is not the simulation. */
    @JsonProperty("forecast_by")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private @Nullable String forecastBy() {
        return rule == ForecastRule.SIMULATED ? null : rule.words();
    }

    @JsonProperty("now_s")
    private double nowSeconds() {
        return moment.nowNanos() / 1e9;
    }

    private record Job(int gpus, double limitS) {}

    @JsonProperty
    private Job job() {
        return new Job(asked.gpus(), asked.terms().limitNanos() / 1e9);
    }

    private record Cluster(int gpus, int gpusHeld, int running, int waiting) {}

    @JsonProperty
    private Cluster cluster() {
        return new Cluster(
                gpus,
                moment.gpusHeld(),
                moment.running().size(),
                moment.waiting().size());
    }

    /**
     * Sentences, each with its subject before a colon.
     *
     * @param date of the moment, or null where nobody knows
     */
    public Answer answer(@Nullable String date) {
        Cluster now = cluster();
        Answer answer = new Answer()
                .tell(
                        "Now: %s%s after the first submission%s; %,d of %s held by %s, %s %s for %s.",
                        date == null ? "" : date + " (",
                        Durations.human(nowSeconds()),
                        date == null ? "" : ")",
                        now.gpusHeld,
                        Counted.of(gpus, "GPU"),
                        Counted.of(now.running, "job"),
                        Counted.of(now.waiting, "job"),
                        Counted.verb(now.waiting, "wait"),
                        Counted.of(moment.gpusWanted(), "GPU"))
                .tell(
                        "Starts: %s%s (p50); %s (p10) to %s (p90).",
                        Double.isInfinite(corrected.p50()) ? "" : "in ",
                        human(corrected.p50()),
                        human(corrected.p10()),
                        human(corrected.p90()));
        reasons.forEach(reason -> answer.tell("Waits for: %s.", reason));
        held.forEach(answer::say);
        answer.tell(
                "Simulated: %s under %s%s; run times and jobs to come are drawn from the log.",
                Counted.of(futures, "future"),
                scheduler,
                Double.isNaN(distance)
                        ? ""
                        : ", %s (waits of the past differ by %.0f %%)"
                                .formatted(
                                        LoggedCluster.isSlurmOfFiles(scheduler)
                                                ? "as the cluster is configured"
                                                : "of those without preemption the nearest to the past",
                                        100 * Math.expm1(distance)));
        if (rule != ForecastRule.SIMULATED) {
            answer.tell("Forecast by: %s, which was nearer to the waits of past jobs than the futures.", rule.words());
        }
        return taught == 0
                ? answer.say("Calibration: none; the interval is as simulated.")
                : answer.tell(
                        "Calibration: by the forecasts of %s; as simulated it was %s, %s to %s.",
                        Counted.of(taught, "past job"), human(raw.p50()), human(raw.p10()), human(raw.p90()));
    }

    private static String human(double seconds) {
        return Double.isInfinite(seconds) ? "never" : seconds < 1 ? "0 s" : Durations.human(seconds);
    }

    private static String are(int gpus) {
        return Counted.of(gpus, "GPU") + (gpus == 1 ? " is" : " are");
    }

    private static String some(List<String> ids) {
        return String.join(", ", ids.subList(0, Math.min(NAMED, ids.size()))) + (ids.size() > NAMED ? ", ..." : "");
    }
}
