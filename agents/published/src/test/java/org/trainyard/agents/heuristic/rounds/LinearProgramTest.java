package org.trainyard.agents.heuristic.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.env.RandomStreams;

class LinearProgramTest {
    /** Dantzig's standard example: 3 x + 5 y with x <= 4, 2 y <= 12, 3 x + 2 y <= 18 is 36 at (2, 6). */
    @Test
    void the_example_of_the_textbook_is_solved() {
        double[] values = LinearProgram.maximise(
                new double[] {3, 5}, new double[][] {{1, 0}, {0, 2}, {3, 2}}, new double[] {4, 12, 18});
        assertThat(values).containsExactly(new double[] {2, 6}, within(1e-12));
    }

    /** Beale's example, on which the largest gain alone cycles: the optimum is 1/20. */
    @Test
    void a_degenerate_programme_that_could_cycle_is_solved() {
        double[] objective = {0.75, -150, 0.02, -6};
        double[][] constraints = {{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}};
        double[] values = LinearProgram.maximise(objective, constraints, new double[] {0, 0, 1});
        assertThat(dot(objective, values)).isCloseTo(0.05, within(1e-9));
    }

    @Test
    void an_unbounded_programme_is_refused() {
        assertThatThrownBy(() -> LinearProgram.maximise(new double[] {1}, new double[][] {{-1}}, new double[] {1}))
                .hasMessageContaining("not bounded");
    }

    /** Against 20,000 points on the border of the feasible region. */
    @ForSeeds
    void no_feasible_point_is_better_and_some_are_nearly_as_good(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "programme");
        int variables = 1 + random.nextInt(6);
        int rows = 1 + random.nextInt(6);
        double[] objective = random.doubles(variables, 0.1, 1).toArray();
        double[] bounds = random.doubles(rows, 0.1, 1).toArray();
        double[][] constraints = new double[rows][variables];
        for (double[] row : constraints) {
            for (int i = 0; i < variables; i++) {
                row[i] = 0.1 + random.nextDouble();
            }
        }
        double[] values = LinearProgram.maximise(objective, constraints, bounds);
        for (int row = 0; row < rows; row++) {
            assertThat(dot(constraints[row], values)).isLessThanOrEqualTo(bounds[row] + 1e-9);
        }
        double best = 0;
        for (int draw = 0; draw < 20_000; draw++) {
            double[] direction = random.doubles(variables).map(d -> d * d * d).toArray();
            double length = Double.POSITIVE_INFINITY;
            for (int row = 0; row < rows; row++) {
                length = Math.min(length, bounds[row] / dot(constraints[row], direction));
            }
            best = Math.max(best, length * dot(objective, direction));
        }
        assertThat(dot(objective, values)).isBetween(best * (1 - 1e-12), best * 1.25);
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
