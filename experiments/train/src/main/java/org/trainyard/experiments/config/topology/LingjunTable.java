package org.trainyard.experiments.config.topology;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.SwitchGraph.Tier;
import org.trainyard.env.topology.Topology;

/**
 * The hosts of Alibaba's Lingjun cluster and the switches above each, a line per host: {@code ip,DSW,PSW,ASW}
 * (alibaba-lingjun-dataset-2023; J. Cao et al.: Crux: GPU-efficient communication scheduling for deep learning
 * training, SIGCOMM 2024).
 *
 * <p>An ASW is the leaf of a rack, a PSW a spine, a DSW a core. A leaf is connected to every PSW that any of its hosts
 * names, so the network is a Clos network rather than a tree. Racks have the order of their first lines in the file.
 *
 * <p>The file lacks GPUs, link speeds and numbers of links. The caller gives the first two; the number of links is the
 * smallest that keeps the oversubscription of racks and spines within the given limit. Assumption: names of ASWs are
 * unique in the whole cluster. No PSW has more than 8 hosts of one ASW, so these names may also be unique only within
 * the group of a PSW; there would then be more and smaller racks.
 */
final class LingjunTable {
    static final List<String> COLUMNS = List.of("ip", "DSW", "PSW", "ASW");

    private final NodeTable table;
    private final NetworkGraph network = new NetworkGraph();
    private final Map<String, Set<String>> spinesOf = new LinkedHashMap<>();
    private final Map<String, Set<String>> coresOf = new LinkedHashMap<>();
    private final Map<String, Integer> hostsOf = new LinkedHashMap<>();

    private LingjunTable(NodeTable table) {
        this.table = table;
        table.checkUnique("ip");
        for (NodeTable.Row row : table.rows()) {
            String leaf = "ASW " + table.text(row, "ASW");
            String spine = "PSW " + table.text(row, "PSW");
            spinesOf.computeIfAbsent(leaf, key -> new LinkedHashSet<>()).add(spine);
            coresOf.computeIfAbsent(spine, key -> new LinkedHashSet<>()).add("DSW " + table.text(row, "DSW"));
            hostsOf.merge(leaf, 1, Integer::sum);
        }
    }

    static Topology topology(NodeTable table, String name, Fabric fabric, ServerSpec server, double oversubscription) {
        LingjunTable lingjun = new LingjunTable(table);
        lingjun.addSwitches();
        lingjun.addServers(server, fabric);
        lingjun.addCables(fabric, oversubscription);
        return lingjun.network.build(name, fabric);
    }

    private void addSwitches() {
        spinesOf.keySet().forEach(leaf -> network.addSwitch(leaf, Tier.LEAF));
        coresOf.keySet().forEach(spine -> network.addSwitch(spine, Tier.SPINE));
        Set<String> cores = new LinkedHashSet<>();
        coresOf.values().forEach(cores::addAll);
        cores.forEach(core -> network.addSwitch(core, Tier.CORE));
    }

    private void addServers(ServerSpec server, Fabric fabric) {
        for (NodeTable.Row row : table.rows()) {
            network.addServer("ASW " + table.text(row, "ASW"), table.text(row, "ip"), server, fabric.nic());
        }
    }

    private void addCables(Fabric fabric, double oversubscription) {
        Map<String, Double> below = new LinkedHashMap<>();
        spinesOf.forEach((leaf, spines) -> {
            double nics = hostsOf.getOrDefault(leaf, 0) * fabric.nic().bytesPerSecond();
            int links = fabric.tor().countToCarry(nics / oversubscription / spines.size());
            for (String spine : spines) {
                network.join(leaf, spine, fabric.tor(), links);
                below.merge(spine, links * fabric.tor().bytesPerSecond(), Double::sum);
            }
        });
        coresOf.forEach((spine, cores) -> {
            double each = below.getOrDefault(spine, 0.0) / oversubscription / cores.size();
            int links = fabric.spine().countToCarry(each);
            cores.forEach(core -> network.join(spine, core, fabric.spine(), links));
        });
    }
}
