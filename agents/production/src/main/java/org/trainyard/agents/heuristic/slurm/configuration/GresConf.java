package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The GPUs of nodes in {@code gres.conf}: by Count, or by the range of their device files. */
final class GresConf {
    private static final Pattern PAIR = Pattern.compile("(\\w+)=(\\S+)");

    private GresConf() {}

    /** GPUs by node; of lines without NodeName nothing is known. */
    static Map<String, Integer> gpus(List<String> lines) {
        Map<String, Integer> gpus = new HashMap<>();
        int number = 0;
        for (String line : lines) {
            number++;
            Map<String, String> pairs = new HashMap<>();
            Matcher matcher = PAIR.matcher(line.replaceFirst("#.*", ""));
            while (matcher.find()) {
                pairs.put(matcher.group(1), matcher.group(2));
            }
            String nodes = pairs.get("NodeName");
            if (nodes == null || !"gpu".equals(pairs.get("Name"))) {
                continue;
            }
            String place = "gres.conf:" + number;
            String file = pairs.get("File");
            String count = pairs.get("Count");
            int of = count != null
                    ? (int) SlurmConf.number(place, "Count", count)
                    : file == null ? 1 : HostList.expand(place, file).size();
            for (String node : HostList.expand(place, nodes)) {
                gpus.merge(node, of, Integer::sum);
            }
        }
        return gpus;
    }
}
