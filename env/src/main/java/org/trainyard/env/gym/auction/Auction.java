package org.trainyard.env.gym.auction;

import java.util.Arrays;
import org.trainyard.env.simulation.SimView;

/** The bids of all agents at one moment, of which one wins; overwritten when the next auction opens. */
public final class Auction {
    private int size;
    private BidKind[] kinds = new BidKind[64];
    private int[] agents = new int[64];
    private int[] jobs = new int[64];
    private int[] choices = new int[64];
    private float[] columns = new float[64 * BidColumn.COUNT];
    private final BidServers servers = new BidServers();

    void clear() {
        size = 0;
        servers.clear();
    }

    /** Adds a bid whose columns are all 0; returns where they begin. */
    int add(BidKind kind, int agent, int job, int choice) {
        if (size == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * size);
            agents = Arrays.copyOf(agents, 2 * size);
            jobs = Arrays.copyOf(jobs, 2 * size);
            choices = Arrays.copyOf(choices, 2 * size);
            columns = Arrays.copyOf(columns, 2 * size * BidColumn.COUNT);
        }
        kinds[size] = kind;
        agents[size] = agent;
        jobs[size] = job;
        choices[size] = choice;
        servers.begin();
        int at = size++ * BidColumn.COUNT;
        Arrays.fill(columns, at, at + BidColumn.COUNT, 0);
        return at;
    }

    void set(int at, BidColumn column, double value) {
        columns[at + column.index()] = (float) value;
    }

    /** Adds a server to those of the last bid. */
    void addServer(int server) {
        servers.add(server);
    }

    /** Number of bids. */
    public int size() {
        return size;
    }

    public BidKind kind(int bid) {
        return kinds[bid];
    }

    /** The agent that bids: the owner of the first server of the set; -1 for the bid to wait. */
    public int agent(int bid) {
        return agents[bid];
    }

    /** The job of the bid, {@link SimView#NONE} for the bid to wait. */
    public int job(int bid) {
        return jobs[bid];
    }

    int choice(int bid) {
        return choices[bid];
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
