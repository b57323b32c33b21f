package org.trainyard.experiments.config.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/**
 * The columns of the lists of nodes that come with public traces, a line per node. Servers have the order of the file;
 * a node without GPUs only runs CPU jobs.
 *
 * <p>The files lack the network and the inside of nodes. By our choice all nodes are in one rack, unless the caller
 * gives the number per rack, and each node has one socket and PCIe. A GPU type of an unknown name has the speed and
 * memory of a V100.
 *
 * @param name column of the node's name
 * @param gpus column of its GPUs
 * @param type column of their type, or null where the list does not say it
 * @param cpu column of its CPU, or null
 * @param cpuMilli thousandths of a core in a unit of that column
 * @param memory column of its memory, or null
 * @param memoryMib MiB in a unit of that column
 * @param hasKnownTypes whether a type of an unknown name is an error
 */
record NodeColumns(
        String name,
        String gpus,
        @Nullable String type,
        @Nullable String cpu,
        long cpuMilli,
        @Nullable String memory,
        long memoryMib,
        boolean hasKnownTypes) {
    /** Alibaba, 2023 (Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023). */
    static final NodeColumns OPENB = new NodeColumns("sn", "gpu", "model", "cpu_milli", 1, "memory_mib", 1, true);

    private static final List<NodeColumns> ALL = List.of(
            OPENB,
            // Alibaba, 2026 (J. Duan et al., ASPLOS 2026): node_info_df.csv.
            new NodeColumns("node_name", "gpu_capacity_num", "gpu_model", "cpu_num", 1000, null, 1, false),
            // Alibaba's PAI, 2020 (Q. Weng et al.: MLaaS in the wild, NSDI 2022): machine_spec.
            new NodeColumns("machine", "cap_gpu", "gpu_type", "cap_cpu", 1000, "cap_mem", 1024, false),
            // Microsoft's Philly, 2017 (M. Jeon et al., USENIX ATC 2019): cluster_machine_list.
            new NodeColumns("machineId", "number of GPUs", null, null, 1000, null, 1, false));

    private static final Map<String, GpuType> TYPES =
            GpuType.known().stream().collect(Collectors.toUnmodifiableMap(GpuType::name, Function.identity()));
    private static final int LONGEST_TYPE = 100;

    /** The kind of list with such a header; null when it is none. */
    static @Nullable NodeColumns of(List<String> header) {
        return ALL.stream()
                .filter(list -> header.containsAll(list.columns()))
                .findFirst()
                .orElse(null);
    }

    /** The headers that are read, as the end of a sentence. */
    static String headers() {
        return ALL.stream().map(list -> String.join(",", list.columns())).collect(Collectors.joining(" or "));
    }

    List<String> columns() {
        List<String> columns = new ArrayList<>(List.of(name));
        for (String column : new String[] {cpu, memory, gpus, type}) {
            if (column != null) {
                columns.add(column);
            }
        }
        return columns;
    }

    Topology topology(
            NodeTable table,
            String cluster,
            Fabric fabric,
            GpuSharing sharing,
            int serversPerRack,
            double oversubscription) {
        table.checkUnique(name);
        List<ServerSpec> servers = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (NodeTable.Row row : table.rows()) {
            servers.add(server(table, row).with(sharing));
            names.add(table.text(row, name));
        }
        Topology.Builder builder = new Topology.Builder(cluster, fabric);
        for (int from = 0; from < servers.size(); from += serversPerRack) {
            List<ServerSpec> rack = servers.subList(from, Math.min(servers.size(), from + serversPerRack));
            double nics = rack.size() * fabric.nic().bytesPerSecond();
            builder.rack(rack, fabric.tor().countToCarry(nics / oversubscription));
        }
        return builder.serverNames(names).build();
    }

    private ServerSpec server(NodeTable table, NodeTable.Row row) {
        int count = (int) table.number(row, gpus, 64);
        return new ServerSpec(type(table, row, count), 1, count, false)
                .withHost(amount(table, row, cpu, cpuMilli), amount(table, row, memory, memoryMib));
    }

    private static long amount(NodeTable table, NodeTable.Row row, @Nullable String column, long unit) {
        return column == null ? ServerSpec.UNLIMITED : unit * table.number(row, column, ServerSpec.UNLIMITED / unit);
    }

    private GpuType type(NodeTable table, NodeTable.Row row, int count) {
        String column = type;
        if (column == null || (count == 0 && table.raw(row, column).isEmpty())) {
            return GpuType.V100;
        }
        String model = table.raw(row, column);
        GpuType known = TYPES.get(hasKnownTypes ? model : GpuType.nameIn(model));
        if (known != null) {
            return known;
        }
        if (hasKnownTypes) {
            String given = model.substring(0, Math.min(LONGEST_TYPE, model.length()));
            throw table.bad(row, column, Nearest.oneOf(given, ServerFile.typeNames()));
        }
        return new GpuType(GpuType.nameIn(table.text(row, column)), GpuType.V100.speed(), GpuType.V100.memoryBytes());
    }
}
