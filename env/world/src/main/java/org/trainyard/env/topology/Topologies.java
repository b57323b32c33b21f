package org.trainyard.env.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * Named topologies, and topologies in a shorthand of a few numbers.
 *
 * <p>Unless given, the number of uplinks of a rack, and of a pod, is the smallest with an oversubscription of at most
 * {@link #OVERSUBSCRIPTION}.
 */
public final class Topologies {
    /**
     * 2:1 at the rack and again at the pod, 4:1 end to end. M. Al-Fares, A. Loukissas, A. Vahdat (A scalable, commodity
     * data center network architecture, 2008) call 2.5:1 to 8:1 end to end typical; 4:1 is our choice.
     */
    public static final double OVERSUBSCRIPTION = 2;

    /** Larger clusters are refused as a typing error. */
    public static final int MAX_SERVERS = 100_000;

    /** GPUs of a server, and their type. */
    private static final String GPUS = "(\\d{1,2})(?::([^@:]+))?";

    private static final Pattern TREE = Pattern.compile("(?:(\\d{1,4})x)?(\\d{1,5})x" + GPUS);
    private static final Pattern LEAF_SPINE =
            Pattern.compile("leaf-spine:(\\d{1,4})x(\\d{1,3})x(\\d{1,5})x" + GPUS + "(?:@(\\d{1,4}(?:\\.\\d{1,3})?))?");
    private static final Pattern FAT_TREE = Pattern.compile("fat-tree:(\\d{1,3})x" + GPUS);

    /** CPUs of each server, and GiB of memory. */
    private static final Pattern HOSTS = Pattern.compile("(.+?)\\+(\\d{1,6})cpus?(?:\\+(\\d{1,7})gib)?");

    private static final Pattern NVL72 = Pattern.compile("nvl72:(\\d{1,4})");

    /**
     * Two tiers of links between servers. NVLink 5 carries 900 GB/s from a GPU in one direction, inside a tray and
     * between the trays of a rack (published); the four NICs of 400 Gb/s of a tray carry 200 GB/s to other racks, PCIe
     * 5 carries 64. Latencies are ours.
     */
    private static final Fabric NVLINK_DOMAINS =
            new Fabric(Link.of(900, 1), Link.of(64, 2), Link.of(900, 1), Link.of(200, 6), Link.of(200, 8));

    private static final int TRAYS = 18;

    /** Racks of a pod of a tree that a text describes. */
    public static final int RACKS_PER_POD = 4;

    private Topologies() {}

    /** The names of the presets, smallest first. */
    public static List<String> names() {
        return List.of("small", "medium", "large");
    }

    /** 2 racks x 4 servers x 4 GPUs. */
    public static Topology small() {
        return tree("small", 2, 4, ServerSpec.ofV100(4), 2);
    }

    /** 4 racks x 4 servers x 8 GPUs. */
    public static Topology medium() {
        return tree("medium", 4, 4, ServerSpec.ofV100(8), 4);
    }

    /** 16 racks x 16 servers x 8 GPUs, in pods of 4 racks. */
    public static Topology large() {
        return tree("large", 16, 16, ServerSpec.ofV100(8), 4);
    }

    /** A tree of equal racks of the default fabric, with uplinks for {@link #OVERSUBSCRIPTION}. */
    private static Topology tree(String name, int racks, int serversPerRack, ServerSpec server, int racksPerPod) {
        checkSize(name, (long) racks * serversPerRack);
        return tree(name, Collections.nCopies(racks, Collections.nCopies(serversPerRack, server)), racksPerPod);
    }

    /** A tree of racks that may differ; all pods have the uplinks of one whose racks are the widest. */
    private static Topology tree(String name, List<List<ServerSpec>> racks, int racksPerPod) {
        Fabric fabric = Fabric.DEFAULT;
        int widest = racks.stream().mapToInt(List::size).max().orElse(0);
        Topology.Builder builder = new Topology.Builder(name, fabric)
                .racksPerPod(racksPerPod)
                .podUplinks(podUplinks(fabric, racksPerPod, widest, rackUplinks(fabric, widest)));
        racks.forEach(rack -> builder.rack(rack, rackUplinks(fabric, rack.size())));
        return builder.build();
    }

    /** The fewest uplinks of a rack of so many servers for {@link #OVERSUBSCRIPTION}. */
    public static int rackUplinks(Fabric fabric, int servers) {
        return fabric.tor().countToCarry(servers * fabric.nic().bytesPerSecond() / OVERSUBSCRIPTION);
    }

    /** The fewest uplinks, for {@link #OVERSUBSCRIPTION}, of a pod of racks of so many servers and uplinks each. */
    public static int podUplinks(Fabric fabric, int racks, int servers, int uplinks) {
        double rack = servers * fabric.nic().bytesPerSecond();
        double pod = racks * Math.min(rack, uplinks * fabric.tor().bytesPerSecond());
        return fabric.spine().countToCarry(pod / OVERSUBSCRIPTION);
    }

    /**
     * A leaf-spine fabric: every leaf is joined to every spine, by the smallest number of the fabric's rack uplinks
     * with which the bandwidth of a leaf's servers is at most {@code oversubscription} times that of its uplinks. One
     * pod.
     */
    public static Topology leafSpine(
            String name,
            Fabric fabric,
            int leaves,
            int spines,
            int serversPerLeaf,
            ServerSpec server,
            double oversubscription) {
        checkSize(name, (long) leaves * serversPerLeaf);
        if (spines < 1 || !(oversubscription > 0)) {
            throw new IllegalArgumentException("spines (%d) must be at least 1 and oversubscription (%s) above zero"
                    .formatted(spines, oversubscription));
        }
        double each = serversPerLeaf * fabric.nic().bytesPerSecond() / oversubscription / spines;
        int links = fabric.tor().countToCarry(each);
        SwitchGraph.Builder wiring = new SwitchGraph.Builder();
        Topology.Builder topology = new Topology.Builder(name, fabric);
        for (int leaf = 0; leaf < leaves; leaf++) {
            wiring.add(SwitchGraph.Tier.LEAF, "leaf " + leaf);
            topology.rack(Collections.nCopies(serversPerLeaf, server));
        }
        for (int i = 0; i < spines; i++) {
            int spine = wiring.add(SwitchGraph.Tier.SPINE, "spine " + i);
            for (int leaf = 0; leaf < leaves; leaf++) {
                wiring.join(leaf, spine, fabric.tor(), links);
            }
        }
        return topology.wiring(wiring.build()).build();
    }

    /**
     * The k-ary fat-tree of M. Al-Fares, A. Loukissas, A. Vahdat (A scalable, commodity data center network
     * architecture, 2008): {@code k} pods of {@code k/2} edge and {@code k/2} aggregation switches, {@code k/2} servers
     * at every edge switch, and {@code (k/2)^2} cores, of which the {@code i}-th aggregation switch of every pod is
     * joined to the {@code i}-th group of {@code k/2}. {@code link} is the NIC and every cable, so nothing is
     * oversubscribed.
     *
     * <p>Deviation: rings spread evenly over paths of equal cost, where the paper routes by address and moves large
     * flows.
     */
    public static Topology fatTree(String name, Fabric fabric, Link link, int k, ServerSpec server) {
        Invalid.when(k < 2 || k % 2 != 0, "k (%d) of a fat-tree must be even and at least 2", k);
        int half = k / 2;
        checkSize(name, (long) k * half * half);
        SwitchGraph.Builder wiring = new SwitchGraph.Builder();
        Topology.Builder topology = new Topology.Builder(name, fabric.withNetwork(link));
        for (int edge = 0; edge < k * half; edge++) {
            wiring.add(SwitchGraph.Tier.LEAF, "edge " + edge);
            topology.rack(Collections.nCopies(half, server));
        }
        for (int aggregation = 0; aggregation < k * half; aggregation++) {
            int node = wiring.add(SwitchGraph.Tier.SPINE, "aggregation " + aggregation);
            for (int i = 0; i < half; i++) {
                wiring.join(aggregation / half * half + i, node, link, 1);
            }
        }
        for (int core = 0; core < half * half; core++) {
            int node = wiring.add(SwitchGraph.Tier.CORE, "core " + core);
            for (int pod = 0; pod < k; pod++) {
                wiring.join(k * half + pod * half + core / half, node, link, 1);
            }
        }
        return topology.wiring(wiring.build()).build();
    }

    /**
     * Racks of 18 trays with four GPUs each, all 72 of which NVLink joins through switches (NVIDIA's GB200 NVL72), in
     * one pod; their uplinks carry all NICs. A gang of at most 72 GPUs keeps to NVLink in one rack, and every cut of a
     * wider one is at the tier of the NICs. A job whose demand names a segment has whole segments in each rack.
     */
    public static Topology nvlinkDomains(String name, int racks) {
        checkSize(name, (long) racks * TRAYS);
        Topology.Builder builder = new Topology.Builder(name, NVLINK_DOMAINS);
        ServerSpec tray = ServerSpec.ofV100(4).with(GpuType.B200);
        for (int rack = 0; rack < racks; rack++) {
            builder.rack(Collections.nCopies(TRAYS, tray), TRAYS);
        }
        return builder.build();
    }

    private static void checkSize(String name, long servers) {
        Invalid.when(servers < 1, "cluster (%s) has no server", name);
        if (servers > MAX_SERVERS) {
            throw new IllegalArgumentException(
                    "cluster (%s) has %d servers; at most %d are possible".formatted(name, servers, MAX_SERVERS));
        }
    }

    /**
     * A preset by name, {@code SERVERSxGPUS} in one rack ({@code 20x8}), {@code RACKSxSERVERSxGPUS} ({@code 2x4x8}),
     * several of these with a plus between them ({@code 16x8:A100+8x8:H100}),
     * {@code leaf-spine:LEAVESxSPINESxSERVERSxGPUS} with {@code @OVERSUBSCRIPTION} ({@code leaf-spine:8x4x16x8@3}),
     * {@code fat-tree:KxGPUS} ({@code fat-tree:8x8}), or {@code nvl72:RACKS} ({@code nvl72:8}); all but the last of
     * links of the default fabric, and of V100s unless a type follows the GPUs ({@code 24x8:H100},
     * {@code leaf-spine:8x4x16x8:A100@3}; see {@link GpuType#parse}). Behind each of them CPUs and memory of each
     * server may stand, without which they have no end: {@code 24x8:H100+96cpu+1024gib}.
     *
     * @return null when the text has none of these forms
     * @throws IllegalArgumentException when the text has one of these forms but an impossible size
     */
    public static @Nullable Topology parse(String text) {
        Matcher hosts = HOSTS.matcher(text);
        if (hosts.matches()) {
            Topology without = parse(hosts.group(1));
            return without == null ? null : withHosts(without, hosts);
        }
        Topology preset = preset(text);
        if (preset != null) {
            return preset;
        }
        List<List<ServerSpec>> racks = racks(text);
        if (!racks.isEmpty()) {
            return tree(text, racks, RACKS_PER_POD);
        }
        Matcher clos = LEAF_SPINE.matcher(text);
        if (clos.matches()) {
            double ratio = clos.group(6) == null ? OVERSUBSCRIPTION : Double.parseDouble(clos.group(6));
            ServerSpec server = server(clos, 4);
            return leafSpine(text, Fabric.DEFAULT, number(clos, 1), number(clos, 2), number(clos, 3), server, ratio);
        }
        Matcher domains = NVL72.matcher(text);
        if (domains.matches()) {
            return nvlinkDomains(text, number(domains, 1));
        }
        Matcher fat = FAT_TREE.matcher(text);
        if (fat.matches()) {
            ServerSpec server = server(fat, 2);
            return fatTree(text, Fabric.DEFAULT, Fabric.DEFAULT.nic(), number(fat, 1), server);
        }
        return null;
    }

    private static Topology withHosts(Topology topology, Matcher hosts) {
        long[] cpuMilli = new long[topology.servers()];
        long[] memoryMib = new long[topology.servers()];
        Arrays.fill(cpuMilli, 1000L * number(hosts, 2));
        Arrays.fill(memoryMib, hosts.group(3) == null ? ServerSpec.UNLIMITED : 1024L * number(hosts, 3));
        return topology.withHosts(cpuMilli, memoryMib);
    }

    /** The racks of trees that a plus joins, {@code 16x8:A100+2x8x8:H100}; none when a part has another form. */
    private static List<List<ServerSpec>> racks(String text) {
        List<List<ServerSpec>> racks = new ArrayList<>();
        long servers = 0;
        for (String part : text.split("\\+", -1)) {
            Matcher tree = TREE.matcher(part.strip());
            if (!tree.matches()) {
                return List.of();
            }
            int count = tree.group(1) == null ? 1 : number(tree, 1);
            long here = (long) count * number(tree, 2);
            servers += here;
            checkSize(text, here == 0 ? 0 : servers);
            racks.addAll(Collections.nCopies(count, Collections.nCopies(number(tree, 2), server(tree, 3))));
        }
        return racks;
    }

    /** A server with the GPUs of a group, of the type in the next one. */
    private static ServerSpec server(Matcher matcher, int group) {
        ServerSpec server = ServerSpec.ofV100(number(matcher, group));
        String type = matcher.group(group + 1);
        if (type == null) {
            return server;
        }
        GpuType gpus = GpuType.parse(type);
        if (gpus == null) {
            throw new IllegalArgumentException(
                    "GPU type '%s' is unknown: expected one of %s, or NAME=SPEED relative to the V100"
                            .formatted(
                                    type,
                                    String.join(
                                            ", ",
                                            GpuType.known().stream()
                                                    .map(GpuType::name)
                                                    .toList())));
        }
        return server.with(gpus);
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    /** A preset by name; null when there is none of that name. */
    public static @Nullable Topology preset(String name) {
        return switch (name) {
            case "small" -> small();
            case "medium" -> medium();
            case "large" -> large();
            default -> null;
        };
    }
}
