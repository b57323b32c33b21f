package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.live.StartForecasting;
import org.trainyard.experiments.simulation.LoggedServers;

/**
 * Forecasts on two servers of four GPUs, first in, first out, whose jobs all ran for 100 s. They came at once, so that
 * no job to come is drawn: every future is the same.
 */
class StartForecastTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = 1050 * SECOND;
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("2x4"));
    private static final NearestScheduler FIFO = NearestScheduler.named("--scheduler", "fifo", TOPOLOGY, 1);

    private static TraceJob job(String id, int gpus, long submit, long start) {
        return new TraceJob(id, submit * SECOND, gpus, 100 * SECOND, null, null, null, null)
                .ran(new LoggedRun(start * SECOND, (start + 100) * SECOND));
    }

    /** Twenty jobs ended one after the other on each server; two run since 1,000 s and 1,020 s; others wait. */
    private static ClusterMoment moment(TraceJob... waiting) {
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            jobs.add(job("past" + i, 4, 0, 100 * (i / 2)));
        }
        jobs.add(job("r1", 4, 1, 1000));
        jobs.add(job("r2", 4, 2, 1020));
        jobs.addAll(List.of(waiting));
        return ClusterMoment.of(jobs, new LoggedServers(TOPOLOGY, jobs), NOW);
    }

    private static StartForecast forecast(String asked, TraceJob... waiting) {
        return StartForecast.of(
                new StartForecaster(TOPOLOGY, FIFO, 4, 1),
                FIFO,
                TOPOLOGY,
                moment(waiting),
                AskedJob.parse("--job", asked, NOW),
                StartForecast.Learned.NONE,
                4);
    }

    /**
     * The first of those that wait gets the first server, at 1,100 s, and the job asked about the second, at 1,120 s.
     */
    @Test
    void the_start_and_all_that_comes_before_it_are_exact() {
        StartForecast forecast = forecast("4 gpus, 2 min", job("w1", 4, 1030, 5000));

        assertThat(forecast.raw()).isEqualTo(new Quantiles(70, 70, 70));
        assertThat(forecast.corrected()).isEqualTo(forecast.raw());
        assertThat(forecast.ahead()).containsExactly("w1");
        assertThat(forecast.answer(null).console().lines())
                .containsExactly(
                        "Now: 17 min 30 s after the first submission; 8 of 8 GPUs held by 2 jobs, 1 job waits for 4 GPUs.",
                        "Starts: in 1 min 10 s (p50); 1 min 10 s (p10) to 1 min 10 s (p90).",
                        "Waits for: Priority: 1 waiting job for 4 GPUs comes before it by time of submission, s (w1).",
                        "Waits for: Resources: it asks for 4 GPUs and 0 GPUs are free.",
                        "Waits for: Ahead: in the median future 1 job of those that wait starts before it (w1).",
                        "Waits for: Ahead: about 2 running jobs end before it starts (r1, r2).",
                        "Free GPUs: 0 % of the wait was while enough GPUs were free; CPUs and memory, which the cluster does"
                                + " not say of its servers, are not in the forecast.",
                        "Simulated: 4 futures under fifo; run times and jobs to come are drawn from the log.",
                        "Calibration: none; the interval is as simulated.");
        JsonNode json = JsonText.read(JsonText.pretty(forecast));
        assertThat(json.get("now_s").asDouble()).isEqualTo(1050);
        assertThat(json.get("job")).isEqualTo(JsonText.read("{\"gpus\": 4, \"limit_s\": 120.0}"));
        assertThat(json.get("cluster"))
                .isEqualTo(JsonText.read("{\"gpus\": 8, \"gpus_held\": 8, \"running\": 2, \"waiting\": 1}"));
        assertThat(json.get("futures").asInt()).isEqualTo(4);
        assertThat(json.has("forecast_by")).isFalse();
    }

    /** Alone it starts when the first server is free; eight GPUs are free when both are. */
    @ParameterizedTest
    @CsvSource({"4 gpus, 50, r1", "8 gpus, 70, 'r1, r2'", "1 gpu, 50, r1"})
    void a_job_starts_where_running_jobs_end(String asked, double seconds, String ended) {
        StartForecast forecast = forecast(asked);

        assertThat(forecast.raw()).isEqualTo(new Quantiles(seconds, seconds, seconds));
        assertThat(forecast.reasons()).last().asString().endsWith("before it starts (%s)".formatted(ended));
    }

    @Test
    void a_job_that_starts_now_waits_for_nothing_and_one_that_is_too_large_for_ever() {
        ClusterMoment moment = moment();
        List<TraceJob> some = new ArrayList<>(moment.submitted());
        some.remove(21);
        StartForecast now = StartForecast.of(
                new StartForecaster(TOPOLOGY, FIFO, 3, 1),
                FIFO,
                TOPOLOGY,
                ClusterMoment.of(some, new LoggedServers(TOPOLOGY, some), NOW),
                AskedJob.parse("--job", "4 gpus", NOW),
                StartForecast.Learned.NONE,
                3);

        assertThat(now.raw()).isEqualTo(new Quantiles(0, 0, 0));
        assertThat(now.reasons()).containsExactly("None: 4 GPUs are free and nobody is ahead");
        assertThat(now.answer("2026-03-02 08:00").console())
                .contains(
                        "Now: 2026-03-02 08:00 (17 min 30 s after the first submission); 4 of 8 GPUs held by 1 job, 0 jobs wait",
                        "Starts: in 0 s (p50); 0 s (p10) to 0 s (p90).");
    }

    @Test
    void a_learned_rule_and_its_calibration_are_said() {
        Quantiles raw = new Quantiles(60, 120, Double.POSITIVE_INFINITY);
        String said = new StartForecast(
                        moment(),
                        job("x", 2, 1050, 2000),
                        8,
                        "easy",
                        Math.log(1.25),
                        ForecastRule.MEAN_OF_SIMILAR,
                        new Quantiles(10, 20, 30),
                        raw,
                        17,
                        50,
                        List.of("Resources: x"),
                        List.of(),
                        List.of("Free GPUs: y."))
                .answer(null)
                .console();

        assertThat(said)
                .contains(
                        "Starts: in 20 s (p50); 10 s (p10) to 30 s (p90).",
                        "Waits for: Resources: x.\nFree GPUs: y.\n",
                        "Simulated: 50 futures under easy, of those without preemption the nearest to the past (waits of the"
                                + " past differ by 25 %); run times",
                        "Forecast by: the mean wait of similar past jobs, which was nearer to the waits of past jobs than the"
                                + " futures.",
                        "Calibration: by the forecasts of 17 past jobs; as simulated it was 2 min, 1 min to never.");
    }

    /** Calibration moves the rest of the wait that the rule gives, and says of how many forecasts it is made. */
    @Test
    void what_was_learned_moves_the_forecast() {
        List<Calibration.Seen> seen = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            seen.add(new Calibration.Seen(new Quantiles(70, 70, 70), 200, true));
        }
        StartForecast forecast = StartForecast.of(
                new StartForecaster(TOPOLOGY, FIFO, 4, 1),
                FIFO,
                TOPOLOGY,
                moment(job("w1", 4, 1030, 5000)),
                AskedJob.parse("--job", "4 gpus", NOW),
                new StartForecast.Learned(ForecastRule.SIMULATED, new Calibration(seen, Calibration.Aim.START)),
                4);

        assertThat(forecast.taught()).isEqualTo(20);
        assertThat(forecast.raw().p50()).isEqualTo(70);
        assertThat(Math.round(forecast.corrected().p50())).isEqualTo(200);
    }

    /** Twelve jobs of 100 s one after the other on all GPUs; at 1,250 s the thirteenth runs and the last waits. */
    @Test
    void a_live_cluster_is_forecast_from_its_state() {
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 14; i++) {
            jobs.add(new TraceJob("j" + i, 0, Demand.ofGpus(8), 100 * SECOND, null, "ann", null, null)
                    .on(SubmissionTerms.NONE.but().limitNanos(200 * SECOND).build()));
        }
        World world = World.rated(TOPOLOGY, Simulator.Options.DEFAULT, 1);
        Simulator simulator = world.simulator(world.workload(jobs));
        Scheduler fifo = FIFO.fresh().get();
        simulator.runWhile(
                view -> {
                    Decision decision = fifo.decide(view);
                    return decision instanceof Decision.Wait && view.nowNanos() < 1250 * SECOND
                            ? Decision.waitUntil(1250 * SECOND)
                            : decision;
                },
                () -> simulator.view().nowNanos() < 1250 * SECOND);
        assertThat(simulator.view().nowNanos()).isEqualTo(1250 * SECOND);

        Object made = new LiveForecast()
                .of(
                        simulator.view(),
                        TOPOLOGY,
                        new StartForecasting.Asked(8, 300, "ann", null),
                        Map.of(),
                        "fifo",
                        FIFO.fresh(),
                        1)
                .get();

        JsonNode json = JsonText.read(JsonText.pretty(made));
        // A run of half its limit is 150 s of a limit of 300 s; j12 ends at 1,300 s and j13 at 1,400 s.
        assertThat(json.at("/wait_s/p50").asDouble()).isEqualTo(150);
        assertThat(json.at("/wait_s/p90").asDouble()).isEqualTo(150);
        assertThat(json.at("/now_s").asDouble()).isEqualTo(1250);
        assertThat(json.get("ahead")).hasSize(1);
        assertThat(json.at("/ahead/0").asText()).isEqualTo("j13");
        assertThat(json.get("cluster"))
                .isEqualTo(JsonText.read("{\"gpus\": 8, \"gpus_held\": 8, \"running\": 1, \"waiting\": 1}"));
        assertThat(json.at("/job/limit_s").asDouble()).isEqualTo(300);
        assertThat(json.at("/futures").asInt()).isEqualTo(30);
        assertThat(json.at("/scheduler").asText()).isEqualTo("fifo");
    }
}
