package org.trainyard.env.scheduling.preemption;

import java.util.Arrays;
import org.trainyard.env.simulation.SimView;

/**
 * Tells without a search that a {@link PreemptionPlanner} can have no plan, because too few servers of its range
 * have jobs that could be victims, by bounds on their remaining times. Answers are kept while the bounds are, and
 * hold for all pending jobs with more time left.
 */
final class ClearableServers {
    private final SimView view;
    private final int from;
    private final int widest;
    /** Whether all servers of the range have as many GPUs. */
    private final boolean isUniform;
    /**
     * By server of the range and place in its list of jobs: a time that the job has left at most, its GPUs here,
     * and whether it could migrate.
     */
    private final double[][] most;

    private final int[][] gpus;
    private final boolean[][] movable;
    private final int[] jobs;
    private int hole;
    /**
     * By GPUs of a pending job: the least time left for which there is no plan, and the most for which there may be
     * one.
     */
    private final double[] impossibleFrom;

    private final double[] possibleTo;
    /** By GPUs of a pending job, the number of changes at which these hold. */
    private final long[] answeredAt;

    private long changes;

    ClearableServers(SimView view, int from, int to) {
        this.view = view;
        this.from = from;
        widest = view.topology().widestServer();
        most = new double[to - from][widest];
        gpus = new int[to - from][widest];
        movable = new boolean[to - from][widest];
        jobs = new int[to - from];
        int all = 0;
        boolean alike = true;
        for (int server = from; server < to; server++) {
            all += view.topology().gpusOn(server);
            alike &= view.topology().gpusOn(server) == view.topology().gpusOn(from);
        }
        isUniform = alike;
        impossibleFrom = new double[all + 1];
        possibleTo = new double[all + 1];
        answeredAt = new long[all + 1];
        Arrays.fill(answeredAt, -1);
    }

    /** Forgets the jobs of a server, given by its place in the range, before they are added. */
    void begin(int i) {
        jobs[i] = 0;
        changes++;
    }

    /** Adds a job of a server. */
    void add(int i, double mostSeconds, int gpusHere, boolean isMovable) {
        int n = jobs[i]++;
        if (n == most[i].length) {
            most[i] = Arrays.copyOf(most[i], 2 * n + 1);
            gpus[i] = Arrays.copyOf(gpus[i], 2 * n + 1);
            movable[i] = Arrays.copyOf(movable[i], 2 * n + 1);
        }
        most[i][n] = mostSeconds;
        gpus[i][n] = gpusHere;
        movable[i][n] = isMovable;
    }

    /** Sets the free GPUs on the server with most of them, to which jobs may migrate. */
    void hole(int newHole) {
        if (hole != newHole) {
            hole = newHole;
            changes++;
        }
    }

    /**
     * Whether there is certainly no plan for a pending job; false when it is not known. O(servers and their jobs), or
     * O(1) when that follows from an earlier answer.
     */
    boolean isImpossible(int newcomerGpus, double newcomerSeconds) {
        if (answeredAt[newcomerGpus] != changes) {
            answeredAt[newcomerGpus] = changes;
            impossibleFrom[newcomerGpus] = Double.POSITIVE_INFINITY;
            possibleTo[newcomerGpus] = -1;
        }
        if (newcomerSeconds >= impossibleFrom[newcomerGpus]) {
            return true;
        }
        if (newcomerSeconds <= possibleTo[newcomerGpus]) {
            return false;
        }
        boolean isPossible = areEnough(newcomerGpus, newcomerSeconds);
        if (isPossible) {
            possibleTo[newcomerGpus] = newcomerSeconds;
        } else {
            impossibleFrom[newcomerGpus] = newcomerSeconds;
        }
        return !isPossible;
    }

    /** The first server is cleared for as many workers as it can have; of equal servers all but the last are. */
    private boolean areEnough(int newcomerGpus, double newcomerSeconds) {
        int full = isUniform
                ? Math.max(1, newcomerGpus / Math.max(1, view.topology().gpusOn(from)))
                : 1;
        int found = 0;
        for (int i = 0; i < jobs.length && found < full; i++) {
            found += isClearable(i, newcomerGpus, newcomerSeconds) ? 1 : 0;
        }
        return found == full;
    }

    private boolean isClearable(int i, int newcomerGpus, double newcomerSeconds) {
        int server = from + i;
        int missing = Math.min(newcomerGpus, view.topology().gpusOn(server))
                - view.cluster().freeOn(server);
        for (int n = 0; n < jobs[i] && missing > 0; n++) {
            if (most[i][n] > newcomerSeconds || (movable[i][n] && gpus[i][n] <= hole)) {
                missing -= gpus[i][n];
            }
        }
        return missing <= 0;
    }
}
