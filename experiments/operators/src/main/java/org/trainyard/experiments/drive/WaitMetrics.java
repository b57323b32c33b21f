package org.trainyard.experiments.drive;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.forecast.Quantiles;

/**
 * Metrics of waiting: jobs by the reason of their wait, and the forecast wait of a job that is submitted now. Forecasts
 * are made beside the looks, anew every five minutes; one that could not be made, or that nobody knows, is counted and
 * has no value.
 */
public final class WaitMetrics implements AutoCloseable {
    private static final long EVERY_NANOS = 300_000_000_000L;
    /** Seconds for which a look waits for the first forecast. */
    private static final long FIRST_SECONDS = 5;

    private final MeterRegistry registry;
    private final String name;
    private final MultiGauge reasons;
    private final MultiGauge waits;
    private final ExecutorService beside = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "forecast");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable Future<?> last;
    private long askedNanos;

    /** @param name before the names of the metrics, such as {@code trainyard.drive} */
    public WaitMetrics(MeterRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
        reasons = MultiGauge.builder(name + ".reason.jobs")
                .description("Waiting jobs by the reason that the manager gives.")
                .register(registry);
        waits = MultiGauge.builder(name + ".forecast.wait.seconds")
                .description("Forecast wait of a job that is submitted now.")
                .register(registry);
    }

    /** Counts the jobs that wait, by the reason that the manager gives. */
    public void count(Collection<LiveJob> jobs) {
        Map<String, Integer> byReason = new TreeMap<>();
        jobs.stream()
                .filter(job -> job.stage() == LiveJob.Stage.PENDING)
                .forEach(job -> byReason.merge(job.reason(), 1, Integer::sum));
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        byReason.forEach((reason, count) -> rows.add(MultiGauge.Row.of(Tags.of("reason", reason), count)));
        reasons.register(rows, true);
    }

    /**
     * Begins a forecast where the last one is old.
     *
     * @param widest GPUs of one server: the forecast is of a job with one GPU and of one with as many
     * @param begun reads the state; its answer makes of a number of GPUs the wait in seconds, or null where nobody
     *     knows it, in another thread
     */
    public void forecast(int widest, Supplier<IntFunction<@Nullable Quantiles>> begun) {
        long now = System.nanoTime();
        if (last != null && (!last.isDone() || now - askedNanos < EVERY_NANOS)) {
            return;
        }
        boolean isFirst = last == null;
        askedNanos = now;
        IntFunction<@Nullable Quantiles> forecast = begun.get();
        last = beside.submit(() -> make(widest, forecast));
        if (isFirst) {
            try {
                last.get(FIRST_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                // It is looked at when it is there.
            }
        }
    }

    private void make(int widest, IntFunction<@Nullable Quantiles> forecast) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        String outcome = "failed";
        try {
            for (int gpus : widest > 1 ? new int[] {1, widest} : new int[] {1}) {
                Quantiles wait = forecast.apply(gpus);
                if (wait != null) {
                    rows.add(row(gpus, "0.1", wait.p10()));
                    rows.add(row(gpus, "0.5", wait.p50()));
                    rows.add(row(gpus, "0.9", wait.p90()));
                }
            }
            outcome = rows.isEmpty() ? "unknown" : "made";
        } finally {
            waits.register(outcome.equals("failed") ? List.of() : rows, true);
            Counter.builder(name + ".forecasts")
                    .description("Forecasts by their outcome.")
                    .tag("outcome", outcome)
                    .register(registry)
                    .increment();
        }
    }

    private static MultiGauge.Row<?> row(int gpus, String quantile, double seconds) {
        return MultiGauge.Row.of(Tags.of("gpus", Integer.toString(gpus), "quantile", quantile), seconds);
    }

    @Override
    public void close() {
        beside.shutdownNow();
    }
}
