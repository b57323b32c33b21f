package org.trainyard.env.gym.auction;

import java.util.Arrays;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/** Counts of the whole cluster that many bids need: empty servers, free GPUs by rack, and gangs by network card and by rack uplink. */
final class ClusterSummary {
    private final Topology topology;
    private final int[] gpusIn;
    private final int[] gangsOnServer;
    private final int[] gangsOnUplink;
    private final int[] racks;
    private int empty;
    private double largestHole;
    private int waitingGpus;
    private int acrossRacks;
    private int builtAtEntry = -1;

    ClusterSummary(Topology topology) {
        this.topology = topology;
        gangsOnServer = new int[topology.servers()];
        gangsOnUplink = new int[topology.racks()];
        racks = new int[topology.racks()];
        gpusIn = new int[topology.racks()];
        for (int server = 0; server < topology.servers(); server++) {
            gpusIn[topology.rackOf(server)] += topology.gpusOn(server);
        }
    }

    /** Counts anew unless nothing has happened since; O(servers + servers of gangs + waiting jobs). */
    void update(SimView view) {
        if (builtAtEntry == view.journalSize()) {
            return;
        }
        builtAtEntry = view.journalSize();
        empty = 0;
        largestHole = 0;
        for (int server = 0; server < topology.servers(); server++) {
            int gpus = topology.gpusOn(server);
            int free = view.cluster().freeOn(server);
            empty += gpus > 0 && free == gpus ? 1 : 0;
            largestHole = gpus == 0 ? largestHole : Math.max(largestHole, (double) free / gpus);
            gangsOnServer[server] = 0;
        }
        Arrays.fill(gangsOnUplink, 0);
        acrossRacks = 0;
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            count(view.placement(job));
        }
        waitingGpus = 0;
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            waitingGpus += view.job(job).gpus();
        }
    }

    private void count(Placement placement) {
        if (placement.serverCount() == 1) {
            return;
        }
        int distinct = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            gangsOnServer[placement.server(i)]++;
            int rack = topology.rackOf(placement.server(i));
            boolean isNew = true;
            for (int j = 0; j < distinct; j++) {
                isNew &= racks[j] != rack;
            }
            if (isNew) {
                racks[distinct++] = rack;
            }
        }
        acrossRacks += distinct > 1 ? 1 : 0;
        for (int i = 0; i < distinct && distinct > 1; i++) {
            gangsOnUplink[racks[i]]++;
        }
    }

    int empty() {
        return empty;
    }

    /** Free GPUs on the server with most of them, over its GPUs. */
    double largestHole() {
        return largestHole;
    }

    int waitingGpus() {
        return waitingGpus;
    }

    /** Jobs on several servers, one of which is this. */
    int gangsOnServer(int server) {
        return gangsOnServer[server];
    }

    /** Jobs in several racks, one of which is this. */
    int gangsOnUplink(int rack) {
        return gangsOnUplink[rack];
    }

    /** Jobs in several racks. */
    int gangsAcrossRacks() {
        return acrossRacks;
    }

    int gpusIn(int rack) {
        return gpusIn[rack];
    }
}
