package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.trace.slurm.SlurmDuration;

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

    private static final Pattern PAIR = Pattern.compile("([A-Za-z][A-Za-z0-9_.]*)\\s*=\\s*(\"[^\"]*\"|\\S*)");

    private static final Pattern LICENSE = Pattern.compile("([^:*|=\\s]+)(?:[:*=](\\d{1,9}))?(?:\\|.*)?");

    private final String source;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<Map<String, String>> nodes = new ArrayList<>();
    private final List<Map<String, String>> partitions = new ArrayList<>();
    private final List<Map<String, String>> switches = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();

    private SlurmConf(String source) {
        this.source = source;
    }

    /** Reads the lines of a file; comments and continued lines are as Slurm reads them. */
    public static SlurmConf parse(String source, List<String> lines) {
        SlurmConf conf = new SlurmConf(source);
        StringBuilder open = new StringBuilder();
        int number = 0;
        for (String line : lines) {
            number++;
            String text = line.replaceFirst("(?<!\\\\)#.*", "").strip();
            if (text.endsWith("\\")) {
                open.append(text, 0, text.length() - 1).append(' ');
                continue;
            }
            open.append(text);
            if (!open.toString().isBlank()) {
                conf.take(number, open.toString());
            }
            open.setLength(0);
        }
        return conf;
    }

    private void take(int number, String line) {
        Map<String, String> pairs = new LinkedHashMap<>();
        Matcher matcher = PAIR.matcher(line);
        int end = 0;
        while (matcher.find()) {
            if (!line.substring(end, matcher.start()).isBlank()) {
                break;
            }
            pairs.put(
                    matcher.group(1).toLowerCase(Locale.ROOT), matcher.group(2).replace("\"", ""));
            end = matcher.end();
        }
        if (pairs.isEmpty() || !line.substring(end).isBlank()) {
            throw InputException.at("%s:%d".formatted(source, number), line, "Key=Value, as slurm.conf has it");
        }
        String first = pairs.keySet().iterator().next();
        switch (first) {
            case "nodename" -> add(nodes, pairs, "nodename");
            case "partitionname" -> add(partitions, pairs, "partitionname");
            case "switchname", "blockname" -> switches.add(pairs);
            case "name" -> notes.add("line '%s': not read here".formatted(line));
            default -> pairs.forEach(this::setting);
        }
    }

    /** A line named DEFAULT is the default of the lines after it. */
    private static void add(List<Map<String, String>> lines, Map<String, String> pairs, String key) {
        Map<String, String> whole = new LinkedHashMap<>();
        for (Map<String, String> before : lines) {
            if ("DEFAULT".equals(before.get(key))) {
                whole.putAll(before);
            }
        }
        whole.putAll(pairs);
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
        return number(source, key, text(key, Long.toString(otherwise)));
    }

    /** A whole number. */
    static long number(String source, String key, String value) {
        if (!value.matches("-?\\d{1,15}")) {
            throw InputException.at("%s, %s".formatted(source, key), value, "a whole number");
        }
        return Long.parseLong(value);
    }

    /** Seconds of a span of time, in which a plain number is minutes; -1 for no limit. */
    static long seconds(String source, String key, String value) {
        if (value.isEmpty() || SlurmDuration.isUnlimited(value) || value.equalsIgnoreCase("NONE")) {
            return -1;
        }
        Long seconds = SlurmDuration.secondsOfPlainMinutes(value);
        if (seconds == null) {
            throw InputException.at("%s, %s".formatted(source, key), value, "a span of time such as 1-12:00:00");
        }
        return seconds;
    }

    /** The {@code NodeName} lines. */
    List<Map<String, String>> nodeLines() {
        return nodes;
    }

    /** The {@code SwitchName} or {@code BlockName} lines of a topology.conf. */
    List<Map<String, String>> switchLines() {
        return switches;
    }

    /** Licences by name, as {@code fluent:30,ansys} says them; of a choice {@code a|b} the first. */
    public static Map<String, Integer> licenses(String place, String text) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String part : text.isBlank() ? new String[0] : text.strip().split("\\s*[,;]\\s*", -1)) {
            Matcher license = LICENSE.matcher(part);
            if (!license.matches()) {
                throw InputException.at(place, part, "licences such as fluent:30,ansys:2");
            }
            counts.merge(
                    license.group(1), license.group(2) == null ? 1 : Integer.parseInt(license.group(2)), Integer::sum);
        }
        return counts;
    }

    /** The {@code PartitionName} lines. */
    List<Map<String, String>> partitionLines() {
        return partitions;
    }
}
