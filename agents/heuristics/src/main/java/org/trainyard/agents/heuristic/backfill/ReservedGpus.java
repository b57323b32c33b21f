package org.trainyard.agents.heuristic.backfill;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;

/**
 * A set of reservations, and the GPUs that they leave free over time of those that running jobs do. Counts are made
 * when they are first asked for; each reservation after that changes those of its servers and of the cluster in
 * O(steps).
 */
final class ReservedGpus {
    private final FreeGpusOverTime future;
    private final List<Reservation> reservations = new ArrayList<>();
    private final List<List<Reservation>> byServer = new ArrayList<>();
    private final FreeCount ofCluster = new FreeCount();
    /** By server, its free GPUs, and the version of which they are. */
    private @Nullable FreeCount[] ofServers = new FreeCount[0];

    private long[] countedIn = new long[0];
    private boolean isCounted;
    private long version;

    ReservedGpus(FreeGpusOverTime future) {
        this.future = future;
    }

    /** Forgets all reservations, and all counts, as after an update of the free GPUs. */
    void clear() {
        for (Reservation reservation : reservations) {
            for (int i = 0; i < reservation.serverCount(); i++) {
                byServer.get(reservation.server(i)).clear();
            }
        }
        reservations.clear();
        isCounted = false;
        version++;
        while (byServer.size() < future.servers()) {
            byServer.add(new ArrayList<>(4));
        }
        if (ofServers.length < future.servers()) {
            ofServers = new FreeCount[future.servers()];
            countedIn = new long[future.servers()];
        }
    }

    void add(Reservation reservation) {
        reservations.add(reservation);
        if (isCounted) {
            ofCluster.add(reservation.startNanos(), reservation.endNanos(), -reservation.gpuCount());
        }
        for (int i = 0; i < reservation.serverCount(); i++) {
            byServer.get(reservation.server(i)).add(reservation);
            change(reservation, i, -reservation.gpus(i));
        }
    }

    void remove(Reservation reservation) {
        reservations.remove(reservation);
        if (isCounted) {
            ofCluster.add(reservation.startNanos(), reservation.endNanos(), reservation.gpuCount());
        }
        for (int i = 0; i < reservation.serverCount(); i++) {
            byServer.get(reservation.server(i)).remove(reservation);
            change(reservation, i, reservation.gpus(i));
        }
    }

    /** Counts a change of free GPUs on the i-th server of a reservation. */
    private void change(Reservation reservation, int i, int more) {
        FreeCount count = ofServers[reservation.server(i)];
        if (count != null && countedIn[reservation.server(i)] == version) {
            count.add(reservation.startNanos(), reservation.endNanos(), more);
        }
    }

    /** When the last reservation of any GPUs ends; 0 without one. */
    long lastEndAnywhere() {
        long last = 0;
        for (Reservation reservation : reservations) {
            last = Math.max(last, reservation.isAnywhere() ? reservation.endNanos() : 0);
        }
        return last;
    }

    boolean isAny() {
        return !reservations.isEmpty();
    }

    /** The free GPUs of the whole cluster. O(running) when it is first asked after a change, which most are never. */
    FreeCount ofCluster() {
        if (!isCounted) {
            isCounted = true;
            ofCluster.copy(future.ofCluster());
            reservations.forEach(one -> ofCluster.add(one.startNanos(), one.endNanos(), -one.gpuCount()));
        }
        return ofCluster;
    }

    /**
     * The first instant at which fewer GPUs of the cluster are free, as a reservation begins then; the greatest long
     * without one. Nothing but reservations takes GPUs in future.
     */
    long untilFewer(int gpus) {
        long until = Long.MAX_VALUE;
        for (Reservation reservation : reservations) {
            boolean isEarlier = reservation.startNanos() < until;
            until = isEarlier && ofCluster().at(reservation.startNanos()) < gpus ? reservation.startNanos() : until;
        }
        return until;
    }

    /**
     * The fewest GPUs that are free on a server in a time that begins now or later; reservations of any GPUs are not
     * counted. O(jobs and reservations of the server), and the square of it when the server is first asked for.
     */
    int least(SimView view, int server, long fromNanos, long toNanos) {
        return Math.max(0, ofServer(view, server).least(fromNanos, Math.max(toNanos, fromNanos + 1)));
    }

    private FreeCount ofServer(SimView view, int server) {
        FreeCount count = ofServers[server];
        if (count == null) {
            count = new FreeCount();
            ofServers[server] = count;
        }
        if (countedIn[server] != version) {
            countedIn[server] = version;
            count.copy(future.ofServer(view, server));
            for (Reservation other : byServer.get(server)) {
                count.add(other.startNanos(), other.endNanos(), -other.gpusOn(server));
            }
        }
        return count;
    }
}
