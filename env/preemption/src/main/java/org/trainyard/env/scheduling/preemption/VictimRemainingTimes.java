package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.Int2DoubleOpenHashMap;
import java.util.stream.Stream;
import org.trainyard.env.scheduling.order.BoundedRank;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * Estimated remaining times and GPUs of the jobs of the servers that a {@link PreemptionPlanner} considers, each server
 * read once an instant while its jobs stay, or once an event where only that is sure to do.
 */
final class VictimRemainingTimes {
    private final SimView view;
    private final int from;
    private final Rank remainingSeconds;
    private final PreemptionCharge charge;
    /** By server of the range. */
    private final ServerJobs[] jobs;
    /** By server, the change of times for which it was read. */
    private final long[] readIn;
    /** The changes of its jobs until then. */
    private final int[] changes;

    private long timesChanged;
    /** The remaining times of jobs on several servers that were read since the last change of times. */
    private final Int2DoubleOpenHashMap ofGangs = new Int2DoubleOpenHashMap();

    private long atNanos = -1;
    private int corrections;
    private int journalRead;

    VictimRemainingTimes(SimView view, int from, int to, Rank remainingSeconds, PreemptionCharge charge) {
        this.charge = charge;
        this.view = view;
        this.from = from;
        this.remainingSeconds = remainingSeconds;
        jobs = Stream.generate(ServerJobs::new).limit(to - from).toArray(ServerJobs[]::new);
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

    /** The jobs of a server, read unless that was done and holds. */
    ServerJobs on(int server) {
        int i = server - from;
        ServerJobs known = jobs[i];
        if (readIn[i] != timesChanged || changes[i] != view.cluster().changes(server)) {
            readIn[i] = timesChanged;
            changes[i] = view.cluster().changes(server);
            known.begin(view.cluster().jobsOn(server));
            for (int n = 0; n < known.count; n++) {
                read(known, n, server, view.cluster().jobOn(server, n));
            }
        }
        return known;
    }

    private void read(ServerJobs to, int n, int server, int job) {
        Placement placement = view.placement(job);
        to.gpus[n] = placement.gpusOn(placement.indexOf(server));
        to.gpusInAll[n] = placement.gpuCount();
        // No beneficiary has less time left than a job that the rules protect seems to have.
        boolean isVictim = view.mayPreempt(job);
        boolean spans = placement.serverCount() > 1;
        to.seconds[n] = !isVictim ? 0 : spans ? ofGang(job) : remainingSeconds.of(view, job);
        to.charged[n] = isVictim ? charge.share(view, job, to.seconds[n]) : 0;
        boolean isMovable = isVictim
                && !spans
                && view.mayMigrate(job)
                && view.job(job).demand().isPlain();
        to.restart[n] = isMovable
                ? Math.max(PreemptionCharge.restartShare(to.seconds[n]), to.charged[n])
                : Double.POSITIVE_INFINITY;
    }

    private double ofGang(int job) {
        double known = ofGangs.get(job);
        if (known < 0) {
            known = remainingSeconds.of(view, job);
            ofGangs.put(job, known);
        }
        return known;
    }
}
