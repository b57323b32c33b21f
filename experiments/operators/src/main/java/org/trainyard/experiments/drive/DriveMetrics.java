package org.trainyard.experiments.drive;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.FailedWriteException;
import org.trainyard.experiments.forecast.Quantiles;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.service.live.ClusterView;
import org.trainyard.experiments.service.live.FreeGpus;

/** Writes the metrics of each look, in the format of Prometheus. */
final class DriveMetrics implements AutoCloseable {
    private final Driving drive;
    private final PrometheusMeterRegistry registry;
    private final Mirror mirror;
    private final DriveScope scope;
    private final WaitMetrics waits;
    private final AtomicLong heartbeatSeconds = new AtomicLong();
    private final AtomicLong standstill = new AtomicLong();
    private final AtomicLong waitingJobs = new AtomicLong();
    private final AtomicLong leftJobs = new AtomicLong();

    DriveMetrics(Driving drive, PrometheusMeterRegistry registry, Mirror mirror, DriveScope scope) {
        this.drive = drive;
        this.registry = registry;
        this.mirror = mirror;
        this.scope = scope;
        waits = new WaitMetrics(registry, "trainyard.drive");
        gauge("heartbeat.seconds", "Time of the last answered look, since 1970.", heartbeatSeconds);
        gauge(
                "standstill.looks",
                "Looks in a row at which jobs wait, nothing runs and no start is under way.",
                standstill);
        gauge("waiting.jobs", "Jobs that wait for the driver.", waitingJobs);
        gauge("left.jobs", "Waiting jobs that are left to the manager.", leftJobs);
    }

    private void gauge(String name, String description, AtomicLong value) {
        Gauge.builder("trainyard.drive." + name, value::get)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    /** A cluster stands still when jobs of ours wait, nothing runs on it, and no start is under way. */
    void write(LiveSnapshot snapshot, List<LiveJob> ours) {
        ClusterView view = mirror.view();
        boolean isStill = !view.waiting().isEmpty()
                && view.running().isEmpty()
                && ours.stream().noneMatch(job -> drive.log().of(job).isOpen);
        standstill.set(isStill ? standstill.get() + 1 : 0);
        waitingJobs.set(view.waiting().size());
        leftJobs.set(drive.log().all().stream().filter(job -> job.left != null).count());
        waits.count(snapshot.jobs().values());
        waits.forecast(mirror.topology().widestServer(), () -> forecast(snapshot));
        heartbeatSeconds.set(drive.clock().millis() / 1000);
        try {
            AtomicFiles.write(drive.settings().folder().resolve("metrics.prom"), registry.scrape());
        } catch (FailedWriteException e) {
            // A full disk stops the driver at its next order; until then an old heartbeat tells of it.
            drive.counts().add("metrics that could not be written");
        }
    }

    /**
     * By number of GPUs, the wait of a new job. Nobody knows it where the queue of the partition has jobs that the
     * mirror lacks, nor a start at once where nodes with free GPUs have no cores or memory.
     */
    private IntFunction<@Nullable Quantiles> forecast(LiveSnapshot snapshot) {
        Map<String, LiveJob> jobs = snapshot.jobs();
        ClusterView view = mirror.view();
        Set<String> ours = Mirror.waiting(view).keySet();
        boolean hasOthers = jobs.values().stream()
                .anyMatch(job -> job.isInQueue() && !ours.contains(job.id()) && scope.isInPartition(job));
        FreeGpus free = mirror.free(view);
        boolean hasRoom = snapshot.nodes().values().stream()
                .anyMatch(node -> node.freeCpus() > 0
                        && node.freeMemoryMib() > 0
                        && !free.of(node.name()).isEmpty());
        return gpus -> {
            Quantiles wait = hasOthers ? null : mirror.forecast(gpus, jobs);
            return wait == null || (wait.p10() == 0 && !hasRoom) ? null : wait;
        };
    }

    @Override
    public void close() {
        waits.close();
    }
}
