package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.topology.Topologies;

class SnapshotTest {
    private static void runFor(Simulator simulator, Scheduler scheduler, int decisions) {
        int left = decisions;
        while (left > 0 && simulator.advance()) {
            Decision decision;
            do {
                decision = scheduler.decide(simulator.view());
                simulator.apply(decision);
            } while (--left > 0 && !(decision instanceof Decision.Wait));
        }
    }

    private static String finish(Simulator simulator, Scheduler scheduler) {
        while (simulator.isAsking() || simulator.advance()) {
            simulator.decide(scheduler);
        }
        return simulator.result().eventLogSha256()
                + simulator.jobSeconds()
                + simulator.busyGpuSeconds()
                + simulator.result().jobs();
    }

    private static Contention contention(long seed) {
        return seed % 3 == 0
                ? new Contention.MaxMin()
                : seed % 3 == 1 ? new Contention.SjfBco(0.2, 1) : Contention.NONE;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void a_fork_anywhere_and_the_original_come_to_the_same_end(long seed) throws IOException {
        MixedWorld world = new MixedWorld(seed, contention(seed));
        String uninterrupted = finish(world.simulator(), world.chaos());

        for (int decisions = 1; decisions < 400; decisions = 2 * decisions + 3) {
            Simulator simulator = world.simulator();
            runFor(simulator, world.chaos(), decisions);
            Simulator fork = simulator.fork(world.predictor());

            assertThat(bytes(fork)).isEqualTo(bytes(simulator));
            assertThat(finish(fork, world.chaos())).isEqualTo(uninterrupted);
            assertThat(finish(simulator, world.chaos())).isEqualTo(uninterrupted);
        }
    }

    @Test
    void a_fork_goes_its_own_way() {
        MixedWorld world = new MixedWorld(7, Contention.NONE);
        Simulator simulator = world.simulator();
        runFor(simulator, world.chaos(), 50);
        Simulator fork = simulator.fork(world.predictor());
        String original = finish(simulator, world.chaos());

        assertThat(finish(fork, new MixedWorld(8, Contention.NONE).chaos())).isNotEqualTo(original);
    }

    @Test
    void a_snapshot_survives_the_end_of_its_process(@TempDir Path dir) throws IOException, InterruptedException {
        MixedWorld world = new MixedWorld(Restarted.SEED, contention(Restarted.SEED));
        Simulator simulator = world.simulator();
        runFor(simulator, world.chaos(), 123);
        Path file = dir.resolve("simulation.snapshot");
        try (OutputStream out = Files.newOutputStream(file)) {
            simulator.snapshot().write(out);
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Restarted.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(out).isZero();
        assertThat(out.strip()).isEqualTo(finish(simulator, world.chaos()).strip());
    }

    /** The other process. */
    static final class Restarted {
        static final long SEED = 4;

        private Restarted() {}

        public static void main(String[] args) throws IOException {
            MixedWorld world = new MixedWorld(SEED, contention(SEED));
            Path file = Path.of(args[0]);
            try (InputStream in = Files.newInputStream(file)) {
                Snapshot snapshot = Snapshot.read(in, file.toString());
                Simulator simulator = Simulator.restore(
                        snapshot, world.topology, world.workload, world.truth, world.predictor(), world.options());
                System.out.println(finish(simulator, world.chaos()));
            }
        }
    }

    private static byte[] bytes() throws IOException {
        return bytes(new MixedWorld(1, Contention.NONE).simulator());
    }

    private static byte[] bytes(Simulator simulator) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        simulator.snapshot().write(out);
        return out.toByteArray();
    }

    private static Snapshot read(byte[] bytes) throws IOException {
        return Snapshot.read(new ByteArrayInputStream(bytes), "s.snapshot");
    }

    @Test
    void a_snapshot_of_something_else_is_refused() throws IOException {
        MixedWorld other = new MixedWorld(2, Contention.NONE);
        Snapshot snapshot = read(bytes());

        assertThatThrownBy(() -> Simulator.restore(
                        snapshot, other.topology, other.workload, other.truth, other.predictor(), other.options()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("of another simulation");
        assertThatThrownBy(() -> snapshot.checkIsOf(Topologies.small(), new MixedWorld(1, Contention.NONE).workload))
                .hasMessageContaining("of another simulation");
    }

    @Test
    void foreign_and_damaged_files_are_refused_wherever_the_damage_is() throws IOException {
        byte[] good = bytes();
        assertThatThrownBy(() -> read("no snapshot at all, but long enough to be one".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("a snapshot of a simulation");
        for (int at = 0; at < good.length; at++) {
            byte[] damaged = good.clone();
            damaged[at] ^= 4;
            assertThatThrownBy(() -> read(damaged))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("s.snapshot");
        }
        byte[] newer = good.clone();
        newer[21]++;
        assertThatThrownBy(() -> read(newer)).hasMessageContaining("version").hasMessageContaining("4");
        for (int length : new int[] {0, 5, 30, 60, good.length - 1}) {
            assertThatThrownBy(() -> read(java.util.Arrays.copyOf(good, length)))
                    .isInstanceOf(InputException.class);
        }
    }
}
