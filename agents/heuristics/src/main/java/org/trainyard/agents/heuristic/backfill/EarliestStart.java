package org.trainyard.agents.heuristic.backfill;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.FewestServers;
import org.trainyard.env.scheduling.placement.RackRanges;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Finds the earliest instant from which enough GPUs are free for a job as long as it is expected to run, and, for a job
 * that may not run on any GPUs, its servers then: the fewest, within a rack where one has room, else within a pod; of
 * racks that need equally few, the one with the least room. O(ends of running jobs) for the instant where GPUs alone
 * decide, and O(servers) for each instant that has enough.
 */
final class EarliestStart {
    private final ReservedGpus future;
    private int[] room = new int[0];
    private int[] serversWithRoom = new int[0];
    private int bestFrom;
    private int bestTo;
    private int bestServers;
    private int bestRoom;

    EarliestStart(ReservedGpus future) {
        this.future = future;
    }

    /**
     * The earliest reservation of any GPUs for a job of whole GPUs, or null when none begins by then.
     *
     * @param lengthNanos how long it is expected to run
     * @param latestNanos the last instant that will do
     */
    @Nullable Reservation anywhere(SimView view, int job, long lengthNanos, long latestNanos) {
        int gpus = view.job(job).gpus();
        long start = future.ofCluster().earliest(gpus, lengthNanos, latestNanos, at -> true);
        return start < 0 ? null : Reservation.anywhere(job, gpus, start, start + lengthNanos);
    }

    /** The earliest reservation for the job of another, of any GPUs or of servers as that is, and no later. */
    @Nullable Reservation find(SimView view, Reservation old, long lengthNanos) {
        return old.isAnywhere()
                ? anywhere(view, old.job(), lengthNanos, old.startNanos())
                : onServers(view, old.job(), lengthNanos, old.mostServers(), old.startNanos());
    }

    /**
     * The earliest reservation of servers for a job, or null when none begins by then. It begins after those of any
     * GPUs have ended: their jobs may need any of the servers.
     *
     * @param lengthNanos how long the job is expected to run
     * @param latestNanos the last instant that will do
     */
    @Nullable Reservation onServers(SimView view, int job, long lengthNanos, int mostServers, long latestNanos) {
        Demand demand = view.job(job).demand();
        if (demand.gpus() == 0) {
            return null;
        }
        boolean isCounted = demand.gpuMilli() == Demand.WHOLE && !view.cluster().isShared();
        long from = future.lastEndAnywhere();
        long start = future.ofCluster()
                .earliest(
                        isCounted ? demand.gpus() : Integer.MIN_VALUE,
                        lengthNanos,
                        latestNanos,
                        at -> at >= from && hasRoom(view, demand, at, at + lengthNanos, mostServers));
        return start < 0 ? null : reserve(job, demand, mostServers, start, start + lengthNanos);
    }

    private boolean hasRoom(SimView view, Demand demand, long fromNanos, long toNanos, int mostServers) {
        Topology topology = view.topology();
        if (room.length < topology.servers()) {
            room = new int[topology.servers()];
            serversWithRoom = new int[topology.widestServer() + 1];
        }
        int sum = 0;
        for (int server = 0; server < topology.servers(); server++) {
            int here =
                    Math.min(demand.workersOn(topology.server(server)), future.least(view, server, fromNanos, toNanos));
            room[server] = demand.oneServer() && here < demand.gpus() ? 0 : here;
            sum += room[server];
        }
        if (sum < demand.gpus()) {
            return false;
        }
        bestServers = Integer.MAX_VALUE;
        RackRanges.narrowestFirst(
                topology,
                (first, last, from, to) -> consider(demand.gpus(), from, to),
                () -> bestServers < Integer.MAX_VALUE);
        return bestServers <= mostServers;
    }

    private void consider(int gpus, int from, int to) {
        Arrays.fill(serversWithRoom, 0);
        int here = 0;
        for (int server = from; server < to; server++) {
            serversWithRoom[room[server]]++;
            here += room[server];
        }
        int servers = FewestServers.needed(serversWithRoom, gpus);
        if (servers < bestServers || (servers == bestServers && servers < Integer.MAX_VALUE && here < bestRoom)) {
            bestFrom = from;
            bestTo = to;
            bestServers = servers;
            bestRoom = here;
        }
    }

    private Reservation reserve(int job, Demand demand, int mostServers, long startNanos, long endNanos) {
        int[] servers = new int[bestServers];
        int[] gpus = new int[bestServers];
        int left = demand.gpus();
        for (int i = 0; left > 0; i++) {
            int server = next(left);
            servers[i] = server;
            gpus[i] = Math.min(left, room[server]);
            left -= gpus[i];
            room[server] = 0;
        }
        return new Reservation(job, mostServers, startNanos, endNanos, demand.gpus(), servers, gpus);
    }

    /** The server that the rest fits most tightly, or the one with the most room. */
    private int next(int gpus) {
        int tightest = SimView.NONE;
        int widest = bestFrom;
        for (int server = bestFrom; server < bestTo; server++) {
            if (room[server] >= gpus && (tightest == SimView.NONE || room[server] < room[tightest])) {
                tightest = server;
            }
            widest = room[server] > room[widest] ? server : widest;
        }
        return tightest == SimView.NONE ? widest : tightest;
    }
}
