package org.trainyard.env.workload.trace.slurm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.trace.log.TextRecords;

/** Jobs of Slurm as {@code scontrol show job -o} prints them. */
public final class ScontrolFormat extends SlurmFormat {
    public ScontrolFormat() {
        super(
                "scontrol",
                List.of("JobId=", "JobState=", "SubmitTime=", "StartTime=", "EndTime="),
                List.of(),
                Writer.OTHER);
    }

    @Override
    protected boolean hasHeader() {
        return false;
    }

    @Override
    protected boolean begins(FirstLines first) {
        return first.line().startsWith("JobId=");
    }

    @Override
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        return TextRecords.read(
                file,
                collector(file, options, ScontrolText.COLUMNS, jobs),
                line -> !line.startsWith("JobId="),
                " ",
                ScontrolText::row);
    }

    /**
     * Reads what {@code scontrol show job -o} prints, a job a line as {@code JobId=17 JobName=train ...}, as rows of
     * {@link SlurmRows}.
     */
    private static final class ScontrolText {
        static final List<String> COLUMNS = List.of(
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
                "licenses",
                "segmentsize",
                "consolidatesegments");

        private static final Pattern KEY = Pattern.compile("(?:^|\\s)([A-Z][A-Za-z0-9_/:]*)=");

        private ScontrolText() {}

        /** The fields of a line, in the order of the columns. */
        static List<String> row(String line) {
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
}
