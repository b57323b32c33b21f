package org.trainyard.experiments.drive;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.service.live.FreeGpus;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/**
 * Room of the nodes beside their free GPUs, as the manager says it: cores, memory, partitions, and the nodes that a job
 * avoids. Schedulers plan with GPUs and their types alone.
 */
final class NodeRoom {
    private final LiveSnapshot snapshot;
    private final BiPredicate<String, String> avoids;
    /** By node, cores and MiB that orders of this look will take. */
    private final Map<String, long[]> taken = new HashMap<>();

    /** @param avoids whether a job avoids a node */
    NodeRoom(LiveSnapshot snapshot, BiPredicate<String, String> avoids) {
        this.snapshot = snapshot;
        this.avoids = avoids;
    }

    private static long ceil(long of, int parts) {
        return (of + parts - 1) / Math.max(1, parts);
    }

    private static long cpus(LiveJob job, int gpus) {
        return ceil(job.needs().cpus() * gpus, job.gpus());
    }

    private static long memory(LiveJob job, int gpus) {
        long ofNode = job.needs().nodeMemoryMib();
        return ofNode > 0 ? ofNode : ceil(job.needs().memoryMib() * gpus, job.gpus());
    }

    private boolean suits(LiveJob job, String name, int gpus) {
        LiveSnapshot.Node node = snapshot.nodes().get(name);
        if (node == null || node.isOut() || avoids.test(job.id(), name)) {
            return false;
        }
        long[] gone = taken.getOrDefault(name, new long[2]);
        return (node.partitions().isEmpty() || node.partitions().contains(job.partition()))
                && (job.needs().gpuType().isEmpty() || job.needs().gpuType().equals(node.type()))
                && cpus(job, gpus) <= node.freeCpus() - gone[0]
                && memory(job, gpus) <= node.freeMemoryMib() - gone[1];
    }

    /** Whether a placement is on as many nodes as the job asks for, and has room for each of its parts. */
    static boolean hasShape(LiveJob job, List<ServerGpus> placement) {
        boolean hasNodes =
                job.mostNodes() == 0 || (placement.size() >= job.leastNodes() && placement.size() <= job.mostNodes());
        Map<String, Integer> gpus = new LinkedHashMap<>();
        placement.forEach(one -> gpus.put(one.server(), one.gpus().size()));
        return hasNodes && packed(job, gpus) != null;
    }

    /** GPUs of a job's parts by node, each on the first with room, the largest first; null when one finds none. */
    private static @Nullable Map<String, Integer> packed(LiveJob job, Map<String, Integer> room) {
        Map<String, Integer> left = new LinkedHashMap<>(room);
        for (int gpus : job.needs().parts()) {
            String node = left.entrySet().stream()
                    .filter(one -> one.getValue() >= gpus)
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(null);
            if (node == null) {
                return null;
            }
            left.merge(node, -gpus, Integer::sum);
        }
        left.replaceAll((node, gpus) -> room.getOrDefault(node, 0) - gpus);
        left.values().removeIf(gpus -> gpus == 0);
        return left;
    }

    /** The parts of a job on the nodes of a placement, and then on others, those with the fewest free GPUs first. */
    private @Nullable List<ServerGpus> inParts(LiveJob job, List<ServerGpus> placement, FreeGpus free) {
        Map<String, Integer> room = new LinkedHashMap<>();
        placement.forEach(one -> room.put(one.server(), 0));
        snapshot.nodes().keySet().stream()
                .sorted(Comparator.comparingInt((String name) -> free.of(name).size())
                        .thenComparing(Comparator.naturalOrder()))
                .forEach(name -> room.put(
                        name,
                        suits(job, name, job.needs().parts().get(0))
                                ? free.of(name).size()
                                : 0));
        Map<String, Integer> packed = packed(job, room);
        return packed == null ? null : free.some(packed);
    }

    /**
     * GPUs on each node, the most first: those of the placement or, where it has no right number of nodes, equally
     * many.
     */
    private static List<Integer> shape(LiveJob job, List<ServerGpus> placement) {
        if (!hasShape(job, placement)) {
            return Collections.nCopies(job.leastNodes(), (job.gpus() + job.leastNodes() - 1) / job.leastNodes());
        }
        return placement.stream()
                .map(one -> one.gpus().size())
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** The shape of a placement on the nodes that a job was told before, as long as their GPUs are free; else null. */
    static @Nullable List<ServerGpus> kept(LiveJob job, List<ServerGpus> placement, List<String> told, FreeGpus free) {
        List<Integer> shape = shape(job, placement);
        if (told.size() != shape.size()) {
            return null;
        }
        if (!job.needs().parts().isEmpty()) {
            Map<String, Integer> room = new LinkedHashMap<>();
            told.forEach(node -> room.put(node, free.of(node).size()));
            Map<String, Integer> packed = packed(job, room);
            return packed == null || packed.size() < told.size() ? null : free.some(packed);
        }
        Map<String, Integer> wanted = new LinkedHashMap<>();
        for (int i = 0; i < shape.size(); i++) {
            wanted.put(told.get(i), shape.get(i));
        }
        return free.some(wanted);
    }

    /**
     * The placement, where its nodes have room, else one of the same shape, the tightest that has; null when none has.
     */
    @Nullable List<ServerGpus> fitted(LiveJob job, List<ServerGpus> placement, FreeGpus free) {
        if (free.has(placement)
                && hasShape(job, placement)
                && placement.stream()
                        .allMatch(one -> suits(job, one.server(), one.gpus().size()))) {
            return placement;
        }
        if (!job.needs().parts().isEmpty()) {
            return inParts(job, placement, free);
        }
        Set<String> used = new HashSet<>();
        Map<String, Integer> wanted = new LinkedHashMap<>();
        for (int gpus : shape(job, placement)) {
            String node = snapshot.nodes().keySet().stream()
                    .filter(name -> !used.contains(name) && free.of(name).size() >= gpus && suits(job, name, gpus))
                    .min(Comparator.comparingInt((String name) -> free.of(name).size())
                            .thenComparing(Comparator.naturalOrder()))
                    .orElse(null);
            if (node == null) {
                return null;
            }
            used.add(node);
            wanted.put(node, gpus);
        }
        return free.some(wanted);
    }

    void take(LiveJob job, List<ServerGpus> placement) {
        for (ServerGpus one : placement) {
            long[] gone = taken.computeIfAbsent(one.server(), name -> new long[2]);
            gone[0] += cpus(job, one.gpus().size());
            gone[1] += memory(job, one.gpus().size());
        }
    }
}
