package org.trainyard.experiments.killed;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.TrainyardProcess;

/**
 * Training that is killed and resumed every time: while it writes, starts and learns in the default build, ten random
 * times in the thorough one. {@code -Dtrainyard.kills=N} kills it N random times.
 */
class KilledTrainingTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final int KILLS = Integer.getInteger("trainyard.kills", 10);
    private static final int LONGEST_DELAY_MILLIS = 120;
    private static final List<String> FILES = List.of(
            "checkpoints/best/policy.bin",
            "checkpoints/best/provenance.json",
            "checkpoints/last/policy.bin",
            "summary.json",
            "jobs.csv");

    enum Learner {
        DQN(
                "baselines/dqn.yaml",
                "learner.updates",
                "learner.episodes_per_update=1",
                "learner.references=2",
                "learner.remembered=200",
                "learner.warm_up=50",
                "learner.learn_every=8",
                "learner.batch=8"),
        AUCTION(
                "auction/scratch-preemption.yaml",
                "learner.updates",
                "cluster=small",
                "learner.episodes_per_update=1",
                "learner.plays_per_episode=3",
                "learner.minibatch=32"),
        /** With both levels of the encoder, priced by a belief. */
        TWO_LEVELS(
                "auction/two-levels.yaml",
                "learner.updates",
                "learner.episodes_per_update=1",
                "learner.plays_per_episode=3",
                "learner.minibatch=32");

        private final String config;
        /** The key of the number of updates. */
        private final String length;
        /** Replaced in the config, one after another. */
        private final String values;

        Learner(String config, String length, String... values) {
            this.config = config;
            this.length = length;
            this.values = String.join(" ", values);
        }

        List<String> train(Path out, int updates, String... more) {
            List<String> args = new ArrayList<>(List.of(
                    "train", ROOT.resolve("experiments/configs").resolve(config).toString(), "--out", out.toString()));
            Stream.concat(
                            Stream.of(values.split(" ")),
                            Stream.of(
                                    length + "=" + updates,
                                    "episodes.jobs=20",
                                    "episodes.validation=1",
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

    /**
     * When a process is killed: a delay after it has written some checkpoints, or as soon as it writes a file after
     * them.
     *
     * @param delayMillis not used while writing
     */
    private record Moment(int checkpoints, int delayMillis, boolean whileWriting) {
        static Moment random(RandomGenerator random) {
            return new Moment(random.nextInt(3), random.nextInt(LONGEST_DELAY_MILLIS), random.nextInt(3) == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "AUCTION", mode = EnumSource.Mode.EXCLUDE)
    @Timeout(600)
    void a_run_killed_while_it_writes_ends_like_one_never_stopped(Learner learner) throws Exception {
        killAndCompare(learner, 4, List.of(new Moment(1, 0, true)));
    }

    @Test
    @Timeout(600)
    void a_run_killed_again_while_it_starts_and_learns_ends_like_one_never_stopped() throws Exception {
        killAndCompare(Learner.AUCTION, 8, List.of(new Moment(0, 100, false), new Moment(1, 40, false)));
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource
    @Timeout(600)
    void a_run_killed_at_random_moments_ends_like_one_never_stopped(Learner learner) throws Exception {
        RandomGenerator random = RandomStreams.stream(1, "test/kills/" + learner);
        killAndCompare(
                learner,
                4 * KILLS,
                Stream.generate(() -> Moment.random(random)).limit(KILLS).toList());
    }

    private void killAndCompare(Learner learner, int updates, List<Moment> moments) throws Exception {
        Path straight = folder.resolve("straight");
        assertThat(Shell.run(learner.train(straight, updates)).code()).isZero();
        killed = folder.resolve("killed");
        int kills = 0;
        while (kills < moments.size()) {
            Process process =
                    TrainyardProcess.start(folder.resolve("killed.log"), learner.train(killed, updates, goOn()));
            await(moments.get(kills), process);
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
        assertThat(Shell.run(learner.train(killed, updates, goOn())).code()).isZero();
        assertEqual(straight);
    }

    private String[] goOn() {
        return Files.exists(trainer()) ? new String[] {"--resume"} : new String[0];
    }

    private Path trainer() {
        return killed.resolve("checkpoints/last/trainer.bin");
    }

    private void await(Moment moment, Process process) throws Exception {
        int checkpoints = moment.checkpoints;
        Object seen = identity();
        while (checkpoints > 0 && process.isAlive()) {
            Object now = identity();
            if (now != null && !now.equals(seen)) {
                seen = now;
                checkpoints--;
            }
            Thread.sleep(1);
        }
        if (moment.whileWriting) {
            while (process.isAlive() && !isWriting()) {
                Thread.onSpinWait();
            }
        } else {
            process.waitFor(moment.delayMillis, TimeUnit.MILLISECONDS);
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
