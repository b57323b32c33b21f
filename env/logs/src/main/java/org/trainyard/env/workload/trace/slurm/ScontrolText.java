package org.trainyard.env.workload.trace.slurm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code scontrol show job -o} prints, a job a line as {@code JobId=17 JobName=train ...}, as rows of {@link SlurmRows}. */
public final class ScontrolText {
    public static final List<String> COLUMNS = List.of(
            "jobid",
            "arrayjobid",
            "arraytaskid",
            "arraytaskthrottle",
            "hetjobid",
            "hetjoboffset",
            "jobname",
            "userid",
            "groupid",
            "account",
            "qos",
            "priority",
            "nice",
            "jobstate",
            "reason",
            "dependency",
            "restarts",
            "exitcode",
            "timelimit",
            "submittime",
            "eligibletime",
            "starttime",
            "endtime",
            "partition",
            "nodelist",
            "numnodes",
            "alloctres",
            "reqtres",
            "tres",
            "tresperjob",
            "trespernode",
            "gres",
            "features",
            "reservation",
            "licenses");

    private static final Pattern KEY = Pattern.compile("(?:^|\\s)([A-Z][A-Za-z0-9_/:]*)=");

    private ScontrolText() {}

    /** The fields of a line, in the order of the columns. */
    public static List<String> row(String line) {
        Map<String, String> values = new HashMap<>();
        Matcher key = KEY.matcher(line);
        String name = "";
        int from = 0;
        while (key.find()) {
            put(values, name, line.substring(from, key.start()));
            name = key.group(1).toLowerCase(Locale.ROOT);
            from = key.end();
        }
        put(values, name, line.substring(from));
        List<String> row = new ArrayList<>(COLUMNS.size());
        for (String column : COLUMNS) {
            String value = values.getOrDefault(column, "");
            row.add(value.equals("(null)") ? "" : value);
        }
        return row;
    }

    private static void put(Map<String, String> values, String name, String value) {
        if (!name.isEmpty()) {
            values.putIfAbsent(name, value.strip());
        }
    }
}
