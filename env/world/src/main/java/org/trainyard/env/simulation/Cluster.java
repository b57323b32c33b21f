package org.trainyard.env.simulation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The current allocation of GPUs, shares of GPUs and host resources to jobs. Allocation is all or nothing; only the
 * simulator allocates.
 *
 * <p>A GPU is free when no job holds any part of it and it is not out of order. Shares and host resources are tracked
 * only when the topology has GPUs that may be shared or servers whose host resources are limited.
 */
public final class Cluster {
    /** The owner of a free GPU. */
    public static final int FREE = -1;

    /** The owner of a GPU of which jobs hold shares. */
    public static final int SHARED = -2;

    /** The owner of a GPU that is out of order. */
    public static final int DOWN = -3;

    private final Topology topology;
    private final int[] owner;
    private final int[] freeOnServer;
    private final int[] freeInRack;
    private int free;
    private int down;
    private long heldMilli;
    /** By server, its jobs: the first {@code jobCount} entries. */
    private final int[][] jobs;

    private final int[] jobCount;
    /** By server, how often its jobs have changed. */
    private final int[] changes;

    private final ServerChanges serverChanges;
    private final boolean[] isDown;
    private final @Nullable GpuShares shares;
    private final @Nullable HostResources host;
    private @Nullable FreeGpuIndex byFreeGpus;
    /** Planned maintenance, and the number there of the first server here. */
    private @Nullable Maintenance maintenance;

    private int firstMaintained;

    Cluster(Topology topology) {
        this.topology = topology;
        owner = new int[topology.gpus()];
        Arrays.fill(owner, FREE);
        freeOnServer = new int[topology.servers()];
        freeInRack = new int[topology.racks()];
        jobs = new int[topology.servers()][];
        for (int server = 0; server < topology.servers(); server++) {
            freeOnServer[server] = topology.gpusOn(server);
            freeInRack[topology.rackOf(server)] += topology.gpusOn(server);
            jobs[server] = new int[Math.max(1, topology.gpusOn(server))];
        }
        free = topology.gpus();
        jobCount = new int[topology.servers()];
        changes = new int[topology.servers()];
        serverChanges = new ServerChanges(topology.servers());
        isDown = new boolean[topology.servers()];
        shares = GpuShares.anyOn(topology) ? new GpuShares(topology) : null;
        host = HostResources.anyOn(topology) ? new HostResources(topology) : null;
    }

    /** Number of free GPUs. */
    public int free() {
        return free;
    }

    public int freeOn(int server) {
        return freeOnServer[server];
    }

    public int freeIn(int rack) {
        return freeInRack[rack];
    }

    /** Free GPUs in racks from one to another, both included. */
    public int freeIn(int firstRack, int lastRack) {
        int sum = 0;
        for (int rack = firstRack; rack <= lastRack; rack++) {
            sum += freeInRack[rack];
        }
        return sum;
    }

    /** The servers by their number of free GPUs, kept up to date. The first call costs O(servers). */
    public FreeGpuIndex byFreeGpus() {
        FreeGpuIndex known = byFreeGpus;
        if (known == null) {
            known = new FreeGpuIndex(topology);
            byFreeGpus = known;
            changeAll();
        }
        return known;
    }

    private void changeAll() {
        for (int server = 0; server < freeOnServer.length; server++) {
            change(server);
        }
    }

    /** Number of GPUs that are out of order. */
    public int down() {
        return down;
    }

    /** GPUs of a server that are out of order. O(its GPUs). */
    public int downOn(int server) {
        int count = 0;
        int first = topology.firstGpu(server);
        for (int gpu = first; down > 0 && gpu < first + topology.gpusOn(server); gpu++) {
            count += owner[gpu] == DOWN ? 1 : 0;
        }
        return count;
    }

    /** The sum of all jobs' shares, thousandths of a GPU. */
    public long heldMilli() {
        return heldMilli;
    }

    /** The job that holds all of the GPU, {@link #FREE}, {@link #SHARED} or {@link #DOWN}. */
    public int owner(int gpu) {
        return owner[gpu];
    }

    /** The share of the GPU that no job holds, thousandths. */
    public int freeMilli(int gpu) {
        if (owner[gpu] == SHARED && shares != null) {
            return shares.freeMilli(gpu);
        }
        return owner[gpu] == FREE ? Demand.WHOLE : 0;
    }

    /** CPU left on the server, thousandths of a core. */
    public long freeCpuMilli(int server) {
        return host == null ? topology.server(server).cpuMilli() : host.freeCpuMilli(server);
    }

    /** Memory left on the server, MiB. */
    public long freeMemoryMib(int server) {
        return host == null ? topology.server(server).memoryMib() : host.freeMemoryMib(server);
    }

    /** Whether any GPU of the cluster may be shared. */
    public boolean isShared() {
        return shares != null;
    }

    public int jobsOn(int server) {
        return jobCount[server];
    }

    /** The i-th job on the server, in an order that is fixed but arbitrary. */
    public int jobOn(int server, int i) {
        return jobs[server][i];
    }

    /** A number that grows whenever a job comes to the server or leaves it. */
    public int changes(int server) {
        return changes[server];
    }

    /** The servers that have changed last, for a {@link ServerChanges.Cursor}. */
    ServerChanges serverChanges() {
        return serverChanges;
    }

    /** Whether the GPU has room for one worker of the demand now. */
    public boolean fitsOn(int gpu, Demand demand) {
        if (owner[gpu] == FREE) {
            return true;
        }
        return owner[gpu] == SHARED
                && demand.gpuMilli() < Demand.WHOLE
                && shares != null
                && shares.fits(gpu, demand.gpuMilli());
    }

    /** An upper bound on the workers of the demand that fit in the cluster now. O(1). */
    public int mostWorkers(Demand demand) {
        return demand.gpus() == 0 || (demand.gpuMilli() < Demand.WHOLE && shares != null) ? Integer.MAX_VALUE : free;
    }

    /**
     * Number of workers of the demand that fit on the server now; of a demand without GPUs, one or none. O(1), O(GPUs)
     * when shared.
     */
    public int room(Demand demand, int server) {
        return demand.isPlain() ? freeOnServer[server] : constrainedRoom(demand, server);
    }

    private int constrainedRoom(Demand demand, int server) {
        if (isDown[server] || crossesMaintenance(demand, server)) {
            return 0;
        }
        if (demand.gpus() > 0
                && !demand.allows(topology.server(server).gpuType().name())) {
            return 0;
        }
        int room = demand.gpus() == 0 ? 1 : gpuRoom(demand, server);
        if (host != null) {
            room = host.room(demand, server, room);
        }
        return demand.oneServer() && room < demand.minGpus() ? 0 : room;
    }

    private boolean crossesMaintenance(Demand demand, int server) {
        return demand.lastsNanos() > 0
                && maintenance != null
                && maintenance.crosses(firstMaintained + server, demand.lastsNanos());
    }

    /** Heeds planned maintenance from now on, in which the first server here has a number. */
    void heed(@Nullable Maintenance planned, int firstServer) {
        maintenance = planned;
        firstMaintained = firstServer;
    }

    /** Heeds the planned maintenance of servers of another cluster, from one on. */
    void heedThatOf(Cluster other, int firstServer) {
        heed(other.maintenance, firstServer);
    }

    private int gpuRoom(Demand demand, int server) {
        if (shares == null || demand.gpuMilli() == Demand.WHOLE) {
            return freeOnServer[server];
        }
        int room = 0;
        for (int i = 0; i < topology.gpusOn(server); i++) {
            room += fitsOn(topology.firstGpu(server) + i, demand) ? 1 : 0;
        }
        return room;
    }

    /** Whether the placement can be allocated to the demand now. O(GPUs of the placement). */
    public boolean fits(Demand demand, Placement placement) {
        for (int i = 0; i < placement.gpuCount(); i++) {
            if (!fitsOn(placement.gpu(i), demand)) {
                return false;
            }
        }
        if (demand.isPlain()) {
            return true;
        }
        for (int i = 0; i < placement.serverCount(); i++) {
            if (constrainedRoom(demand, placement.server(i)) < placement.gpusOn(i)
                    || (demand.gpus() == 0 && constrainedRoom(demand, placement.server(i)) == 0)) {
                return false;
            }
        }
        return (!demand.oneServer() || placement.serverCount() == 1) && !cuts(placement, demand.segment());
    }

    /** Whether a rack has a part of a segment of so many GPUs. */
    private boolean cuts(Placement placement, int segment) {
        if (segment == 0 || placement.serverCount() == 1) {
            return false;
        }
        int[] inRack = new int[topology.racks()];
        for (int i = 0; i < placement.serverCount(); i++) {
            inRack[topology.rackOf(placement.server(i))] += placement.gpusOn(i);
        }
        return Arrays.stream(inRack).anyMatch(gpus -> gpus % segment > 0);
    }

    /**
     * Whether {@code instead} could be allocated to the demand after the job's current placement is released; changes
     * nothing.
     */
    boolean fitsInstead(int job, Demand demand, Placement now, Placement instead) {
        release(job, demand, now);
        boolean fits = fits(demand, instead);
        allocate(job, demand, now);
        return fits;
    }

    /**
     * Replaces the host resources of a placed job; false, and nothing changes, when there are not so many or a server
     * has no limit.
     */
    boolean exchangeHost(Demand before, Demand after, Placement placement) {
        if (host == null || !host.fits(topology, before, after, placement)) {
            return false;
        }
        for (int i = 0; i < placement.serverCount(); i++) {
            host.take(before, placement.server(i), -workers(placement, i));
            host.take(after, placement.server(i), workers(placement, i));
        }
        return true;
    }

    void allocate(int job, Demand demand, Placement placement) {
        for (int i = 0; i < placement.gpuCount(); i++) {
            takeGpu(job, placement.gpu(i), demand.gpuMilli());
        }
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            if (jobCount[server] == jobs[server].length) {
                jobs[server] = Arrays.copyOf(jobs[server], 2 * jobCount[server]);
            }
            jobs[server][jobCount[server]++] = job;
            change(server);
            if (host != null) {
                host.take(demand, server, workers(placement, i));
            }
        }
    }

    private static int workers(Placement placement, int i) {
        return Math.max(1, placement.gpusOn(i));
    }

    private void takeGpu(int job, int gpu, int milli) {
        if (owner[gpu] == FREE) {
            count(topology.serverOf(gpu), -1);
        }
        int granted = granted(gpu, milli);
        heldMilli += granted;
        if (granted == Demand.WHOLE) {
            owner[gpu] = job;
        } else {
            owner[gpu] = SHARED;
        }
        if (shares != null) {
            shares.take(job, gpu, milli);
        }
    }

    /** The share granted to a worker that needs {@code milli} thousandths of the GPU. */
    int granted(int gpu, int milli) {
        return shares == null ? Demand.WHOLE : shares.granted(gpu, milli);
    }

    void release(int job, Demand demand, Placement placement) {
        for (int i = 0; i < placement.gpuCount(); i++) {
            giveGpu(job, placement.gpu(i), demand.gpuMilli());
        }
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            int[] here = jobs[server];
            int at = 0;
            while (here[at] != job) {
                at++;
            }
            here[at] = here[--jobCount[server]];
            change(server);
            if (host != null) {
                host.take(demand, server, -workers(placement, i));
            }
        }
    }

    private void giveGpu(int job, int gpu, int milli) {
        heldMilli -= granted(gpu, milli);
        boolean empties = true;
        if (shares != null) {
            shares.give(job, gpu, milli);
            empties = shares.freeMilli(gpu) == Demand.WHOLE;
        }
        if (empties) {
            owner[gpu] = FREE;
            count(topology.serverOf(gpu), 1);
        }
    }

    /** Takes GPUs, all of them free, and host resources for a job that is not of this cluster. */
    void block(Demand demand, Placement placement) {
        for (int i = 0; i < placement.gpuCount(); i++) {
            breakDown(placement.gpu(i));
        }
        takeHost(demand, placement, 1);
    }

    /** Undoes {@link #block}. */
    void unblock(Demand demand, Placement placement) {
        for (int i = 0; i < placement.gpuCount(); i++) {
            repair(placement.gpu(i));
        }
        takeHost(demand, placement, -1);
    }

    private void takeHost(Demand demand, Placement placement, int sign) {
        for (int i = 0; host != null && i < placement.serverCount(); i++) {
            host.take(demand, placement.server(i), sign * workers(placement, i));
        }
    }

    /** Marks the server as out of order or repaired; its GPUs are marked one by one. */
    void setDown(int server, boolean isNow) {
        isDown[server] = isNow;
    }

    /** Takes a free GPU out of order. */
    void breakDown(int gpu) {
        if (owner[gpu] != FREE) {
            throw new IllegalStateException("GPU (%d) is not free: its owner is (%d)".formatted(gpu, owner[gpu]));
        }
        owner[gpu] = DOWN;
        down++;
        count(topology.serverOf(gpu), -1);
        change(topology.serverOf(gpu));
    }

    /** Repairs a GPU that is out of order. */
    void repair(int gpu) {
        if (owner[gpu] != DOWN) {
            throw new IllegalStateException("GPU (%d) is not down: its owner is (%d)".formatted(gpu, owner[gpu]));
        }
        owner[gpu] = FREE;
        down--;
        count(topology.serverOf(gpu), 1);
        change(topology.serverOf(gpu));
    }

    private void count(int server, int freed) {
        freeOnServer[server] += freed;
        freeInRack[topology.rackOf(server)] += freed;
        free += freed;
    }

    /** Says that the jobs or the free GPUs of a server have changed. */
    private void change(int server) {
        changes[server]++;
        serverChanges.add(server);
        if (byFreeGpus != null) {
            byFreeGpus.set(server, freeOnServer[server]);
        }
    }

    /**
     * The allocation at one moment, of which nothing is shared with the cluster; no server or GPU may fail or be
     * repaired until it is restored.
     */
    static final class Image {
        private final int[] owner;
        private final int[] freeOnServer;
        private final int[] freeInRack;
        private final int free;
        private final long heldMilli;
        private final int[] jobCount;
        private final int[] jobs;
        private final int @Nullable [][] shares;
        private final long @Nullable [][] host;

        private Image(Cluster cluster) {
            owner = cluster.owner.clone();
            freeOnServer = cluster.freeOnServer.clone();
            freeInRack = cluster.freeInRack.clone();
            free = cluster.free;
            heldMilli = cluster.heldMilli;
            jobCount = cluster.jobCount.clone();
            jobs = new int[Arrays.stream(jobCount).sum()];
            int at = 0;
            for (int server = 0; server < jobCount.length; server++) {
                System.arraycopy(cluster.jobs[server], 0, jobs, at, jobCount[server]);
                at += jobCount[server];
            }
            shares = cluster.shares == null ? null : cluster.shares.image();
            host = cluster.host == null ? null : cluster.host.image();
        }
    }

    Image image() {
        return new Image(this);
    }

    /** Goes back to an {@link #image}. */
    void restore(Image image) {
        System.arraycopy(image.owner, 0, owner, 0, owner.length);
        System.arraycopy(image.freeOnServer, 0, freeOnServer, 0, freeOnServer.length);
        System.arraycopy(image.freeInRack, 0, freeInRack, 0, freeInRack.length);
        free = image.free;
        heldMilli = image.heldMilli;
        int at = 0;
        for (int server = 0; server < jobs.length; server++) {
            jobCount[server] = image.jobCount[server];
            System.arraycopy(image.jobs, at, jobs[server], 0, jobCount[server]);
            at += jobCount[server];
        }
        changeAll();
        if (shares != null && image.shares != null) {
            shares.restore(image.shares);
        }
        if (host != null && image.host != null) {
            host.restore(image.host);
        }
    }
}
