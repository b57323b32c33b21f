package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.io.JsonText;

/** Files as people have them, in folders beside the checkout: each is answered with an account of it, or not at all. */
class AccountedLogsTest {
    /** Longer ones take minutes. */
    private static final long MOST_BYTES = 400_000;

    private static List<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(AccountedLogsTest::isShort).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isShort(Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) <= MOST_BYTES;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @Tag("thorough")
    @ValueSource(strings = {"field", "data"})
    void no_log_is_answered_without_its_account(String name) {
        Path folder = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", name);
        assumeTrue(Files.isDirectory(folder), () -> "skipped: there is no " + folder);
        int answered = 0;
        for (Path file : files(folder)) {
            Shell shell = Shell.command(
                    "when %s --cluster 200x8 --job 1gpus --scheduler fifo --learn 0 --futures 1 --json --partial",
                    file);

            if (shell.code() == 0) {
                answered++;
                assertThat(JsonText.read(shell.out()).at("/left_out").isArray())
                        .as(file.toString())
                        .isTrue();
            } else {
                assertThat(shell.code()).as("%s: %s", file, shell.err()).isEqualTo(2);
                assertThat(shell.out()).as(file.toString()).isEmpty();
                assertThat(shell.err().lines().filter(line -> line.startsWith("trainyard: ")))
                        .as("%s: %s", file, shell.err())
                        .hasSize(1);
            }
        }
        assertThat(answered).isPositive();
    }
}
