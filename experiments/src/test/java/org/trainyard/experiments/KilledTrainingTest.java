package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.env.RandomStreams;

/**
 * Training killed again and again while it starts, learns, validates and writes, and resumed every time. {@code -Dtrainyard.kills=N}
 * kills every learner N times; without it PPO and the search are killed ten times, and deep Q-learning three.
 */
class KilledTrainingTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final int LONGEST_DELAY_MILLIS = 120;
    private static final List<String> FILES =
            List.of("checkpoints/best/policy.bin", "checkpoints/last/policy.bin", "summary.json", "jobs.csv");

    enum Learner {
        PPO(
                10,
                "ppo.yaml",
                "learner.updates=40",
                "learner.environments=2",
                "learner.steps_per_update=128",
                "learner.minibatch=64"),
        SEARCH(
                10,
                "quickstart.yaml",
                "learner.generations=40",
                "learner.population=6",
                "learner.elites=2",
                "learner.episodes=2"),
        DQN(
                3,
                "baselines/dqn.yaml",
                "learner.updates=40",
                "learner.decisions_per_update=25",
                "learner.remembered=100",
                "learner.warm_up=50",
                "learner.batch=4");

        private final int kills;
        private final String config;
        /** Replaced in it, one after another. */
        private final String values;

        Learner(int kills, String config, String... values) {
            this.kills = Integer.getInteger("trainyard.kills", kills);
            this.config = config;
            this.values = String.join(" ", values);
        }

        List<String> train(Path out, String... more) {
            List<String> args = new ArrayList<>(List.of(
                    "train", ROOT.resolve("experiments/configs").resolve(config).toString(), "--out", out.toString()));
            Stream.concat(
                            Stream.of(values.split(" ")),
                            Stream.of(
                                    "episodes.jobs=30",
                                    "episodes.validation=2",
                                    "episodes.test=2",
                                    "validate_every=2",
                                    "checkpoint_every=1",
                                    "schedulers=[fifo]"))
                    .forEach(value -> args.addAll(List.of("--set", value)));
            args.addAll(List.of(more));
            return args;
        }
    }

    @TempDir
    private Path folder;

    private Path killed = Path.of("");

    @ParameterizedTest
    @EnumSource(Learner.class)
    @Timeout(600)
    void a_run_killed_at_random_moments_ends_like_one_never_stopped(Learner learner) throws Exception {
        Path straight = folder.resolve("straight");
        assertThat(Shell.run(learner.train(straight)).code()).isZero();
        killed = folder.resolve("killed");
        RandomGenerator random = RandomStreams.stream(1, "test/kills/" + learner);
        int kills = 0;
        while (kills < learner.kills) {
            Process process = TrainyardProcess.start(folder.resolve("killed.log"), learner.train(killed, goOn()));
            awaitMoment(process, random);
            process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
            if (process.exitValue() == 0) {
                // Too fast for us, and right all the same; what is still to be killed is another run.
                assertEqual(straight);
                delete(killed);
            } else {
                assertThat(process.exitValue())
                        .as(() -> "exit code; see " + text(folder.resolve("killed.log")))
                        .isEqualTo(128 + 9);
                kills++;
            }
        }
        assertThat(Shell.run(learner.train(killed, goOn())).code()).isZero();
        assertEqual(straight);
    }

    private String[] goOn() {
        return Files.exists(trainer()) ? new String[] {"--resume"} : new String[0];
    }

    private Path trainer() {
        return killed.resolve("checkpoints/last/trainer.bin");
    }

    /** Waits for none to two checkpoints and a little; or until a file is being written. */
    private void awaitMoment(Process process, RandomGenerator random) throws Exception {
        int checkpoints = random.nextInt(3);
        int delayMillis = random.nextInt(LONGEST_DELAY_MILLIS);
        boolean whileWriting = random.nextInt(3) == 0;
        Object seen = identity();
        while (checkpoints > 0 && process.isAlive()) {
            Object now = identity();
            if (now != null && !now.equals(seen)) {
                seen = now;
                checkpoints--;
            }
            Thread.sleep(1);
        }
        if (whileWriting) {
            while (process.isAlive() && !isWriting()) {
                Thread.onSpinWait();
            }
        } else {
            process.waitFor(delayMillis, TimeUnit.MILLISECONDS);
        }
    }

    /** Which file the checkpoint is: another one after every write. */
    private @Nullable Object identity() throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(trainer(), BasicFileAttributes.class);
            return List.of(String.valueOf(attributes.fileKey()), attributes.lastModifiedTime());
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private boolean isWriting() {
        return !unfinished().isEmpty();
    }

    private List<String> unfinished() {
        List<String> names = new ArrayList<>();
        for (String part : List.of("last", "best")) {
            String[] files = killed.resolve("checkpoints")
                    .resolve(part)
                    .toFile()
                    .list((dir, name) -> name.endsWith(".tmp") || name.endsWith(".part"));
            names.addAll(files == null ? List.of() : List.of(files));
        }
        return names;
    }

    private void assertEqual(Path straight) throws IOException {
        for (String file : FILES) {
            assertThat(Files.mismatch(straight.resolve(file), killed.resolve(file)))
                    .as(file)
                    .isEqualTo(-1);
        }
        assertThat(unfinished()).isEmpty();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
