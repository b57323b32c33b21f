package org.trainyard.gnn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ParametersTest {
    private static Parameters network(long seed) {
        Parameters parameters = new Parameters(seed);
        LinearLayer.of(parameters, "a", 3, 5);
        LinearLayer.of(parameters, "b", 5, 2);
        return parameters;
    }

    @Test
    void equal_seeds_give_equal_weights_whatever_else_there_is() {
        try (Parameters one = network(7);
                Parameters other = new Parameters(7)) {
            LinearLayer.of(other, "b", 5, 2);
            assertThat(other.get("b.weight").toFloatArray())
                    .isEqualTo(one.get("b.weight").toFloatArray());
            assertThat(one.get("b.weight").toFloatArray())
                    .isNotEqualTo(network(8).get("b.weight").toFloatArray());
        }
    }
}
