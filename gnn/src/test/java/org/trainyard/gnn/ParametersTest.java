package org.trainyard.gnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;

class ParametersTest {
    private static final String KIND = "TYTESTED";

    @TempDir
    private Path folder;

    private static Parameters network(long seed, int hidden) {
        Parameters parameters = new Parameters(seed);
        LinearLayer.of(parameters, "a", 3, hidden);
        LinearLayer.of(parameters, "b", hidden, 2);
        return parameters;
    }

    private static void read(Path file, Parameters into) throws IOException {
        try (DataInputStream in = CheckedFile.read(file, KIND, 1)) {
            into.read(in, file.getFileName().toString());
        }
    }

    @Test
    void equal_seeds_give_equal_weights_whatever_else_there_is() {
        try (Parameters one = network(7, 5);
                Parameters other = new Parameters(7)) {
            LinearLayer.of(other, "b", 5, 2);
            assertThat(other.get("b.weight").toFloatArray())
                    .isEqualTo(one.get("b.weight").toFloatArray());
            assertThat(one.get("b.weight").toFloatArray())
                    .isNotEqualTo(network(8, 5).get("b.weight").toFloatArray());
        }
    }

    @Test
    void saved_weights_come_back_bit_for_bit() throws IOException {
        Path file = folder.resolve("weights");
        try (Parameters saved = network(1, 5);
                Parameters loaded = network(2, 5)) {
            String hash = CheckedFile.write(file, KIND, 1, saved::write);
            read(file, loaded);
            assertThat(loaded.get("a.weight").toFloatArray())
                    .isEqualTo(saved.get("a.weight").toFloatArray());
            assertThat(CheckedFile.write(file, KIND, 1, loaded::write)).isEqualTo(hash);
            assertThat(CheckedFile.sha256(file)).isEqualTo(hash);
        }
    }

    @Test
    void a_foreign_or_damaged_file_is_refused_in_one_line() throws IOException {
        Path file = folder.resolve("weights");
        try (Parameters saved = network(1, 5);
                Parameters other = network(1, 6)) {
            CheckedFile.write(file, KIND, 1, saved::write);
            assertThatThrownBy(() -> read(file, other))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("weights, a.weight")
                    .hasMessageNotContaining("\n");
            assertThatThrownBy(() -> CheckedFile.read(file, "ANOTHERS", 1))
                    .hasMessageContaining("is not a ANOTHERS file");
            assertThatThrownBy(() -> CheckedFile.read(file, KIND, 2)).hasMessageContaining("version (1), expected (2)");
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 1;
            Files.write(file, bytes);
            assertThatThrownBy(() -> read(file, saved))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("damaged");
            Files.write(file, new byte[3]);
            assertThatThrownBy(() -> read(file, saved)).hasMessageContaining("too short");
            assertThatThrownBy(() -> read(folder.resolve("none"), saved)).hasMessageContaining("no such file");
        }
    }
}
