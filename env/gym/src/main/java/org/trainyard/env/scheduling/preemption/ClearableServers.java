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
    private int largestFree;
    private final Failures failures;
    private long changes;

    /**
     * For which pending jobs there is no plan, as far as a test has told: a test that fails fails for all pending jobs of
     * as many GPUs with more time left, too. Answers hold until something changes on which the test depends.
     */
    static final class Failures {
        private final Test test;
        /** By GPUs of a pending job: the least time left for which there is no plan, and the most for which there may be one. */
        private final double[] failsFrom;

        private final double[] mayBeTo;
        /** By GPUs of a pending job, the number of changes at which these hold. */
        private final long[] answeredAt;

        /** A condition without which there is no plan. */
        interface Test {
            boolean mayBe(int gpus, double beneficiarySeconds);
        }

        /** @param most GPUs of a pending job at most */
        Failures(int most, Test test) {
            this.test = test;
            failsFrom = new double[most + 1];
            mayBeTo = new double[most + 1];
            answeredAt = new long[most + 1];
            Arrays.fill(answeredAt, -1);
        }

        /** Whether the test fails, as of so many changes. */
        boolean fails(long changes, int gpus, double beneficiarySeconds) {
            if (answeredAt[gpus] != changes) {
                answeredAt[gpus] = changes;
                failsFrom[gpus] = Double.POSITIVE_INFINITY;
                mayBeTo[gpus] = -1;
            }
            if (beneficiarySeconds >= failsFrom[gpus]) {
                return true;
            }
            if (beneficiarySeconds <= mayBeTo[gpus]) {
                return false;
            }
            if (test.mayBe(gpus, beneficiarySeconds)) {
                mayBeTo[gpus] = beneficiarySeconds;
                return false;
            }
            failsFrom[gpus] = beneficiarySeconds;
            return true;
        }
    }

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
        failures = new Failures(all, this::areEnough);
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
    void largestFree(int newLargestFree) {
        if (largestFree != newLargestFree) {
            largestFree = newLargestFree;
            changes++;
        }
    }

    /**
     * Whether there is certainly no plan for a pending job; false when it is not known. O(servers and their jobs), or
     * O(1) when that follows from an earlier answer.
     */
    boolean isImpossible(int beneficiaryGpus, double beneficiarySeconds) {
        return failures.fails(changes, beneficiaryGpus, beneficiarySeconds);
    }

    /** The first server is cleared for as many workers as it can have; of equal servers all but the last are. */
    private boolean areEnough(int beneficiaryGpus, double beneficiarySeconds) {
        int full = fullServers(beneficiaryGpus);
        int found = 0;
        for (int i = 0; i < jobs.length && found < full; i++) {
            found += isClearable(i, beneficiaryGpus, beneficiarySeconds) ? 1 : 0;
        }
        return found == full;
    }

    /** Servers, at least, that are cleared for as many workers as they can have. */
    int fullServers(int beneficiaryGpus) {
        return isUniform
                ? Math.max(1, beneficiaryGpus / Math.max(1, view.topology().gpusOn(from)))
                : 1;
    }

    /** Whether a server may be cleared for the beneficiary, given by its place in the range. */
    boolean isClearable(int i, int beneficiaryGpus, double beneficiarySeconds) {
        int server = from + i;
        int missing = Math.min(beneficiaryGpus, view.topology().gpusOn(server))
                - view.cluster().freeOn(server);
        for (int n = 0; n < jobs[i] && missing > 0; n++) {
            if (most[i][n] > beneficiarySeconds || (movable[i][n] && gpus[i][n] <= largestFree)) {
                missing -= gpus[i][n];
            }
        }
        return missing <= 0;
    }
}
