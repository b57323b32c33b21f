package org.trainyard.env.scheduling.placement;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The fewest servers of a demand on the empty cluster, within the smallest part of the data centre with room for it: a
 * rack, else a pod, else the whole. Computed once per demand, O(servers).
 */
public final class FewestServers {
    private static final int MOST_GPUS_ON_A_SERVER = 64;

    private final Topology topology;
    private final Map<Demand, Integer> known = new HashMap<>();
    /** The demand that was asked for last, which is often asked for again. */
    private @Nullable Demand last;

    private int fewestOfLast;

    public FewestServers(Topology topology) {
        this.topology = topology;
    }

    /** The fewest servers; {@link Integer#MAX_VALUE} for a demand that even the empty cluster cannot meet. */
    @SuppressWarnings("ReferenceEquality")
    public int of(Demand demand) {
        if (demand != last) {
            fewestOfLast = known.computeIfAbsent(demand, this::count);
            last = demand;
        }
        return fewestOfLast;
    }

    private int count(Demand demand) {
        int[] fewest = {Integer.MAX_VALUE};
        int[] serversWithRoom = new int[MOST_GPUS_ON_A_SERVER + 1];
        RackRanges.narrowestFirst(
                topology,
                (first, last, from, to) -> {
                    Arrays.fill(serversWithRoom, 0);
                    for (int server = from; server < to; server++) {
                        serversWithRoom[demand.workersOn(topology.server(server))]++;
                    }
                    fewest[0] = Math.min(fewest[0], needed(serversWithRoom, Math.max(1, demand.gpus())));
                },
                () -> fewest[0] < Integer.MAX_VALUE);
        return fewest[0];
    }

    /**
     * The fewest servers with room for so many workers; {@link Integer#MAX_VALUE} when there are none.
     *
     * @param serversWithRoom number of servers by the number of workers for which they have room
     */
    public static int needed(int[] serversWithRoom, int workers) {
        int servers = 0;
        int left = workers;
        for (int room = serversWithRoom.length - 1; room > 0 && left > 0; room--) {
            if (serversWithRoom[room] > 0) {
                int used = Math.min(serversWithRoom[room], (left + room - 1) / room);
                servers += used;
                left -= used * room;
            }
        }
        return left > 0 ? Integer.MAX_VALUE : servers;
    }
}
