package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.advice.NearestScheduler;
import org.trainyard.experiments.simulation.LoggedServers;

class StartForecasterTest {
    private static final long SECOND = 1_000_000_000L;

    private static TraceJob job(int number, long submit, long start) {
        return new TraceJob("j" + number, submit * SECOND, 4, 100 * SECOND, null, null, null, null)
                .ran(new LoggedRun(start * SECOND, (start + 100) * SECOND));
    }

    /** Every job of the past found an idle cluster and started 20 s later; nothing runs at the moment. */
    @Test
    void the_time_from_decision_to_start_is_in_the_forecast_of_each_job_asked_about() {
        Topology topology = Topologies.parse("1x4");
        List<TraceJob> past = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            past.add(job(i, 1000 * i, 1000 * i + 20));
        }
        ClusterMoment moment = ClusterMoment.of(past, new LoggedServers(topology, past), 19_500 * SECOND);
        NearestScheduler scheduler = NearestScheduler.named("--scheduler", "fifo", topology, 1);
        StartForecaster forecaster = new StartForecaster(topology, scheduler, 5, 1);
        List<TraceJob> asked = List.of(job(20, 19_500, 19_500), job(21, 19_500, 19_500));

        List<Quantiles> atOnce = forecaster.atOnce(moment, asked);

        assertThat(atOnce.get(0)).isEqualTo(new Quantiles(20, 20, 20));
        assertThat(atOnce.get(0)).isEqualTo(forecaster.atSubmission(moment, asked.get(0)));
        assertThat(atOnce.get(1)).as("after the run of the first").isEqualTo(new Quantiles(120, 120, 120));
    }

    @Test
    void a_job_that_never_starts_is_said_to_start_never_and_not_in_never() {
        List<TraceJob> past = List.of(job(0, 0, 20));
        ClusterMoment moment = ClusterMoment.of(past, new LoggedServers(Topologies.parse("1x4"), past), 50 * SECOND);
        Quantiles never = new Quantiles(60, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

        String said = new StartForecast(
                        moment,
                        past.get(0),
                        4,
                        "fifo",
                        Double.NaN,
                        ForecastRule.SIMULATED,
                        never,
                        never,
                        0,
                        5,
                        List.of(),
                        List.of(),
                        List.of())
                .answer(null)
                .console();

        assertThat(said).contains("Starts: never (p50); 1 min (p10) to never (p90).");
    }

    /** Of forty jobs on one server, one after the other, some wait at each of the two moments. */
    @Test
    void forecasts_of_the_past_take_fewer_futures_than_the_one_that_is_asked_for() {
        Topology topology = Topologies.parse("1x4");
        List<TraceJob> past = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            past.add(job(i, 50 * i, 100 * i));
        }
        AtomicInteger futures = new AtomicInteger();
        NearestScheduler fifo = NearestScheduler.named("--scheduler", "fifo", topology, 1);
        NearestScheduler counting = new NearestScheduler("fifo", false, Double.NaN, () -> {
            futures.incrementAndGet();
            return fifo.fresh().get();
        });
        StartForecaster forecaster = new StartForecaster(topology, counting, 1000, 1);

        Calibration learned =
                ForecastBacktest.waiting(forecaster, past, new LoggedServers(topology, past), 2000 * SECOND, 20);

        assertThat(learned.size()).isGreaterThanOrEqualTo(Calibration.LEAST);
        assertThat(futures.get()).isBetween(30, 60);
    }
}
