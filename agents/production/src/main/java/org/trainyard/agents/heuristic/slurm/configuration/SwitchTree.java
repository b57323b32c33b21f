package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.slurm.HostList;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * The switches of {@code topology.conf} or {@code topology.yaml}, or its blocks and the groups that {@code BlockSizes}
 * makes of neighbouring ones: the nodes below each, and the one above it.
 *
 * <p>No job spans switches without a common one above them. Simplified: (1) blocks and racks without a common one above
 * them are joined by one, and nodes on no switch are a leaf; (2) of several switches above one the first counts; (3) a
 * job may span more blocks than {@code BlockSizes} names.
 */
public final class SwitchTree {
    private final List<BitSet> nodes = new ArrayList<>();
    private final List<Integer> parents = new ArrayList<>();
    private final List<Integer> levels = new ArrayList<>();
    private final List<Integer> roots = new ArrayList<>();
    /** Nodes of blocks, by level; none of switches. */
    private final List<List<BitSet>> blocks = new ArrayList<>();
    /** How many nodes a block of each level has. */
    private final List<Integer> blockSizes = new ArrayList<>();

    private SwitchTree() {}

    /**
     * The tree that a configuration asks for; null where it asks for none.
     *
     * @param network lines of topology.conf or topology.yaml
     * @param indices of nodes by name
     * @param future names of nodes that are to come
     * @param racks that stand for switches where topology.conf is absent or has not these nodes
     */
    static @Nullable SwitchTree of(
            SlurmConf conf,
            @Nullable List<String> network,
            Map<String, Integer> indices,
            Set<String> future,
            List<BitSet> racks) {
        boolean isOptional = false;
        for (String word : conf.text("TopologyParam", "").split(",", -1)) {
            boolean isThis = word.strip().equalsIgnoreCase("TopoOptional");
            isOptional |= isThis;
            conf.note(word.isBlank() || isThis ? null : "TopologyParam=%s: has no effect here".formatted(word.strip()));
        }
        String plugin = conf.text("TopologyPlugin", "").toLowerCase(Locale.ROOT).replace("topology/", "");
        List<String> lines = network;
        if (lines != null && TopologyYaml.isOne(lines)) {
            TopologyYaml yaml = TopologyYaml.read(lines, conf::note);
            plugin = yaml.plugin();
            lines = yaml.lines();
        }
        boolean isBlock = plugin.equals("block");
        if (!isBlock && !plugin.equals("tree")) {
            if (!plugin.matches("|none|default|flat")) {
                conf.note("TopologyPlugin=%s: nodes are chosen as without one here".formatted(plugin));
            }
            return null;
        }
        if (isOptional && !isBlock) {
            return null;
        }
        SwitchTree tree = new SwitchTree();
        if (racks.isEmpty() && lines != null) {
            List<SlurmLine> read = SlurmLine.read("topology.conf", lines);
            read.forEach(line -> conf.check(line, "topology.conf"));
            tree.read(read.stream().filter(SwitchTree::isSwitch).toList(), indices, future);
            if (isBlock) {
                tree.blocks.add(List.copyOf(tree.nodes));
                tree.group(read.stream()
                        .map(line -> line.text("BlockSizes", ""))
                        .reduce("", (before, sizes) -> sizes.isEmpty() ? before : sizes));
            }
        } else {
            racks.forEach(rack -> tree.add(rack, 0));
            if (isBlock) {
                tree.blocks.add(List.copyOf(tree.nodes));
            }
            if (racks.isEmpty()) {
                conf.note("TopologyPlugin=%s: has no effect without a topology.conf".formatted(plugin));
            }
        }
        tree.join(indices.size(), isBlock || !racks.isEmpty() || lines == null);
        return tree;
    }

    private static boolean isSwitch(SlurmLine line) {
        return line.kind().equals("switchname") || line.kind().equals("blockname");
    }

    private int add(BitSet below, int level) {
        nodes.add(below);
        parents.add(-1);
        levels.add(level);
        return nodes.size() - 1;
    }

    private void read(List<SlurmLine> network, Map<String, Integer> indices, Set<String> future) {
        Map<String, Integer> named = new HashMap<>();
        for (SlurmLine line : network) {
            String name = line.text("switchname", line.text("blockname", ""));
            String place = "topology.conf, " + name;
            BitSet below = new BitSet();
            for (String node : HostList.expand(place + ", Nodes", line.text("nodes", ""))) {
                Integer index = indices.get(node);
                if (index != null) {
                    below.set(index);
                } else if (!future.contains(node)) {
                    throw InputException.at(place + ", Nodes", node, "the name of a node of this cluster");
                }
            }
            if (named.put(name, add(below, 0)) != null) {
                throw InputException.at(place, name, "each switch once");
            }
        }
        for (int at = 0; at < network.size(); at++) {
            SlurmLine line = network.get(at);
            String name = line.text("switchname", "");
            for (String child : HostList.expand("topology.conf, " + name, line.text("switches", ""))) {
                Integer index = named.get(child);
                if (index == null) {
                    throw InputException.at("topology.conf, %s, Switches".formatted(name), child, "a SwitchName");
                }
                if (parents.get(index) < 0) {
                    hang(name, index, at);
                }
            }
        }
    }

    private void hang(String name, int child, int under) {
        parents.set(child, under);
        int level = levels.get(child);
        for (int at = under; at >= 0; at = parents.get(at)) {
            if (at == child) {
                throw InputException.at("topology.conf", name, "no switch below itself");
            }
            nodes.get(at).or(nodes.get(child));
            level = Math.max(levels.get(at), level + 1);
            levels.set(at, level);
        }
    }

    /** Puts so many neighbouring blocks under one as each of the higher sizes holds. */
    private void group(String sizes) {
        int[] size = Arrays.stream(sizes.split(",", -1))
                .filter(part -> !part.isBlank())
                .mapToInt(part -> (int) SlurmText.number("topology.conf, BlockSizes", part.strip()))
                .toArray();
        Arrays.stream(size).forEach(blockSizes::add);
        int first = 0;
        int last = nodes.size();
        for (int i = 1; i < size.length; i++) {
            int of = Math.max(1, size[i] / Math.max(1, size[i - 1]));
            for (int from = first; from < last; from += of) {
                int group = add(new BitSet(), i);
                for (int block = from; block < Math.min(last, from + of); block++) {
                    hang("BlockSizes", block, group);
                }
            }
            first = last;
            last = nodes.size();
            blocks.add(List.copyOf(nodes.subList(first, last)));
        }
    }

    /** Puts nodes on no switch on one, and, where they are to be joined, one switch above all that have none. */
    private void join(int count, boolean isJoined) {
        BitSet missing = new BitSet();
        missing.set(0, count);
        nodes.forEach(missing::andNot);
        if (!missing.isEmpty()) {
            add(missing, 0);
        }
        int root = isJoined ? add(new BitSet(), 0) : -1;
        for (int at = 0; at < nodes.size(); at++) {
            if (parents.get(at) < 0) {
                if (isJoined && at != root) {
                    hang("root", at, root);
                } else {
                    parents.set(at, at);
                    roots.add(at);
                }
            }
        }
    }

    /** Whether it has blocks, in which segments may be. */
    public boolean hasBlocks() {
        return !blocks.isEmpty();
    }

    /** The nodes of each of the smallest blocks that are to have so many; of all blocks as one where none are. */
    public List<BitSet> blocks(int count) {
        for (int level = 0; level < blocks.size(); level++) {
            int size = level < blockSizes.size()
                    ? blockSizes.get(level)
                    : blocks.get(level).stream()
                            .mapToInt(BitSet::cardinality)
                            .min()
                            .orElse(0);
            if (count <= size) {
                return blocks.get(level);
            }
        }
        BitSet all = new BitSet();
        blocks.get(0).forEach(all::or);
        return List.of(all);
    }

    /** The switches above which there is none. */
    public List<Integer> roots() {
        return roots;
    }

    public int size() {
        return nodes.size();
    }

    public boolean isLeaf(int of) {
        return levels.get(of) == 0;
    }

    public int level(int of) {
        return levels.get(of);
    }

    /** The one above; the root is above itself. */
    public int parent(int of) {
        return parents.get(of);
    }

    /** How many nodes of a set are below. */
    public int count(int of, BitSet among) {
        return below(of, among).cardinality();
    }

    /** The nodes of a set that are below. */
    public BitSet below(int of, BitSet among) {
        BitSet here = (BitSet) nodes.get(of).clone();
        here.and(among);
        return here;
    }

    /** Links between two on the way through the tree, more than any way has where there is none. */
    public int distance(int from, int to) {
        int steps = 0;
        int a = from;
        int b = to;
        while (a != b) {
            boolean isALower = levels.get(a) <= levels.get(b);
            int next = parents.get(isALower ? a : b);
            if (next == (isALower ? a : b)) {
                return 2 * size();
            }
            a = isALower ? next : a;
            b = isALower ? b : next;
            steps++;
        }
        return steps;
    }
}
