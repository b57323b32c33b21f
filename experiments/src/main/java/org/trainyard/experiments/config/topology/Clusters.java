package org.trainyard.experiments.config.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.yaml.Nearest;
import org.trainyard.experiments.io.InputFiles;

/** Every way to name a cluster. */
public final class Clusters {
    private static final String SUFFIX = ".yaml";

    /** Ways to describe a cluster in a word, and what each means. */
    private static final Map<String, String> SHORTHANDS = shorthands();

    private Clusters() {}

    private static Map<String, String> shorthands() {
        Map<String, String> shorthands = new LinkedHashMap<>();
        shorthands.put("SERVERSxGPUS", "so many servers of so many V100s in one rack, such as 20x8");
        shorthands.put("RACKSxSERVERSxGPUS", "the same in several racks, such as 2x4x8");
        shorthands.put(
                "leaf-spine:LEAVESxSPINESxSERVERSxGPUS[@RATIO]",
                "every leaf joined to every spine, so many servers per leaf, uplinks oversubscribed RATIO to 1 (2), such as"
                        + " leaf-spine:8x4x16x8@3");
        shorthands.put("fat-tree:KxGPUS", "a K-ary fat-tree of K^3/4 servers, such as fat-tree:8x8");
        return Collections.unmodifiableMap(shorthands);
    }

    /** {@link #names}, then ways to describe a cluster in a word and by a file, each with what it is. */
    public static Map<String, String> described() {
        Map<String, String> clusters = new LinkedHashMap<>();
        for (String name : names()) {
            String[] described = resolve(name).toString().split(": ", 2);
            clusters.put(name, described[described.length - 1]);
        }
        clusters.putAll(SHORTHANDS);
        clusters.put(
                "FILE",
                "a topology in YAML, as in experiments/clusters, or a table of machines: Alibaba's lingjun2023_topo.csv.gz or"
                        + " openb_node_list_*.csv.gz");
        return clusters;
    }

    /** Whether the text names or describes a cluster, be it one that cannot be. */
    public static boolean isCluster(String text) {
        try {
            return Topologies.parse(text) != null
                    || names().contains(text)
                    || TopologyReader.isTopology(InputFiles.path(text));
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

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
        throw new InputException("'%s' is not a cluster: expected one of %s, %s or a topology file%s"
                .formatted(
                        text,
                        String.join(", ", names),
                        String.join(", ", SHORTHANDS.keySet()),
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
