package org.trainyard.env.gym.auction;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.interruption.EvictionPlan;
import org.trainyard.env.simulation.SimView;

/**
 * The bids of all agents at one moment, each with what happens when it wins; overwritten when the next auction opens.
 */
public final class Auction {
    private int size;
    private BidKind[] kinds = new BidKind[64];
    private int[] agents = new int[64];
    private int[] jobs = new int[64];
    /** Cost of the set of servers by belief; infinite for a bid without a set of free GPUs. */
    private double[] costs = new double[64];
    /** By bid, the only GPU of its set or {@link SimView#NONE}. */
    private int[] gpus = new int[64];
    /** The length of an option of patience, or the domain to which the job is forwarded. */
    private int[] lengths = new int[64];
    /** The plan that makes room. */
    private @Nullable EvictionPlan[] plans = new @Nullable EvictionPlan[64];

    private float[] columns = new float[64 * BidColumn.COUNT];
    private final BidOwners owners = new BidOwners();
    private final BidServers servers = new BidServers();
    /** By place in {@link #servers}, GPUs that the bid takes there. */
    private int[] taken = new int[256];
    /** By place of a server: the GPUs that are taken there, counted within it; 0 for any. */
    private long[] gpuSets = new long[256];

    void clear() {
        size = 0;
        owners.clear();
        servers.clear();
    }

    /** Adds a bid whose columns are all 0; returns where they begin. */
    int add(BidKind kind, int agent, int job) {
        if (size == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * size);
            agents = Arrays.copyOf(agents, 2 * size);
            jobs = Arrays.copyOf(jobs, 2 * size);
            costs = Arrays.copyOf(costs, 2 * size);
            gpus = Arrays.copyOf(gpus, 2 * size);
            lengths = Arrays.copyOf(lengths, 2 * size);
            plans = Arrays.copyOf(plans, 2 * size);
            columns = Arrays.copyOf(columns, 2 * size * BidColumn.COUNT);
        }
        kinds[size] = kind;
        agents[size] = agent;
        jobs[size] = job;
        costs[size] = Double.POSITIVE_INFINITY;
        gpus[size] = SimView.NONE;
        lengths[size] = 0;
        plans[size] = null;
        owners.add(agent, size);
        servers.begin();
        int at = size++ * BidColumn.COUNT;
        Arrays.fill(columns, at, at + BidColumn.COUNT, 0);
        return at;
    }

    /** Sets a column of the bid whose columns begin at a place, by the quantity in the column's unit. */
    void set(int at, BidColumn column, double quantity) {
        columns[at + column.index()] = (float) column.value(quantity);
    }

    /** Copies the columns that begin at a place to those that begin at another. */
    void copyRow(int from, int to) {
        System.arraycopy(columns, from, columns, to, BidColumn.COUNT);
    }

    /** Writes the columns that begin at a place to an array. */
    void readRow(int at, float[] out) {
        System.arraycopy(columns, at, out, 0, BidColumn.COUNT);
    }

    /** Sets the columns that begin at a place. */
    void setRow(int at, float[] row) {
        System.arraycopy(row, 0, columns, at, BidColumn.COUNT);
    }

    /** Adds a server to those of the last bid, with the GPUs that the bid takes there. */
    void addServer(int server, int gpusThere, long gpuSet) {
        servers.add(server);
        int at = servers.end(size - 1) - 1;
        if (at == taken.length) {
            taken = Arrays.copyOf(taken, 2 * at);
            gpuSets = Arrays.copyOf(gpuSets, 2 * at);
        }
        taken[at] = gpusThere;
        gpuSets[at] = gpuSet;
    }

    /** Sets the GPU of the last bid, where its set is that GPU alone, free or held in part. */
    void setGpu(int gpu) {
        gpus[size - 1] = gpu;
    }

    /** Sets the cost of the set of the last bid. */
    void setCost(double cost) {
        costs[size - 1] = cost;
    }

    /** Sets the length of the option that the last bid takes, a number of {@link DelaySchedulingOptions#LENGTHS}. */
    void setLength(int length) {
        lengths[size - 1] = length;
    }

    /** Sets the domain to which the last bid forwards its job. */
    void setTarget(int domain) {
        lengths[size - 1] = domain;
    }

    /** Sets the plan that the last bid carries out; it must hold until the next auction. */
    void setPlan(EvictionPlan plan) {
        plans[size - 1] = plan;
    }

    /** Becomes the bids of one owner in another auction, in their order: all that the owner sees of it. */
    void copyOwn(Auction all, int owner) {
        clear();
        for (int bid = all.firstOf(owner); bid >= 0; bid = all.nextOf(bid)) {
            int at = add(all.kinds[bid], owner, all.jobs[bid]);
            System.arraycopy(all.columns, bid * BidColumn.COUNT, columns, at, BidColumn.COUNT);
            for (int i = all.servers.first(bid); i < all.servers.end(bid); i++) {
                addServer(all.servers.server(i), all.taken[i], all.gpuSets[i]);
                servers.setGpus(servers.end(size - 1) - 1, all.servers.taken(i), all.servers.left(i));
            }
        }
    }

    /** Number of owners with bids, the auctioneer among them. */
    int owners() {
        return owners.count();
    }

    /** The i-th of them: an agent, or -1 for the auctioneer. */
    int owner(int i) {
        return owners.owner(i);
    }

    /** The first bid of an agent, or of the auctioneer (-1); negative when it has none. */
    public int firstOf(int owner) {
        return owners.first(owner);
    }

    /** The next bid of the owner of a bid; negative behind its last. */
    public int nextOf(int bid) {
        return owners.next(bid);
    }

    /** Number of bids. */
    public int size() {
        return size;
    }

    public BidKind kind(int bid) {
        return kinds[bid];
    }

    /** The agent that bids: the owner of the first server of the set; -1, the auctioneer, for the bid to wait. */
    public int agent(int bid) {
        return agents[bid];
    }

    /** The job of the bid, {@link SimView#NONE} for the bid to wait. */
    public int job(int bid) {
        return jobs[bid];
    }

    /** Cost of the set of a bid by belief, as of {@code GangCandidates}; infinite for a bid without a set. */
    public double cost(int bid) {
        return costs[bid];
    }

    /** GPUs that a bid takes on the server at a place of {@link #servers}. */
    public int gpusOn(int place) {
        return taken[place];
    }

    /** The GPUs that a bid takes on the server at a place of {@link #servers}, counted within it; 0 for any. */
    long gpuSet(int place) {
        return gpuSets[place];
    }

    /** The GPU that the set of a bid is; {@link SimView#NONE} where it is any GPUs of its servers. */
    int gpu(int bid) {
        return gpus[bid];
    }

    int length(int bid) {
        return lengths[bid];
    }

    /** The domain to which a bid forwards its job. */
    public int target(int bid) {
        return lengths[bid];
    }

    /** Null for a bid that makes no room. */
    @Nullable EvictionPlan plan(int bid) {
        return plans[bid];
    }

    /** The servers of all bids; valid until the next auction. */
    public BidServers servers() {
        return servers;
    }

    /** A column of a bid; 0 where it has no meaning for the kind of bid. */
    public float column(int bid, BidColumn column) {
        return columns[bid * BidColumn.COUNT + column.index()];
    }

    /** The columns of all bids, {@link BidColumn#COUNT} each; valid until the next auction. */
    public float[] columns() {
        return columns;
    }
}
