package org.trainyard.experiments.forecast;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.simulation.LoggedServers;

/** Forecasts of all jobs that wait, as those of single ones are made. */
public final class WaitingForecasts {
    private WaitingForecasts() {}

    /**
     * By id, the forecasts that past ones correct.
     *
     * @param learn past forecasts
     */
    public static Map<String, Quantiles> of(
            StartForecaster forecaster, List<TraceJob> jobs, LoggedServers servers, ClusterMoment now, int learn) {
        Calibration calibration = ForecastBacktest.waiting(forecaster, jobs, servers, now.nowNanos(), learn);
        List<Quantiles> raw = forecaster.atOnce(now, now.waiting());
        Map<String, Quantiles> forecasts = new LinkedHashMap<>();
        for (int i = 0; i < raw.size(); i++) {
            forecasts.put(now.waiting().get(i).id(), calibration.apply(raw.get(i)));
        }
        return forecasts;
    }
}
