package org.trainyard.experiments.inspection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.trainyard.env.topology.ServerInterior;

/** Ring bandwidths of the sets of GPUs inside a server. */
final class InteriorFigures {
    private InteriorFigures() {}

    /** Number of GPU sets by size and by bandwidth of their ring, GB/s. */
    static Map<Integer, Map<Double, Integer>> rings(ServerInterior interior) {
        Map<Integer, Map<Double, Integer>> rings = new TreeMap<>();
        for (long mask = 0; !interior.isSwitched() && mask < 1L << interior.gpus(); mask++) {
            if (Long.bitCount(mask) > 1) {
                rings.computeIfAbsent(Long.bitCount(mask), size -> new TreeMap<>())
                        .merge(interior.ring(mask), 1, Integer::sum);
            }
        }
        return rings;
    }

    /** The sets of a size, widest ring first, as {@code 2 of 88, 62 of 10}. */
    static String text(Map<Double, Integer> sets) {
        List<Map.Entry<Double, Integer>> widestFirst = new ArrayList<>(sets.entrySet());
        widestFirst.sort(Map.Entry.<Double, Integer>comparingByKey().reversed());
        return widestFirst.stream()
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
        Map<String, Object> sets = new LinkedHashMap<>();
        rings(interior).forEach((size, counts) -> {
            Map<String, Integer> byBandwidth = new LinkedHashMap<>();
            counts.forEach((bandwidth, count) -> byBandwidth.put(TopologyReport.number(bandwidth), count));
            sets.put(Integer.toString(size), byBandwidth);
        });
        row.put("sets_by_gpus_and_gigabytes_per_second", sets);
        return row;
    }
}
