package org.trainyard.env.workload.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.trace.batch.GavelRows;
import org.trainyard.env.workload.trace.batch.LsfText;
import org.trainyard.env.workload.trace.batch.PbsText;

/**
 * The first lines of a file, which tell what it is.
 *
 * @param text of the file from its begin on
 * @param line the first that is neither empty nor a comment; empty when there is none
 * @param number of that line, from 1
 */
record FirstLines(String text, String line, int number) {
    /** Characters, comments included, in which the first line must end. */
    private static final int LOOK_AHEAD = 1 << 16;

    private static final Pattern SWF = Pattern.compile("\\s*-?\\d+(\\s+-?\\d+(\\.\\d+)?){17}\\s*");
    private static final Pattern AD = Pattern.compile("[A-Z][A-Za-z0-9_]* = .*");
    private static final Pattern PAI_TASK = Pattern.compile(
            "[^,]+,[^,]*,\\d+(\\.\\d+)?,(Terminated|Failed|Running|Waiting),[\\d.]*,[\\d.]*,[\\d.]*,[\\d.]*,[\\d.]*,[^,]*");

    static FirstLines of(BufferedReader reader) throws IOException {
        reader.mark(LOOK_AHEAD + 1);
        char[] head = new char[LOOK_AHEAD];
        int length = 0;
        int more = reader.read(head, 0, LOOK_AHEAD);
        while (more > 0) {
            length += more;
            more = length < LOOK_AHEAD ? reader.read(head, length, LOOK_AHEAD - length) : -1;
        }
        reader.reset();
        String text = new String(head, 0, length);
        String[] lines = text.split("\r\n|\n|\r", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i];
            if (!line.isBlank() && !line.startsWith("#")) {
                return new FirstLines(text, line, i + 1);
            }
        }
        return new FirstLines(text, "", lines.length);
    }

    boolean isEmpty() {
        return line.isEmpty();
    }

    boolean isJson() {
        String begin = line.stripLeading();
        return begin.startsWith("{") || begin.startsWith("[");
    }

    /** The format of a file that is no table with a header, or null when it seems to be one. */
    @Nullable TraceFormat format(@Nullable TraceFormat forced) {
        if (forced != null) {
            return !forced.hasHeader() && forced != TraceFormat.NAMED
                    ? forced
                    : forced == TraceFormat.LSF && LsfText.isRecord(line)
                            ? forced
                            : forced == TraceFormat.PAI_TASKS && isTask() ? forced : null;
        }
        String row = firstNumbers();
        if (SWF.matcher(row).matches()) {
            return TraceFormat.SWF;
        } else if (PbsText.isRecord(line)) {
            return TraceFormat.PBS;
        } else if (LsfText.isRecord(line)) {
            return TraceFormat.LSF;
        } else if (line.startsWith("JobId=")) {
            return TraceFormat.SCONTROL;
        } else if (AD.matcher(line).matches()) {
            return TraceFormat.CONDOR;
        } else if (isTask()) {
            return TraceFormat.PAI_TASKS;
        }
        String[] fields = line.split("\t", -1);
        if (fields.length > 1 && GavelRows.isType(fields[0])) {
            return fields.length == ShockwaveRow.COLUMNS.size() ? TraceFormat.SHOCKWAVE : TraceFormat.GAVEL;
        }
        return null;
    }

    private boolean isTask() {
        return PAI_TASK.matcher(line).matches();
    }

    /** The first line that is no comment of the Standard Workload Format. */
    private String firstNumbers() {
        return text.lines()
                .filter(one -> !one.isBlank()
                        && !one.startsWith("#")
                        && !one.stripLeading().startsWith(";"))
                .findFirst()
                .orElse("");
    }

    /** The columns of a format without a header. */
    List<String> columns(TraceFormat format) {
        if (format == TraceFormat.PAI_TASKS) {
            return List.of(
                    "job_name",
                    "task_name",
                    "inst_num",
                    "status",
                    "start_time",
                    "end_time",
                    "plan_cpu",
                    "plan_mem",
                    "plan_gpu",
                    "gpu_type");
        }
        boolean isOld = line.split("\t", -1).length == GavelRows.OLD_COLUMNS.size();
        return format == TraceFormat.GAVEL && isOld ? GavelRows.OLD_COLUMNS : format.required();
    }
}
