package org.trainyard.env.workload.trace;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.workload.trace.log.TraceFieldException;
import org.trainyard.env.workload.trace.log.TraceLimits;
import org.trainyard.env.workload.trace.log.TraceRow;

/**
 * Reads what {@code sacct -P} prints. Steps ({@code 17.batch}) are folded into their job, parts of a heterogeneous job ({@code 17+1}) and repeated runs of a requeued job (with
 * {@code --duplicates}) into one; every task of an array ({@code 17_4}) is a job. Jobs without GPUs, jobs that never ran and jobs that still run are left out and
 * counted. Columns: sacct(1); GPUs stand in TRES as {@code gres/gpu=4} or {@code gres/gpu:a100=4}.
 *
 * <p>Times are wall clocks without a zone, unless {@code SLURM_TIME_FORMAT} says otherwise. A job that could not start when it was submitted (a dependency, a begin time) waits from
 * {@code Eligible} on, where that column is there.
 */
final class SlurmAccounting extends RowFolder {
    private static final Pattern ID = Pattern.compile("(\\d+)(_\\d+|_\\[[^\\]]*\\])?(\\+\\d+)?(\\..+)?");
    private static final Pattern GPUS = Pattern.compile("gres/gpu(:([^=]+))?=(\\d{1,9})");

    private int steps;
    private int late;

    SlurmAccounting() {
        super("jobs");
    }

    @Override
    void add(TraceRow row) {
        String text = row.text("jobid");
        Matcher id = ID.matcher(text);
        if (!id.matches()) {
            throw new TraceFieldException("jobid", text, "a job of Slurm, such as 17, 17_4 or 17.batch");
        }
        if (id.group(4) != null) {
            steps++;
            return;
        }
        String state = row.text("state");
        int gpus = gpus(row, "alloctres", null);
        if (gpus == 0 && gpus(row, "reqtres", null) == 0) {
            leaveOut("without GPUs");
        } else if (!row.isKnown("start")) {
            leaveOut("that never ran");
        } else if (!row.isKnown("end")) {
            leaveOut("that still ran (state %s)".formatted(state.split(" ", 2)[0]));
        } else {
            take(row, id.group(1) + (id.group(2) == null ? "" : id.group(2)), gpus);
        }
    }

    private void take(TraceRow row, String id, int gpus) {
        long submit = row.clockNanos("submit");
        long start = row.clockNanos("start");
        long end = row.clockNanos("end");
        if (start < submit) {
            throw new TraceFieldException("start", row.text("start"), "a time not before the column submit");
        }
        if (end < start) {
            throw new TraceFieldException("end", row.text("end"), "a time not before the column start");
        }
        if (gpus == 0) {
            throw new TraceFieldException(
                    "alloctres", row.textOr("alloctres", ""), "gres/gpu=N for a job that ran and asked for GPUs");
        }
        if (row.isKnown("eligible")) {
            long eligible = row.clockNanos("eligible");
            if (eligible > submit && eligible <= start) {
                submit = eligible;
                late++;
            }
        }
        LoggedJob job = byId.get(id);
        if (job == null) {
            job = new LoggedJob(id, submit);
            String partition = row.textOrNull("partition");
            job.describe(
                    row.textOrNull("user"),
                    row.textOrNull("jobname"),
                    partition == null ? row.textOrNull("account") : partition);
            byId.put(id, job);
        }
        job.submittedBy(submit);
        job.ran(start, end, gpus);
        gpus(row, "reqtres", job);
    }

    /** The GPUs in a column of TRES, 0 when it names none; {@code asking} is told their types. */
    private static int gpus(TraceRow row, String column, @Nullable LoggedJob asking) {
        String text = row.textOrNull(column);
        if (text == null) {
            return 0;
        }
        long all = 0;
        long typed = 0;
        for (String part : text.split(",", -1)) {
            Matcher gpu = GPUS.matcher(part.strip());
            if (gpu.matches()) {
                long count = Long.parseLong(gpu.group(3));
                if (gpu.group(2) == null) {
                    all += count;
                } else {
                    typed += count;
                    if (asking != null && count > 0) {
                        asking.asksFor(GpuType.nameIn(gpu.group(2)));
                    }
                }
            } else if (part.strip().startsWith("gres/gpu=") || part.strip().startsWith("gres/gpu:")) {
                throw new TraceFieldException(column, text, "gres/gpu=N or gres/gpu:TYPE=N, N a whole number");
            }
        }
        long gpus = Math.max(all, typed);
        if (gpus > TraceLimits.GPUS) {
            throw new TraceFieldException(column, text, "at most %d GPUs".formatted(TraceLimits.GPUS));
        }
        return (int) gpus;
    }

    @Override
    List<String> remarks() {
        List<String> remarks = super.remarks();
        if (steps > 0) {
            remarks.add("%,d rows are steps of jobs; folded.".formatted(steps));
        }
        if (late > 0) {
            remarks.add("%,d jobs could start only after their submission (column eligible); they wait from then on."
                    .formatted(late));
        }
        return remarks;
    }
}
