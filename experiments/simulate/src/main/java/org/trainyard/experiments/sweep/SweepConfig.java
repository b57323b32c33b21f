package org.trainyard.experiments.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.Overrides;
import org.trainyard.env.binding.Yaml;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.InputFiles;

/**
 * The configuration of a sweep: the content of a YAML file.
 *
 * @param name of its folder
 * @param config the experiment, a file in or from the folder of this one, or from the working directory
 * @param train whether every run trains a policy; otherwise it evaluates the schedulers of the experiment
 * @param set values of the experiment in every run, each {@code a.b=value}
 * @param keys the keys that are varied
 */
public record SweepConfig(
        String name, String config, boolean train, List<String> set, List<SweptKey> keys, SweepSearch search) {
    private static final String NAMES = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

    public SweepConfig {
        set = List.copyOf(set);
        keys = List.copyOf(keys);
        if (!name.matches(NAMES)) {
            throw new InvalidFieldException("name", name, "letters, digits, dots, dashes and underscores");
        }
        if (keys.isEmpty() || keys.stream().map(SweptKey::key).distinct().count() < keys.size()) {
            throw new InvalidFieldException("keys", keys, "at least one key, each once");
        }
    }

    /**
     * Reads a file and puts overrides into it. The path of the experiment starts at the working directory in the
     * result.
     */
    public static SweepConfig read(Path file, List<String> overrides) {
        Yaml root = YamlReader.read(file.toString(), InputFiles.text(file));
        Overrides.apply(root, overrides, SweepConfig.class);
        SweepConfig read = Binder.bind(root, SweepConfig.class);
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        Path beside = folder.resolve(InputFiles.pathIn(read.config())).normalize();
        Path named = Files.exists(beside) ? beside : InputFiles.path(read.config());
        if (!Files.isRegularFile(named)) {
            throw InputException.at(file + ", config", read.config(), "the config of an experiment; no such file");
        }
        Path working = InputFiles.workingDirectory();
        String relative = (named.startsWith(working) ? working.relativize(named) : named).toString();
        return new SweepConfig(read.name(), relative, read.train(), read.set(), read.keys(), read.search());
    }

    /** The values of all runs, in the order of the keys; each is a config that can be read. */
    public List<List<String>> points() {
        List<List<String>> points = search.points(keys);
        points.forEach(this::experiment);
        return points;
    }

    /** The overrides of the experiment in a run. */
    public List<String> overrides(List<String> point) {
        List<String> swept = new ArrayList<>();
        for (int k = 0; k < keys.size(); k++) {
            swept.add(keys.get(k).key() + "=" + point.get(k));
        }
        return Stream.concat(set.stream(), swept.stream()).toList();
    }

    /** The experiment of a run. */
    public ExperimentConfig experiment(List<String> point) {
        return ConfigReader.read(InputFiles.path(config), overrides(point));
    }

    /** Which combinations of values a sweep tries. */
    public sealed interface SweepSearch {
        /** Runs of a sweep, at most. */
        int MOST = 100_000;

        /** The values of all runs, in the order of the keys. */
        List<List<String>> points(List<SweptKey> keys);

        /** Every combination, the last key fastest. */
        record Grid() implements SweepSearch {
            @Override
            public List<List<String>> points(List<SweptKey> keys) {
                List<List<String>> points = List.of(List.of());
                for (SweptKey key : keys) {
                    if (!(key instanceof SweptKey.Values values)) {
                        throw InputException.at(
                                "keys", key.key(), "values for a grid; a range needs search {type: Random, ...}");
                    }
                    if ((long) points.size() * values.values().size() > MOST) {
                        throw new InputException(
                                "keys: more than %d combinations: expected fewer values, or search {type: Random, ...}"
                                        .formatted(MOST));
                    }
                    points = points.stream()
                            .flatMap(point -> values.values().stream().map(value -> with(point, value)))
                            .toList();
                }
                return points;
            }

            private static List<String> with(List<String> point, String value) {
                List<String> longer = new ArrayList<>(point);
                longer.add(value);
                return List.copyOf(longer);
            }
        }

        /**
         * Values drawn at random, those of every key independently.
         *
         * @param samples runs
         * @param seed of the draws
         */
        record Random(int samples, long seed) implements SweepSearch {
            public Random {
                if (samples < 1 || samples > MOST) {
                    throw new InvalidFieldException("samples", samples, "a whole number, 1 to %d".formatted(MOST));
                }
            }

            @Override
            public List<List<String>> points(List<SweptKey> keys) {
                List<List<String>> points = new ArrayList<>();
                for (int sample = 0; sample < samples; sample++) {
                    RandomGenerator random = RandomStreams.stream(seed, "sweep/" + sample);
                    points.add(keys.stream().map(key -> key.draw(random)).toList());
                }
                return points;
            }
        }
    }
}
