package org.trainyard.experiments.service.live;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a service counts. */
public final class ServiceMetrics {
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

    void answered(String decidedBy, @Nullable String reason, long nanos) {
        registry.counter("trainyard.answers", "decided_by", decidedBy, "reason", reason == null ? "none" : reason)
                .increment();
        decisions.record(Duration.ofNanos(nanos));
    }

    void compared(boolean isEqual) {
        registry.counter("trainyard.shadow", "outcome", isEqual ? "equal" : "different")
                .increment();
    }

    /** A request was refused with this status. */
    public void refused(int status) {
        registry.counter("trainyard.refused", "status", Integer.toString(status))
                .increment();
    }

    void watch(ServedCluster cluster) {
        registry.gauge("trainyard.waiting", Tags.of("cluster", cluster.id()), cluster, ServedCluster::waiting);
        registry.gauge("trainyard.running", Tags.of("cluster", cluster.id()), cluster, ServedCluster::running);
        registry.gauge("trainyard.renewals", Tags.of("cluster", cluster.id()), cluster, ServedCluster::renewals);
    }
}
