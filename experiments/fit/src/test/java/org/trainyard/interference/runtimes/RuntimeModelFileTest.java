package org.trainyard.interference.runtimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;

class RuntimeModelFileTest {
    private static final List<TraceJob> JOBS = Logs.generated(300, 1);
    private static final RuntimeModel MODEL = RuntimeModel.fit(Logs.replayed(JOBS));
    private static final byte[] BYTES = RuntimeModelFile.bytes(MODEL);

    @TempDir
    private Path dir;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(dir.resolve(RuntimeModelFile.NAME), bytes);
    }

    @Test
    void a_model_reads_back_to_the_same_answers_and_bytes() throws IOException {
        RuntimeModel read = RuntimeModelFile.load(file(BYTES));
        for (TraceJob job : JOBS) {
            assertThat(read.guess(RuntimeLog.job(0, job))).isEqualTo(MODEL.guess(RuntimeLog.job(0, job)));
        }
        assertThat(read.jobs()).isEqualTo(300);
        assertThat(RuntimeModelFile.bytes(read)).isEqualTo(BYTES);
    }

    @Test
    void equal_fits_write_equal_files() {
        assertThat(RuntimeModelFile.bytes(RuntimeModel.fit(Logs.replayed(JOBS))))
                .isEqualTo(BYTES);
    }

    @Test
    void any_flipped_bit_is_noticed() throws IOException {
        RandomGenerator random = RandomStreams.stream(1, "flips");
        for (int flip = 0; flip < 60; flip++) {
            byte[] damaged = BYTES.clone();
            int at = flip < 44 ? flip : random.nextInt(damaged.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Path file = file(damaged);
            assertThatThrownBy(() -> RuntimeModelFile.load(file))
                    .as("byte %d", at)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining(RuntimeModelFile.NAME);
        }
    }

    @Test
    void a_file_cut_short_is_noticed_wherever_it_was_cut() throws IOException {
        for (int length : new int[] {0, 7, 8, 12, 43, 44, 45, BYTES.length / 2, BYTES.length - 1}) {
            Path file = file(Arrays.copyOf(BYTES, length));
            assertThatThrownBy(() -> RuntimeModelFile.load(file))
                    .as("%d bytes", length)
                    .isInstanceOf(InputException.class);
        }
    }

    @Test
    void a_foreign_file_and_a_missing_one_are_called_so() throws IOException {
        Path foreign = file("job,gpus\na,8\n".repeat(20).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThatThrownBy(() -> RuntimeModelFile.load(foreign))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("another kind of file");
        assertThatThrownBy(() -> RuntimeModelFile.load(dir.resolve("none")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no such file");
    }
}
