package org.trainyard.experiments.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.simulation.TraceSimulation;

class ShuffledWorkloadTest {
    private static final List<TraceJob> JOBS =
            TraceSimulation.generated(Topologies.small(), 40, 7).jobs();

    @Test
    void mutations_keep_the_jobs_the_span_and_the_ends_of_every_block_of_arrivals() {
        RandomGenerator random = RandomStreams.stream(1, "mutations");
        ShuffledWorkload workload = ShuffledWorkload.generated(7, JOBS);
        int changed = 0;
        for (int i = 0; i < 500; i++) {
            ShuffledWorkload next = workload.mutated(random);
            changed += next.equals(workload) ? 0 : 1;
            workload = next;
        }
        List<TraceJob> shuffled = workload.jobs(JOBS);

        assertThat(changed).isGreaterThan(400);
        assertThat(shuffled).isSortedAccordingTo((a, b) -> Long.compare(a.submitNanos(), b.submitNanos()));
        assertThat(shuffled)
                .extracting(job -> job.submittedAt(0))
                .containsExactlyInAnyOrderElementsOf(
                        JOBS.stream().map(job -> job.submittedAt(0)).toList());
        for (int i = 0; i < JOBS.size(); i += 8) {
            assertThat(shuffled.get(i).submitNanos()).isEqualTo(JOBS.get(i).submitNanos());
        }
        assertThat(shuffled.get(39).submitNanos()).isEqualTo(JOBS.get(39).submitNanos());
    }

    @Test
    void mutations_of_two_jobs_are_possible() {
        RandomGenerator random = RandomStreams.stream(2, "mutations");
        ShuffledWorkload workload = ShuffledWorkload.generated(7, JOBS.subList(0, 2));
        for (int i = 0; i < 50; i++) {
            workload = workload.mutated(random);
        }

        assertThat(workload.order()).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void shape_says_what_comes_first() {
        List<TraceJob> longFirst = List.of(job("a", 0, 8, 7200), job("b", 3600, 4, 60), job("c", 7200, 1, 30));
        WorkloadShape shape = WorkloadShape.of(longFirst, 8);

        assertThat(shape.longFirst()).isEqualTo(1);
        assertThat(shape.wideFirst()).isEqualTo(1);
        assertThat(shape.peakBacklogHours()).isEqualTo(2);
        assertThat(shape.earlyWork()).isEqualTo(7200.0 * 8 / (7200 * 8 + 60 * 4 + 30));
        assertThat(shape.shortBehindLong()).isEqualTo(1);
    }

    private static TraceJob job(String id, long submitSeconds, int gpus, long seconds) {
        return new TraceJob(id, submitSeconds * 1_000_000_000L, gpus, seconds * 1_000_000_000L, null, null, null, null);
    }
}
