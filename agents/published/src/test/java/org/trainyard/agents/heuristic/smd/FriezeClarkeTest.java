package org.trainyard.agents.heuristic.smd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.ortools.Loader;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.Literal;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

class FriezeClarkeTest {
    private static double pack(double[] values, double[][] sizes, double[] capacity, int mostInSet) {
        boolean[] packed = new FriezeClarke(values, sizes, capacity).pack(mostInSet);
        double value = 0;
        for (int d = 0; d < capacity.length; d++) {
            double used = 0;
            for (int item = 0; item < packed.length; item++) {
                used += packed[item] ? sizes[item][d] : 0;
            }
            assertThat(used).isLessThanOrEqualTo(capacity[d] + 1e-6);
        }
        for (int item = 0; item < packed.length; item++) {
            value += packed[item] ? values[item] : 0;
        }
        return value;
    }

    private static double optimum(double[] values, double[][] sizes, double[] capacity) {
        double best = 0;
        for (int set = 0; set < 1 << values.length; set++) {
            double value = 0;
            double[] used = new double[capacity.length];
            for (int item = 0; item < values.length; item++) {
                if ((set & (1 << item)) != 0) {
                    value += values[item];
                    for (int d = 0; d < used.length; d++) {
                        used[d] += sizes[item][d];
                    }
                }
            }
            boolean fits = true;
            for (int d = 0; d < used.length; d++) {
                fits &= used[d] <= capacity[d] + 1e-9;
            }
            best = fits ? Math.max(best, value) : best;
        }
        return best;
    }

    @Test
    void the_known_instance_has_16_with_single_items_and_17_with_pairs() {
        double[] values = {10, 9, 7, 4};
        double[][] sizes = {{4, 3}, {3, 4}, {2, 2}, {1, 3}};
        double[] capacity = {6, 6};

        assertThat(optimum(values, sizes, capacity)).isEqualTo(17);
        assertThat(pack(values, sizes, capacity, 1)).isEqualTo(16);
        assertThat(pack(values, sizes, capacity, 2)).isEqualTo(17);
        assertThat(pack(values, sizes, capacity, 3)).isEqualTo(17);
        FriezeClarke single = new FriezeClarke(values, sizes, capacity);
        assertThat(single.pack(1)).containsExactly(false, true, true, false);
    }

    @Test
    void the_bound_holds_on_200_random_instances() {
        RandomGenerator random = RandomStreams.stream(1, "knapsacks");
        double[] worst = {1, 1, 1};
        for (int instance = 0; instance < 200; instance++) {
            double[] values = random.doubles(7, 1, 20).toArray();
            double[][] sizes = new double[7][];
            Arrays.setAll(sizes, item -> random.doubles(2, 1, 10).toArray());
            double[] capacity = random.doubles(2, 8, 25).toArray();
            double optimum = optimum(values, sizes, capacity);
            for (int k = 0; k < worst.length; k++) {
                double ratio = optimum == 0 ? 1 : pack(values, sizes, capacity, k) / optimum;
                worst[k] = Math.min(worst[k], ratio);
                assertThat(ratio).isGreaterThanOrEqualTo((k + 1.0) / (k + 1 + 2) - 1e-9);
            }
        }
        assertThat(worst[1]).as("not exact, or the test says nothing").isLessThan(1);
    }

    @Test
    void larger_instances_agree_with_cp_sat() {
        Loader.loadNativeLibraries();
        RandomGenerator random = RandomStreams.stream(2, "knapsacks for CP-SAT");
        for (int instance = 0; instance < 5; instance++) {
            int[] values = random.ints(24, 1, 50).toArray();
            int[][] sizes = {
                random.ints(24, 1, 30).toArray(), random.ints(24, 1, 30).toArray()
            };
            int[] capacity = {120, 120};
            CpModel model = new CpModel();
            Literal[] packed = IntStream.range(0, 24)
                    .mapToObj(item -> model.newBoolVar("packed"))
                    .toArray(Literal[]::new);
            for (int d = 0; d < 2; d++) {
                model.addLessOrEqual(weighted(packed, sizes[d]), capacity[d]);
            }
            model.maximize(weighted(packed, values));
            CpSolver solver = new CpSolver();
            solver.getParameters().setNumSearchWorkers(1);
            assertThat(solver.solve(model)).isEqualTo(CpSolverStatus.OPTIMAL);
            double[][] byItem = new double[24][];
            Arrays.setAll(byItem, item -> new double[] {sizes[0][item], sizes[1][item]});
            double found = pack(Arrays.stream(values).asDoubleStream().toArray(), byItem, new double[] {120, 120}, 2);
            assertThat(found).isBetween(0.6 * solver.objectiveValue(), solver.objectiveValue() + 1e-6);
        }
    }

    private static LinearExpr weighted(Literal[] literals, int[] weights) {
        return LinearExpr.weightedSum(
                literals, Arrays.stream(weights).asLongStream().toArray());
    }

    @Test
    void a_larger_cluster_never_lowers_the_exact_value() {
        RandomGenerator random = RandomStreams.stream(3, "growing knapsacks");
        for (int instance = 0; instance < 20; instance++) {
            double[] values = random.doubles(6, 1, 20).toArray();
            double[][] sizes = new double[6][];
            Arrays.setAll(sizes, item -> random.doubles(2, 1, 10).toArray());
            double before = pack(values, sizes, new double[] {12, 12}, 6);
            assertThat(before).isCloseTo(optimum(values, sizes, new double[] {12, 12}), within(1e-9));
            assertThat(pack(values, sizes, new double[] {14, 13}, 6)).isGreaterThanOrEqualTo(before);
        }
    }
}
