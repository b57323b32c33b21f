package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.slurm.DelimitedTable;
import org.trainyard.env.workload.trace.slurm.HostList;
import org.trainyard.env.workload.trace.slurm.SlurmText;
import org.trainyard.env.workload.trace.slurm.Tres;

/** A cluster as its files describe it: nodes, partitions, QOS, associations and the parameters of the scheduler. */
public final class SlurmCluster {
    private static final Pattern GPUS =
            Pattern.compile("gpu(?::[^:,()]*[^:,()\\d][^:,()]*)?(?::(\\d{1,4}))?(?:\\(.*\\))?");

    /**
     * A node.
     *
     * @param weight jobs take nodes of less weight first
     * @param features that jobs may ask for
     */
    public record Node(String name, int gpus, int cpus, long weight, Set<String> features) {
        /** A node of the weight that all have which name none, without features. */
        public Node(String name, int gpus, int cpus) {
            this(name, gpus, cpus, 1, Set.of());
        }

        /** Whether it has what {@code a&b}, {@code a,b} (both) or {@code a|b} (one) asks for. */
        public boolean has(String asked) {
            return Arrays.stream(asked.split("\\|", -1))
                    .anyMatch(one -> features.containsAll(List.of(one.strip().split("\\s*[&,]\\s*", -1))));
        }
    }

    private final List<Node> nodes;
    private final Map<String, Integer> indices = new HashMap<>();
    private final List<SlurmPartition> partitions = new ArrayList<>();
    private final Map<String, Qos> qos;
    private final Map<String, Association> associations;
    private final SlurmConf conf;
    private final SchedulerParameters parameters;
    private final PrioritySettings priority;
    private final boolean backfill;
    private final boolean preempting;
    private final String preemptMode;
    private final long killWait;
    private final boolean limited;
    private final Map<String, Integer> licenses;
    private final @Nullable SwitchTree switches;
    private int defaultPartition;

    /**
     * Lines of the files beside {@code slurm.conf}; null for one that is absent.
     *
     * @param qos of {@code sacctmgr -P show qos}
     * @param associations of {@code sacctmgr -P show assoc}
     * @param network of topology.conf
     */
    public record Tables(
            @Nullable List<String> qos,
            @Nullable List<String> associations,
            @Nullable List<String> network) {}

    /** @param racks that stand for switches where topology.conf has not these nodes; empty for none */
    private SlurmCluster(SlurmConf conf, List<Node> nodes, List<BitSet> racks, Tables tables) {
        List<String> qosLines = tables.qos;
        List<String> assocLines = tables.associations;
        this.conf = conf;
        this.nodes = List.copyOf(nodes);
        for (Node node : nodes) {
            indices.put(node.name(), indices.size());
        }
        unread(conf, "qos.txt", qosLines, Qos.READ);
        unread(conf, "assoc.txt", assocLines, Association.READ);
        qos = qosLines == null ? new HashMap<>(Map.of("normal", Qos.NORMAL)) : Qos.parse("qos.txt", qosLines);
        associations = assocLines == null
                ? new HashMap<>(Map.of("root", Association.root()))
                : Association.parse("assoc.txt", assocLines);
        parameters = SchedulerParameters.of(conf);
        priority = PrioritySettings.of(conf);
        backfill = conf.text("SchedulerType", "sched/backfill").equals("sched/backfill");
        String type = conf.text("PreemptType", "preempt/none");
        String mode = conf.text("PreemptMode", "OFF").toUpperCase(Locale.ROOT);
        preempting = preempts(conf);
        preemptMode = mode;
        if (!type.equals("preempt/none") && !preempting) {
            conf.note("PreemptType=%s with PreemptMode=%s: jobs are not preempted here".formatted(type, mode));
        }
        if (mode.contains("SUSPEND") || mode.contains("GANG")) {
            conf.note("PreemptMode=%s: jobs are not suspended here".formatted(mode));
        }
        killWait = conf.number("KillWait", 30);
        limited = conf.text("AccountingStorageEnforce", "").matches(".*(limits|safe|all).*");
        licenses = SlurmText.licenses(conf.source() + ", Licenses", conf.text("Licenses", ""));
        switches = SwitchTree.of(conf, tables.network, indices, racks);
        readPartitions();
    }

    /** Names the columns of a table that say something and have no effect here. */
    private static void unread(SlurmConf conf, String source, @Nullable List<String> lines, Set<String> read) {
        if (lines != null) {
            DelimitedTable table = DelimitedTable.ofBars(source, lines);
            for (String column : table.columns()) {
                if (!read.contains(column) && table.saysSomething(column)) {
                    conf.note("%s, %s: has no effect here".formatted(source, column));
                }
            }
        }
    }

    /**
     * Reads the files of a cluster; null for one that is absent.
     *
     * @param gres lines of gres.conf
     * @param qos lines of {@code sacctmgr -P show qos}
     * @param associations lines of {@code sacctmgr -P show assoc}
     */
    public static SlurmCluster of(
            SlurmConf conf,
            @Nullable List<String> gres,
            @Nullable List<String> qos,
            @Nullable List<String> associations) {
        return of(conf, gres, new Tables(qos, associations, null));
    }

    /** The same with all tables, and topology.conf. */
    public static SlurmCluster of(SlurmConf conf, @Nullable List<String> gres, Tables tables) {
        List<Node> nodes = new ArrayList<>();
        Map<String, Integer> counted = gres == null ? Map.of() : GresConf.gpus(gres);
        for (SlurmLine line : conf.nodeLines()) {
            for (String name : HostList.expand(conf.source() + ", NodeName", line.text("nodename", ""))) {
                if (!name.equals("DEFAULT")) {
                    Integer gpus = gpus(line.text("gres", ""));
                    nodes.add(new Node(
                            name,
                            gpus == null ? counted.getOrDefault(name, 0) : gpus,
                            cpus(line),
                            line.number("Weight", 1),
                            features(line)));
                }
            }
        }
        if (nodes.isEmpty()) {
            throw InputException.at(conf.source(), "no node", "a line NodeName=");
        }
        return new SlurmCluster(conf, nodes, List.of(), tables);
    }

    /** The settings of a configuration on nodes that are given, such as the servers of a topology and its racks. */
    public static SlurmCluster on(List<Node> nodes, List<BitSet> racks, SlurmConf conf, Tables tables) {
        return new SlurmCluster(conf, nodes, racks, tables);
    }

    private static Set<String> features(SlurmLine line) {
        String said = line.text("features", line.text("feature", ""));
        return said.isBlank() ? Set.of() : Set.of(said.strip().split("\\s*,\\s*", -1));
    }

    private static int cpus(SlurmLine line) {
        return line.count(
                "CPUs", line.count("Sockets", 1) * line.count("CoresPerSocket", 1) * line.count("ThreadsPerCore", 1));
    }

    private static @Nullable Integer gpus(String gres) {
        int all = -1;
        for (String part : gres.split(",(?![^(]*\\))", -1)) {
            Matcher matcher = GPUS.matcher(part.strip());
            if (matcher.matches()) {
                all = Math.max(0, all) + (matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1)));
            }
        }
        return all < 0 ? null : all;
    }

    private void readPartitions() {
        for (SlurmLine line : conf.partitionLines()) {
            String name = line.text("partitionname", "");
            if (!name.equals("DEFAULT")) {
                if (line.text("default", "NO").equalsIgnoreCase("YES")) {
                    defaultPartition = partitions.size();
                }
                partitions.add(partition(name, line));
            }
        }
        if (partitions.isEmpty()) {
            BitSet all = new BitSet();
            all.set(0, nodes.size());
            partitions.add(new SlurmPartition("all", 0, all, -1, -1, 1, 1, true, "", 1, 0));
        }
    }

    private SlurmPartition partition(String name, SlurmLine line) {
        String place = "%s, PartitionName=%s".formatted(conf.source(), name);
        BitSet members = new BitSet();
        String listed = line.text("nodes", "ALL");
        if (listed.equals("ALL")) {
            members.set(0, nodes.size());
        } else {
            for (String node : HostList.expand(place, listed)) {
                Integer index = indices.get(node);
                if (index == null) {
                    throw InputException.at(place + ", Nodes", node, "the name of a node of this cluster");
                }
                members.set(index);
            }
        }
        String weights = line.at("TRESBillingWeights");
        Map<String, String> billing = Tres.pairs(weights, line.text("TRESBillingWeights", "CPU=1.0"));
        return new SlurmPartition(
                name,
                partitions.size(),
                members,
                line.seconds("MaxTime"),
                line.seconds("DefaultTime"),
                line.count("PriorityTier", 1),
                line.count("PriorityJobFactor", 1),
                line.text("state", "UP").equalsIgnoreCase("UP"),
                line.text("qos", ""),
                weight(weights, billing.get(Tres.GPU)),
                weight(weights, billing.get("cpu")));
    }

    private static double weight(String place, @Nullable String text) {
        return text == null
                ? 0
                : SlurmText.decimal(place, text.replaceAll("[KMGTPkmgtp]$", ""), "TRES=number, such as GRES/gpu=2.0");
    }

    public List<Node> nodes() {
        return nodes;
    }

    /** The node of a name, or -1. */
    public int node(String name) {
        return indices.getOrDefault(name, -1);
    }

    public List<SlurmPartition> partitions() {
        return partitions;
    }

    /** The partition of a name; the default one where the name is null or unknown. */
    public SlurmPartition partition(@Nullable String name) {
        for (SlurmPartition partition : partitions) {
            if (partition.name().equals(name)) {
                return partition;
            }
        }
        return partitions.get(defaultPartition);
    }

    /** The QOS of a name; one that says nothing where the name is null or unknown. */
    public Qos qos(@Nullable String name) {
        return name == null ? qos.getOrDefault("normal", Qos.NORMAL) : qos.getOrDefault(name, Qos.NORMAL);
    }

    public Collection<Qos> allQos() {
        return qos.values();
    }

    public SchedulerParameters parameters() {
        return parameters;
    }

    public PrioritySettings priority() {
        return priority;
    }

    /** Whether there is a backfill loop. */
    public boolean backfills() {
        return backfill;
    }

    /** Whether jobs preempt jobs of other QOS, by this configuration. */
    static boolean preempts(SlurmConf conf) {
        return conf.text("PreemptType", "preempt/none").equals("preempt/qos")
                && !conf.text("PreemptMode", "OFF").equalsIgnoreCase("OFF");
    }

    /** Whether jobs preempt jobs of other QOS. */
    public boolean preempts() {
        return preempting;
    }

    /** Whether jobs of a QOS are cancelled, not requeued, when they are preempted. */
    public boolean cancels(Qos of) {
        String mode = of.preemptMode().isEmpty() ? preemptMode : of.preemptMode();
        return mode.toUpperCase(Locale.ROOT).contains("CANCEL");
    }

    /** Seconds between the first signal to a job that is killed and the last. */
    public long killWait() {
        return killWait;
    }

    /** Whether limits of associations and QOS hold. */
    public boolean limited() {
        return limited;
    }

    /** The licences that jobs may hold at once, by name. */
    public Map<String, Integer> licenses() {
        return licenses;
    }

    /** The switches or blocks by which nodes are chosen; null for runs of neighbouring nodes. */
    public @Nullable SwitchTree switches() {
        return switches;
    }

    /** What of the files has no effect here, one line each. */
    public List<String> notes() {
        return conf.notes();
    }

    /** The association of a user in an account; made below root or its account when no table names it. */
    public Association association(@Nullable String account, @Nullable String user) {
        String name = user == null ? "nobody" : user;
        Association root = Objects.requireNonNull(associations.get("root"));
        Association above = account == null ? root : associations.getOrDefault(account, root);
        String key = above.account() + "/" + name;
        Association known = associations.get(key);
        if (known == null) {
            known = above.user(name);
            associations.put(key, known);
        }
        return known;
    }

    public Association root() {
        return Objects.requireNonNull(associations.get("root"));
    }
}
