package org.trainyard.env.scheduling.migration;

import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.preemption.RemainingBound;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;

/**
 * The running jobs whose predicted slowdown exceeds the least possible by more than a limit, with a bound on the time
 * that each loses. O(jobs near those that changed) per event.
 */
final class LosingJobs {
    private final RunningSlowdowns slowdowns;
    private final Rank remainingSeconds;
    private final RemainingBound bound;
    private final double least;
    private int size;
    private int[] jobs = new int[64];
    private int[] gpus = new int[64];
    private double[] excess = new double[64];
    /** A loss that the job does not exceed until then. */
    private double[] most = new double[64];

    private long[] untilNanos = new long[64];
    /** By job, its place in these arrays and one, 0 when it is not there. */
    private int[] place = new int[64];
    /** A number that grows with its last start. */
    private int[] startOrder = new int[64];

    private int starts;
    private long bounds;

    /**
     * @param remainingSeconds estimated remaining time of a job, seconds
     * @param least excess of the slowdown that counts
     */
    LosingJobs(RunningSlowdowns slowdowns, Rank remainingSeconds, double least) {
        this.slowdowns = slowdowns;
        this.remainingSeconds = remainingSeconds;
        this.least = least;
        bound = new RemainingBound(remainingSeconds);
    }

    /** Reads what has happened since the last call. */
    void update(SimView view) {
        slowdowns.update(view);
        if (place.length < view.arrived()) {
            place = Arrays.copyOf(place, 2 * view.arrived());
            startOrder = Arrays.copyOf(startOrder, 2 * view.arrived());
        }
        if (slowdowns.isAnew()) {
            readAll(view);
        } else {
            readChanges(view);
        }
        long boundsNow = bound.version(view);
        if (boundsNow != bounds) {
            bounds = boundsNow;
            Arrays.fill(untilNanos, 0, size, -1);
        }
    }

    private void readAll(SimView view) {
        while (size > 0) {
            remove(jobs[size - 1]);
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            startOrder[job] = ++starts;
            weigh(view, job);
        }
    }

    private void readChanges(SimView view) {
        IntList started = slowdowns.startedJobs();
        for (int i = 0; i < started.size(); i++) {
            startOrder[started.getInt(i)] = ++starts;
        }
        IntList changed = slowdowns.changedJobs();
        for (int i = 0; i < changed.size(); i++) {
            int job = changed.getInt(i);
            remove(job);
            if (view.state(job) == JobState.RUNNING) {
                weigh(view, job);
            }
        }
        IntList servers = slowdowns.changedServers();
        for (int i = 0; i < servers.size(); i++) {
            for (int n = 0; n < view.cluster().jobsOn(servers.getInt(i)); n++) {
                weigh(view, view.cluster().jobOn(servers.getInt(i), n));
            }
        }
    }

    private void weigh(SimView view, int job) {
        double now = slowdowns.of(view, job) - slowdowns.least(view.job(job));
        if (now <= least) {
            remove(job);
            return;
        }
        if (place[job] == 0) {
            if (size == jobs.length) {
                grow();
            }
            jobs[size] = job;
            place[job] = ++size;
        }
        int at = place[job] - 1;
        gpus[at] = view.job(job).gpus();
        if (excess[at] != now) {
            excess[at] = now;
            untilNanos[at] = -1;
        }
    }

    private void grow() {
        jobs = Arrays.copyOf(jobs, 2 * size);
        gpus = Arrays.copyOf(gpus, 2 * size);
        excess = Arrays.copyOf(excess, 2 * size);
        most = Arrays.copyOf(most, 2 * size);
        untilNanos = Arrays.copyOf(untilNanos, 2 * size);
    }

    private void remove(int job) {
        int at = place[job] - 1;
        if (at < 0) {
            return;
        }
        place[job] = 0;
        size--;
        if (at < size) {
            jobs[at] = jobs[size];
            gpus[at] = gpus[size];
            excess[at] = excess[size];
            most[at] = most[size];
            untilNanos[at] = untilNanos[size];
            place[jobs[at]] = at + 1;
        }
        untilNanos[size] = -1;
    }

    int size() {
        return size;
    }

    int job(int at) {
        return jobs[at];
    }

    /** The place of a job, or {@link SimView#NONE}. */
    int placeOf(int job) {
        return job < place.length ? place[job] - 1 : SimView.NONE;
    }

    int gpus(int at) {
        return gpus[at];
    }

    /** Whether the job is known to have started before the other one. */
    boolean isEarlier(int job, int than) {
        return job < startOrder.length && than < startOrder.length && startOrder[job] < startOrder[than];
    }

    /** Time that the job loses: excess of the slowdown times remaining time, seconds. */
    double loss(SimView view, int at) {
        return excess[at] * remainingSeconds.of(view, jobs[at]);
    }

    /** A loss that the job does not exceed now. */
    double most(SimView view, int at) {
        if (untilNanos[at] < view.nowNanos()) {
            bound.find(view, jobs[at]);
            most[at] = excess[at] * bound.most();
            untilNanos[at] = bound.untilNanos();
        }
        return most[at];
    }
}
