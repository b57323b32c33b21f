package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.Int2DoubleOpenHashMap;
import org.trainyard.env.scheduling.order.BoundedRank;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * Estimated remaining times and GPUs of the jobs of the servers that a {@link PreemptionPlanner} considers, each
 * server read once an instant while its jobs stay, or once an event where only that is sure to do.
 */
final class VictimTimes {
    private final SimView view;
    private final int from;
    private final Rank remainingSeconds;
    /** By server of the range and place in its list of jobs. */
    private final double[][] seconds;

    private final double[][] restart;
    private final double[][] charged;
    private final PreemptionCharge charge;
    private final int[][] gpus;
    private final boolean[][] movable;
    private final boolean[][] spans;
    /** By server, the change of times for which it was read, and the changes of its jobs until then. */
    private final long[] readIn;

    private final int[] changes;
    private long timesChanged;
    /** The remaining times of jobs on several servers that were read since the last change of times. */
    private final Int2DoubleOpenHashMap ofGangs = new Int2DoubleOpenHashMap();

    private long atNanos = -1;
    private int corrections;
    private int journalRead;

    VictimTimes(SimView view, int from, int to, Rank remainingSeconds, PreemptionCharge charge) {
        this.charge = charge;
        this.view = view;
        this.from = from;
        this.remainingSeconds = remainingSeconds;
        int most = Math.max(1, view.topology().widestServer());
        seconds = new double[to - from][most];
        restart = new double[to - from][most];
        charged = new double[to - from][most];
        gpus = new int[to - from][most];
        movable = new boolean[to - from][most];
        spans = new boolean[to - from][most];
        readIn = new long[to - from];
        changes = new int[to - from];
        ofGangs.defaultReturnValue(-1);
    }

    /**
     * Forgets what was read before an event, unless times stay: at one instant, while jobs are only started and
     * preempted, and a rank goes by the progress of its job, which preemption does not take back, and by finished ones.
     */
    void update() {
        boolean stay = remainingSeconds instanceof BoundedRank
                && view.nowNanos() == atNanos
                && view.corrections() == corrections
                && journalRead >= view.journalStart()
                && journalRead <= view.journalSize();
        for (int entry = journalRead; stay && entry < view.journalSize(); entry++) {
            stay = view.journalKind(entry) == EventKind.START
                    || (view.journalKind(entry) == EventKind.PREEMPT
                            && view.preemptionRules().savedEveryNanos() == 0);
        }
        if (!stay) {
            timesChanged++;
            ofGangs.clear();
        }
        atNanos = view.nowNanos();
        corrections = view.corrections();
        journalRead = view.journalSize();
    }

    /** Reads the jobs of a server, unless that was done and holds; returns their number. */
    int read(int server) {
        int i = server - from;
        int jobs = view.cluster().jobsOn(server);
        if (readIn[i] != timesChanged || changes[i] != view.cluster().changes(server)) {
            readIn[i] = timesChanged;
            changes[i] = view.cluster().changes(server);
            if (jobs > seconds[i].length) {
                seconds[i] = new double[2 * jobs];
                restart[i] = new double[2 * jobs];
                charged[i] = new double[2 * jobs];
                gpus[i] = new int[2 * jobs];
                movable[i] = new boolean[2 * jobs];
                spans[i] = new boolean[2 * jobs];
            }
            for (int n = 0; n < jobs; n++) {
                int job = view.cluster().jobOn(server, n);
                Placement placement = view.placement(job);
                spans[i][n] = placement.serverCount() > 1;
                // No beneficiary has less time left than a job that the rules protect seems to have.
                boolean isVictim = view.mayPreempt(job);
                seconds[i][n] = !isVictim ? 0 : spans[i][n] ? ofGang(job) : remainingSeconds.of(view, job);
                charged[i][n] = isVictim ? charge.share(view, job, seconds[i][n]) : 0;
                double share =
                        PreemptionPlanner.RESTART_SECONDS / Math.max(PreemptionPlanner.RESTART_SECONDS, seconds[i][n]);
                restart[i][n] = isVictim ? Math.max(share, charged[i][n]) : Double.POSITIVE_INFINITY;
                gpus[i][n] = placement.gpusOn(placement.indexOf(server));
                movable[i][n] = !spans[i][n]
                        && view.mayMigrate(job)
                        && view.job(job).demand().isPlain();
            }
        }
        return jobs;
    }

    private double ofGang(int job) {
        double known = ofGangs.get(job);
        if (known < 0) {
            known = remainingSeconds.of(view, job);
            ofGangs.put(job, known);
        }
        return known;
    }

    /** Estimated remaining time of the n-th job of a server that was {@link #read}; 0 for one that may not be preempted. */
    double seconds(int server, int n) {
        return seconds[server - from][n];
    }

    /** What it loses when it restarts elsewhere, as a share of its remaining time. */
    double restart(int server, int n) {
        return restart[server - from][n];
    }

    /** What is charged for its preemption, as a share of its remaining time. */
    double charged(int server, int n) {
        return charged[server - from][n];
    }

    /** Its GPUs on the server. */
    int gpus(int server, int n) {
        return gpus[server - from][n];
    }

    /** Whether it could run on any other server with as many free GPUs. */
    boolean isMovable(int server, int n) {
        return movable[server - from][n];
    }

    /** Whether it runs on several servers. */
    boolean spans(int server, int n) {
        return spans[server - from][n];
    }
}
