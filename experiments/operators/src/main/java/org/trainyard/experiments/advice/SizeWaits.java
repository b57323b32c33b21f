package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.metrics.Distribution;

/**
 * The waits of the jobs that asked for about as many GPUs, under some schedulers.
 *
 * @param most GPUs: a power of two; jobs that fit on half of them belong to another group
 * @param waits in seconds, by scheduler, in their order
 */
public record SizeWaits(int most, int jobs, Map<String, Distribution> waits) {
    /**
     * The groups of the jobs at some places, the smallest first.
     *
     * @param outcomes of the jobs at these places alone
     */
    static List<SizeWaits> of(List<TraceJob> jobs, int[] places, List<LogOutcome> outcomes) {
        List<SizeWaits> sizes = new ArrayList<>();
        groups(jobs, places).forEach((most, members) -> {
            int[] chosen = members.stream().mapToInt(Integer::intValue).toArray();
            Map<String, Distribution> waits = new LinkedHashMap<>();
            outcomes.forEach(
                    outcome -> waits.put(outcome.name(), outcome.over(chosen).waits()));
            sizes.add(new SizeWaits(most, chosen.length, waits));
        });
        return sizes;
    }

    /** Indices of the places of each group, by the most GPUs of its jobs. */
    static SortedMap<Integer, List<Integer>> groups(List<TraceJob> jobs, int[] places) {
        TreeMap<Integer, List<Integer>> groups = new TreeMap<>();
        for (int i = 0; i < places.length; i++) {
            int gpus = Math.max(1, jobs.get(places[i]).gpus());
            int most = gpus == 1 ? 1 : 2 * Integer.highestOneBit(gpus - 1);
            groups.computeIfAbsent(most, key -> new ArrayList<>()).add(i);
        }
        return groups;
    }

    /** The GPUs of its jobs, such as {@code 5-8}. */
    public String gpus() {
        return gpus(most);
    }

    static String gpus(int most) {
        return most <= 2 ? Integer.toString(most) : "%d-%d".formatted(most / 2 + 1, most);
    }
}
