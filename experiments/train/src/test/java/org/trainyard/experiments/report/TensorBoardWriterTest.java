package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorBoardWriterTest {
    @TempDir
    Path folder;

    @Test
    void values_come_back_as_written() throws IOException {
        Path file;
        try (TensorBoardWriter writer = TensorBoardWriter.start(folder)) {
            writer.update(0, Map.of("reward", -1.5, "policy/entropy", 0.25));
            writer.update(1_000_000, Map.of("reward", 3e10));
            writer.update(1_000_001, Map.of("reward", Double.NaN));
            file = writer.file();
        }

        List<EventFile.Event> events = EventFile.read(file);
        assertThat(events).hasSize(4);
        assertThat(events.get(0).version()).isEqualTo("brain.Event:2");
        assertThat(events.get(1).step()).isZero();
        assertThat(events.get(1).scalars()).isEqualTo(Map.of("reward", -1.5f, "policy/entropy", 0.25f));
        assertThat(events.get(2).step()).isEqualTo(1_000_000);
        assertThat(events.get(2).scalars()).isEqualTo(Map.of("reward", (float) 3e10));
        assertThat(events.get(3).scalars().get("reward")).isNaN();
        assertThat(events.get(1).wallSeconds()).isGreaterThan(1.6e9);
        assertThat(String.valueOf(file.getFileName())).startsWith("events.out.tfevents.");
    }

    @Test
    void an_update_is_on_disk_before_the_next_one() throws IOException {
        try (TensorBoardWriter writer = TensorBoardWriter.start(folder)) {
            writer.update(1, Map.of("reward", 1.0));
            assertThat(EventFile.read(writer.file())).hasSize(2);
            writer.update(2, Map.of("reward", 2.0));
            assertThat(EventFile.read(writer.file())).hasSize(3);
        }
    }

    @Test
    void a_resumed_run_adds_a_file_and_says_where_it_goes_on() throws IOException {
        try (TensorBoardWriter first = TensorBoardWriter.start(folder);
                TensorBoardWriter second = TensorBoardWriter.resume(folder, 7)) {
            assertThat(second.file()).isNotEqualTo(first.file());
            assertThat(EventFile.read(first.file())).noneMatch(EventFile.Event::restart);
            EventFile.Event restart = EventFile.read(second.file()).get(1);
            assertThat(restart.restart()).isTrue();
            assertThat(restart.step()).isEqualTo(7);
        }
    }

    @Test
    void the_reader_notices_a_flipped_bit() throws IOException {
        Path file;
        try (TensorBoardWriter writer = TensorBoardWriter.start(folder)) {
            writer.update(1, Map.of("reward", 1.0));
            file = writer.file();
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 6] ^= 1;
        Files.write(file, bytes);

        assertThatThrownBy(() -> EventFile.read(file)).hasMessage("checksum does not hold");
    }

    @Test
    void tensorboard_reads_them_and_drops_what_a_resumed_run_repeats() throws Exception {
        assumeTrue(hasTensorBoard(), "python3 has no tensorboard: its own reader was not asked");
        try (TensorBoardWriter writer = TensorBoardWriter.start(folder)) {
            for (int i = 0; i < 10; i++) {
                writer.update(i, Map.of("reward", i + 0.5));
            }
        }
        // File names order by second of their making.
        Thread.sleep(1100);
        try (TensorBoardWriter writer = TensorBoardWriter.resume(folder, 6)) {
            writer.update(6, Map.of("reward", 60.0));
            writer.update(7, Map.of("reward", 70.0));
        }

        String printed = python("""
                import sys
                from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
                a = EventAccumulator(sys.argv[1])
                a.Reload()
                print(a.Tags()['scalars'], [(e.step, e.value) for e in a.Scalars('reward')])
                """, folder.toString());

        assertThat(printed.strip())
                .endsWith(
                        "['reward'] [(0, 0.5), (1, 1.5), (2, 2.5), (3, 3.5), (4, 4.5), (5, 5.5), (6, 60.0), (7, 70.0)]");
    }

    private static boolean hasTensorBoard() throws InterruptedException {
        try {
            Process process = new ProcessBuilder("python3", "-c", "import tensorboard")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String python(String program, String argument) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("python3", "-c", program, argument)
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
