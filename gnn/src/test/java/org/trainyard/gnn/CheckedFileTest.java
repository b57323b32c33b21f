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

class CheckedFileTest {
    private static final String KIND = "TYTESTED";

    @TempDir
    private Path folder;

    private static long number(Path file, String kind, int version) throws IOException {
        try (DataInputStream in = CheckedFile.read(file, kind, version)) {
            return in.readLong();
        }
    }

    @Test
    void content_comes_back_with_its_hash() throws IOException {
        Path file = folder.resolve("numbers");

        String hash = CheckedFile.write(file, KIND, 1, out -> out.writeLong(42));

        assertThat(number(file, KIND, 1)).isEqualTo(42);
        assertThat(CheckedFile.sha256(file)).isEqualTo(hash);
    }

    @Test
    void a_foreign_or_damaged_file_is_refused() throws IOException {
        Path file = folder.resolve("numbers");
        CheckedFile.write(file, KIND, 1, out -> out.writeLong(42));

        assertThatThrownBy(() -> number(file, "ANOTHERS", 1)).hasMessageContaining("is not a ANOTHERS file");
        assertThatThrownBy(() -> number(file, KIND, 2)).hasMessageContaining("version (1), expected (2)");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> number(file, KIND, 1))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("damaged");
        Files.write(file, new byte[3]);
        assertThatThrownBy(() -> number(file, KIND, 1)).hasMessageContaining("too short");
        assertThatThrownBy(() -> number(folder.resolve("none"), KIND, 1)).hasMessageContaining("no such file");
    }
}
