package org.trainyard.env.gym.auction;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;

/**
 * Counts of the whole cluster that many bids need: empty servers, free GPUs by rack, gangs by network card and by rack
 * uplink, and GPUs by account.
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
    /** GPUs of each running job that names an account. */
    private final Int2IntOpenHashMap charged = new Int2IntOpenHashMap();

    private final Object2IntOpenHashMap<String> heldBy = new Object2IntOpenHashMap<>();
    private long highestPriority;

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
        charged.clear();
        heldBy.clear();
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
        charge(view.job(job), state == JobState.RUNNING);
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

    private void charge(JobSpec job, boolean isRunning) {
        SubmissionTerms terms = job.terms();
        if (terms.priority() != null) {
            highestPriority = Math.max(highestPriority, terms.priority());
        }
        if (terms.account() != null) {
            int before = charged.remove(job.id());
            int gpus = isRunning ? job.gpus() : 0;
            if (isRunning) {
                charged.put(job.id(), gpus);
            }
            heldBy.addTo(terms.account(), gpus - before);
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

    /** Greatest share of a server's GPUs that is free. */
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

    /** GPUs that running jobs of this account hold. */
    int heldBy(@Nullable String account) {
        return account == null ? 0 : heldBy.getInt(account);
    }

    /** A priority over the highest that any job has said, 0 to 1. */
    double priority(@Nullable Long priority) {
        return priority == null || priority <= 0 ? 0 : (double) priority / Math.max(priority, highestPriority);
    }

    int gpusIn(int rack) {
        return gpusIn[rack];
    }
}
