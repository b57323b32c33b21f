package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A job that may ask for more or fewer pods while it runs, as in Kueue 0.19 ({@code ElasticJobsViaWorkloadSlices}): for
 * more than it has a new slice waits, asks for the difference alone, and only in the flavors of the old one, which it
 * replaces when it is admitted; fewer pods give up quota at once.
 *
 * <p>Simplified: slices ask for no places in a topology ({@code ElasticJobsViaWorkloadSlicesWithTAS}, which is off by
 * default).
 */
final class ElasticJob {
    private final AdmissionQueues queues;
    /** Slices that have not finished: one, or one with quota and one that waits to replace it. */
    private final List<KueueWorkload> slices = new ArrayList<>();

    /** Begins with its first slice, which waits from now on. */
    ElasticJob(AdmissionQueues queues, KueueWorkload first) {
        this.queues = queues;
        slices.add(first);
        queues.arrive(first);
    }

    List<KueueWorkload> slices() {
        return List.copyOf(slices);
    }

    /**
     * The job asks for other numbers of pods.
     *
     * @param id number of a new slice, if it takes one
     * @param counts by pod set
     */
    void resize(int id, long createdNanos, int... counts) {
        KueueWorkload last = slices.get(slices.size() - 1);
        List<PodSet> podSets = IntStream.range(0, counts.length)
                .mapToObj(set -> last.podSets.get(set).of(counts[set]))
                .toList();
        IntStream changes = IntStream.range(0, counts.length).map(set -> counts[set] - last.podSets.get(set).count);
        int[] change = changes.filter(by -> by != 0).toArray();
        if (change.length == 0) {
            return;
        }
        if (last.admission == null || IntStream.of(change).allMatch(by -> by < 0)) {
            queues.resize(last, podSets);
        } else {
            KueueWorkload slice = new KueueWorkload(id, last.queue, last.priority, createdNanos, podSets);
            slice.localQueue = last.localQueue;
            slice.replaces = last;
            slices.add(slice);
            queues.arrive(slice);
        }
    }

    /** A slice that has been replaced is none any more. */
    void settle() {
        slices.removeIf(slice -> slice.admission == null && slice != slices.get(slices.size() - 1));
    }

    /**
     * The eviction of a slice is done: it waits again, unless another one waits to replace it, which then asks for all.
     */
    void evicted(KueueWorkload slice) {
        if (slices.size() > 1) {
            queues.leave(slice);
            slices.remove(slice);
        } else {
            queues.evicted(slice);
        }
    }

    void end() {
        slices.forEach(queues::leave);
        slices.clear();
    }
}
