package org.trainyard.env.workload.log;

import de.siegmar.fastcsv.reader.CsvRecord;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Mends rows of Slurm in which a text that anybody may write, such as the name of a job, has the separator in it: the
 * columns right of it count from the end of the row. Where several columns may be such texts, the one is taken with
 * which the times of the row are times. A line break in such a text cuts the row, and its lines are put together.
 */
public final class BarredName {
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

    private static final String SEPARATOR = "|";

    /** Lines over which a row goes at most. */
    private static final int MOST_LINES = 100;

    private final int width;
    private final List<Integer> free = new ArrayList<>();
    private final List<Integer> times = new ArrayList<>();
    private final boolean isSlurm;

    /** @param header names of the columns */
    public BarredName(List<String> header) {
        TraceColumns columns = new TraceColumns(header);
        width = header.size();
        isSlurm = columns.has("jobid") || columns.has("jobidraw") || columns.has("id_job");
        if (isSlurm) {
            FREE.stream().map(columns::indexOf).filter(at -> at >= 0).forEach(free::add);
            TIMES.stream().map(columns::indexOf).filter(at -> at >= 0).forEach(times::add);
        }
    }

    boolean isSlurm() {
        return isSlurm;
    }

    /**
     * A row that is cut, because a text in it has line breaks, with the lines that follow it; or as it is when these
     * are rows of their own or do not make it whole.
     *
     * @param ahead lines that were read and are none of the row; those that it takes go out of it
     */
    List<String> joined(List<String> cut, Deque<CsvRecord> ahead, Iterator<CsvRecord> rest) {
        List<CsvRecord> taken = new ArrayList<>();
        List<String> whole = new ArrayList<>(cut);
        while (whole.size() < width && taken.size() < MOST_LINES && (!ahead.isEmpty() || rest.hasNext())) {
            CsvRecord line = ahead.isEmpty() ? rest.next() : ahead.remove();
            taken.add(line);
            List<String> fields = line.getFields();
            if (fields.size() >= width) {
                break;
            }
            int last = whole.size() - 1;
            whole.set(last, whole.get(last) + " " + fields.get(0));
            whole.addAll(fields.subList(1, fields.size()));
        }
        if (whole.size() == width && areTimes(whole)) {
            return whole;
        }
        for (int i = taken.size() - 1; i >= 0; i--) {
            ahead.addFirst(taken.get(i));
        }
        return cut;
    }

    private boolean areTimes(List<String> fields) {
        return times.stream()
                .allMatch(time -> TIME.matcher(fields.get(time).strip()).matches());
    }

    /** A row of more fields than columns with one for each, or as it is when it cannot be mended. */
    public List<String> mended(List<String> fields) {
        int extra = fields.size() - width;
        for (int at : free) {
            List<String> mended = new ArrayList<>(fields.subList(0, at));
            mended.add(String.join(SEPARATOR, fields.subList(at, at + extra + 1)));
            mended.addAll(fields.subList(at + extra + 1, fields.size()));
            if (areTimes(mended)) {
                return mended;
            }
        }
        return fields;
    }
}
