package org.trainyard.experiments.config.topology;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.Yaml;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.io.InputFiles;

/**
 * Reads a topology: a {@link TopologyFile} in YAML, or a table of machines in CSV, plain or gzipped, recognised by its
 * columns.
 *
 * <p>What a table lacks is as in the shorthands, by our choice: links of the default fabric, uplinks for
 * {@link Topologies#OVERSUBSCRIPTION}, and 8 V100s per server in a table without GPUs. A YAML file of type Lingjun or
 * NodeList that names the table sets other values.
 */
public final class TopologyReader {
    private static final int GPUS = 8;
    /** A line of a slurm.conf. */
    private static final Pattern SLURM = Pattern.compile("(?im)^\\s*(NodeName|ClusterName|SlurmctldHost)=");

    private TopologyReader() {}

    public static Topology read(Path file) {
        try {
            Topology topology = isTable(file) ? table(file) : described(file);
            if (topology.gpus() == 0) {
                throw new InputException("%s: no server has a GPU: expected at least one".formatted(file));
            }
            return topology;
        } catch (IllegalArgumentException e) {
            throw new InputException("%s: %s".formatted(file, NodeTable.oneLine(String.valueOf(e.getMessage()))));
        }
    }

    private static Topology described(Path file) {
        String text = InputFiles.text(file);
        if (SLURM.matcher(text).find()) {
            throw InputException.at(
                    file.toString(),
                    "a slurm.conf",
                    "a topology; `inspect LOG --cluster %s` says its shorthand".formatted(file));
        }
        Yaml root = YamlReader.read(file.toString(), text);
        return Binder.bind(root, TopologyFile.class).build(file);
    }

    /** Whether the file is a topology, by its name or, for CSV, by its columns. */
    static boolean isTopology(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.endsWith(".yaml") || name.endsWith(".yml") || (isTable(file) && isKnown(NodeTable.header(file)));
    }

    public static boolean isTable(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.endsWith(".csv") || name.endsWith(".csv.gz");
    }

    private static boolean isKnown(List<String> header) {
        return header.equals(LingjunTable.COLUMNS) || NodeColumns.of(header) != null;
    }

    private static Topology table(Path file) {
        NodeTable table = NodeTable.read(file);
        List<String> header = table.header();
        String name = String.valueOf(file.getFileName()).replaceFirst("(?i)\\.csv(\\.gz)?$", "");
        if (header.equals(LingjunTable.COLUMNS)) {
            return LingjunTable.topology(
                    table, name, Fabric.DEFAULT, ServerSpec.ofV100(GPUS), Topologies.OVERSUBSCRIPTION);
        }
        NodeColumns list = NodeColumns.of(header);
        if (list != null) {
            return list.topology(
                    table,
                    name,
                    Fabric.DEFAULT,
                    GpuSharing.FRACTIONS,
                    Topologies.MAX_SERVERS,
                    Topologies.OVERSUBSCRIPTION);
        }
        throw InputException.at(
                file + ":1",
                NodeTable.printable(String.join(",", header)),
                "the columns %s or %s".formatted(String.join(",", LingjunTable.COLUMNS), NodeColumns.headers()));
    }
}
