package org.trainyard.experiments.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.binding.Nearest;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Sha256;

/**
 * A task of the frozen benchmark: an experiment in {@code experiments/benchmark}, named {@code NAME-vVERSION}, whose
 * test episodes every scheduler plays.
 *
 * <p>A task never changes: what alters a score makes a new version.
 *
 * @param question that the task asks, a sentence or two
 */
public record BenchmarkTask(String question, ExperimentConfig config) {
    /** The name that stands for all tasks. */
    public static final String ALL = "all";

    private static final String SUFFIX = ".yaml";
    private static final String COMMENT = "#";

    /** Keys that no score depends on: those of training, and the environment, which a trained policy brings along. */
    private static final Set<String> UNSCORED =
            Set.of("environment", "network", "learner", "worlds", "validate_every", "checkpoint_every", "schedulers");

    /** The folder of the tasks in the source tree. */
    public static Path folder() {
        Path folder = Path.of(System.getProperty("trainyard.root", "."), "experiments", "benchmark");
        if (!Files.isDirectory(folder)) {
            throw new InputException("%s: no such folder: expected the tasks of the source tree".formatted(folder));
        }
        return folder;
    }

    /** The names of all tasks, in alphabetical order. */
    public static List<String> names() {
        return InputFiles.ofFileOrFolder(folder(), SUFFIX).stream()
                .map(file -> String.valueOf(file.getFileName()))
                .map(file -> file.substring(0, file.length() - SUFFIX.length()))
                .toList();
    }

    /**
     * The task of this name.
     *
     * @param place of the name in messages
     */
    public static BenchmarkTask named(String place, String name) {
        List<String> known = names();
        if (!known.contains(name)) {
            throw InputException.at(place, name, Nearest.oneOf(name, known));
        }
        Path file = folder().resolve(name + SUFFIX);
        ExperimentConfig config = ConfigReader.read(file, List.of());
        if (!config.name().equals(name)) {
            throw InputException.at("%s, name".formatted(file), config.name(), name + ", as the file");
        }
        return new BenchmarkTask(question(InputFiles.text(file)), config);
    }

    /** The comment with which the file begins, up to an empty line of it. */
    private static String question(String yaml) {
        return yaml.lines()
                .takeWhile(line -> line.startsWith(COMMENT) && line.length() > COMMENT.length())
                .map(line -> line.substring(COMMENT.length()).strip())
                .collect(Collectors.joining(" "));
    }

    public String name() {
        return config.name();
    }

    /** SHA-256 of everything in the resolved config that a score depends on. */
    public String sha256() {
        Map<String, @Nullable Object> keys = ConfigWriter.plain(config);
        keys.keySet().removeAll(UNSCORED);
        Map<String, @Nullable Object> scored = new LinkedHashMap<>();
        // The key had this name when scores were first measured.
        keys.forEach((key, value) -> scored.put(key.equals("colocation_knowledge") ? "sharers" : key, value));
        return Sha256.of(JsonText.compact(JsonText.tree(scored)));
    }

    /** Returns this task with the agents of another config, for a policy that was trained by that config. */
    BenchmarkTask playedBy(ExperimentConfig trained) {
        return new BenchmarkTask(
                question,
                new ExperimentConfig(
                        config.name(),
                        config.seed(),
                        config.cluster(),
                        config.workload(),
                        config.episodes(),
                        config.physics(),
                        config.belief(),
                        config.colocationKnowledge(),
                        config.runtime(),
                        trained.environment(),
                        trained.network(),
                        trained.learner(),
                        null,
                        null,
                        config.validateEvery(),
                        config.checkpointEvery(),
                        config.schedulers()));
    }
}
