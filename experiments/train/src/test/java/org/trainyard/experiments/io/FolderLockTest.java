package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;

@Timeout(60)
class FolderLockTest {
    @TempDir
    Path folder;

    /** A process of its own that takes the lock of a folder, says so, and keeps it until its input ends. */
    static final class Holder {
        public static void main(String[] args) throws IOException {
            FolderLock lock = FolderLock.take(Path.of(args[0]));
            System.out.println("held");
            assertThat(System.in.read()).isNegative();
            lock.close();
        }

        private Holder() {}
    }

    private Process holder() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        assertThat(lines.readLine()).isEqualTo("held");
        return process;
    }

    @Test
    void a_folder_that_was_made_for_the_lock_stays_only_with_something_in_it() throws IOException {
        Path empty = folder.resolve("empty");
        Path written = folder.resolve("written");

        FolderLock.during(empty, () -> {});
        FolderLock.during(written, () -> AtomicFiles.write(written.resolve("a.txt"), "a"));

        assertThat(empty).doesNotExist();
        assertThat(written.resolve("a.txt")).exists();
        FolderLock.during(folder, () -> {});
        assertThat(folder).exists();
    }

    @Test
    void a_folder_has_one_writer_at_a_time_and_a_second_one_learns_its_process() throws Exception {
        Process holder = holder();

        assertThatThrownBy(() -> FolderLock.take(folder))
                .isInstanceOf(InputException.class)
                .hasMessage("%s: process %d is writing to it: expected that no other command does"
                        .formatted(folder, holder.pid()));

        holder.getOutputStream().close();
        assertThat(holder.waitFor()).isZero();
        FolderLock.take(folder).close();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void the_lock_of_a_killed_process_is_taken_over() throws Exception {
        Process holder = holder();
        holder.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        assertThat(folder.resolve(FolderLock.FILE)).exists();

        FolderLock.take(folder).close();

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_refused_attempt_in_the_same_process_leaves_the_lock_alone() throws Exception {
        FolderLock lock = FolderLock.take(folder);
        assertThatThrownBy(() -> FolderLock.take(folder.resolve("../" + folder.getFileName())))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(
                        "process %d is writing", ProcessHandle.current().pid());

        assertThatThrownBy(this::holder).isInstanceOf(AssertionError.class);
        lock.close();
        lock.close();
        assertThatCode(() -> holder().destroyForcibly().waitFor()).doesNotThrowAnyException();
    }

    @Test
    void the_lock_is_given_up_after_work_that_fails() {
        assertThatThrownBy(() -> FolderLock.during(folder, () -> {
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");

        FolderLock.during(
                folder, () -> assertThat(folder.resolve(FolderLock.FILE)).isNotEmptyFile());
    }

    @Test
    void a_link_in_place_of_the_lock_file_is_refused_and_what_it_names_is_left() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "mine");
        Path run = Files.createDirectory(folder.resolve("run"));
        Files.createSymbolicLink(run.resolve(FolderLock.FILE), precious);
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.createSymbolicLink(other.resolve(FolderLock.FILE), folder.resolve("new"));

        for (Path one : List.of(run, other)) {
            assertThatThrownBy(() -> FolderLock.take(one))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("no link");
        }
        assertThat(precious).hasContent("mine");
        assertThat(folder.resolve("new")).doesNotExist();
    }
}
