package org.trainyard.agents.heuristic.slurm.configuration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.log.FileText;
import org.trainyard.env.workload.trace.slurm.HostList;

/**
 * The lines of {@code slurm.conf}, and of {@code gres.conf}, {@code qos.txt}, {@code assoc.txt} and
 * {@code topology.conf} beside it where they are there, to be put on the servers of a topology.
 *
 * @param source where {@code slurm.conf} is, for messages
 * @param network lines of {@code topology.yaml}, or else of {@code topology.conf}
 * @param included lines of a file that {@code slurm.conf} includes, by name; null for one that is not there
 */
public record SlurmFiles(
        String source,
        List<String> conf,
        @Nullable List<String> gres,
        @Nullable List<String> qos,
        @Nullable List<String> associations,
        @Nullable List<String> network,
        Function<String, @Nullable List<String>> included) {
    private static final int MOST_LINES = 1_000_000;
    private static final Pattern PARTITION = Pattern.compile("(?i)(\\s*PartitionName=.*\\bNodes=)(\\S+)(.*)");

    /** Default configuration of Slurm: backfill, in order of submission, one partition of all nodes. */
    public static final SlurmFiles DEFAULT = new SlurmFiles(
            "slurm.conf",
            List.of("SchedulerType=sched/backfill", "PriorityType=priority/basic"),
            null,
            null,
            null,
            null);

    /** Files that include no others. */
    public SlurmFiles(
            String source,
            List<String> conf,
            @Nullable List<String> gres,
            @Nullable List<String> qos,
            @Nullable List<String> associations,
            @Nullable List<String> network) {
        this(source, conf, gres, qos, associations, network, name -> null);
    }

    /**
     * Reads the files of a folder.
     *
     * @param conf the lines of its slurm.conf
     * @param beside the lines of a file beside it, or null where there is none
     */
    public static SlurmFiles of(String source, List<String> conf, Function<String, @Nullable List<String>> beside) {
        List<String> yaml = beside.apply("topology.yaml");
        return new SlurmFiles(
                source,
                conf,
                beside.apply("gres.conf"),
                beside.apply("qos.txt"),
                beside.apply("assoc.txt"),
                yaml == null ? beside.apply("topology.conf") : yaml,
                beside);
    }

    /**
     * Reads the files.
     *
     * @throws InputException when {@code slurm.conf} cannot be read
     */
    public static SlurmFiles read(String path) {
        Path conf = Path.of(path);
        if (!Files.isRegularFile(conf)) {
            throw InputException.at("scheduler slurm", path, "the path of a slurm.conf");
        }
        return of(path, lines(conf), name -> beside(conf, name));
    }

    /** Whether a file is a slurm.conf: one of its lines names nodes. */
    public static boolean isOne(Path file) {
        try {
            return FileText.lines(file).stream().anyMatch(line -> line.strip().matches("(?i)NodeName\\s*=\\s*\\S.*"));
        } catch (IOException | UncheckedIOException | InputException unreadable) {
            return false;
        }
    }

    /** A file by its path from the folder; of one that is not there, such as one in /etc/slurm, the namesake beside. */
    private static @Nullable List<String> beside(Path conf, String name) {
        Path file = conf.resolveSibling(name);
        Path namesake = conf.resolveSibling(file.getFileName());
        Path found = Files.isRegularFile(file) ? file : namesake;
        return Files.isRegularFile(found) ? lines(found) : null;
    }

    private static List<String> lines(Path file) {
        try {
            return FileText.lines(file);
        } catch (IOException | UncheckedIOException bad) {
            throw InputException.at("scheduler slurm", file, "a readable text");
        }
    }

    /**
     * Returns these files with more nodes like another, in each partition that names that one.
     *
     * @param more number of new nodes
     * @param after number of the node that they follow and resemble, the last of its line; more than all for the last
     *     node
     * @throws InputException when it is not the last of its line
     */
    public SlurmFiles grown(int more, int after) {
        List<String> lines = new ArrayList<>();
        flatten(conf, lines);
        int last = -1;
        int nodes = 0;
        for (int i = 0; i < lines.size() && nodes <= after; i++) {
            if (lines.get(i).strip().matches("(?i)NodeName=(?!DEFAULT\\b).*")) {
                last = i;
                nodes += named(lines.get(i)).size();
            }
        }
        if (last < 0) {
            return this;
        }
        if (after < Integer.MAX_VALUE && nodes != after + 1) {
            throw InputException.at(
                    source,
                    lines.get(last).strip(),
                    "nodes in the order of the cluster, whose server %d is the last of its line".formatted(after + 1));
        }
        String added = "added[1-%d]".formatted(more);
        List<String> named = named(lines.get(last));
        lines.replaceAll(line -> grown(line, named.get(named.size() - 1), added));
        lines.add(
                last + 1,
                lines.get(last)
                        .strip()
                        .replaceFirst("(?i)NodeName=\\S+", "NodeName=" + added)
                        .replaceAll("(?i)\\s(NodeAddr|NodeHostname|Port)=\\S+", ""));
        return with(lines);
    }

    /**
     * Returns these files with other shares of accounts in {@code assoc.txt}.
     *
     * @param place of the change, for messages
     * @throws InputException when fair share counts for nothing, or an account is not there
     */
    public SlurmFiles sharing(String place, Map<String, Integer> shares) {
        List<String> flat = new ArrayList<>();
        flatten(conf, flat);
        if (flat.stream().noneMatch(line -> line.strip().matches("(?i)PriorityWeightFairshare=0*[1-9].*"))) {
            throw InputException.at(
                    place,
                    "share " + String.join(", ", shares.keySet()),
                    "a slurm.conf with PriorityWeightFairshare above 0, without which shares change nothing");
        }
        List<String> lines = associations == null ? List.of() : associations;
        List<String> columns = lines.isEmpty()
                ? List.of()
                : List.of(lines.get(0).toLowerCase(Locale.ROOT).split("\\|", -1));
        int account = columns.indexOf("account");
        int user = columns.indexOf("user");
        int share = columns.contains("share") ? columns.indexOf("share") : columns.indexOf("fairshare");
        if (account < 0 || user < 0 || share < 0) {
            throw InputException.at(place, "assoc.txt", "a table with the columns Account, User and Share");
        }
        List<String> changed = new ArrayList<>();
        Set<String> known = new TreeSet<>();
        for (String line : lines) {
            String[] fields = line.split("\\|", -1);
            boolean isAccount = fields.length > Math.max(account, Math.max(user, share)) && fields[user].isBlank();
            Integer now = isAccount ? shares.get(fields[account]) : null;
            if (isAccount && !changed.isEmpty()) {
                known.add(fields[account]);
            }
            if (now != null) {
                fields[share] = now.toString();
            }
            changed.add(String.join("|", fields));
        }
        for (String name : shares.keySet()) {
            if (!known.contains(name)) {
                throw InputException.at(place, "share " + name, "an account of assoc.txt: " + String.join(", ", known));
            }
        }
        return new SlurmFiles(source, conf, gres, qos, changed, network, included);
    }

    private List<String> named(String line) {
        return HostList.expand(source, line.strip().replaceFirst("(?i)NodeName=(\\S+).*", "$1"));
    }

    /** The lines with those of included files in their places. */
    private void flatten(List<String> lines, List<String> flat) {
        for (String line : lines) {
            Matcher include =
                    SlurmLine.INCLUDE.matcher(line.replaceFirst("#.*", "").strip());
            List<String> inner =
                    include.matches() && flat.size() < MOST_LINES ? included.apply(include.group(1)) : null;
            if (inner == null) {
                flat.add(line);
            } else {
                flatten(inner, flat);
            }
        }
    }

    private String grown(String line, String member, String added) {
        Matcher nodes = PARTITION.matcher(line);
        return nodes.matches() && HostList.expand(source, nodes.group(2)).contains(member)
                ? nodes.group(1) + nodes.group(2) + "," + added + nodes.group(3)
                : line;
    }

    /** Returns these tables with another {@code slurm.conf}. */
    public SlurmFiles with(List<String> lines) {
        return new SlurmFiles(source, lines, gres, qos, associations, network, included);
    }

    /** A new cluster of the nodes that {@code slurm.conf} describes. */
    public SlurmCluster cluster() {
        return SlurmCluster.of(parsed(), gres, tables());
    }

    private SlurmConf parsed() {
        return SlurmConf.parse(source, conf, included);
    }

    private SlurmCluster.Tables tables() {
        return new SlurmCluster.Tables(qos, associations, network);
    }

    /** Whether jobs of one QOS may preempt those of another. */
    public boolean preempts() {
        return SlurmCluster.preempts(parsed());
    }

    /** Settings of {@code slurm.conf} that have no effect here, one line each. */
    public List<String> notes() {
        SlurmConf settings = parsed();
        for (SlurmLine partition : settings.partitionLines()) {
            if (!SlurmKeys.isNothing(partition.text("MaxCPUsPerNode", ""))) {
                settings.note(
                        "PartitionName, MaxCPUsPerNode=%s: bounds who may start, and is not applied here to jobs whose CPUs a log does not say"
                                .formatted(partition.text("MaxCPUsPerNode", "")));
            }
        }
        if (!settings.nodeLines().isEmpty()) {
            return SlurmCluster.of(settings, gres, tables()).notes();
        }
        // Where it names no node, the settings go with any cluster; partitions are checked once that is known.
        settings.partitionLines().clear();
        return SlurmCluster.on(List.of(), List.of(), settings, tables()).notes();
    }

    /**
     * A new cluster on the servers of a topology. Where the file has as many nodes, with as many GPUs each, it is their
     * names and CPUs; otherwise they are those of the servers.
     *
     * @throws InputException when the nodes are others and partitions name them
     */
    public SlurmCluster on(Topology topology) {
        SlurmConf settings = parsed();
        if (!settings.nodeLines().isEmpty()) {
            SlurmCluster own = SlurmCluster.of(settings, gres, tables());
            if (isAs(topology, own.nodes())) {
                return own.within(topology, tables());
            }
        }
        List<SlurmCluster.Node> nodes = new ArrayList<>();
        List<BitSet> racks = new ArrayList<>();
        for (int server = 0; server < topology.servers(); server++) {
            nodes.add(new SlurmCluster.Node(topology.serverName(server), topology.gpusOn(server), SlurmCluster.MANY)
                    .within(topology.server(server)));
            while (racks.size() <= topology.rackOf(server)) {
                racks.add(new BitSet());
            }
            racks.get(topology.rackOf(server)).set(server);
        }
        if (!settings.nodeLines().isEmpty() && namesNodes(settings)) {
            throw unlike(topology);
        }
        return SlurmCluster.on(nodes, racks, settings, tables());
    }

    private static boolean namesNodes(SlurmConf settings) {
        return settings.partitionLines().stream()
                .map(line -> line.text("Nodes", "ALL"))
                .anyMatch(nodes -> !nodes.equalsIgnoreCase("ALL"));
    }

    /**
     * Refuses a topology whose servers are not the nodes of {@code slurm.conf}, in their order, by GPUs and their
     * types; types that either does not name are not compared, where the nodes have one type at most.
     */
    public void require(Topology topology) {
        List<SlurmCluster.Node> nodes =
                parsed().nodeLines().isEmpty() ? List.of() : cluster().nodes();
        if (!nodes.isEmpty() && !(isAs(topology, nodes) && isOfTypes(topology, nodes))) {
            throw unlike(topology);
        }
    }

    private static boolean isOfTypes(Topology topology, List<SlurmCluster.Node> nodes) {
        long types = nodes.stream()
                .flatMap(node -> node.types().stream())
                .map(GpuType::nameIn)
                .distinct()
                .count();
        boolean isNamed = IntStream.range(0, topology.servers())
                .anyMatch(server -> !topology.server(server).gpuType().equals(GpuType.V100));
        return (types < 2 && !isNamed)
                || IntStream.range(0, nodes.size()).allMatch(server -> {
                    Set<String> said = nodes.get(server).types();
                    String name =
                            said.size() == 1 ? GpuType.nameIn(said.iterator().next()) : "";
                    return nodes.get(server).gpus() == 0
                            || GpuType.parse(name) == null
                            || name.equals(topology.server(server).gpuType().name());
                });
    }

    private InputException unlike(Topology topology) {
        List<SlurmCluster.Node> nodes = cluster().nodes();
        StringJoiner alike = new StringJoiner(", ");
        for (List<SlurmCluster.Node> run : runs(nodes)) {
            String last =
                    run.size() == 1 ? "" : " to " + run.get(run.size() - 1).name();
            alike.add("%s%s with %s"
                    .formatted(
                            run.get(0).name(),
                            last,
                            Counted.of(
                                            run.get(0).gpus(),
                                            String.join(" or ", run.get(0).types()) + " GPU")
                                    .replace("  ", " ")));
        }
        int gpus = nodes.stream().mapToInt(SlurmCluster.Node::gpus).sum();
        boolean isCounted = nodes.size() == topology.servers() && gpus == topology.gpus();
        String shorthand = shorthand();
        return InputException.at(
                source,
                "cluster " + topology.name(),
                "the %s and %s of its lines NodeName=%s: %s; %s"
                        .formatted(
                                Counted.of(nodes.size(), "node"),
                                Counted.of(gpus, "GPU"),
                                isCounted
                                        ? " in their order"
                                        : ", not %s and %s".formatted(topology.servers(), topology.gpus()),
                                alike,
                                shorthand == null ? "describe them in a topology file" : "--cluster " + shorthand));
    }

    /**
     * The cluster of these nodes as a shorthand, such as {@code 16x8:A100+10x0+8x8:H100}; SPEED stands for the speed of
     * a type that is not known. O(nodes).
     *
     * @return null where no nodes are named, or some have several types or slices of GPUs
     */
    public @Nullable String shorthand() {
        StringJoiner parts = new StringJoiner("+");
        for (List<SlurmCluster.Node> run : parsed().nodeLines().isEmpty()
                ? List.<List<SlurmCluster.Node>>of()
                : runs(cluster().nodes())) {
            String part = "%dx%d".formatted(run.size(), run.get(0).gpus());
            String types = String.join(",", run.get(0).types());
            if (!types.matches("[A-Za-z0-9._-]{0,32}")) {
                return null;
            }
            boolean isKnown = types.isEmpty() || GpuType.parse(types) != null;
            parts.add(part + (types.isEmpty() ? "" : ":" + types) + (isKnown ? "" : "=SPEED"));
        }
        return parts.length() == 0 ? null : parts.toString();
    }

    /** Nodes in their order, those after each other with equal GPUs together. */
    private static List<List<SlurmCluster.Node>> runs(List<SlurmCluster.Node> nodes) {
        List<List<SlurmCluster.Node>> runs = new ArrayList<>();
        for (SlurmCluster.Node node : nodes) {
            SlurmCluster.Node before =
                    runs.isEmpty() ? null : runs.get(runs.size() - 1).get(0);
            if (before == null
                    || before.gpus() != node.gpus()
                    || !before.types().equals(node.types())) {
                runs.add(new ArrayList<>());
            }
            runs.get(runs.size() - 1).add(node);
        }
        return runs;
    }

    /**
     * The topology with the CPUs and memory of the nodes, where these are its servers, and it says neither; otherwise
     * the topology itself.
     */
    public Topology withHosts(Topology topology) {
        SlurmConf settings = parsed();
        boolean isSaid = IntStream.range(0, topology.servers())
                .mapToObj(topology::server)
                .anyMatch(server ->
                        server.cpuMilli() < ServerSpec.UNLIMITED || server.memoryMib() < ServerSpec.UNLIMITED);
        if (isSaid || settings.nodeLines().isEmpty()) {
            return topology;
        }
        List<SlurmCluster.Node> nodes =
                SlurmCluster.of(settings, gres, tables()).nodes();
        return isAs(topology, nodes)
                ? topology.withHosts(
                        nodes.stream()
                                .mapToLong(node ->
                                        node.cpus() == SlurmCluster.MANY ? ServerSpec.UNLIMITED : 1000L * node.cpus())
                                .toArray(),
                        nodes.stream().mapToLong(SlurmCluster.Node::memoryMib).toArray())
                : topology;
    }

    private static boolean isAs(Topology topology, List<SlurmCluster.Node> nodes) {
        boolean alike = nodes.size() == topology.servers();
        for (int server = 0; alike && server < nodes.size(); server++) {
            alike = nodes.get(server).gpus() == topology.gpusOn(server);
        }
        return alike;
    }
}
