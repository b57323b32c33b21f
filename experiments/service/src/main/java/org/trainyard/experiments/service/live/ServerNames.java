package org.trainyard.experiments.service.live;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/** The names of a cluster's servers, and placements in terms of them: GPUs are numbered from 0 on each server. */
final class ServerNames {
    private final Topology topology;
    private final Map<String, Integer> byName = new HashMap<>();

    ServerNames(Topology topology) {
        this.topology = topology;
        for (int server = 0; server < topology.servers(); server++) {
            byName.put(topology.serverName(server), server);
        }
    }

    int index(String name, String place) {
        Integer server = byName.get(name);
        if (server == null) {
            throw new RequestException(
                    RequestException.IMPOSSIBLE,
                    place,
                    name,
                    "a server of %s, such as %s".formatted(topology.name(), topology.serverName(0)));
        }
        return server;
    }

    Placement placement(List<ClusterEvent.Placed> items, String place) {
        if (items.size() > topology.servers()) {
            throw new RequestException(RequestException.IMPOSSIBLE, place, items.size() + " items", "each server once");
        }
        List<Integer> gpus = new ArrayList<>();
        int onlyServer = -1;
        for (int i = 0; i < items.size(); i++) {
            String at = "%s[%d]".formatted(place, i);
            int server = index(items.get(i).server(), at + ".server");
            for (int gpu : items.get(i).gpus()) {
                if (gpu < 0 || gpu >= topology.gpusOn(server)) {
                    throw new RequestException(
                            RequestException.IMPOSSIBLE,
                            at + ".gpus",
                            gpu,
                            "numbers in 0..%d".formatted(topology.gpusOn(server) - 1));
                }
                int number = topology.firstGpu(server) + gpu;
                if (gpus.contains(number)) {
                    throw new RequestException(RequestException.IMPOSSIBLE, at + ".gpus", gpu, "every GPU once");
                }
                gpus.add(number);
            }
            onlyServer = server;
        }
        if (gpus.isEmpty() && items.size() != 1) {
            throw new RequestException(RequestException.IMPOSSIBLE, place, "no GPUs", "GPUs, or one server");
        }
        return gpus.isEmpty()
                ? Placement.onServer(topology, onlyServer)
                : Placement.of(
                        topology, gpus.stream().mapToInt(Integer::intValue).toArray());
    }

    static List<ServerGpus> described(Topology topology, Placement placement) {
        List<ServerGpus> servers = new ArrayList<>();
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            long mask = placement.gpuCount() == 0 ? 0 : placement.maskOn(i);
            servers.add(new ServerGpus(
                    topology.serverName(server),
                    IntStream.range(0, topology.gpusOn(server))
                            .filter(gpu -> (mask & (1L << gpu)) != 0)
                            .boxed()
                            .toList()));
        }
        return servers;
    }
}
