package org.trainyard.agents.heuristic.rounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The plan of AlloX: jobs on positions of GPUs of several types, such that the sum of completion times is least.
 *
 * <p>On a GPU that becomes free at {@code r}, a job that is the k-th from the last adds {@code r + k p}, {@code p} its processing time on that type, to the
 * sum of completion times, because itself and {@code k - 1} jobs behind it wait for it. So the best plan is a matching of jobs and positions of least cost
 * ({@link MinCostMatching}). Positions that at least as many others precede in both {@code r} and {@code k} as there are jobs are left out: some optimum is
 * without them.
 */
final class AlloXPlan {
    /**
     * A position.
     *
     * @param type of the GPU
     * @param gpu number of the GPU among those of its type, in order of {@code readySeconds}
     * @param fromLast 1 for the last job on the GPU
     */
    record Position(int type, int gpu, double readySeconds, int fromLast) {}

    private AlloXPlan() {}

    /**
     * The position of every job.
     *
     * @param seconds processing times by job and type; infinite where it cannot run, finite on at least one type
     * @param readySeconds by type, when each GPU becomes free, ascending
     */
    static List<Position> of(double[][] seconds, double[][] readySeconds) {
        List<Position> positions = positions(seconds.length, readySeconds);
        double most = 1;
        for (double[] row : seconds) {
            most = Math.max(
                    most, Arrays.stream(row).filter(Double::isFinite).max().orElse(1));
        }
        double latest =
                positions.stream().mapToDouble(Position::readySeconds).max().orElse(0);
        double never = (seconds.length + 1) * (seconds.length * most + latest);
        double[][] cost = new double[seconds.length][positions.size()];
        for (int job = 0; job < cost.length; job++) {
            int i = 0;
            for (Position position : positions) {
                double there = seconds[job][position.type()];
                cost[job][i++] = Double.isFinite(there) ? position.readySeconds() + position.fromLast() * there : never;
            }
        }
        return Arrays.stream(MinCostMatching.of(cost)).mapToObj(positions::get).toList();
    }

    private static List<Position> positions(int jobs, double[][] readySeconds) {
        List<Position> positions = new ArrayList<>();
        for (int type = 0; type < readySeconds.length; type++) {
            for (int gpu = 0; gpu < Math.min(jobs, readySeconds[type].length); gpu++) {
                for (int fromLast = 1; fromLast * (gpu + 1) <= jobs; fromLast++) {
                    positions.add(new Position(type, gpu, readySeconds[type][gpu], fromLast));
                }
            }
        }
        return positions;
    }
}
