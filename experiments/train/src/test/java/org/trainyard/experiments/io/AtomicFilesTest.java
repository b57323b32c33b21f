package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.FailedWriteException;

class AtomicFilesTest {
    @TempDir
    Path folder;

    @Test
    void a_file_is_written_whole_and_nothing_else_stays() {
        AtomicFiles.write(folder.resolve("a.txt"), "grüße\n");

        assertThat(folder.resolve("a.txt")).hasContent("grüße\n");
        assertThat(folder).isDirectoryContaining("glob:**a.txt");
        assertThat(folder.toFile().list()).containsExactly("a.txt");
    }

    @Test
    void a_failing_writer_leaves_the_old_file_alone() {
        Path file = folder.resolve("a.txt");
        AtomicFiles.write(file, "old");

        assertThatThrownBy(() -> AtomicFiles.write(file, out -> {
                    out.write(new byte[100_000]);
                    throw new IOException("disk full");
                }))
                .isInstanceOf(FailedWriteException.class)
                .hasMessageContaining("disk full")
                .hasMessageContaining(file.toString());

        assertThat(file).hasContent("old");
        assertThat(folder.toFile().list()).containsExactly("a.txt");
    }

    @Test
    void a_new_file_has_the_rights_any_new_file_has() throws IOException {
        Path plain = Files.writeString(folder.resolve("plain"), "x");

        AtomicFiles.write(folder.resolve("ours"), "x");

        assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"));
        assertThat(Files.getPosixFilePermissions(folder.resolve("ours")))
                .isEqualTo(Files.getPosixFilePermissions(plain));
    }

    @Test
    void a_missing_folder_is_said() {
        assertThatThrownBy(() -> AtomicFiles.write(folder.resolve("none/a.txt"), "x"))
                .isInstanceOf(FailedWriteException.class)
                .hasMessageContaining("cannot write");
    }
}
