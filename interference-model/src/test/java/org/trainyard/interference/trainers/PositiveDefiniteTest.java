package org.trainyard.interference.trainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;

class PositiveDefiniteTest {
    @Test
    void solutions_and_inverse_are_those_of_a_matrix_done_by_hand() {
        // (4 2; 2 3) has the determinant 8 and the inverse (3 -2; -2 4) / 8.
        try (PositiveDefinite matrix = new PositiveDefinite(new double[] {4, 2, 2, 3}, 2)) {
            assertThat(matrix.solve(new double[] {8, 16})).containsExactly(new double[] {-1, 6}, within(1e-12));
            assertThat(matrix.inverse()[0]).containsExactly(new double[] {0.375, -0.25}, within(1e-12));
            assertThat(matrix.inverse()[1]).containsExactly(new double[] {-0.25, 0.5}, within(1e-12));
        }
    }

    @Test
    void a_large_matrix_times_its_inverse_is_one_and_equal_matrices_give_equal_bits() {
        int rows = 300;
        RandomGenerator random = RandomStreams.stream(1, "matrix");
        double[] root = random.doubles((long) rows * rows, -1, 1).toArray();
        double[] matrix = new double[rows * rows];
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < rows; k++) {
                matrix[i * rows + k] = i == k ? 1 : 0;
                for (int j = 0; j < rows; j++) {
                    matrix[i * rows + k] += root[i * rows + j] * root[k * rows + j];
                }
            }
        }
        try (PositiveDefinite one = new PositiveDefinite(matrix, rows);
                PositiveDefinite again = new PositiveDefinite(matrix, rows)) {
            double[][] inverse = one.inverse();
            double[] product = new double[rows];
            double[] expected = new double[rows];
            expected[7] = 1;
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < rows; j++) {
                    product[i] += matrix[i * rows + j] * inverse[j][7];
                }
            }
            assertThat(product).containsExactly(expected, within(1e-9));
            assertThat(again.inverse()).isDeepEqualTo(inverse);
            assertThat(one.solve(expected)).containsExactly(inverse[7], within(1e-9));
        }
    }

    @Test
    void a_matrix_that_is_not_positive_is_refused() {
        assertThatThrownBy(() -> new PositiveDefinite(new double[] {1, 2, 2, 1}, 2).close())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("(2) rows");
    }
}
