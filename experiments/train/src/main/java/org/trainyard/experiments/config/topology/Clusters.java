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
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.io.InputFiles;

/** Resolves the name or description of a cluster to its topology. */
public final class Clusters {
    private static final String SUFFIX = ".yaml";
    private static final String FILE = "FILE";

    /** Shorthands with their meanings. */
    private static final Map<String, String> SHORTHANDS = shorthands();

    private Clusters() {}

    private static Map<String, String> shorthands() {
        Map<String, String> shorthands = new LinkedHashMap<>();
        shorthands.put(
                "SERVERSxGPUS[:TYPE]", "one rack of servers with V100s, or GPUs of a type, such as 20x8 or 24x8:H100");
        shorthands.put(
                "RACKSxSERVERSxGPUS",
                "several racks of servers, such as 2x4x8 or 3x8x8:A100; a type also follows the GPUs of the fabrics below, and "
                        + "NAME=SPEED is any other type, as fast as so many V100s");
        shorthands.put(
                "SHAPE+SHAPE", "racks of servers that differ, such as 16x8:A100+10x0+8x8:H100 with ten without GPUs");
        shorthands.put("SHAPE+Ncpu[+Ngib]", "servers with N CPUs and N GiB of memory each, such as 24x8+96cpu+1024gib");
        shorthands.put(
                "leaf-spine:LEAVESxSPINESxSERVERSxGPUS[@RATIO]",
                "every leaf connected to every spine, SERVERS per leaf, uplinks oversubscribed RATIO to 1 (default 2), such as"
                        + " leaf-spine:8x4x16x8@3");
        shorthands.put("fat-tree:KxGPUS", "a K-ary fat-tree with K^3/4 servers, such as fat-tree:8x8");
        shorthands.put("nvl72:RACKS", "racks of 18 trays of four GPUs that NVLink joins, such as nvl72:8");
        return Collections.unmodifiableMap(shorthands);
    }

    /** All presets, shipped clusters, shorthands and file formats, each with a description. */
    public static Map<String, String> described() {
        Map<String, String> clusters = new LinkedHashMap<>();
        for (String name : names()) {
            String[] described = resolve(name).toString().split(": ", 2);
            clusters.put(name, described[described.length - 1]);
        }
        clusters.putAll(SHORTHANDS);
        clusters.put(
                FILE,
                "a topology in YAML, as in experiments/clusters, or a table of machines: Alibaba's lingjun2023_topo.csv.gz or"
                        + " openb_node_list_*.csv.gz");
        return clusters;
    }

    /** The names of {@link #described}, without reading a file. */
    public static List<String> listed() {
        List<String> listed = names();
        listed.addAll(SHORTHANDS.keySet());
        listed.add(FILE);
        return listed;
    }

    /** Whether the text names or describes a cluster, even an invalid one. */
    public static boolean isCluster(String text) {
        try {
            return parse(text) != null || names().contains(text) || TopologyReader.isTopology(InputFiles.path(text));
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    /** The topology of a preset, a shorthand, a topology file, or a shipped cluster of {@code experiments/clusters}. */
    public static Topology resolve(String text) {
        Topology named;
        try {
            named = parse(text);
        } catch (IllegalArgumentException e) {
            throw new InputException("cluster '%s': %s".formatted(text, e.getMessage()));
        }
        if (named != null) {
            return named;
        }
        Path file = file(text);
        if (file != null) {
            return TopologyReader.read(file);
        }
        List<String> names = names();
        String nearest = Nearest.to(text, names);
        throw new InputException("'%s' is not a cluster%s: expected one of %s, %s or a topology file"
                .formatted(
                        text,
                        nearest == null ? "" : " (did you mean '%s'?)".formatted(nearest),
                        Nearest.few(text, names),
                        String.join(", ", SHORTHANDS.keySet())));
    }

    /** The topology file that a name refers to, or null for presets, shorthands and unknown names. */
    public static @Nullable Path file(String text) {
        if (isPresetOrShorthand(text)) {
            return null;
        }
        Path file = InputFiles.path(text);
        Path shipped = shipped();
        if (!Files.isRegularFile(file) && shipped != null && shippedNames().contains(text)) {
            return shipped.resolve(text + SUFFIX);
        }
        return Files.isRegularFile(file) ? file : null;
    }

    /** A preset or shorthand, whose type may follow a blank, as in tables, in place of a colon. */
    private static @Nullable Topology parse(String text) {
        return Topologies.parse(text.replaceAll("([0-9]+(?:x[0-9]+)+) (?=\\w)", "$1:"));
    }

    private static boolean isPresetOrShorthand(String text) {
        try {
            return parse(text) != null;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    /**
     * Resolves the name of a cluster to its topology; the message of an error begins with a place such as
     * {@code --cluster}.
     */
    public static Topology resolve(String place, String text) {
        try {
            return resolve(text);
        } catch (InputException e) {
            throw new InputException("%s: %s".formatted(place, e.getMessage()));
        }
    }

    /** The names of presets, then those of shipped clusters. */
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
