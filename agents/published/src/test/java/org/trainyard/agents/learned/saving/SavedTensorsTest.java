package org.trainyard.agents.learned.saving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.trainyard.env.InputException;
import org.trainyard.gnn.LinearLayer;
import org.trainyard.gnn.Parameters;

class SavedTensorsTest {
    private static Parameters network(long seed, String second, int hidden) {
        Parameters parameters = new Parameters(seed);
        LinearLayer.of(parameters, "a", 3, hidden);
        LinearLayer.of(parameters, second, hidden, 2);
        return parameters;
    }

    private static byte[] written(Parameters parameters) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SavedTensors.write(parameters, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static void read(Parameters into, byte[] bytes) throws IOException {
        SavedTensors.read(into, new DataInputStream(new ByteArrayInputStream(bytes)), "weights");
    }

    @Test
    void saved_weights_come_back_bit_for_bit() throws IOException {
        try (Parameters saved = network(1, "b", 5);
                Parameters loaded = network(2, "b", 5)) {
            read(loaded, written(saved));

            assertThat(loaded.values()).isEqualTo(saved.values());
            assertThat(written(loaded)).isEqualTo(written(saved));
        }
    }

    @Test
    void weights_of_another_network_are_refused() throws IOException {
        try (Parameters network = network(1, "b", 5);
                Parameters wider = network(1, "b", 6);
                Parameters other = network(1, "c", 5);
                Parameters smaller = new Parameters(1)) {
            assertThatThrownBy(() -> read(network, written(wider)))
                    .isInstanceOf(InputException.class)
                    .hasMessage("weights, a.weight: '(6, 3)' is not valid: expected shape (5, 3)");
            assertThatThrownBy(() -> read(network, written(other)))
                    .isInstanceOf(InputException.class)
                    .hasMessage("weights: holds parameter c.weight where b.weight is expected");
            assertThatThrownBy(() -> read(network, written(smaller)))
                    .isInstanceOf(InputException.class)
                    .hasMessage("weights: holds (0) parameters, this network has (4)");
        }
    }
}
