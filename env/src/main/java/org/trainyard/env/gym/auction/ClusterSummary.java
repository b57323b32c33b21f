package org.trainyard.env.gym.auction;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.Arrays;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * Counts of the whole cluster that many bids need: empty servers, free GPUs by rack, and gangs by network card and
 * by rack uplink.
 */
final class ClusterSummary {
    private final Topology topology;
    private final int[] gpusIn;
    private final int[] gangsOnServer;
    private final int[] gangsOnUplink;
    private int empty;
    private double largestHole;
    private int waitingGpus;
    private int acrossRacks;
    private final JournalCursor journal = new JournalCursor();
    /** Servers of each job on several. */
    private final Int2ObjectOpenHashMap<int[]> gangs = new Int2ObjectOpenHashMap<>();
    /** GPUs of each waiting job. */
    private final Int2IntOpenHashMap waiting = new Int2IntOpenHashMap();

    ClusterSummary(Topology topology) {
        this.topology = topology;
        gangsOnServer = new int[topology.servers()];
        gangsOnUplink = new int[topology.racks()];
        gpusIn = new int[topology.racks()];
        for (int server = 0; server < topology.servers(); server++) {
            gpusIn[topology.rackOf(server)] += topology.gpusOn(server);
        }
    }

    /** Reads what has happened since the last call. O(servers of the jobs to which it happened). */
    void update(SimView view) {
        if (journal.isAtEnd(view)) {
            return;
        }
        if (journal.advance(view)) {
            countAnew(view);
        }
        for (int entry = journal.first(); entry < journal.end(); entry++) {
            if (view.journalJob(entry) != SimView.NONE) {
                recount(view, view.journalJob(entry));
            }
        }
        empty = view.cluster().byFreeGpus().empty();
        largestHole = view.cluster().byFreeGpus().largestHole();
    }

    /** Forgets all jobs and counts those that are there. */
    private void countAnew(SimView view) {
        gangs.clear();
        waiting.clear();
        waitingGpus = 0;
        acrossRacks = 0;
        Arrays.fill(gangsOnServer, 0);
        Arrays.fill(gangsOnUplink, 0);
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            recount(view, job);
        }
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            recount(view, job);
        }
    }

    /** Counts a job as it is now. */
    private void recount(SimView view, int job) {
        int[] before = gangs.remove(job);
        if (before != null) {
            count(before, -1);
        }
        waitingGpus -= waiting.remove(job);
        JobState state = view.state(job);
        if (state == JobState.WAITING) {
            int gpus = view.job(job).gpus();
            waiting.put(job, gpus);
            waitingGpus += gpus;
        } else if (state == JobState.RUNNING && view.placement(job).serverCount() > 1) {
            Placement placement = view.placement(job);
            int[] servers = new int[placement.serverCount()];
            Arrays.setAll(servers, placement::server);
            gangs.put(job, servers);
            count(servers, 1);
        }
    }

    /** Counts a gang on these servers, in increasing order; the servers of a rack follow one another. */
    private void count(int[] servers, int sign) {
        boolean isAcross = topology.rackOf(servers[0]) != topology.rackOf(servers[servers.length - 1]);
        acrossRacks += isAcross ? sign : 0;
        int rackBefore = -1;
        for (int server : servers) {
            gangsOnServer[server] += sign;
            int rack = topology.rackOf(server);
            gangsOnUplink[rack] += isAcross && rack != rackBefore ? sign : 0;
            rackBefore = rack;
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
