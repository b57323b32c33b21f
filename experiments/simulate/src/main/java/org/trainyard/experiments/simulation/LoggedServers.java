package org.trainyard.experiments.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.FitReason;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.trace.slurm.HostList;

/**
 * Which servers of a cluster the names in a log mean. A cluster whose servers have names has these; in another the
 * first name of the log, in order, means the first server, and so on, when there are as many servers as names.
 */
public final class LoggedServers {
    /** Separators of the hosts of a list that is not Slurm's, such as {@code n1/0*4+n2/0*4} or {@code 4*n1:4*n2}. */
    private static final Pattern BETWEEN = Pattern.compile("[\\s,;:+]+");

    private static final Pattern COUNT_BEFORE = Pattern.compile("^\\d+\\*");
    private static final Pattern CORES_BEHIND = Pattern.compile("/.*$");
    private static final Pattern DIGITS = Pattern.compile("\\d+");
    static final Comparator<String> IN_ORDER =
            Comparator.comparing(LoggedServers::padded).thenComparing(Comparator.naturalOrder());

    private final Map<String, Integer> servers = new HashMap<>();
    /** Whether the servers are in the order of the names, for those of the cluster have none. */
    private final boolean isInOrder;

    /**
     * Oddities of a trace, but for what was left out, and GPU types of its jobs that the cluster lacks, as sentences.
     */
    public static List<String> oddities(Trace trace, Topology topology) {
        Set<String> out = trace.leftOut().stream().map(LeftOut::sentence).collect(Collectors.toSet());
        return Stream.concat(trace.oddities().stream(), Stream.ofNullable(otherTypes(trace, topology)))
                .filter(oddity -> !out.contains(oddity))
                .toList();
    }

    /** A sentence where jobs of a trace ran on other types of GPUs than a cluster with named types has, or null. */
    private static @Nullable String otherTypes(Trace trace, Topology topology) {
        Set<String> types = IntStream.range(0, topology.servers())
                .mapToObj(server -> topology.server(server).gpuType().name())
                .collect(Collectors.toCollection(TreeSet::new));
        boolean isNamed = !types.equals(Set.of(GpuType.V100.name()));
        if (!isNamed || trace.ranOn().isEmpty() || !Collections.disjoint(types, trace.ranOn())) {
            return null;
        }
        return "The jobs ran on %s, of which the cluster has none; on %s they run as long as in the log."
                .formatted(String.join(", ", trace.ranOn()), String.join(", ", types));
    }

    /**
     * The order of servers by a log whose jobs ran on another type of GPU than they ask for, as the servers are in a
     * cluster without names and with as many; null where fewer than one in twenty of these jobs did. O(jobs log jobs).
     */
    static @Nullable String contradiction(Topology topology, List<TraceJob> jobs) {
        LoggedServers servers = new LoggedServers(topology, jobs);
        if (!servers.isInOrder || servers.servers.size() != topology.servers()) {
            return null;
        }
        FitReason fit = new FitReason(topology);
        Map<Integer, Map<String, Integer>> asked = new TreeMap<>();
        int all = 0;
        int elsewhere = 0;
        for (TraceJob job : jobs) {
            List<String> types = fit.named(job.demand()).gpuTypes();
            List<Integer> on = types.size() == 1 && fit.of(job.demand()) == null ? servers.of(job.past()) : List.of();
            if (!on.isEmpty()) {
                all++;
                elsewhere +=
                        on.stream().allMatch(server -> type(topology, server).equals(types.get(0))) ? 0 : 1;
                on.forEach(server ->
                        asked.computeIfAbsent(server, key -> new TreeMap<>()).merge(types.get(0), 1, Integer::sum));
            }
        }
        return elsewhere <= all / 20
                ? null
                : Counted.say(
                        "the nodes of the log in the order of their names, where %,d jobs of %,d ran on another type than they ask"
                                + " for; perhaps %s",
                        elsewhere, all, servers.ordered(topology, asked));
    }

    private static String type(Topology topology, int server) {
        return topology.server(server).gpuType().name();
    }

    /** The servers as a shorthand, each of the type that most jobs on it ask for, else of that of the server before. */
    private String ordered(Topology topology, Map<Integer, Map<String, Integer>> asked) {
        StringJoiner parts = new StringJoiner("+");
        String before = "";
        int length = 0;
        for (int server = 0; server <= topology.servers(); server++) {
            String type = server == topology.servers()
                    ? ""
                    : asked.getOrDefault(server, Map.of()).entrySet().stream()
                            .max(Map.Entry.comparingByValue())
                            .map(Map.Entry::getKey)
                            .orElse(before);
            if (!type.equals(before) && length > 0) {
                parts.add("%dx%d:%s".formatted(length, gpus(topology, before), before));
                length = 0;
            }
            before = type;
            length++;
        }
        return parts.toString();
    }

    /** The GPUs of the first server of a type, or of the first of all. */
    private static int gpus(Topology topology, String type) {
        return topology.gpusOn(IntStream.range(0, topology.servers())
                .filter(server -> type(topology, server).equals(type))
                .findFirst()
                .orElse(0));
    }

    /** @param jobs whose servers are named */
    public LoggedServers(Topology topology, List<TraceJob> jobs) {
        this(topology, jobs, Set.of());
    }

    /**
     * Servers by names of a log that may have run none of the jobs, too.
     *
     * @param jobs whose servers are named
     */
    public LoggedServers(Topology topology, List<TraceJob> jobs, Set<String> others) {
        boolean isNamed = IntStream.range(0, topology.servers())
                .anyMatch(server -> !topology.serverName(server).equals("server " + server));
        isInOrder = !isNamed;
        if (isNamed) {
            IntStream.range(0, topology.servers()).forEach(server -> servers.put(topology.serverName(server), server));
            return;
        }
        Set<String> names = new TreeSet<>(IN_ORDER);
        names.addAll(others);
        for (TraceJob job : jobs) {
            names.addAll(names(job.past()));
        }
        if (names.size() <= topology.servers()) {
            names.forEach(name -> servers.put(name, servers.size()));
        }
    }

    /** Numbers in it compare as numbers. */
    private static String padded(String name) {
        return DIGITS.matcher(name)
                .replaceAll(digits -> "%12s".formatted(digits.group()).replace(' ', '0'));
    }

    /** The servers of a run, ascending; none when the log does not name them or the cluster lacks one of them. */
    public List<Integer> of(@Nullable LoggedRun run) {
        List<Integer> found = names(run).stream().map(this::named).sorted().toList();
        return found.contains(-1) ? List.of() : found;
    }

    /** The server of this name, or -1. */
    public int named(String name) {
        return servers.getOrDefault(name, -1);
    }

    /** The names of the servers of a run; none when its log does not say. */
    static Set<String> names(@Nullable LoggedRun run) {
        String text = run == null ? null : run.facts().nodeList();
        if (text == null) {
            return Set.of();
        }
        if (text.indexOf('[') >= 0) {
            try {
                return new LinkedHashSet<>(HostList.expand("node_list", text));
            } catch (InputException unreadable) {
                return Set.of();
            }
        }
        List<String> names = new ArrayList<>();
        for (String part : BETWEEN.split(text, -1)) {
            String name = CORES_BEHIND
                    .matcher(COUNT_BEFORE.matcher(part).replaceFirst(""))
                    .replaceFirst("");
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return new LinkedHashSet<>(names);
    }
}
