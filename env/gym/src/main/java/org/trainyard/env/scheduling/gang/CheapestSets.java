package org.trainyard.env.scheduling.gang;

/**
 * The cheapest sets of servers offered so far, by cost and of equal cost by the order that their offers name; none
 * twice.
 */
final class CheapestSets {
    /** The set takes any GPUs of its servers. */
    static final int ANY = -1;

    private final int most;
    private final int[][] servers;
    private final int[][] taken;
    private final int[] width;
    private final int[] gpu;
    /** By set on one server, its GPUs counted within it; 0 for any. */
    private final long[] mask;

    private final double[] ring;
    private final double[] cost;
    private final long[] order;
    private final double[] own;
    private final double[] harm;
    private int size;

    /**
     * @param most sets kept
     * @param widest servers of the widest set
     */
    CheapestSets(int most, int widest) {
        this.most = most;
        servers = new int[most][widest];
        taken = new int[most][widest];
        width = new int[most];
        gpu = new int[most];
        mask = new long[most];
        ring = new double[most];
        cost = new double[most];
        order = new long[most];
        own = new double[most];
        harm = new double[most];
    }

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    /** Whether a set of this cost or more and of this order or a later one would not be kept. */
    boolean isTooDear(double total, long place) {
        return size == most && !isBefore(total, place, most - 1);
    }

    private boolean isBefore(double total, long place, int at) {
        return total < cost[at] || (total == cost[at] && place < order[at]);
    }

    /** Whether a set of this order is kept. */
    boolean has(long place) {
        for (int i = 0; i < size; i++) {
            if (order[i] == place) {
                return true;
            }
        }
        return false;
    }

    /**
     * Keeps a copy of the set if it is among the cheapest. A set that is offered twice has the lower order the first
     * time.
     */
    void offer(int[] set, int[] takes, int servers, double total, long place, double newOwn, double newHarm) {
        offer(set, takes, servers, total, place, newOwn, newHarm, 0, 1);
    }

    /**
     * Keeps a copy of a set of these GPUs of its only server, 0 for any, if it is among the cheapest.
     *
     * @param newRing slowdown by the ring of these GPUs
     */
    void offer(
            int[] set,
            int[] takes,
            int servers,
            double total,
            long place,
            double newOwn,
            double newHarm,
            long newMask,
            double newRing) {
        if (isTooDear(total, place) || isKept(set, takes, servers, total, newMask)) {
            return;
        }
        int at = insert(total, place, newOwn, newHarm);
        System.arraycopy(set, 0, this.servers[at], 0, servers);
        System.arraycopy(takes, 0, taken[at], 0, servers);
        width[at] = servers;
        gpu[at] = ANY;
        mask[at] = newMask;
        ring[at] = newRing;
    }

    /** Makes a place for a set of this cost, in place of the dearest when all are taken. */
    private int insert(double total, long place, double newOwn, double newHarm) {
        int at = size == most ? most - 1 : size++;
        int[] reusedServers = servers[at];
        int[] reusedTakes = taken[at];
        while (at > 0 && isBefore(total, place, at - 1)) {
            move(at - 1, at);
            at--;
        }
        servers[at] = reusedServers;
        taken[at] = reusedTakes;
        cost[at] = total;
        order[at] = place;
        own[at] = newOwn;
        harm[at] = newHarm;
        return at;
    }

    /** Keeps one GPU of a server if it is among the cheapest; each is offered once. */
    void offerGpu(int server, int newGpu, double total, long place, double newOwn, double newHarm) {
        if (isTooDear(total, place)) {
            return;
        }
        int at = insert(total, place, newOwn, newHarm);
        servers[at][0] = server;
        taken[at][0] = 1;
        width[at] = 1;
        gpu[at] = newGpu;
        mask[at] = 0;
        ring[at] = 1;
    }

    private void move(int from, int to) {
        servers[to] = servers[from];
        taken[to] = taken[from];
        width[to] = width[from];
        gpu[to] = gpu[from];
        mask[to] = mask[from];
        ring[to] = ring[from];
        cost[to] = cost[from];
        order[to] = order[from];
        own[to] = own[from];
        harm[to] = harm[from];
    }

    private boolean isKept(int[] set, int[] takes, int count, double total, long ofGpus) {
        for (int i = size - 1; i >= 0 && cost[i] >= total; i--) {
            if (cost[i] == total && width[i] == count && mask[i] == ofGpus && hasAll(i, set, takes, count)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasAll(int kept, int[] set, int[] takes, int count) {
        for (int i = 0; i < count; i++) {
            boolean isFound = false;
            for (int j = 0; j < count && !isFound; j++) {
                isFound = servers[kept][j] == set[i] && taken[kept][j] == takes[i];
            }
            if (!isFound) {
                return false;
            }
        }
        return true;
    }

    /** The GPU of a set that is one GPU, or {@link #ANY}. */
    int gpu(int at) {
        return gpu[at];
    }

    /** The GPUs of a set on one server, counted within it; 0 for any. */
    long mask(int at) {
        return mask[at];
    }

    /** Slowdown of a set on one server by its ring. */
    double ring(int at) {
        return ring[at];
    }

    int width(int at) {
        return width[at];
    }

    int server(int at, int i) {
        return servers[at][i];
    }

    int taken(int at, int i) {
        return taken[at][i];
    }

    double cost(int at) {
        return cost[at];
    }

    double own(int at) {
        return own[at];
    }

    double harm(int at) {
        return harm[at];
    }
}
