package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.workload.trace.slurm.HostList;

/** The GPUs of nodes in {@code gres.conf}: by Count, or by the range of their device files. */
final class GresConf {
    private GresConf() {}

    /** GPUs by node; of lines without NodeName nothing is known. */
    static Map<String, Integer> gpus(SlurmConf conf, List<String> lines) {
        Map<String, Integer> gpus = new HashMap<>();
        for (SlurmLine line : SlurmLine.read("gres.conf", lines)) {
            conf.check(line, "gres.conf");
            String nodes = line.text("NodeName", "");
            if (!nodes.isEmpty() && line.text("Name", "").equalsIgnoreCase("gpu")) {
                String file = line.text("File", line.text("Files", line.text("MultipleFiles", "")));
                int files = file.isEmpty()
                        ? 1
                        : HostList.expand(line.at("File"), file).size();
                int of = line.count("Count", files);
                HostList.expand(line.at("NodeName"), nodes).forEach(node -> gpus.merge(node, of, Integer::sum));
            }
        }
        return gpus;
    }
}
