package org.trainyard.experiments.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.binding.Overrides;
import org.trainyard.env.binding.Yaml;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.env.workload.TraceSource;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.interference.model.InterferenceFiles;

/** Reads the configuration of an experiment from YAML. */
public final class ConfigReader {
    private static final String BASE = "base";

    private ConfigReader() {}

    /**
     * Reads a file and applies overrides. A file with the key {@code base} has only the keys in which it differs from
     * that file, which may have a base, too. Relative paths start at the folder of the file that has them or else at
     * the working directory; in the configuration returned they start at the working directory.
     *
     * @param overrides each {@code a.b=value}, with the value in YAML
     */
    public static ExperimentConfig read(Path file, List<String> overrides) {
        Yaml root = document(file, new ArrayList<>());
        List<String> named = overrides.stream()
                .map(override -> FormerKeys.override(override, ExperimentConfig.class))
                .toList();
        Overrides.apply(root, named, ExperimentConfig.class);
        // Files that overrides name are looked for beside the config, too.
        locate(root, file.toAbsolutePath().getParent());
        return bind(root);
    }

    /** The document of a file laid over that of its base, with the paths of each file located. */
    private static Yaml document(Path file, List<Path> derived) {
        Yaml own = YamlReader.read(file.toString(), InputFiles.text(file));
        FormerKeys.rename(own, ExperimentConfig.class);
        Path folder = file.toAbsolutePath().getParent();
        locate(own, folder);
        Yaml named = own instanceof Yaml.Mapping mapping ? mapping.entries().remove(BASE) : null;
        if (named == null || folder == null) {
            return own;
        }
        String place = Binder.at(named.place(), BASE);
        String expected = "a config file that has all other keys";
        if (!(named instanceof Yaml.Scalar scalar) || scalar.kind() != Yaml.Kind.TEXT) {
            throw InputException.at(place, named.describe(), expected);
        }
        Path base = folder.resolve(InputFiles.pathIn(scalar.text())).normalize();
        derived.add(file.toAbsolutePath().normalize());
        if (!Files.isRegularFile(base)) {
            throw InputException.at(place, scalar.text(), expected + "; no such file");
        }
        if (derived.contains(base)) {
            throw InputException.at(place, scalar.text(), "a file that does not have this file as its base");
        }
        if (!(document(base, derived) instanceof Yaml.Mapping mapping)) {
            throw InputException.at(place, scalar.text(), expected);
        }
        return ((Yaml.Mapping) own).over(mapping);
    }

    /**
     * Reads the text of a configuration that {@link #read} returned; relative paths start at the working directory.
     *
     * @param place where the text came from, for messages
     */
    public static ExperimentConfig parse(String place, String text) {
        return bind(YamlReader.read(place, text));
    }

    private static ExperimentConfig bind(Yaml root) {
        FormerKeys.rename(root, ExperimentConfig.class);
        RetiredKeys.remove(root);
        ExperimentConfig config = Binder.bind(root, ExperimentConfig.class);
        check(root, config);
        return config;
    }

    /** Checks that need more than the value itself: whether files, clusters, schedulers and formats exist. */
    private static void check(Yaml root, ExperimentConfig config) {
        if (config.network() != null && !(config.learner() instanceof LearnerSettings.Auction)) {
            throw new InputException("%s: learner %s does not read it: expected null"
                    .formatted(
                            Binder.at(placeOf(root, "network"), "network"),
                            config.learner().getClass().getSimpleName()));
        }
        Clusters.resolve(Binder.at(placeOf(root, "cluster"), "cluster"), config.cluster());
        List<String> offered = Schedulers.here(config.schedulers());
        for (int i = 0; i < offered.size(); i++) {
            String path = "schedulers[%d]".formatted(i);
            Schedulers.named(Binder.at(placeOf(root, "schedulers"), path), offered.get(i));
        }
        String format = config.workload().format();
        if (format != null) {
            requireFormat(format, Binder.at(placeOf(root, "workload", "format"), "workload.format"));
        }
        String trace = config.workload().trace();
        if (trace != null) {
            exists(placeOf(root, "workload", "trace"), "workload.trace", trace, "a trace file, or null");
        }
        String speeds = config.workload().speeds();
        if (speeds != null) {
            exists(placeOf(root, "workload", "speeds"), "workload.speeds", speeds, "a table of fit speeds, or null");
            SpeedTable.read(InputFiles.path(speeds));
        }
        String adversary = config.workload().adversary();
        if (adversary != null) {
            exists(
                    placeOf(root, "workload", "adversary"),
                    "workload.adversary",
                    adversary,
                    "a trace of `stress`, a folder of such traces, or null");
        }
        if (config.physics().interference() instanceof InterferenceConfig.Measured measured) {
            exists(
                    placeOf(root, "physics", "interference", "file"),
                    "physics.interference.file",
                    measured.file(),
                    "the measurements.csv of a fit");
        }
        if (config.belief() instanceof BeliefConfig.Named belief && !belief.isShipped()) {
            exists(
                    placeOf(root, "belief"),
                    "belief",
                    belief.name(),
                    "shipped, none, a fitted model (a folder of fit interference), or a mapping of type Samples");
            InterferenceFiles.installed("belief", belief.name(), "none, or a mapping of type Samples")
                    .read(InputFiles.path(belief.name()));
        }
    }

    private static void requireFormat(String format, String place) {
        TraceSource source = TraceSource.installed();
        if (source == null) {
            throw InputException.at(
                    place, format, "null, for this installation lacks the formats of logs, which read traces");
        }
        if (source.formats().stream().noneMatch(format::equalsIgnoreCase)) {
            throw InputException.at(place, format, "null, or " + Nearest.oneOf(format, source.formats()));
        }
    }

    private static void exists(String place, String path, String name, String expected) {
        if (!Files.exists(InputFiles.path(name))) {
            throw InputException.at(Binder.at(place, path), name, expected + "; no such file");
        }
    }

    private static void locate(Yaml root, @Nullable Path directory) {
        if (directory != null && root instanceof Yaml.Mapping mapping) {
            relocate(mapping, "cluster", directory);
            relocate(mapping, "belief", directory);
            if (mapping.entries().get("worlds") instanceof Yaml.Sequence worlds) {
                List<Yaml> files = worlds.items().stream()
                        .map(world -> beside(world, directory))
                        .toList();
                mapping.entries().put("worlds", new Yaml.Sequence(worlds.place(), files));
            }
            if (mapping.entries().get("workload") instanceof Yaml.Mapping workload) {
                relocate(workload, "trace", directory);
                relocate(workload, "adversary", directory);
                relocate(workload, "speeds", directory);
            }
            if (mapping.entries().get("physics") instanceof Yaml.Mapping physics
                    && physics.entries().get("interference") instanceof Yaml.Mapping interference) {
                relocate(interference, "file", directory);
            }
        }
    }

    private static void relocate(Yaml.Mapping mapping, String key, Path directory) {
        Yaml value = mapping.entries().get(key);
        boolean isFolder = value instanceof Yaml.Scalar scalar
                && key.equals("cluster")
                && scalar.kind() == Yaml.Kind.TEXT
                && Files.isDirectory(directory.resolve(InputFiles.pathIn(scalar.text())));
        if (value != null && !isFolder) {
            mapping.entries().put(key, beside(value, directory));
        }
    }

    /** A path from the working directory, where a value names a file in or from a folder; otherwise the value. */
    private static Yaml beside(Yaml value, Path directory) {
        if (value instanceof Yaml.Scalar scalar
                && scalar.kind() == Yaml.Kind.TEXT
                && !scalar.text().isBlank()
                && !new BeliefConfig.Named(scalar.text()).isShipped()) {
            Path beside = directory.resolve(InputFiles.pathIn(scalar.text())).normalize();
            if (Files.exists(beside)) {
                Path working = InputFiles.workingDirectory();
                Path named = beside.startsWith(working) ? working.relativize(beside) : beside;
                return new Yaml.Scalar(scalar.place(), named.toString(), scalar.kind());
            }
        }
        return value;
    }

    /** The place of a key in the file. */
    static String placeOf(Yaml root, String... keys) {
        Yaml at = root;
        for (String key : keys) {
            at = at instanceof Yaml.Mapping mapping ? mapping.entries().getOrDefault(key, at) : at;
        }
        return at.place();
    }
}
