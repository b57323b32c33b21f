package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.trace.slurm.DelimitedTable;
import org.trainyard.env.workload.trace.slurm.HostList;
import org.trainyard.env.workload.trace.slurm.SlurmGpus;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/** A cluster as its files describe it: nodes, partitions, QOS, associations and the parameters of the scheduler. */
public final class SlurmCluster {
    /** CPUs of a node that has no end of them. */
    static final int MANY = 1 << 20;

    /** States in which a node takes no job, with the flags that sinfo puts behind them. */
    private static final Pattern OUT = Pattern.compile("(?i)(DOWN|DRAIN|FAIL|POWERED_DOWN|REBOOT).*");

    /**
     * A node.
     *
     * @param cpus {@link #MANY} where its line does not say
     * @param memoryMib {@link ServerSpec#UNLIMITED} where its line does not say, or memory is not given to jobs by
     *     amount
     * @param weight jobs take nodes of less weight first
     * @param features that jobs may ask for
     * @param types of its GPUs; empty where unknown
     * @param labels the types as its line writes them, in small letters
     * @param up whether it takes jobs
     */
    public record Node(
            String name,
            int gpus,
            int cpus,
            long memoryMib,
            long weight,
            Set<String> features,
            Set<String> types,
            Set<String> labels,
            boolean up) {
        /** A node of the weight that all have which name none, without features. */
        public Node(String name, int gpus, int cpus) {
            this(name, gpus, cpus, ServerSpec.UNLIMITED, 1, Set.of(), Set.of(), Set.of(), true);
        }

        /** Whether it has the features that {@code a&b}, {@code a,b} (both) or {@code a|b} (one) asks for. */
        public boolean has(String asked) {
            return Arrays.stream(asked.split("\\|", -1))
                    .anyMatch(one -> features.containsAll(List.of(one.strip().split("\\s*[&,]\\s*", -1))));
        }

        private Node in(boolean isUp) {
            return new Node(name, gpus, cpus, memoryMib, weight, features, types, labels, isUp);
        }

        /** Returns this node with no more CPUs and memory than a server has. */
        Node within(ServerSpec server) {
            return new Node(
                    name,
                    gpus,
                    (int) Math.min(cpus, server.cpuMilli() / 1000),
                    Math.min(memoryMib, server.memoryMib()),
                    weight,
                    features,
                    types,
                    labels,
                    up);
        }
    }

    private static final List<String> CPU_KEYS =
            List.of("CPUs", "Procs", "Boards", "Sockets", "SocketsPerBoard", "CoresPerSocket", "ThreadsPerCore");

    private final List<Node> nodes;
    private final Map<String, Integer> indices = new HashMap<>();
    /** Names of nodes that are to come. */
    private final Set<String> future;

    private final List<SlurmPartition> partitions = new ArrayList<>();
    private final Map<String, Qos> qos;
    private final Map<String, Association> associations;
    private final @Nullable DelimitedTable table;
    private final boolean listsQos;
    private final boolean listsAccounts;
    private final SlurmConf conf;
    private final SchedulerParameters parameters;
    private final PrioritySettings priority;
    private final boolean backfill;
    private final boolean preempting;
    private final String preemptMode;
    private final long killWait;
    private final long exemptSeconds;
    private final long completeWait;
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
    private SlurmCluster(SlurmConf conf, List<Node> nodes, Set<String> future, List<BitSet> racks, Tables tables) {
        List<String> qosLines = tables.qos;
        List<String> assocLines = tables.associations;
        this.conf = conf;
        this.nodes = List.copyOf(nodes);
        this.future = future;
        for (Node node : nodes) {
            indices.put(node.name(), indices.size());
        }
        DelimitedTable assoc =
                assocLines == null ? null : Association.table("assoc.txt", assocLines, conf.text("ClusterName", ""));
        unread(conf, qosLines == null ? null : DelimitedTable.ofBars("qos.txt", qosLines), "qos");
        unread(conf, assoc, "assoc");
        if (!conf.text("SelectType", "select/cons_tres")
                .toLowerCase(Locale.ROOT)
                .contains("cons_")) {
            conf.note(SlurmKeys.bounds(
                    "SelectType=" + conf.text("SelectType", "") + ": whole nodes; jobs share nodes here"));
        }
        qos = qosLines == null ? new HashMap<>(Map.of("normal", Qos.NORMAL)) : Qos.parse("qos.txt", qosLines);
        table = assoc;
        associations = associations(assoc);
        if (assoc != null && !Association.saysTree(assoc)) {
            conf.warn(
                    "assoc.txt: says not which account is above which, so limits and shares of accounts above others are "
                            + "not known here (sacctmgr -P show assoc tree, or a column ParentName, says it)");
        }
        listsQos = qosLines != null;
        listsAccounts = assoc != null;
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
        completeWait = conf.number("CompleteWait", 0);
        String exempt = conf.text("PreemptExemptTime", "");
        exemptSeconds = exempt.isEmpty() || exempt.startsWith("-")
                ? 0
                : SlurmText.seconds(conf.source() + ", PreemptExemptTime", exempt);
        limited = conf.words("AccountingStorageEnforce").stream()
                .anyMatch(Set.of("2", "limits", "safe", "all")::contains);
        licenses = SlurmText.licenses(conf.source() + ", Licenses", conf.text("Licenses", ""));
        switches = SwitchTree.of(conf, tables.network, indices, future, racks);
        readPartitions();
    }

    private static Map<String, Association> associations(@Nullable DelimitedTable table) {
        return table == null
                ? new HashMap<>(Map.of("root", Association.root()))
                : Association.parse("assoc.txt", table);
    }

    private SlurmCluster(SlurmCluster like) {
        nodes = like.nodes;
        indices.putAll(like.indices);
        future = like.future;
        partitions.addAll(like.partitions);
        qos = like.qos;
        table = like.table;
        associations = associations(table);
        listsQos = like.listsQos;
        listsAccounts = like.listsAccounts;
        conf = like.conf;
        parameters = like.parameters;
        priority = like.priority;
        backfill = like.backfill;
        preempting = like.preempting;
        preemptMode = like.preemptMode;
        killWait = like.killWait;
        exemptSeconds = like.exemptSeconds;
        completeWait = like.completeWait;
        limited = like.limited;
        licenses = like.licenses;
        switches = like.switches;
        defaultPartition = like.defaultPartition;
    }

    /** Returns this cluster with associations that have used and hold nothing. O(associations). */
    public SlurmCluster unused() {
        return new SlurmCluster(this);
    }

    /** Names the columns of a table that say something and are not applied, and resources that are not counted. */
    private static void unread(SlurmConf conf, @Nullable DelimitedTable table, String kind) {
        if (table == null) {
            return;
        }
        for (String column : table.columns()) {
            boolean bounds = SlurmKeys.effect(kind, column) == SlurmKeys.Effect.BOUNDS;
            if (bounds ? table.hasText(column) : table.saysSomething(column)) {
                conf.note(SlurmKeys.note(kind, column, "%s.txt, %s".formatted(kind, column)));
            }
            for (int row = 0; row < table.rows(); row++) {
                conf.words(kind, column, "%s ".formatted(table.place(row, column)), table.text(row, column));
            }
            if (column.matches("(Grp|Max)TRES(P[UA])?")) {
                for (int row = 0; row < table.rows(); row++) {
                    for (String name : TresLimits.uncounted(table, row, column)) {
                        conf.note(SlurmKeys.bounds("%s %s".formatted(table.place(row, column), name)));
                    }
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

    /** Reads the files of a cluster with all tables, and topology.conf. */
    public static SlurmCluster of(SlurmConf conf, @Nullable List<String> gres, Tables tables) {
        Map<String, Node> nodes = new LinkedHashMap<>();
        Set<String> future = new HashSet<>();
        Map<String, Integer> counted = gres == null ? Map.of() : GresConf.gpus(conf, gres);
        for (SlurmLine line : conf.nodeLines()) {
            String state = line.text("State", "UNKNOWN");
            Set<String> features = features(line);
            SlurmGpus gpus = gpus(conf, line);
            for (String name : HostList.expand(line.at("NodeName"), line.text("NodeName", ""))) {
                if (state.toUpperCase(Locale.ROOT).startsWith("FUTURE")) {
                    future.add(name);
                } else if (!line.isDefault() && nodes.containsKey(name)) {
                    throw InputException.at(line.at("NodeName"), name, "a node that no line before names");
                } else if (!line.isDefault()) {
                    nodes.put(
                            name,
                            new Node(
                                    name,
                                    gpus == null ? counted.getOrDefault(name, 0) : (int) gpus.count(),
                                    cpus(conf, line),
                                    memoryMib(conf, line),
                                    line.number("Weight", 1),
                                    features,
                                    gpus == null ? Set.of() : gpus.kinds(),
                                    gpus == null ? Set.of() : gpus.labels(),
                                    !OUT.matcher(state).matches()));
                }
            }
        }
        for (SlurmLine line : conf.downNodeLines()) {
            if (OUT.matcher(line.text("State", "DOWN")).matches()) {
                for (String name : HostList.expand(line.at("DownNodes"), line.text("DownNodes", ""))) {
                    nodes.computeIfPresent(name, (any, node) -> node.in(false));
                }
            }
        }
        if (nodes.isEmpty()) {
            throw InputException.at(conf.source(), "no node", "a line NodeName=");
        }
        return new SlurmCluster(conf, List.copyOf(nodes.values()), future, List.of(), tables);
    }

    /** The settings of a configuration on nodes that are given, such as the servers of a topology and its racks. */
    public static SlurmCluster on(List<Node> nodes, List<BitSet> racks, SlurmConf conf, Tables tables) {
        return new SlurmCluster(conf, nodes, Set.of(), racks, tables);
    }

    /** This cluster where no node has more CPUs or memory than the server of its place in a topology. */
    SlurmCluster within(Topology topology, Tables tables) {
        List<Node> bounded = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            bounded.add(nodes.get(node).within(topology.server(node)));
        }
        return bounded.equals(nodes) ? this : new SlurmCluster(conf, bounded, future, List.of(), tables);
    }

    private static Set<String> features(SlurmLine line) {
        String said = line.text("features", line.text("feature", ""));
        return said.isBlank() ? Set.of() : Set.of(said.strip().split("\\s*,\\s*", -1));
    }

    /** RealMemory, where memory is consumable. */
    private static long memoryMib(SlurmConf conf, SlurmLine line) {
        String parameters = conf.text("SelectTypeParameters", "CR_Core_Memory").toUpperCase(Locale.ROOT);
        long memory = line.number("RealMemory", 0);
        return memory > 1 && parameters.contains("MEMORY") ? memory : ServerSpec.UNLIMITED;
    }

    /** The CPUs of a node that jobs share out; where memory alone is shared out, there is no end of them. */
    private static int cpus(SlurmConf conf, SlurmLine line) {
        boolean isShared = conf.words("SelectTypeParameters").contains("cr_memory");
        if (isShared || CPU_KEYS.stream().allMatch(key -> line.text(key, "").isEmpty())) {
            return MANY;
        }
        int sockets = line.count("Sockets", line.count("Boards", 1) * line.count("SocketsPerBoard", 1));
        int all = sockets * line.count("CoresPerSocket", 1) * line.count("ThreadsPerCore", 1);
        return line.count("CPUs", line.count("Procs", all));
    }

    /** The GPUs of a node; null where its line does not say. */
    private static @Nullable SlurmGpus gpus(SlurmConf conf, SlurmLine line) {
        String text = line.text("Gres", "");
        if (!text.toLowerCase(Locale.ROOT).matches("(.*,)?gpu\\b.*")) {
            return null;
        }
        SlurmGpus gpus = SlurmGpus.ofNode(line.at("Gres"), text);
        String what = "NodeName, Gres=" + text;
        if (gpus.hasSlices()) {
            conf.note(what + ": each slice (MIG) counts as a GPU of its own here");
        }
        if (gpus.kinds().size() > 1) {
            conf.note(SlurmKeys.bounds(what + ": several types on one node"));
        }
        return gpus;
    }

    private void readPartitions() {
        Set<String> known = new HashSet<>();
        for (SlurmLine line : conf.partitionLines()) {
            String name = line.text("partitionname", "");
            if (line.isDefault()) {
                continue;
            }
            if (!known.add(name)) {
                throw InputException.at(line.at("PartitionName"), name, "a partition that no line before names");
            }
            if (line.flag("Default")) {
                defaultPartition = partitions.size();
            }
            partitions.add(partition(name, line));
        }
        if (partitions.isEmpty()) {
            BitSet all = new BitSet();
            all.set(0, nodes.size());
            partitions.add(new SlurmPartition("all", 0, all, PartitionBounds.NONE, -1, 1, 1, true, "", Billing.GPUS));
        }
    }

    private SlurmPartition partition(String name, SlurmLine line) {
        return new SlurmPartition(
                name,
                partitions.size(),
                members(line),
                PartitionBounds.of(line),
                line.seconds("DefaultTime"),
                line.count("PriorityTier", 1),
                line.count("PriorityJobFactor", 1),
                line.text("state", "UP").equalsIgnoreCase("UP"),
                line.text("qos", ""),
                Billing.of(conf, line));
    }

    /** The nodes of a partition, by name or by the set that a NodeSet makes of features or names. */
    private BitSet members(SlurmLine line) {
        BitSet members = new BitSet();
        String listed = line.text("Nodes", conf.nodeLines().isEmpty() ? "ALL" : "")
                .strip()
                .replaceAll("\\s+", ",");
        if (listed.equalsIgnoreCase("ALL")) {
            members.set(0, nodes.size());
            return members;
        }
        for (String name : HostList.expand(line.at("Nodes"), listed)) {
            boolean isSet = false;
            for (SlurmLine set : conf.nodeSetLines()) {
                if (set.text("NodeSet", "").equals(name)) {
                    isSet = true;
                    String feature = set.text("Feature", "");
                    for (int node = 0; node < nodes.size(); node++) {
                        members.set(
                                node,
                                members.get(node) || nodes.get(node).features().contains(feature));
                    }
                    String also = set.text("Nodes", "");
                    if (also.equalsIgnoreCase("ALL")) {
                        members.set(0, nodes.size());
                    } else {
                        HostList.expand(set.at("Nodes"), also).forEach(node -> add(set, node, members));
                    }
                }
            }
            if (!isSet) {
                add(line, name, members);
            }
        }
        return members;
    }

    private void add(SlurmLine line, String node, BitSet members) {
        Integer index = indices.get(node);
        if (index != null) {
            members.set(index);
        } else if (!future.contains(node)) {
            throw InputException.at(line.at("Nodes"), node, "the name of a node of this cluster");
        }
    }

    public List<Node> nodes() {
        return nodes;
    }

    /**
     * The nodes with GPUs of one of some types, as jobs write them; of types that no line writes so, those of the same
     * name, such as A100 of {@code nvidia_a100-sxm4-80gb}.
     *
     * @return null where no node says its types
     */
    public @Nullable BitSet nodesWith(Set<String> labels) {
        if (nodes.stream().allMatch(node -> node.labels().isEmpty())) {
            return null;
        }
        BitSet written = new BitSet();
        BitSet named = new BitSet();
        Set<String> names = labels.stream().map(GpuType::nameIn).collect(Collectors.toSet());
        for (int node = 0; node < nodes.size(); node++) {
            written.set(node, !Collections.disjoint(nodes.get(node).labels(), labels));
            named.set(node, !Collections.disjoint(nodes.get(node).types(), names));
        }
        return written.isEmpty() ? named : written;
    }

    /** The node of a name, or -1. */
    public int node(String name) {
        return indices.getOrDefault(name, -1);
    }

    public List<SlurmPartition> partitions() {
        return partitions;
    }

    /** Whether a partition has this name; always where no file names partitions. */
    boolean hasPartition(String name) {
        return conf.partitionLines().isEmpty()
                || partitions.stream().anyMatch(partition -> partition.name().equals(name));
    }

    /** Whether a QOS has this name; always where no table names them. */
    boolean hasQos(String name) {
        return !listsQos || qos.containsKey(name) || name.equals("normal");
    }

    /** Whether an account has this name; always where no table names them. */
    boolean hasAccount(String name) {
        return !listsAccounts || associations.containsKey(name);
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

    /** Seconds after the end of a job for which neither loop runs while its nodes are being cleaned up; 0 for none. */
    public long completeWait() {
        return completeWait;
    }

    /** Seconds for which a job of a QOS is not preempted after its start. */
    public long exemptSeconds(Qos of) {
        return of.exemptSeconds() > 0 ? of.exemptSeconds() : exemptSeconds;
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

    /** Settings of the files that have no effect here, one line each. */
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
