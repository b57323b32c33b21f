package org.trainyard.experiments.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.service.journal.StateFolder;
import org.trainyard.experiments.service.live.EventReceipt;
import org.trainyard.experiments.service.live.PlacementAnswer;
import org.trainyard.experiments.service.live.ServedCluster;
import org.trainyard.experiments.service.live.ServedClusters;
import org.trainyard.experiments.service.live.ServiceClock;
import org.trainyard.experiments.service.live.ServiceMetrics;

/** The memory of a service is bounded by its jobs: questions leave nothing, and a job that has ended a few values. */
class ServiceMemoryTest {
    private static final long SECOND = 1_000_000_000L;
    /** Jobs of a period; a multiple of the numbers of users and sizes, so that each period ends as the one before. */
    private static final int PERIOD = 120;

    /** Fields and elements of arrays, which double their length when they are full, in two states of the cluster. */
    private static final long MOST_OF_JOB = 200;

    /** Time stands still, and an answer has as long as it takes. */
    private static final ServiceClock CLOCK = new ServiceClock() {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public void await(CompletableFuture<?> end, long nanos) {
            end.exceptionally(failure -> null).join();
        }
    };

    @TempDir
    private Path folder;

    private final List<String> running = new ArrayList<>();
    private long now;
    private int sequence;
    private int arrived;

    static Stream<String> schedulers() {
        return SchedulerRegistry.entries().stream()
                .filter(entry -> !entry.replaysTrace())
                .map(SchedulerRegistry.Entry::name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"checkpoints/default", "tiresias"})
    void memory_is_bounded_by_jobs(String target) {
        boolean isCheckpoint = target.startsWith("checkpoints");
        check(isCheckpoint ? RunningService.ROOT.resolve(target).toString() : target);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("schedulers")
    void memory_is_bounded_by_jobs_whatever_is_served(String scheduler) {
        check(scheduler);
    }

    private void check(String target) {
        ServiceMetrics metrics = new ServiceMetrics(new SimpleMeterRegistry());
        try (ServedClusters clusters = new ServedClusters(
                RunningService.serving(target).with(CLOCK), metrics, new StateFolder(folder, false))) {
            clusters.register("small", "{\"name\": \"small\"}");
            ServedCluster cluster = clusters.cluster("cluster", "small");
            jobs(cluster, 2 * PERIOD);
            long half = RetainedObjects.of(clusters);
            jobs(cluster, 2 * PERIOD);
            long whole = RetainedObjects.of(clusters);
            assertThat((whole - half) / (2 * PERIOD))
                    .as("values of a job that has ended")
                    .isBetween(1L, MOST_OF_JOB);

            questions(cluster, 100);
            long before = RetainedObjects.of(clusters);
            questions(cluster, 400);
            assertThat(RetainedObjects.of(clusters) - before)
                    .as("values of 400 questions")
                    .isLessThan(100);
        }
    }

    /** Jobs come one a minute; when more than five run, the first one ends. Proposals are carried out. */
    private void jobs(ServedCluster cluster, int count) {
        for (int i = 0; i < count; i++) {
            now += 60 * SECOND;
            event(
                    cluster,
                    Map.of(
                            "type",
                            "arrival",
                            "job",
                            "job" + arrived,
                            "gpus",
                            1 << arrived % 4,
                            "user",
                            "user" + arrived % 6));
            arrived++;
            while (running.size() > 5) {
                event(cluster, Map.of("type", "ended", "job", running.remove(0)));
            }
            carryOut(cluster, cluster.place(now));
        }
    }

    private void questions(ServedCluster cluster, int count) {
        for (int i = 0; i < count; i++) {
            now += SECOND / 100;
            carryOut(cluster, cluster.place(now));
        }
    }

    private void carryOut(ServedCluster cluster, PlacementAnswer answer) {
        for (PlacementAnswer.ProposedDecision decision : answer.decisions()) {
            switch (decision.kind()) {
                case "start" -> {
                    running.add(decision.job());
                    placed(cluster, "started", decision);
                }
                case "resize" -> placed(cluster, "resized", decision);
                case "preempt" -> {
                    running.remove(decision.job());
                    event(cluster, Map.of("type", "preempted", "job", decision.job()));
                }
                default -> throw new IllegalStateException(decision.toString());
            }
        }
    }

    private void placed(ServedCluster cluster, String type, PlacementAnswer.ProposedDecision decision) {
        event(
                cluster,
                Map.of("type", type, "job", decision.job(), "placement", Objects.requireNonNull(decision.placement())));
    }

    private void event(ServedCluster cluster, Map<String, Object> fields) {
        Map<String, Object> event = new HashMap<>(fields);
        event.put("sequence", ++sequence);
        event.put("time_nanos", now);
        EventReceipt receipt = cluster.events(JsonText.tree(Map.of("events", List.of(event))));
        assertThat(receipt.accepted()).isEqualTo(1);
    }
}
