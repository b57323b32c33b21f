package org.trainyard.experiments.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.forecast.Quantiles;

class WaitMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WaitMetrics metrics = new WaitMetrics(registry, "t");

    private static LiveJob job(Stage stage, String reason) {
        return DrivenJobs.of(stage, "reason=" + reason);
    }

    /** All meters of a name, by their tags. */
    private Map<String, Double> values(String name) {
        Map<String, Double> values = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            if (meter.getId().getName().equals(name)) {
                values.put(
                        String.join(
                                " ",
                                meter.getId().getTags().stream()
                                        .map(tag -> tag.getValue())
                                        .toList()),
                        meter.measure().iterator().next().getValue());
            }
        }
        return values;
    }

    @Test
    void jobs_that_wait_are_counted_by_reason() {
        metrics.count(List.of(
                job(Stage.PENDING, "Priority"),
                job(Stage.RUNNING, "Priority"),
                job(Stage.PENDING, "Resources"),
                job(Stage.PENDING, "Priority")));
        assertThat(values("t.reason.jobs")).isEqualTo(Map.of("Priority", 2.0, "Resources", 1.0));
        metrics.count(List.of(job(Stage.PENDING, "Resources")));
        assertThat(values("t.reason.jobs")).isEqualTo(Map.of("Resources", 1.0));
        metrics.close();
    }

    /** Of one GPU and of the widest server; the next within five minutes is not begun. */
    @Test
    void a_forecast_has_quantiles_of_the_least_and_the_widest_job_and_is_kept_for_five_minutes() {
        List<Integer> begun = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            int factor = i;
            metrics.forecast(8, () -> {
                begun.add(factor);
                return gpus -> new Quantiles(factor * gpus, 10.0 * factor * gpus, 100.0 * factor * gpus);
            });
        }
        assertThat(begun).containsExactly(1);
        assertThat(values("t.forecast.wait.seconds"))
                .isEqualTo(Map.of(
                        "1 0.1", 1.0, "1 0.5", 10.0, "1 0.9", 100.0, "8 0.1", 8.0, "8 0.5", 80.0, "8 0.9", 800.0));
        assertThat(values("t.forecasts")).isEqualTo(Map.of("made", 1.0));
        metrics.close();
    }

    @Test
    void a_wait_that_nobody_knows_has_no_value() {
        metrics.forecast(8, () -> gpus -> gpus == 8 ? null : new Quantiles(1, 2, 3));
        assertThat(values("t.forecast.wait.seconds")).isEqualTo(Map.of("1 0.1", 1.0, "1 0.5", 2.0, "1 0.9", 3.0));
        assertThat(values("t.forecasts")).isEqualTo(Map.of("made", 1.0));
        metrics.close();
        WaitMetrics others = new WaitMetrics(registry, "u");
        others.forecast(8, () -> gpus -> null);
        assertThat(values("u.forecast.wait.seconds")).isEmpty();
        assertThat(values("u.forecasts")).isEqualTo(Map.of("unknown", 1.0));
        others.close();
    }

    @Test
    void a_forecast_that_fails_is_counted_and_servers_of_one_gpu_have_one_width() {
        metrics.forecast(1, () -> gpus -> {
            throw new IllegalStateException("no history");
        });
        assertThat(values("t.forecast.wait.seconds")).isEmpty();
        assertThat(values("t.forecasts")).isEqualTo(Map.of("failed", 1.0));
        metrics.close();
        WaitMetrics others = new WaitMetrics(registry, "u");
        others.forecast(1, () -> gpus -> new Quantiles(gpus, gpus, gpus));
        assertThat(values("u.forecast.wait.seconds").keySet()).containsExactly("1 0.1", "1 0.5", "1 0.9");
        others.close();
    }
}
