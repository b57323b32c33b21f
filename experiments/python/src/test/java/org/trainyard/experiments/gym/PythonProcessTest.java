package org.trainyard.experiments.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;

/** Programs in place of Python. */
class PythonProcessTest {
    @TempDir
    private Path temporary;

    @TempDir
    private Path programs;

    @Test
    void a_program_that_is_not_there_is_refused_and_leaves_nothing() {
        String none = programs.resolve("none").toString();

        assertThatThrownBy(() -> PythonProcess.start("own.py", none, temporary))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(
                        "TRAINYARD_PYTHON: '%s' is not valid: expected a Python of version 3.9 or later", none);
        assertThat(temporary).isEmptyDirectory();
    }

    /** The last two would run for ever. The socket of the second is there when it ends. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "exit 3| did not start",
                "touch \"$4\"| did not start",
                "echo Python 2.7| did not start",
                "echo '{\"refused\": \"own.py: no such file\"}' | own.py: no such file",
                "while echo no; do sleep 0.1; done| did not start",
                "echo '[]' && exec sleep 600| did not start"
            })
    void a_program_that_does_not_start_the_file_is_refused_and_leaves_nothing(String script, String said)
            throws IOException {
        Path program = Files.writeString(programs.resolve("python"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThatThrownBy(() -> PythonProcess.start("own.py", program.toString(), temporary))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(said);
        assertThat(temporary).isEmptyDirectory();
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}
