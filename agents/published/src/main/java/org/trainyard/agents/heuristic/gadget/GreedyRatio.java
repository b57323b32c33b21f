package org.trainyard.agents.heuristic.gadget;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.agents.heuristic.slots.SlotNetwork;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.utility.ConcaveFamily;
import org.trainyard.env.workload.utility.JobUtility;

/**
 * The total utility of {@link GreedyEmbedding} beside the optimum: jobs on one server over some slots, few enough to
 * try all allocations. A worker trains one unit in a slot.
 *
 * <p>A solver of slots that gains at least {@code alpha} of what can be gained in each slot ends with at least
 * {@code alpha / (1 + alpha)} of the optimum, for utilities are concave and what the optimum adds to the end is at most
 * what it would have added slot by slot. With one resource and no network the greedy solves slots exactly: one half.
 *
 * @param most workers of a job
 * @param active by job and slot
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record GreedyRatio(int gpus, int most, List<JobUtility.Concave> utilities, boolean[][] active) {
    private static final double[] ONE_GPU = {1};
    private static final int JOBS = 3;
    private static final int SLOTS = 3;

    public GreedyRatio {
        utilities = List.copyOf(utilities);
    }

    /** The least ratio of so many random instances. */
    public static double worst(int instances) {
        RandomGenerator random = RandomStreams.stream(1, "gadget instances");
        double worst = 1;
        for (int i = 0; i < instances; i++) {
            GreedyRatio instance = drawn(random);
            double optimum = instance.optimum(0, new double[JOBS]);
            worst = optimum > 0 ? Math.min(worst, instance.greedy() / optimum) : worst;
        }
        return worst;
    }

    static GreedyRatio drawn(RandomGenerator random) {
        ConcaveFamily[] families = ConcaveFamily.values();
        List<JobUtility.Concave> utilities = new ArrayList<>();
        boolean[][] active = new boolean[JOBS][SLOTS];
        for (boolean[] slots : active) {
            utilities.add(new JobUtility.Concave(
                    families[random.nextInt(families.length)],
                    random.nextDouble(1, 10),
                    random.nextDouble(0.5, 6),
                    Double.POSITIVE_INFINITY));
            for (int slot = 0; slot < SLOTS; slot++) {
                slots[slot] = random.nextDouble() < 0.6;
            }
        }
        return new GreedyRatio(random.nextInt(2, 5), 3, utilities, active);
    }

    double gain(int job, double before, int workers) {
        return utilities.get(job).ofTraining(before + workers)
                - utilities.get(job).ofTraining(before);
    }

    /** The workers of each job in a slot. */
    int[] greedy(int slot, double[] trained) {
        SlotNetwork network =
                new SlotNetwork(new double[][] {{gpus}}, new int[] {0}, new double[] {1}, new double[] {1});
        List<GreedyEmbedding.RingJob> jobs = new ArrayList<>();
        for (int i = 0; i < utilities.size(); i++) {
            int job = i;
            jobs.add(new GreedyEmbedding.RingJob(
                    ONE_GPU,
                    1,
                    active[job][slot] ? most : 0,
                    0,
                    (workers, inside) -> gain(job, trained[job], workers)));
        }
        return GreedyEmbedding.of(network, jobs).stream()
                .mapToInt(GpusByServer::total)
                .toArray();
    }

    double greedy() {
        double[] trained = new double[utilities.size()];
        for (int slot = 0; slot < active[0].length; slot++) {
            trained = after(trained, greedy(slot, trained));
        }
        return value(trained);
    }

    /** The best of all allocations of the slots from one on. */
    double optimum(int slot, double[] trained) {
        return slot == active[0].length
                ? value(trained)
                : allocations(slot).stream()
                        .mapToDouble(row -> optimum(slot + 1, after(trained, row)))
                        .max()
                        .orElse(0);
    }

    private static double[] after(double[] trained, int[] workers) {
        double[] after = trained.clone();
        for (int job = 0; job < after.length; job++) {
            after[job] += workers[job];
        }
        return after;
    }

    private double value(double[] trained) {
        double value = 0;
        for (int job = 0; job < trained.length; job++) {
            value += utilities.get(job).ofTraining(trained[job]);
        }
        return value;
    }

    /** Allocations that leave no GPU idle which a job could use; utilities do not decrease, so one of them is best. */
    List<int[]> allocations(int slot) {
        List<int[]> all = new ArrayList<>();
        fill(slot, 0, gpus, new int[utilities.size()], all);
        int used = all.stream().mapToInt(row -> Arrays.stream(row).sum()).max().orElse(0);
        all.removeIf(row -> Arrays.stream(row).sum() < used);
        return all;
    }

    private void fill(int slot, int job, int left, int[] row, List<int[]> all) {
        if (job == row.length) {
            all.add(row.clone());
            return;
        }
        for (int workers = 0; workers <= Math.min(left, active[job][slot] ? most : 0); workers++) {
            row[job] = workers;
            fill(slot, job + 1, left - workers, row, all);
        }
        row[job] = 0;
    }
}
