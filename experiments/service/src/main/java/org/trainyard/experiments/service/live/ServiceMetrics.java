package org.trainyard.experiments.service.live;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.ToDoubleFunction;

/** Metrics of a service. */
public final class ServiceMetrics {
    private static final String CLUSTER = "cluster";

    private final MeterRegistry registry;
    private final Timer decisions;

    public ServiceMetrics(MeterRegistry registry) {
        this.registry = registry;
        decisions = Timer.builder("trainyard.decision")
                .description("Time from a question to its answer")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofNanos(100_000))
                .maximumExpectedValue(Duration.ofSeconds(1))
                .register(registry);
    }

    void events(int accepted, int repeated) {
        registry.counter("trainyard.events", "outcome", "accepted").increment(accepted);
        registry.counter("trainyard.events", "outcome", "repeated").increment(repeated);
    }

    void answered(PlacementAnswer answer, long nanos) {
        String reason = answer.reason();
        if (reason == null) {
            reason = answer.complete() ? "none" : "incomplete";
        }
        registry.counter("trainyard.answers", "decided_by", answer.decidedBy(), "reason", reason)
                .increment();
        decisions.record(Duration.ofNanos(nanos));
    }

    /** A request was refused with this status. */
    public void refused(int status) {
        registry.counter("trainyard.refused", "status", Integer.toString(status))
                .increment();
    }

    void watch(ServedCluster cluster) {
        gauge("trainyard.waiting", cluster, ServedCluster::waiting);
        gauge("trainyard.running", cluster, ServedCluster::running);
        gauge("trainyard.unknown.models", cluster, ServedCluster::unknownModels);
        gauge("trainyard.renewals", cluster, one -> one.planner().renewals());
        gauge("trainyard.scheduler.backlog", cluster, one -> one.planner().backlog());
        gauge("trainyard.scheduler.age.seconds", cluster, one -> one.planner().ageSeconds());
    }

    private void gauge(String name, ServedCluster cluster, ToDoubleFunction<ServedCluster> value) {
        Gauge.builder(name, cluster, value).tag(CLUSTER, cluster.id()).register(registry);
    }

    /** The cluster is not there any more. */
    void forget(ServedCluster cluster) {
        registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> cluster.id().equals(id.getTag(CLUSTER)))
                .forEach(registry::remove);
    }
}
