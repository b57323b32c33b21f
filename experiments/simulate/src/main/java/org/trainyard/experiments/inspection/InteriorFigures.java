package org.trainyard.experiments.inspection;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.trainyard.env.topology.ServerInterior;

/** Ring bandwidths of the sets of GPUs inside a server. */
final class InteriorFigures {
    private InteriorFigures() {}

    /** Number of GPU sets by size and by bandwidth of their ring, GB/s. */
    static SortedMap<Integer, NavigableMap<Double, Integer>> rings(ServerInterior interior) {
        SortedMap<Integer, NavigableMap<Double, Integer>> rings = new TreeMap<>();
        for (long mask = 0; !interior.isSwitched() && mask < 1L << interior.gpus(); mask++) {
            if (Long.bitCount(mask) > 1) {
                rings.computeIfAbsent(Long.bitCount(mask), size -> new TreeMap<>())
                        .merge(interior.ring(mask), 1, Integer::sum);
            }
        }
        return rings;
    }

    /** The sets of a size, widest ring first, as {@code 2 of 88, 62 of 10}. */
    static String text(NavigableMap<Double, Integer> sets) {
        return sets.descendingMap().entrySet().stream()
                .map(set -> "%d of %s".formatted(set.getValue(), TopologyReport.number(set.getKey())))
                .collect(Collectors.joining(", "));
    }

    static Map<String, Object> json(ServerInterior interior) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", interior.name());
        row.put("switches", interior.board().switches());
        row.put(
                "links",
                interior.links().stream()
                        .map(link -> List.of(link.a(), link.b(), link.bandwidth()))
                        .toList());
        Map<Integer, Map<String, Integer>> sets = new LinkedHashMap<>();
        rings(interior)
                .forEach((size, counts) ->
                        counts.forEach((bandwidth, count) -> sets.computeIfAbsent(size, any -> new LinkedHashMap<>())
                                .put(TopologyReport.number(bandwidth), count)));
        row.put("sets_by_gpus_and_gigabytes_per_second", sets);
        return row;
    }
}
