package org.trainyard.agents.heuristic.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.kueue.CycleEntry.Outcome;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;

/**
 * Slices of elastic jobs, with the cases of Kueue's own tests (v0.19.2: those with slices of {@code TestSchedule},
 * {@code TestAssignFlavors}, {@code TestEnsureWorkloadSlices} and of its integration test of preemption).
 */
class ElasticJobTest {
    private final List<String> flavors = new ArrayList<>();
    private AdmissionQueues queues = queues(50);
    private int seconds;

    /** A queue with so many CPUs of each flavor, in which a job displaces lower priorities and newer ones. */
    private AdmissionQueues queues(int... cpus) {
        StringBuilder yaml = new StringBuilder("""
                kind: ClusterQueue
                metadata: {name: all}
                spec:
                  preemption: {withinClusterQueue: LowerOrNewerEqualPriority}
                  resourceGroups:
                  - coveredResources: [cpu]
                    flavors:
                """);
        flavors.clear();
        for (int i = 0; i < cpus.length; i++) {
            flavors.add("f" + i);
            yaml.append("    - {name: f%d, resources: [{name: cpu, nominalQuota: %d}]}\n".formatted(i, cpus[i]));
        }
        return new AdmissionQueues(new KueueState(new QuotaTree(KueueFiles.parse("case", yaml.toString())), flavor -> {
            throw new IllegalStateException("no flavor has a topology");
        }));
    }

    /** A job of pods of one CPU, so many in each set. */
    private ElasticJob job(int id, long priority, int... counts) {
        List<PodSet> sets = IntStream.of(counts)
                .mapToObj(count -> new PodSet(count, new long[] {1000}, flavor -> true, null))
                .toList();
        return new ElasticJob(queues, new KueueWorkload(id, 0, priority, id, sets));
    }

    /** Runs a cycle: what it admitted and evicted. */
    private String cycle(ElasticJob... jobs) {
        List<String> done = new ArrayList<>();
        for (CycleEntry entry : queues.run(queues.heads(), ++seconds)) {
            if (entry.outcome == Outcome.ADMITTED) {
                done.add(entry.workload.id + (entry.replaced == null ? "" : " for " + entry.replaced.id));
            }
            for (KueueWorkload victim : entry.victimWorkloads()) {
                done.add(entry.workload.id + " evicts " + victim.id);
                for (ElasticJob job : jobs) {
                    if (job.slices().contains(victim)) {
                        job.evicted(victim);
                    }
                }
            }
        }
        for (ElasticJob job : jobs) {
            job.settle();
        }
        return String.join(", ", done);
    }

    /** CPUs in use of each flavor. */
    private List<Long> used() {
        long[] usage = queues.state.tree.queues.get(0).usage;
        return IntStream.range(0, flavors.size())
                .mapToObj(at -> usage[at] / 1000)
                .toList();
    }

    private static List<Integer> ids(ElasticJob job) {
        return job.slices().stream().map(slice -> slice.id).toList();
    }

    @Test
    void a_larger_slice_replaces_the_one_that_has_quota() {
        ElasticJob job = job(1, 0, 10);
        assertThat(cycle(job)).isEqualTo("1");

        job.resize(2, 2, 15);
        assertThat(ids(job)).containsExactly(1, 2);
        assertThat(used()).containsExactly(10L);

        assertThat(cycle(job)).isEqualTo("2 for 1");
        assertThat(ids(job)).containsExactly(2);
        assertThat(used()).containsExactly(15L);
        assertThat(queues.state.admittedTo(0)).isEqualTo(Set.copyOf(job.slices()));
    }

    @Test
    void a_slice_asks_for_the_difference_alone_and_in_the_flavors_of_the_old_one() {
        queues = queues(1, 4);
        ElasticJob job = job(1, 0, 2);
        cycle(job);
        job.resize(2, 2, 4);

        assertThat(cycle(job)).isEqualTo("2 for 1");
        assertThat(used()).containsExactly(0L, 4L);

        queues = queues(3, 8);
        ElasticJob other = job(3, 0, 3);
        cycle(other);
        other.resize(4, 4, 4);

        assertThat(cycle(other)).isEmpty();
        assertThat(ids(other)).containsExactly(3, 4);
        assertThat(used()).containsExactly(3L, 0L);
    }

    /** The scale-up of the first evicts the second, not its own old slice; fewer pods let the second in again. */
    @Test
    void lower_priorities_give_way_to_the_difference_and_come_back_when_the_job_asks_for_fewer_pods() {
        queues = queues(2);
        ElasticJob low = job(1, 0, 1);
        cycle(low);
        ElasticJob high = job(2, 1, 1);
        cycle(low, high);
        high.resize(3, 3, 2);

        assertThat(cycle(low, high)).isEqualTo("3 evicts 1");
        assertThat(cycle(low, high)).isEqualTo("3 for 2");
        assertThat(cycle(low, high)).isEmpty();
        high.resize(4, 4, 1);

        assertThat(used()).containsExactly(1L);
        assertThat(ids(high)).containsExactly(3);
        assertThat(cycle(low, high)).isEqualTo("1");
        assertThat(used()).containsExactly(2L);
    }

    @Test
    void a_slice_that_waits_is_changed_and_no_other_one_made() {
        queues = queues(4);
        ElasticJob job = job(1, 0, 9);
        assertThat(cycle(job)).isEmpty();
        job.resize(2, 2, 3);

        assertThat(ids(job)).containsExactly(1);
        assertThat(cycle(job)).isEqualTo("1");

        job.resize(3, 3, 9);
        job.resize(4, 4, 4);
        assertThat(ids(job)).containsExactly(1, 3);
        assertThat(cycle(job)).isEqualTo("3 for 1");
        job.resize(5, 5, 4);
        assertThat(ids(job)).containsExactly(3);
    }

    @Test
    void without_the_one_that_it_replaces_a_slice_asks_for_all() {
        queues = queues(4);
        ElasticJob job = job(1, 0, 3);
        cycle(job);
        job.resize(2, 2, 4);
        ElasticJob high = job(3, 5, 2);

        assertThat(cycle(job, high)).isEqualTo("3 evicts 1");
        assertThat(ids(job)).containsExactly(2);
        assertThat(cycle(job, high)).isEqualTo("3");
        assertThat(cycle(job, high)).isEmpty();
        high.end();

        assertThat(cycle(job, high)).isEqualTo("2");
        assertThat(used()).containsExactly(4L);
    }

    @Test
    void more_of_one_pod_set_and_fewer_of_another_is_a_new_slice() {
        queues = queues(6);
        ElasticJob job = job(1, 0, 4, 1);
        cycle(job);
        job.resize(2, 2, 1, 3);

        assertThat(ids(job)).containsExactly(1, 2);
        assertThat(used()).containsExactly(5L);
        assertThat(cycle(job)).isEqualTo("2 for 1");
        assertThat(used()).containsExactly(4L);
        job.resize(3, 3, 1, 2);
        assertThat(ids(job)).containsExactly(2);
        assertThat(used()).containsExactly(3L);
        job.end();
        assertThat(ids(job)).isEmpty();
        assertThat(used()).containsExactly(0L);
    }
}
