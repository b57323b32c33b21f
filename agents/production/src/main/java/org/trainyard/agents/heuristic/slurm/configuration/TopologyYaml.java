package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kubernetes.Fields;
import org.trainyard.agents.heuristic.kubernetes.YamlDocuments;
import org.trainyard.env.InputException;

/**
 * The cluster's default topology of {@code topology.yaml}, which Slurm from 25.05 on reads in place of
 * {@code topology.conf}, as lines of the latter. It follows Slurm's manual page, and was held against no recording.
 *
 * @param plugin tree, block or flat, or the name of a type that is not known
 * @param lines of switches or blocks
 */
record TopologyYaml(String plugin, List<String> lines) {
    private static final String FILE = "topology.yaml";

    /** Whether lines are of {@code topology.yaml}: a list of topologies. */
    static boolean isOne(List<String> lines) {
        return lines.stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith("---"))
                .findFirst()
                .filter(line -> line.startsWith("-"))
                .isPresent();
    }

    /**
     * Reads it.
     *
     * @param note is told what has no effect
     * @throws InputException when it has no topology, or one without its fields
     */
    static TopologyYaml read(List<String> lines, Consumer<String> note) {
        List<Fields> all = new ArrayList<>();
        YamlDocuments.parse(FILE, String.join("\n", lines), all::add);
        if (all.isEmpty()) {
            throw InputException.at(FILE, "nothing", "a list of topologies");
        }
        Fields first = all.stream()
                .filter(one -> one.text("cluster_default", "false").equals("true"))
                .findFirst()
                .orElse(all.get(0));
        for (Fields other : all) {
            String name = other.needed("topology");
            if (other != first) {
                note.accept("%s: the topology %s has no effect here, nor for partitions that name it"
                        .formatted(FILE, name));
            } else if (!other.text("cluster_default", "false").equals("true")) {
                note.accept("%s: none has cluster_default: true; %s, the first, is taken".formatted(FILE, name));
            }
        }
        TopologyYaml read = one(first);
        Set<String> unread = new LinkedHashSet<>();
        first.end(unread, Set.of());
        unread.forEach(note);
        return read;
    }

    private static TopologyYaml one(Fields topology) {
        List<String> lines = new ArrayList<>();
        Fields tree = topology.part("tree");
        Fields block = topology.part("block");
        if (tree != null) {
            for (Fields one : tree.parts("switches")) {
                lines.add("SwitchName=" + one.needed("switch")
                        + set("Switches", one.text("children"))
                        + set("Nodes", one.text("nodes")));
            }
            return new TopologyYaml("tree", lines);
        }
        if (block != null) {
            for (Fields one : block.parts("blocks")) {
                lines.add("BlockName=" + one.needed("block") + set("Nodes", one.text("nodes")));
            }
            lines.add("BlockSizes=" + String.join(",", block.texts("block_sizes")));
            return new TopologyYaml("block", lines);
        }
        return new TopologyYaml(topology.text("flat", "false").equals("true") ? "flat" : FILE, lines);
    }

    private static String set(String key, @Nullable String value) {
        return value == null || value.isEmpty() ? "" : " %s=%s".formatted(key, value);
    }
}
