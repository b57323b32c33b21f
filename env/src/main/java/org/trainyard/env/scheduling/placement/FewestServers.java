package org.trainyard.env.scheduling.placement;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * On how few servers a demand can be met when nothing else runs, inside the smallest part of the data centre that could hold it: a rack,
 * else a pod, else the whole. Each demand is worked out once, O(servers log servers).
 */
public final class FewestServers {
    private static final int MOST_GPUS_ON_A_SERVER = 64;

    private final Topology topology;
    private final Map<Demand, Integer> known = new HashMap<>();

    public FewestServers(Topology topology) {
        this.topology = topology;
    }

    /** The fewest servers; {@link Integer#MAX_VALUE} for a demand that even the empty cluster cannot meet. */
    public int of(Demand demand) {
        return known.computeIfAbsent(demand, this::count);
    }

    private int count(Demand demand) {
        int fewest = fewest(demand, topology.racks(), topology::rackOf);
        if (fewest == Integer.MAX_VALUE) {
            fewest = fewest(demand, topology.pods(), server -> topology.podOf(topology.rackOf(server)));
        }
        return fewest == Integer.MAX_VALUE ? fewest(demand, 1, server -> 0) : fewest;
    }

    private int fewest(Demand demand, int parts, IntUnaryOperator partOf) {
        int[][] serversWithRoom = new int[parts][MOST_GPUS_ON_A_SERVER + 1];
        for (int server = 0; server < topology.servers(); server++) {
            serversWithRoom[partOf.applyAsInt(server)][demand.workersOn(topology.server(server))]++;
        }
        int fewest = Integer.MAX_VALUE;
        for (int[] part : serversWithRoom) {
            fewest = Math.min(fewest, needed(part, Math.max(1, demand.gpus())));
        }
        return fewest;
    }

    /** How many servers so many workers need at least; {@link Integer#MAX_VALUE} when there is no room for them. */
    static int needed(int[] serversWithRoom, int workers) {
        int servers = 0;
        int left = workers;
        for (int room = serversWithRoom.length - 1; room > 0 && left > 0; room--) {
            int used = Math.min(serversWithRoom[room], (left + room - 1) / room);
            servers += used;
            left -= used * room;
        }
        return left > 0 ? Integer.MAX_VALUE : servers;
    }
}
