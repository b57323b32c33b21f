package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * The text of {@code slurm.conf} as keys and values: those of the controller, of each {@code NodeName} and of each
 * {@code PartitionName} line. Names of keys are without case. {@link #notes} names the keys that have no effect here.
 */
public final class SlurmConf {
    /** Keys that decide something here. */
    private static final Set<String> USED = Set.of(
            "schedulertype",
            "schedulerparameters",
            "selecttype",
            "selecttypeparameters",
            "preempttype",
            "preemptmode",
            "prioritytype",
            "prioritydecayhalflife",
            "prioritycalcperiod",
            "prioritymaxage",
            "priorityfavorsmall",
            "priorityflags",
            "priorityweightage",
            "priorityweightassoc",
            "priorityweightfairshare",
            "priorityweightjobsize",
            "priorityweightpartition",
            "priorityweightqos",
            "priorityweighttres",
            "accountingstorageenforce",
            "killwait",
            "overtimelimit",
            "licenses",
            "topologyplugin",
            "grestypes",
            "clustername");

    /** Keys that are about daemons, files, logs and the like, and decide no start. */
    private static final Pattern SILENT = Pattern.compile(
            "(slurmctld|slurmd|slurmuser|slurmsched|auth|cred|state|spool|accountingstorage(type|host|port|pass|tres|user|"
                    + "backup|external|loc|storeflags|flags)|accountingstoreflags|jobacct|acctgather|jobcomp|debug|log|mail|mpi|proctrack|"
                    + "task|switch|return|crypto|plugin|plugstack|communication|controlmachine|backup|cli|"
                    + "gpufreq|interactive|json|keepalive|launch|maxjobcount|maxarraysize|maxstep|maxtaskspernode|"
                    + "messagetimeout|minjobage|x11|unkillable|usepam|tcp|tmpfs|tree|track|tracking|srun|slurmrest|"
                    + "firstjobid|gettimeofday|healthcheck|inactivelimit|rebootprogram|reconfig|requeue|resumetimeout|"
                    + "route|sbcast|epilog|prolog|propagate|private|batchstarttimeout|bcast|configless|disablerootjobs|"
                    + "enforcepartlimits|jobfileappend|jobrequeue|kill|maxmempernode|nodefeatures|dependencyparam|waittime|"
                    + "include|prioritysite|priorityusagereset|defmem|defcpu|maxmem|vsize|fairsharedampening|"
                    + "completewait|etimeout|scron|sackd|suspendtime|suspendprogram|resumeprogram).*");

    private final String source;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<SlurmLine> nodes = new ArrayList<>();
    private final List<SlurmLine> partitions = new ArrayList<>();
    private final List<SlurmLine> switches = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();

    private SlurmConf(String source) {
        this.source = source;
    }

    /** Reads the lines of a file. */
    public static SlurmConf parse(String source, List<String> lines) {
        SlurmConf conf = new SlurmConf(source);
        SlurmLine.read(source, lines).forEach(conf::take);
        return conf;
    }

    private void take(SlurmLine line) {
        switch (line.kind()) {
            case "nodename" -> add(nodes, line);
            case "partitionname" -> add(partitions, line);
            case "switchname", "blockname" -> switches.add(line);
            case "name" -> notes.add("line '%s': not read here".formatted(line));
            default -> line.values().forEach(this::setting);
        }
    }

    /** A line named DEFAULT is the default of the lines after it. */
    private static void add(List<SlurmLine> lines, SlurmLine line) {
        SlurmLine whole = line;
        for (int i = lines.size() - 1; i >= 0; i--) {
            whole = lines.get(i).text(line.kind(), "").equals("DEFAULT") ? whole.over(lines.get(i)) : whole;
        }
        lines.add(whole);
    }

    private void setting(String key, String value) {
        values.put(key, value);
        if (!USED.contains(key) && !SILENT.matcher(key).matches()) {
            notes.add("%s=%s: has no effect here".formatted(key, value));
        }
    }

    /** Remembers that something in the file has no effect. */
    void note(String what) {
        notes.add(what);
    }

    /** What has no effect here, one line each. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    String source() {
        return source;
    }

    /** The value of a key of the controller, or the default. */
    public String text(String key, String otherwise) {
        return values.getOrDefault(key.toLowerCase(Locale.ROOT), otherwise);
    }

    long number(String key, long otherwise) {
        return SlurmText.number(source + ", " + key, text(key, Long.toString(otherwise)));
    }

    /** Seconds of a span of time; -1 for no limit. */
    long seconds(String key, String otherwise) {
        return SlurmText.seconds(source + ", " + key, text(key, otherwise));
    }

    /** The {@code NodeName} lines. */
    List<SlurmLine> nodeLines() {
        return nodes;
    }

    /** The {@code SwitchName} or {@code BlockName} lines of a topology.conf. */
    List<SlurmLine> switchLines() {
        return switches;
    }

    /** The {@code PartitionName} lines. */
    List<SlurmLine> partitionLines() {
        return partitions;
    }
}
