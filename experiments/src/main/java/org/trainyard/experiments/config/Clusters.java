package org.trainyard.experiments.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Every way to name a cluster. */
public final class Clusters {
    private static final String SUFFIX = ".yaml";

    private Clusters() {}

    /** The cluster of a preset's name, a shorthand, a topology file, or the name of one in {@code experiments/clusters}. */
    public static Topology resolve(String text) {
        Topology named;
        try {
            named = Topologies.parse(text);
        } catch (IllegalArgumentException e) {
            throw new InputException("cluster '%s': %s".formatted(text, e.getMessage()));
        }
        if (named != null) {
            return named;
        }
        Path file = InputFiles.path(text);
        if (Files.isRegularFile(file)) {
            return TopologyReader.read(file);
        }
        Path shipped = shipped();
        if (shipped != null && shippedNames().contains(text)) {
            return TopologyReader.read(shipped.resolve(text + SUFFIX));
        }
        List<String> names = names();
        String nearest = Nearest.to(text, names);
        throw new InputException(
                "'%s' is not a cluster: expected one of %s, SERVERSxGPUS (20x8), RACKSxSERVERSxGPUS (2x4x8) or a topology file%s"
                        .formatted(
                                text,
                                String.join(", ", names),
                                nearest == null ? "" : "; did you mean '%s'?".formatted(nearest)));
    }

    /** The same, for a cluster that was named at a place such as {@code --cluster}. */
    public static Topology resolve(String place, String text) {
        try {
            return resolve(text);
        } catch (InputException e) {
            throw new InputException("%s: %s".formatted(place, e.getMessage()));
        }
    }

    /** Presets, then the shipped topologies by name. */
    public static List<String> names() {
        List<String> names = new ArrayList<>(Topologies.names());
        shippedNames().stream().filter(name -> !names.contains(name)).forEach(names::add);
        return names;
    }

    private static List<String> shippedNames() {
        Path directory = shipped();
        if (directory == null) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(file -> file.endsWith(SUFFIX))
                    .forEach(file -> names.add(file.substring(0, file.length() - SUFFIX.length())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Collections.sort(names);
        return names;
    }

    private static @Nullable Path shipped() {
        String root = System.getProperty("trainyard.root");
        Path directory = root == null ? null : Path.of(root, "experiments", "clusters");
        return directory != null && Files.isDirectory(directory) ? directory : null;
    }
}
