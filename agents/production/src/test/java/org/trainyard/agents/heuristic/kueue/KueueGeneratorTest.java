package org.trainyard.agents.heuristic.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/**
 * The workload of Kueue's generator for tests of performance (v0.17.0, {@code baseline/generator.yaml}): five cohorts
 * of six queues, each with 350 small, 100 medium and 50 large jobs, on one GPU for each core there.
 *
 * <p>Kueue's ranges are upper limits for a real API server, of which the mean times to admission were 6.7, 77 and 215 s
 * and the quotas 59 % in use. Ours is the same admission without the time that a server takes.
 */
class KueueGeneratorTest {
    private static final int COHORTS = 5;
    private static final int QUEUES = 6;
    private static final long MS = 1_000_000L;

    /** Jobs of a kind for each queue. */
    private record Kind(
            String name, int count, long everyMs, int gpus, long runMs, long priority, double mostSeconds) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("small", 350, 100, 1, 200, 50, 260),
            new Kind("medium", 100, 500, 5, 500, 100, 90),
            new Kind("large", 50, 1_200, 20, 1_000, 200, 11));

    private record Arrival(long ms, Kind kind, String queue) {}

    private static String objects() {
        StringBuilder yaml = new StringBuilder("kind: ResourceFlavor\nmetadata: {name: rf}\n");
        for (int cohort = 0; cohort < COHORTS; cohort++) {
            for (int queue = 0; queue < QUEUES; queue++) {
                yaml.append("""
                        ---
                        kind: ClusterQueue
                        metadata: {name: cohort-%1$d-cq-%2$d}
                        spec:
                          cohortName: cohort-%1$d
                          preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}
                          resourceGroups:
                          - coveredResources: ["nvidia.com/gpu"]
                            flavors:
                            - name: rf
                              resources: [{name: "nvidia.com/gpu", nominalQuota: 20, borrowingLimit: 100}]
                        """.formatted(cohort, queue));
            }
        }
        return yaml.toString();
    }

    private static List<Arrival> arrivals() {
        List<Arrival> arrivals = new ArrayList<>();
        for (int queue = 0; queue < COHORTS * QUEUES; queue++) {
            String name = "cohort-%d-cq-%d".formatted(queue / QUEUES, queue % QUEUES);
            for (Kind kind : KINDS) {
                for (int i = 0; i < kind.count; i++) {
                    arrivals.add(new Arrival(i * kind.everyMs, kind, name));
                }
            }
        }
        arrivals.sort(Comparator.comparingLong(Arrival::ms));
        return arrivals;
    }

    @Test
    void each_kind_of_job_is_admitted_within_the_range_of_the_generator() {
        Topology cluster = Objects.requireNonNull(Topologies.parse("30x20"));
        List<Arrival> arrivals = arrivals();
        TimedJobs jobs = TimedJobs.list();
        for (Arrival arrival : arrivals) {
            jobs.jobOfNanos(arrival.kind.name, arrival.kind.gpus, arrival.ms * MS, arrival.kind.runMs * MS)
                    .saying(terms -> terms.partition(arrival.queue)
                            .priority(arrival.kind.priority)
                            .nodes(arrival.kind.gpus));
        }

        RunResult result = jobs.run(cluster, new KueueScheduler(KueueFiles.parse("generator", objects())), 0);

        Map<String, Double> waits = new HashMap<>();
        double gpuSeconds = 0;
        long end = 0;
        for (JobOutcome outcome : result.jobs()) {
            Kind kind = arrivals.get(outcome.job().id()).kind;
            double wait = (outcome.firstStartNanos() - outcome.job().submitNanos()) / 1e9;
            waits.merge(kind.name, wait / (kind.count * COHORTS * QUEUES), Double::sum);
            gpuSeconds += kind.gpus * kind.runMs / 1e3;
            end = Math.max(end, outcome.endNanos());
        }
        assertThat(result.jobs()).hasSize(15_000);
        for (Kind kind : KINDS) {
            assertThat(waits.get(kind.name)).as(kind.name).isBetween(0.0, kind.mostSeconds);
        }
        assertThat(waits.get("large")).isLessThan(waits.get("medium"));
        assertThat(waits.get("medium")).isLessThan(waits.get("small"));
        assertThat(gpuSeconds / cluster.gpus() / (end / 1e9)).as("quota in use").isGreaterThan(0.55);
    }
}
