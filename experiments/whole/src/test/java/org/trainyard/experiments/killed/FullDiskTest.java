package org.trainyard.experiments.killed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.killed.KilledCommandsTest.Command;

/**
 * Commands on a disk that becomes full while they write: a small file system in memory, skipped where this user may not
 * mount one.
 */
@Tag("thorough")
class FullDiskTest {
    private static final int FEWEST_KILOBYTES = 4;
    private static final int MOST_KILOBYTES = 1 << 16;

    @TempDir
    private Path folder;

    private boolean isMounted;

    private static boolean did(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private Path disk() {
        return folder.resolve("disk");
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (isMounted) {
            assertThat(did("umount", disk().toString())).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(600)
    void a_full_disk_is_said_in_a_line_and_leaves_whole_files_with_which_the_command_goes_on(Command command)
            throws Exception {
        Files.createDirectories(disk());
        isMounted =
                did("mount", "-t", "tmpfs", "-o", "size=%dk".formatted(FEWEST_KILOBYTES), "tmpfs", disk().toString());
        assumeTrue(isMounted, "this user may not mount a file system");
        Path straight = folder.resolve("straight");
        assertThat(Shell.run(command.args(straight)).code()).isZero();
        Path out = disk().resolve("out");
        int refusals = 0;
        for (int kilobytes = FEWEST_KILOBYTES; ; kilobytes *= 2) {
            Shell shell = Shell.run(command.args(out));
            if (shell.code() == 0) {
                break;
            }
            refusals++;
            List<String> lines = shell.err()
                    .lines()
                    .filter(line -> line.startsWith("trainyard: "))
                    .toList();
            assertThat(lines).as(shell.err()).hasSize(1);
            assertThat(lines.get(0)).contains("cannot write " + disk(), "No space left on device");
            assertThat(shell.err()).doesNotContain("\tat ");
            assertThat(unfinished(out)).isEmpty();
            assertThat(kilobytes).isLessThan(MOST_KILOBYTES);
            assertThat(did("mount", "-o", "remount,size=%dk".formatted(2 * kilobytes), disk().toString()))
                    .isTrue();
        }
        assertThat(refusals).isPositive();
        assertThat(KilledCommandsTest.files(out).keySet())
                .isEqualTo(KilledCommandsTest.files(straight).keySet());
        KilledCommandsTest.files(straight)
                .forEach((name, bytes) -> assertThat(out.resolve(name)).as(name).hasBinaryContent(bytes));
    }

    private static List<Path> unfinished(Path out) throws IOException {
        List<Path> left = new ArrayList<>();
        if (Files.exists(out)) {
            try (Stream<Path> tree = Files.walk(out)) {
                tree.filter(file -> file.toString().endsWith(".part")
                                || file.toString().endsWith(".tmp"))
                        .forEach(left::add);
            }
        }
        return left;
    }
}
