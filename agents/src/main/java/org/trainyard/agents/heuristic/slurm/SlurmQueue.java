package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;

/**
 * The queue of a cycle, in Slurm's order: jobs whose QOS may preempt the other's, jobs with a reservation, the tier of the
 * partition, priority, submission, number. The tasks of an array that have not started share one place.
 */
final class SlurmQueue {
    /** A job in one of its partitions. */
    record Entry(SlurmJob job, SlurmPartition partition) {}

    private static final Comparator<Entry> BY_RECORD = Comparator.comparingInt(entry -> entry.job().serial);
    private static final Comparator<Entry> ORDER = Comparator.comparing(
                    (Entry entry) -> entry.job().request().reservation() == null)
            .thenComparing(entry -> -entry.partition().tier())
            .thenComparing(entry -> -entry.job().priority)
            .thenComparing(entry -> entry.job().submitSecond)
            .thenComparing(entry -> entry.job().request().id())
            .thenComparing(entry -> entry.job().request().task());

    private SlurmQueue() {}

    /** The jobs that may start at a second, in order. */
    static List<Entry> at(SlurmState state, long second) {
        List<Entry> entries = new ArrayList<>();
        state.accrue(second);
        for (SlurmJob job : state.pending) {
            if (!state.runnable(job, second)
                    || (job.sharesPlace() && Objects.requireNonNull(job.array).next() != job)) {
                continue;
            }
            for (SlurmPartition partition : job.request().partitions()) {
                if (partition.up()) {
                    entries.add(new Entry(job, partition));
                }
            }
        }
        if (!state.cluster().preempts()) {
            entries.sort(ORDER);
            return entries;
        }
        entries.sort(BY_RECORD);
        Entry[] sorted = entries.toArray(Entry[]::new);
        mergeSort(sorted, new Entry[sorted.length], 0, sorted.length);
        return List.of(sorted);
    }

    /**
     * Sorts as the C library does. The order is no total one: of three QOS two may preempt each other and the third
     * none, so the result depends on which pairs are compared.
     */
    private static void mergeSort(Entry[] entries, Entry[] spare, int from, int to) {
        if (to - from < 2) {
            return;
        }
        int middle = from + (to - from) / 2;
        mergeSort(entries, spare, from, middle);
        mergeSort(entries, spare, middle, to);
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takeLeft = right >= to || (left < middle && compare(entries[left], entries[right]) <= 0);
            spare[i] = takeLeft ? entries[left++] : entries[right++];
        }
        System.arraycopy(spare, from, entries, from, to - from);
    }

    private static int compare(Entry a, Entry b) {
        if (a.job().request().qos().mayPreempt(b.job().request().qos())) {
            return -1;
        }
        return b.job().request().qos().mayPreempt(a.job().request().qos()) ? 1 : ORDER.compare(a, b);
    }
}
