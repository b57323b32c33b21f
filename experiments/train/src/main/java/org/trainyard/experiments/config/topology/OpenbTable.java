package org.trainyard.experiments.config.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/**
 * The nodes of Alibaba's GPU cluster of 2023, a line per node: {@code sn,cpu_milli,memory_mib,gpu,model} (Q. Weng
 * et al.: Beware of fragmentation: scheduling GPU-sharing workloads with fragmentation gradient descent, USENIX ATC
 * 2023). Servers have the order of the file; a node without GPUs only runs CPU jobs.
 *
 * <p>The file lacks the network and the inside of nodes. By our choice all nodes are in one rack, unless the caller
 * gives the number per rack, and each node has one socket and PCIe.
 */
final class OpenbTable {
    static final List<String> COLUMNS = List.of("sn", "cpu_milli", "memory_mib", "gpu", "model");

    private static final Map<String, GpuType> TYPES =
            GpuType.known().stream().collect(Collectors.toUnmodifiableMap(GpuType::name, Function.identity()));
    private static final int LONGEST_TYPE = 100;

    private OpenbTable() {}

    static Topology topology(
            NodeTable table,
            String name,
            Fabric fabric,
            GpuSharing sharing,
            int serversPerRack,
            double oversubscription) {
        table.checkUnique("sn");
        List<ServerSpec> servers = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (NodeTable.Row row : table.rows()) {
            servers.add(server(table, row).with(sharing));
            names.add(table.text(row, "sn"));
        }
        Topology.Builder builder = new Topology.Builder(name, fabric);
        for (int from = 0; from < servers.size(); from += serversPerRack) {
            List<ServerSpec> rack = servers.subList(from, Math.min(servers.size(), from + serversPerRack));
            double nics = rack.size() * fabric.nic().bytesPerSecond();
            builder.rack(rack, fabric.tor().countToCarry(nics / oversubscription));
        }
        return builder.serverNames(names).build();
    }

    private static ServerSpec server(NodeTable table, NodeTable.Row row) {
        int gpus = (int) table.number(row, "gpu", 64);
        String model = table.raw(row, "model");
        GpuType type = TYPES.get(model);
        if (gpus == 0 && model.isEmpty()) {
            type = GpuType.V100;
        }
        if (type == null) {
            String given = model.substring(0, Math.min(LONGEST_TYPE, model.length()));
            throw table.bad(row, "model", Nearest.oneOf(given, ServerFile.typeNames()));
        }
        return new ServerSpec(type, 1, gpus, false)
                .withHost(
                        table.number(row, "cpu_milli", ServerSpec.UNLIMITED),
                        table.number(row, "memory_mib", ServerSpec.UNLIMITED));
    }
}
