package org.trainyard.experiments.twin;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.Segments;

/**
 * A job of a recording: what its user asked for, and what the accounting says of it.
 *
 * @param id its number; of an array the array's
 * @param partition its partitions, split by commas
 * @param limitSeconds its limit; -1 for none
 * @param tasks numbers of its tasks when it is an array; empty otherwise
 * @param atOnce the most of them that run at once; 0 for all
 * @param after the jobs that must have ended well before it starts
 * @param reservation the reservation that it asked for
 * @param licenses the licences that it holds while it runs, by name
 * @param terms what else it asks for
 * @param submitSecond its submission, seconds since 1970
 * @param eligibleSecond when it became eligible; 0 where nobody says
 */
record TwinJob(
        long id,
        String user,
        String account,
        String qos,
        String partition,
        int nodes,
        int gpusPerNode,
        int cpusPerNode,
        long limitSeconds,
        SortedSet<Integer> tasks,
        int atOnce,
        List<Long> after,
        @Nullable String reservation,
        Map<String, Integer> licenses,
        Terms terms,
        long submitSecond,
        long eligibleSecond) {
    /**
     * Terms of a job beside its size.
     *
     * @param gpuTypes the types of its GPUs; empty for any
     * @param features that its nodes must have, as in {@code a&b}; empty for none
     * @param exclusive whether it shares no node
     * @param nice amount that its user takes off its priority
     * @param segments groups in which its nodes are to lie together
     */
    record Terms(
            long memoryMib,
            Set<String> gpuTypes,
            String features,
            boolean exclusive,
            int nice,
            @Nullable Segments segments) {
        Terms {
            gpuTypes = Set.copyOf(gpuTypes);
        }
    }

    TwinJob {
        tasks = Collections.unmodifiableSortedSet(new TreeSet<>(tasks));
        after = List.copyOf(after);
        licenses = Map.copyOf(licenses);
    }

    /** Returns the job as an array with more tasks, and the most of them at once where that is above 0. */
    TwinJob array(Collection<Integer> more, int together) {
        SortedSet<Integer> all = new TreeSet<>(tasks);
        all.addAll(more);
        return new TwinJob(
                id,
                user,
                account,
                qos,
                partition,
                nodes,
                gpusPerNode,
                cpusPerNode,
                limitSeconds,
                all,
                Math.max(atOnce, together),
                after,
                reservation,
                licenses,
                terms,
                submitSecond,
                eligibleSecond);
    }
}
