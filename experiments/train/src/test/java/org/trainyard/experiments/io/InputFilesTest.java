package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFilesTest {
    @TempDir
    private Path folder;

    @Test
    void an_input_that_is_a_pipe_is_said_to_be_one_once() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "skipped: this system makes no pipes by name");
        new ProcessBuilder("/usr/bin/mkfifo", pipe.toString()).start().waitFor();
        Path file = Files.writeString(folder.resolve("file"), "x");
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertThat(InputFiles.readable(pipe)).isEqualTo(InputFiles.readable(pipe));
            InputFiles.readable(file);
        } finally {
            System.setErr(before);
        }
        assertThat(said.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains(pipe.toString(), "is a pipe");
    }
}
