package org.trainyard.env.scheduling.placement;

import java.util.Arrays;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * The sets of servers on which a whole gang could start now, cheapest by belief first.
 *
 * <p>A gang that fits on one server has every server with room as a candidate, of the equal empty ones of a rack the first. A wider gang takes
 * as many empty servers as it fills, and any server with room for the remainder: in every rack with enough of them, else in every pair of
 * racks. When there is no such set, the one that takes the servers with most free GPUs remains. The cost of a set is the predicted
 * slowdown of the gang on its slowest server, GPU speed included, beyond that on the fastest GPUs of the cluster, plus the harm to neighbours
 * ({@link InterferenceCost}), plus a little for GPUs left over. O(servers) predictions, O(racks x servers) for wide gangs.
 */
public final class GangCandidates {
    /** A server with all but one GPU left free costs as much as this slowdown. */
    private static final double LEFTOVER = 1.0 / 16;

    private final Topology topology;
    private final InterferenceCost costs;
    private final FewestServers fewest;
    private final int most;
    private final double fastest;
    private final int[][] servers;
    private final int[][] taken;
    private final int[] width;
    private final double[] cost;
    private final double[] own;
    private final double[] harm;
    private int size;
    /** The set under consideration. */
    private final int[] set;

    private final int[] takes;
    private int setSize;
    private final int[] empty;
    private final boolean[] isUsed;

    /**
     * @param most sets kept for a gang
     * @param belief the interference model of the scheduler, not that of the simulator
     */
    public GangCandidates(Topology topology, InterferenceModel belief, int most) {
        this.topology = topology;
        this.most = most;
        costs = new InterferenceCost(topology, belief, ResidualTimeFloor::seconds);
        fewest = new FewestServers(topology);
        servers = new int[most][topology.servers()];
        taken = new int[most][topology.servers()];
        width = new int[most];
        cost = new double[most];
        own = new double[most];
        harm = new double[most];
        set = new int[topology.servers()];
        takes = new int[topology.servers()];
        empty = new int[topology.servers()];
        isUsed = new boolean[topology.servers()];
        double speed = 0;
        for (int server = 0; server < topology.servers(); server++) {
            speed = Math.max(speed, speed(server));
        }
        fastest = speed;
    }

    private double speed(int server) {
        return topology.gpusOn(server) == 0
                ? 0
                : topology.server(server).gpuType().speed();
    }

    /** Finds the sets for a waiting job of whole GPUs; returns their number, 0 when it cannot start. */
    public int find(SimView view, int job) {
        size = 0;
        int gpus = view.job(job).gpus();
        if (gpus > view.cluster().free() || !view.isWithinQuota(job, gpus)) {
            return 0;
        }
        if (gpus <= topology.widestServer()) {
            findServers(view, job, gpus);
        } else {
            findRacks(view, job, gpus);
            if (size == 0) {
                findPairs(view, job, gpus);
            }
        }
        if (size == 0) {
            findSpread(view, job, gpus);
        }
        return size;
    }

    private boolean isEmpty(SimView view, int server) {
        return topology.gpusOn(server) > 0 && view.cluster().freeOn(server) == topology.gpusOn(server);
    }

    private void findServers(SimView view, int job, int gpus) {
        for (int rack = 0; rack < topology.racks(); rack++) {
            int end = topology.firstServer(rack) + topology.serversIn(rack);
            double emptySpeed = 0;
            for (int server = topology.firstServer(rack); server < end; server++) {
                boolean isEmpty = isEmpty(view, server);
                if (view.cluster().freeOn(server) >= gpus && !(isEmpty && speed(server) == emptySpeed)) {
                    emptySpeed = isEmpty ? speed(server) : emptySpeed;
                    setSize = 0;
                    take(server, gpus);
                    consider(view, job);
                }
            }
        }
    }

    private void findRacks(SimView view, int job, int gpus) {
        for (int rack = 0; rack < topology.racks(); rack++) {
            int count = addEmpty(view, rack, 0);
            findIn(view, job, gpus, count, rack, rack);
        }
    }

    private void findPairs(SimView view, int job, int gpus) {
        for (int first = 0; first < topology.racks(); first++) {
            for (int second = first + 1; second < topology.racks(); second++) {
                int count = addEmpty(view, second, addEmpty(view, first, 0));
                findIn(view, job, gpus, count, first, second);
            }
        }
    }

    /** Appends the empty widest servers of a rack to {@link #empty}, the fastest first; returns their number. */
    private int addEmpty(SimView view, int rack, int from) {
        int count = from;
        int first = topology.firstServer(rack);
        for (int server = first; server < first + topology.serversIn(rack); server++) {
            if (isEmpty(view, server) && topology.gpusOn(server) == topology.widestServer()) {
                int at = count++;
                while (at > from && speed(empty[at - 1]) < speed(server)) {
                    empty[at] = empty[at - 1];
                    at--;
                }
                empty[at] = server;
            }
        }
        return count;
    }

    /** The sets of whole empty servers and a server of one of two racks for the remainder. */
    private void findIn(SimView view, int job, int gpus, int count, int firstRack, int secondRack) {
        int whole = gpus / topology.widestServer();
        int rest = gpus % topology.widestServer();
        if (count < whole) {
            return;
        }
        for (int from = 0; from <= count - whole; from += Math.max(1, count - whole)) {
            boolean differs = from == 0 || speed(empty[from]) != speed(empty[0]);
            if (differs && rest == 0) {
                takeWhole(from, whole);
                consider(view, job);
            } else if (differs) {
                findRest(view, job, rest, from, whole, firstRack);
                if (secondRack != firstRack) {
                    findRest(view, job, rest, from, whole, secondRack);
                }
            }
        }
    }

    private void takeWhole(int from, int whole) {
        setSize = 0;
        for (int i = from; i < from + whole; i++) {
            take(empty[i], topology.widestServer());
        }
    }

    private void findRest(SimView view, int job, int rest, int from, int whole, int rack) {
        int first = topology.firstServer(rack);
        boolean triedEmpty = false;
        for (int server = first; server < first + topology.serversIn(rack); server++) {
            boolean isEmpty = isEmpty(view, server);
            if (view.cluster().freeOn(server) < rest || (isEmpty && triedEmpty)) {
                continue;
            }
            takeWhole(from, whole);
            boolean isTaken = false;
            for (int i = 0; i < setSize; i++) {
                isTaken |= set[i] == server;
            }
            if (!isTaken) {
                triedEmpty |= isEmpty;
                take(server, rest);
                consider(view, job);
            }
        }
    }

    /** The set that takes the servers with most free GPUs, and of those with room for the remainder the tightest. */
    private void findSpread(SimView view, int job, int gpus) {
        setSize = 0;
        Arrays.fill(isUsed, false);
        int left = gpus;
        while (left > 0) {
            int best = -1;
            for (int server = 0; server < topology.servers(); server++) {
                int free = view.cluster().freeOn(server);
                if (free > 0
                        && !isUsed[server]
                        && (best < 0 || isBetter(free, view.cluster().freeOn(best), left))) {
                    best = server;
                }
            }
            if (best < 0) {
                return;
            }
            isUsed[best] = true;
            int takesHere = Math.min(left, view.cluster().freeOn(best));
            take(best, takesHere);
            left -= takesHere;
        }
        consider(view, job);
    }

    private static boolean isBetter(int free, int than, int left) {
        return free >= left ? than < left || free < than : than < left && free > than;
    }

    private void take(int server, int gpus) {
        set[setSize] = server;
        takes[setSize++] = gpus;
    }

    /** Keeps the set if it is among the cheapest. */
    private void consider(SimView view, int job) {
        double slowest = 1;
        double harmed = 0;
        double leftover = 0;
        for (int i = 0; i < setSize; i++) {
            costs.predict(view, job, set[i], takes[i], setSize > 1);
            slowest = Math.max(slowest, costs.own() * fastest / speed(set[i]));
            harmed += costs.harm();
            leftover += (double) (view.cluster().freeOn(set[i]) - takes[i]) / topology.gpusOn(set[i]);
        }
        double total = slowest - 1 + harmed + LEFTOVER * leftover;
        if (size == most && total >= cost[most - 1]) {
            return;
        }
        int at = size == most ? most - 1 : size++;
        int[] reusedServers = servers[at];
        int[] reusedTakes = taken[at];
        while (at > 0 && cost[at - 1] > total) {
            servers[at] = servers[at - 1];
            taken[at] = taken[at - 1];
            width[at] = width[at - 1];
            cost[at] = cost[at - 1];
            own[at] = own[at - 1];
            harm[at] = harm[at - 1];
            at--;
        }
        System.arraycopy(set, 0, reusedServers, 0, setSize);
        System.arraycopy(takes, 0, reusedTakes, 0, setSize);
        servers[at] = reusedServers;
        taken[at] = reusedTakes;
        width[at] = setSize;
        cost[at] = total;
        own[at] = slowest;
        harm[at] = harmed;
    }

    /** Whether a set has as few servers as the gang can have on an empty cluster and, where a rack holds so many, one rack. */
    public boolean isConsolidated(SimView view, int job, int candidate) {
        int minimum = fewest.of(view.job(job).demand());
        return width[candidate] == minimum && (racks(candidate) == 1 || minimum > widestRack());
    }

    private int widestRack() {
        int widest = 0;
        for (int rack = 0; rack < topology.racks(); rack++) {
            widest = Math.max(widest, topology.serversIn(rack));
        }
        return widest;
    }

    /** Number of servers of a set. */
    public int servers(int candidate) {
        return width[candidate];
    }

    public int server(int candidate, int i) {
        return servers[candidate][i];
    }

    /** GPUs that the set takes on its i-th server. */
    public int gpusOn(int candidate, int i) {
        return taken[candidate][i];
    }

    /** Number of racks of a set. */
    public int racks(int candidate) {
        int count = 0;
        for (int i = 0; i < width[candidate]; i++) {
            boolean isNew = true;
            for (int j = 0; j < i; j++) {
                isNew &= topology.rackOf(servers[candidate][j]) != topology.rackOf(servers[candidate][i]);
            }
            count += isNew ? 1 : 0;
        }
        return count;
    }

    /** Cost of a set, 0 for no interference on the fastest GPUs. */
    public double cost(int candidate) {
        return cost[candidate];
    }

    /** Predicted slowdown of the gang on its slowest server against the fastest GPUs of the cluster, at least 1. */
    public double own(int candidate) {
        return own[candidate];
    }

    /** Predicted extra slowdown of all neighbours, weighted by the time that they stay. */
    public double harm(int candidate) {
        return harm[candidate];
    }

    /** Relative speed of the slowest GPUs of a set, 1 for the fastest of the cluster. */
    public double speedOf(int candidate) {
        double slowest = fastest;
        for (int i = 0; i < width[candidate]; i++) {
            slowest = Math.min(slowest, speed(servers[candidate][i]));
        }
        return slowest / fastest;
    }

    /**
     * The set as a placement.
     *
     * @param builder an empty builder of the same cluster; it is left empty
     */
    public Placement placement(int candidate, PlacementBuilder builder) {
        for (int i = 0; i < width[candidate]; i++) {
            builder.take(servers[candidate][i], taken[candidate][i]);
        }
        return builder.build();
    }
}
