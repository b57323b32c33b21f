package org.trainyard.experiments.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;

class ExportFolderTest {
    @TempDir
    Path folder;

    private void export(String content, boolean force) throws IOException {
        try (ExportFolder files = new ExportFolder(folder.resolve("out"), force)) {
            Files.writeString(files.file(PolicyExport.CONTRACT), content);
            files.publish();
        }
    }

    @Test
    void two_exports_to_one_place_do_not_meet() throws IOException {
        try (ExportFolder first = new ExportFolder(folder.resolve("out"), true)) {
            assertThatThrownBy(() -> export("second", true))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("is writing to it");
            Files.writeString(first.file(PolicyExport.CONTRACT), "first");
            first.publish();
        }

        assertThat(folder.resolve("out").resolve(PolicyExport.CONTRACT)).hasContent("first");
        assertThat(folder.toFile().list()).containsExactly("out");
    }

    @Test
    void what_a_killed_export_left_is_cleared_and_the_export_before_comes_back() throws IOException {
        Files.createDirectories(folder.resolve(".out.part/checkpoint"));
        Files.createDirectories(folder.resolve(".out.old"));
        Files.writeString(folder.resolve(".out.old").resolve(PolicyExport.CONTRACT), "before");

        assertThatThrownBy(() -> export("new", false)).hasMessageContaining("holds an export");

        assertThat(folder.resolve("out").resolve(PolicyExport.CONTRACT)).hasContent("before");
        export("new", true);
        assertThat(folder.resolve("out").resolve(PolicyExport.CONTRACT)).hasContent("new");
        assertThat(folder.toFile().list()).containsExactly("out");
    }
}
