package org.trainyard.experiments.simulation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.config.topology.NodeTable;
import org.trainyard.experiments.config.topology.TopologyReader;
import org.trainyard.experiments.io.InputFiles;

/**
 * Reads a table of virtual clusters with servers of their own: CSV with the columns {@code virtual_cluster,cluster}.
 */
public final class VirtualClusterTable {
    private static final String NAME = "virtual_cluster";
    private static final String CLUSTER = "cluster";

    private VirtualClusterTable() {}

    /** Whether the text is the path of such a table, by its header. */
    public static boolean isTable(String text) {
        Path file = InputFiles.path(text);
        return Files.isRegularFile(file)
                && TopologyReader.isTable(file)
                && NodeTable.header(file).equals(List.of(NAME, CLUSTER));
    }

    /**
     * The virtual clusters in the order of the table.
     *
     * @throws InputException when a row has no name, a name again, or no cluster, or when there is no row
     */
    public static Map<String, Topology> read(Path file) {
        Map<String, Topology> clusters = new LinkedHashMap<>();
        NodeTable table = NodeTable.read(file);
        for (NodeTable.Row row : table.rows()) {
            String place = "%s:%d".formatted(file, row.line());
            String name = table.text(row, NAME);
            Topology topology = Clusters.resolve(place + ", " + CLUSTER, table.text(row, CLUSTER));
            if (clusters.put(name, topology) != null) {
                throw InputException.at(place + ", " + NAME, name, "each virtual cluster once");
            }
        }
        if (clusters.isEmpty()) {
            throw InputException.at(file.toString(), "no rows", "virtual clusters, one a row");
        }
        return clusters;
    }
}
