package org.trainyard.env.workload.log;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Mends rows of Slurm in which a text that anybody may write, such as the name of a job, has the separator in it: the columns right of it count from the end of the row. Where several
 * columns may be such texts, the one is taken with which the times of the row are times.
 */
final class BarredName {
    private static final List<String> FREE = List.of(
            "jobname",
            "name",
            "job_name",
            "submitline",
            "comment",
            "admincomment",
            "systemcomment",
            "workdir",
            "constraints");
    private static final List<String> TIMES = List.of("submit", "start", "end", "eligible");
    private static final Pattern TIME = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d[T ].*|\\d{9,19}|Unknown|None|N/A|)");

    private final int width;
    private final List<Integer> free = new ArrayList<>();
    private final List<Integer> times = new ArrayList<>();
    private final char separator;

    BarredName(List<String> header) {
        TraceColumns columns = new TraceColumns(header);
        width = header.size();
        separator = '|';
        boolean isSlurm = columns.has("jobid") || columns.has("jobidraw") || columns.has("id_job");
        if (isSlurm) {
            FREE.stream().map(columns::indexOf).filter(at -> at >= 0).forEach(free::add);
            TIMES.stream().map(columns::indexOf).filter(at -> at >= 0).forEach(times::add);
        }
    }

    /** The row with one field for each column, or as it is when it cannot be mended. */
    List<String> mended(List<String> fields) {
        int extra = fields.size() - width;
        for (int at : free) {
            List<String> mended = new ArrayList<>(fields.subList(0, at));
            mended.add(String.join(String.valueOf(separator), fields.subList(at, at + extra + 1)));
            mended.addAll(fields.subList(at + extra + 1, fields.size()));
            if (times.stream()
                    .allMatch(time -> TIME.matcher(mended.get(time).strip()).matches())) {
                return mended;
            }
        }
        return fields;
    }
}
