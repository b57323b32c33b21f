package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.log.TraceReader;

/** What a parser refuses is said in words of the file, not of the parser. */
class UnparsableLogTest {
    @TempDir
    private Path folder;

    @Test
    void the_message_names_no_class_of_a_parser() throws IOException {
        Path deep = Files.writeString(folder.resolve("deep.json"), "{\"jobs\": [{\"a\": " + "[".repeat(5_000));

        assertThatThrownBy(() -> TraceReader.read(deep, TraceReader.Options.DEFAULT))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("deep.json")
                .hasMessageContaining("nesting depth")
                .hasMessageNotContaining("Exception")
                .hasMessageNotContaining("Constraints");
    }
}
