package org.trainyard.experiments.service.live;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/** Which GPUs of a cluster are free, by server. */
public final class FreeGpus {
    private final Map<String, BitSet> free = new LinkedHashMap<>();

    /** All GPUs. */
    public FreeGpus(Topology topology) {
        for (int server = 0; server < topology.servers(); server++) {
            BitSet all = new BitSet();
            all.set(0, topology.gpusOn(server));
            free.put(topology.serverName(server), all);
        }
    }

    public boolean knows(String server) {
        return free.containsKey(server);
    }

    private BitSet on(String server) {
        return free.getOrDefault(server, new BitSet());
    }

    public void take(List<ServerGpus> placement) {
        placement.forEach(one -> one.gpus().forEach(gpu -> on(one.server()).clear(gpu)));
    }

    public void give(List<ServerGpus> placement) {
        placement.forEach(one -> one.gpus().forEach(gpu -> on(one.server()).set(gpu)));
    }

    public boolean has(List<ServerGpus> placement) {
        return placement.stream().allMatch(one -> one.gpus().stream().allMatch(on(one.server())::get));
    }

    public List<Integer> of(String server) {
        return on(server).stream().boxed().toList();
    }

    /** GPUs by these numbers on each server, the lowest that are free; null when there are not so many. */
    public @Nullable List<ServerGpus> some(Map<String, Integer> wanted) {
        List<ServerGpus> found = new ArrayList<>();
        for (Map.Entry<String, Integer> one : wanted.entrySet()) {
            List<Integer> there = of(one.getKey());
            if (there.size() < one.getValue()) {
                return null;
            }
            found.add(new ServerGpus(one.getKey(), there.subList(0, one.getValue())));
        }
        return found;
    }
}
