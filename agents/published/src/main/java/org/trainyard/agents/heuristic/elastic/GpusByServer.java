package org.trainyard.agents.heuristic.elastic;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.function.IntUnaryOperator;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * The GPUs of one job on each server where it has some, servers in increasing order. Immutable; its size is that of the
 * job, not of the cluster.
 */
public final class GpusByServer {
    /** No GPUs. */
    public static final GpusByServer NONE = new GpusByServer(IntArrays.EMPTY_ARRAY, IntArrays.EMPTY_ARRAY);

    private final int[] servers;
    private final int[] gpus;
    private final int total;

    private GpusByServer(int[] servers, int[] gpus) {
        this.servers = servers;
        this.gpus = gpus;
        int sum = 0;
        for (int here : gpus) {
            sum += here;
        }
        total = sum;
    }

    /** GPUs that are all on one server. */
    public static GpusByServer on(int server, int gpus) {
        return gpus == 0 ? NONE : new GpusByServer(new int[] {server}, new int[] {gpus});
    }

    /** The GPUs of a table with an entry for every server. O(servers). */
    public static GpusByServer of(int... byServer) {
        IntArrayList servers = new IntArrayList();
        for (int server = 0; server < byServer.length; server++) {
            if (byServer[server] > 0) {
                servers.add(server);
            }
        }
        return of(servers.toIntArray(), server -> byServer[server]);
    }

    /**
     * The GPUs on each of these servers; servers without any are left out.
     *
     * @param servers in any order, none twice
     */
    public static GpusByServer of(int[] servers, IntUnaryOperator gpusOn) {
        int[] sorted = servers.clone();
        IntArrays.unstableSort(sorted);
        IntArrayList kept = new IntArrayList(sorted.length);
        IntArrayList gpus = new IntArrayList(sorted.length);
        for (int server : sorted) {
            int here = gpusOn.applyAsInt(server);
            if (here > 0) {
                kept.add(server);
                gpus.add(here);
            }
        }
        return kept.isEmpty() ? NONE : new GpusByServer(kept.toIntArray(), gpus.toIntArray());
    }

    /** The GPUs that a job holds. */
    public static GpusByServer heldBy(SimView view, int job) {
        if (view.state(job) != JobState.RUNNING || view.placement(job).gpuCount() == 0) {
            return NONE;
        }
        Placement placement = view.placement(job);
        int[] servers = new int[placement.serverCount()];
        int[] gpus = new int[servers.length];
        for (int i = 0; i < servers.length; i++) {
            servers[i] = placement.server(i);
            gpus[i] = placement.gpusOn(i);
        }
        return new GpusByServer(servers, gpus);
    }

    /** Whether the job holds just these. */
    public boolean areHeldBy(SimView view, int job) {
        if (view.state(job) != JobState.RUNNING) {
            return total == 0;
        }
        Placement placement = view.placement(job);
        if (placement.gpuCount() != total) {
            return false;
        }
        for (int i = 0; i < servers.length; i++) {
            if (i >= placement.serverCount() || placement.server(i) != servers[i] || placement.gpusOn(i) != gpus[i]) {
                return false;
            }
        }
        return true;
    }

    public int serverCount() {
        return servers.length;
    }

    /** The i-th server, in increasing order. */
    public int server(int i) {
        return servers[i];
    }

    /** GPUs on the i-th server. */
    public int gpusOn(int i) {
        return gpus[i];
    }

    /** Number of GPUs on all servers. */
    public int total() {
        return total;
    }

    /** A table with an entry for every server. O(servers). */
    public int[] table(int allServers) {
        int[] table = new int[allServers];
        for (int i = 0; i < servers.length; i++) {
            table[servers[i]] = gpus[i];
        }
        return table;
    }
}
