package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Processes that are ended with a hint open and with one closed. */
class InterruptionHintTest {
    /** Says that it is ready and waits for its end; a hint that was closed before stays silent. */
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] args) throws InterruptedException {
            new InterruptionHint("a hint that was closed").close();
            InterruptionHint hint = new InterruptionHint("go on like this");
            System.out.println("ready " + InterruptionHint.isEnding());
            Thread.sleep(60_000);
            hint.close();
        }
    }

    @Test
    void a_process_that_is_ended_says_the_open_hint_alone() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Waiting.class.getName())
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
                BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("ready false");
            process.toHandle().destroy(); // the process itself would close its streams
            assertThat(err.lines().filter(line -> !line.isBlank())).containsExactly("go on like this");
            assertThat(process.waitFor()).isNotZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
