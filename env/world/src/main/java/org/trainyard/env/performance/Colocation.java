package org.trainyard.env.performance;

import java.util.Arrays;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.ModelProfile;

/**
 * The neighbours of a job (the victim) on one server: a mutable argument of {@link InterferenceModel}, reused to avoid
 * allocation.
 */
public final class Colocation {
    private int serverGpus;
    private int victimGpus;
    private boolean victimSpansServers;
    private int count;
    private ModelProfile[] models = new ModelProfile[8];
    private int[] gpus = new int[8];
    private boolean[] spansServers = new boolean[8];
    private boolean[] sharesSocket = new boolean[8];
    private boolean[] sharesGpu = new boolean[8];

    /**
     * Removes all neighbours and describes a server of {@code serverGpus} GPUs, of which the victim holds
     * {@code victimGpus}.
     */
    public void reset(int newServerGpus, int newVictimGpus, boolean newVictimSpansServers) {
        serverGpus = newServerGpus;
        victimGpus = newVictimGpus;
        victimSpansServers = newVictimSpansServers;
        count = 0;
    }

    /** Adds a neighbour that holds {@code neighbourGpus} GPUs of the same server, none of them the victim's. */
    public void add(ModelProfile model, int neighbourGpus, boolean neighbourSpansServers, boolean onSameSocket) {
        add(model, neighbourGpus, neighbourSpansServers, onSameSocket, false);
    }

    /** Adds a neighbour on {@code neighbourGpus} GPUs of the same server, possibly sharing GPUs with the victim. */
    public void add(
            ModelProfile model,
            int neighbourGpus,
            boolean neighbourSpansServers,
            boolean onSameSocket,
            boolean onSameGpu) {
        if (count == models.length) {
            models = Arrays.copyOf(models, 2 * count);
            gpus = Arrays.copyOf(gpus, 2 * count);
            spansServers = Arrays.copyOf(spansServers, 2 * count);
            sharesSocket = Arrays.copyOf(sharesSocket, 2 * count);
            sharesGpu = Arrays.copyOf(sharesGpu, 2 * count);
        }
        models[count] = model;
        gpus[count] = neighbourGpus;
        spansServers[count] = neighbourSpansServers;
        sharesSocket[count] = onSameSocket;
        sharesGpu[count] = onSameGpu;
        count++;
    }

    /** Adds every job on the server but one, as a neighbour on one of the victim's sockets and on none of its GPUs. */
    public void addAllOn(int server, int exceptJob, Occupancy occupancy) {
        addAllOn(server, exceptJob, 0, occupancy);
    }

    /**
     * Adds every job on the server but one, as a neighbour on one of the victim's sockets.
     *
     * @param victimMask bit i for the i-th GPU of the server, set for those on which the victim is; neighbours share
     *     GPUs with it where they hold one of these
     */
    public void addAllOn(int server, int exceptJob, long victimMask, Occupancy occupancy) {
        for (int n = 0; n < occupancy.jobsOn(server); n++) {
            int other = occupancy.jobOn(server, n);
            if (other != exceptJob) {
                Placement placement = occupancy.placement(other);
                int here = placement.indexOf(server);
                add(
                        occupancy.job(other).model(),
                        placement.gpusOn(here),
                        placement.serverCount() > 1,
                        true,
                        (placement.maskOn(here) & victimMask) != 0);
            }
        }
    }

    public int serverGpus() {
        return serverGpus;
    }

    public int victimGpus() {
        return victimGpus;
    }

    /** Whether the victim also has GPUs on other servers, and so needs the network. */
    public boolean victimSpansServers() {
        return victimSpansServers;
    }

    /** Number of neighbours. */
    public int count() {
        return count;
    }

    public ModelProfile model(int neighbour) {
        return models[neighbour];
    }

    public int gpus(int neighbour) {
        return gpus[neighbour];
    }

    public boolean spansServers(int neighbour) {
        return spansServers[neighbour];
    }

    /** Whether the neighbour has a GPU on a socket where the victim has one. */
    public boolean sharesSocket(int neighbour) {
        return sharesSocket[neighbour];
    }

    /** Whether the neighbour shares a GPU with the victim. */
    public boolean sharesGpu(int neighbour) {
        return sharesGpu[neighbour];
    }
}
