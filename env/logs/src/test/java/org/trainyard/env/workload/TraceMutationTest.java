package org.trainyard.env.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.LogSamples;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.trace.audit.TraceStatistics;

/** Trace files broken at random are read or refused: {@code -Dtrainyard.mutants=N} tries N of each format. */
class TraceMutationTest {
    private static final int MUTANTS = Integer.getInteger("trainyard.mutants", 100);
    private static final String NASTY = "\"\n\r\t,|#-+.eE09\0\u007F";

    @TempDir
    Path dir;

    @ParameterizedTest
    @MethodSource("org.trainyard.env.workload.log.LogSamples#formats")
    void a_damaged_file_is_read_or_refused_but_nothing_else_happens(LogFormat format) {
        assertTimeoutPreemptively(Duration.ofSeconds(60 + MUTANTS / 10), () -> {
            int refused = 0;
            for (int mutant = 0; mutant < MUTANTS; mutant++) {
                RandomGenerator random = RandomStreams.stream(mutant, format.label());
                byte[] bytes = LogSamples.sample(format);
                boolean zipped = random.nextInt(4) == 0;
                bytes = mutated(zipped ? gzip(bytes) : bytes, random);
                // A file of its own: one that is written again is flushed to the disk each time.
                Path file = Files.write(dir.resolve("mutant" + mutant), bytes);
                refused += refuses(file, mutant) ? 1 : 0;
                Files.delete(file);
            }
            assertThat(refused).isBetween(1, MUTANTS - 1);
        });
    }

    private static boolean refuses(Path file, int number) {
        String mutant = "mutant " + number;
        boolean strict = number % 5 == 0;
        try {
            Trace trace = TraceReader.read(file, new TraceReader.Options(null, null, strict));
            assertThat(strict && trace.badLineCount() > 0).as(mutant).isFalse();
            assertThat(trace.jobs()).as(mutant).isNotEmpty();
            assertThat(trace.badLineCount())
                    .as(mutant)
                    .isGreaterThanOrEqualTo(trace.badLines().size());
            TraceStatistics.of(trace).lines(null, "VC");
            return false;
        } catch (InputException e) {
            assertThat(e.getMessage()).as(mutant).contains(file.toString()).doesNotContain("\n", "\r");
            return true;
        }
    }

    private static byte[] mutated(byte[] bytes, RandomGenerator random) {
        byte[] result = bytes.clone();
        for (int times = 1 + random.nextInt(8); times > 0 && result.length > 1; times--) {
            int at = random.nextInt(result.length);
            int length = 1 + random.nextInt(Math.min(40, result.length - at));
            switch (random.nextInt(6)) {
                case 0 -> result[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> result[at] = (byte) random.nextInt(256);
                case 2 -> result = without(result, at, length);
                case 3 -> result = random.nextInt(4) == 0 ? Arrays.copyOf(result, at) : result;
                case 4 -> result = inserted(result, at, Arrays.copyOfRange(result, at, at + length));
                default -> result[at] = (byte) NASTY.charAt(random.nextInt(NASTY.length()));
            }
        }
        return result;
    }

    private static byte[] without(byte[] bytes, int at, int length) {
        byte[] result = Arrays.copyOf(bytes, bytes.length - length);
        System.arraycopy(bytes, at + length, result, at, bytes.length - at - length);
        return result;
    }

    private static byte[] inserted(byte[] bytes, int at, byte[] more) {
        byte[] result = Arrays.copyOf(bytes, bytes.length + more.length);
        System.arraycopy(more, 0, result, at, more.length);
        System.arraycopy(bytes, at, result, at + more.length, bytes.length - at);
        return result;
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(buffer)) {
            out.write(bytes);
        }
        return buffer.toByteArray();
    }
}
