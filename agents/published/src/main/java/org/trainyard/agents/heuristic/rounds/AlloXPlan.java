package org.trainyard.agents.heuristic.rounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The plan of AlloX: jobs on positions of GPUs of several types, such that the sum of completion times is least.
 *
 * <p>On a GPU that becomes free at {@code r}, a job that is the k-th from the last adds {@code r + k p}, {@code p} its
 * processing time on that type, to the sum of completion times, because itself and {@code k - 1} jobs behind it wait
 * for it. So the best plan is a matching of jobs and positions of least cost ({@link MinCostMatching}). No job does
 * better on a position than on one of the same type with less or equal {@code r} and {@code k}, so a position is
 * offered once all of these are taken: beside the taken ones there are only some {@code sqrt(2 jobs)} of each type at a
 * time.
 */
final class AlloXPlan {
    /**
     * A position.
     *
     * @param gpu number of the GPU among those of its type, in order of {@code readySeconds}
     * @param fromLast 1 for the last job on the GPU
     */
    record Position(int type, int gpu, double readySeconds, int fromLast) {}

    private final double[][] seconds;
    private final double[][] readySeconds;
    /** The cost of a job on a type on which it cannot run. */
    private final double never;

    private final MinCostMatching matching;
    private final List<Position> offered = new ArrayList<>();
    /** By type and GPU: the positions that are taken, from the last job on. */
    private final int[][] taken;
    /** By type and GPU: the number of positions that are offered, taken ones included. */
    private final int[][] counts;

    private AlloXPlan(double[][] seconds, double[][] readySeconds) {
        this.seconds = seconds;
        this.readySeconds = readySeconds;
        int jobs = seconds.length;
        double most = 1;
        for (double[] row : seconds) {
            for (double there : row) {
                most = Double.isFinite(there) ? Math.max(most, there) : most;
            }
        }
        double latest = 0;
        taken = new int[readySeconds.length][];
        for (int type = 0; type < taken.length; type++) {
            taken[type] = new int[Math.min(jobs, readySeconds[type].length)];
            if (taken[type].length > 0) {
                latest = Math.max(latest, readySeconds[type][taken[type].length - 1]);
            }
        }
        counts = Arrays.stream(taken).map(int[]::clone).toArray(int[][]::new);
        never = (jobs + 1) * (jobs * most + latest);
        matching = new MinCostMatching(jobs, taken.length + 2 * jobs);
    }

    /**
     * The position of every job. O(jobs cubed).
     *
     * @param seconds processing times by job and type; infinite where it cannot run, finite on at least one type
     * @param readySeconds by type, when each GPU becomes free, ascending
     */
    static List<Position> of(double[][] seconds, double[][] readySeconds) {
        AlloXPlan plan = new AlloXPlan(seconds, readySeconds);
        for (int type = 0; type < readySeconds.length; type++) {
            plan.offerNext(type, 0);
        }
        for (int job = 0; job < seconds.length; job++) {
            plan.take(plan.offered.get(plan.matching.add()));
        }
        return Arrays.stream(plan.matching.columns())
                .mapToObj(plan.offered::get)
                .toList();
    }

    private void take(Position position) {
        taken[position.type()][position.gpu()]++;
        offerNext(position.type(), position.gpu());
        offerNext(position.type(), position.gpu() + 1);
    }

    /** Offers the next position of a GPU, unless it is offered or the next one of the GPU before it is as good. */
    private void offerNext(int type, int gpu) {
        int[] here = taken[type];
        if (gpu >= here.length || counts[type][gpu] > here[gpu] || (gpu > 0 && here[gpu - 1] == here[gpu])) {
            return;
        }
        int jobs = seconds.length;
        int fromLast = ++counts[type][gpu];
        double ready = readySeconds[type][gpu];
        offered.add(new Position(type, gpu, ready, fromLast));
        int column = matching.offer((type * jobs + gpu) * jobs + fromLast - 1);
        for (int job = 0; job < jobs; job++) {
            double there = seconds[job][type];
            matching.cost(job)[column] = Double.isFinite(there) ? ready + fromLast * there : never;
        }
    }
}
