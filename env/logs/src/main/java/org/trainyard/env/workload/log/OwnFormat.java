package org.trainyard.env.workload.log;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.trainyard.env.Counted;
import org.trainyard.env.workload.JobKind;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.columns.TermColumn;

/**
 * The project's own format: everything a {@link TraceJob} says. Submissions and starts are seconds, or instants in ISO
 * 8601 with a zone, which are made relative to the earliest submission.
 *
 * <p>The optional columns may be missing or empty; those of {@link DemandColumns} say what a job demands beyond whole
 * GPUs, each {@link TermColumn} has a label, and those of {@link TermColumns} say what else a job said and what its log
 * knows of its run.
 */
final class OwnFormat extends RowFormat {
    /** By how much rounded columns may disagree. */
    private static final long ROUNDING_NANOS = TraceRow.SECOND;

    private static final List<String> OPTIONAL = Stream.of(
                    List.of("model", "user", "group", "virtual_cluster", "start_s", "end_s"),
                    DemandColumns.NAMES,
                    List.of(DemandColumns.SEGMENT, "plan", "profile"),
                    TermColumn.all().stream().<String>map(TermColumn::name).toList(),
                    TermColumns.TERMS,
                    TermColumns.FACTS)
            .flatMap(List::stream)
            .toList();

    OwnFormat() {
        super("trainyard", List.of("job", "submit_s", "gpus", "duration_s"), OPTIONAL);
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return OwnFormat::job;
    }

    /** A planned parallelism is of the column {@code profile}, or else of the model. */
    private static TrainingPlan plan(TraceRow row) {
        String label = row.textOrNull("plan");
        if (label == null) {
            return TrainingPlan.RingAllReduce.INSTANCE;
        }
        String profile = row.textOrNull("profile");
        String model = profile == null ? row.textOrNull("model") : profile;
        TrainingPlan plan = TrainingPlan.parse(label, model);
        if (plan == null) {
            throw new TraceFieldException(
                    "plan",
                    label,
                    "ring"
                            + JobKind.all().stream()
                                    .map(kind -> kind.planForms(model))
                                    .collect(Collectors.joining()));
        }
        int gpus = DemandColumns.read(row).gpus();
        if (gpus < plan.leastGpus() || gpus > plan.mostGpus()) {
            throw new TraceFieldException(
                    "plan",
                    label,
                    "ring for a job of (%d) GPUs, or %s"
                            .formatted(
                                    gpus,
                                    plan.mostGpus() == Integer.MAX_VALUE
                                            ? "at least %d GPU".formatted(plan.leastGpus())
                                            : Counted.say("%d to %d GPUs", plan.leastGpus(), plan.mostGpus())));
        }
        return plan;
    }

    /** The job with the value of a column of a kind of jobs, where it has one. */
    private static <T> TraceJob attached(TraceJob job, TermColumn<T> column, TraceRow row) {
        String label = row.textOrNull(column.name());
        if (label == null) {
            return job;
        }
        T value = column.parse(label);
        if (value == null) {
            throw new TraceFieldException(column.name(), label, column.form());
        }
        if (column.needsRing() && !(job.plan() instanceof TrainingPlan.RingAllReduce)) {
            throw new TraceFieldException(column.name(), label, "nothing for a job with another plan than ring");
        }
        return job.attaching(column.type(), value);
    }

    private static TraceJob job(TraceRow row) {
        long submit = row.secondsOrInstant("submit_s");
        TraceJob job = new TraceJob(
                        row.text("job"),
                        submit,
                        DemandColumns.read(row),
                        row.nanosAboveZero("duration_s", TraceRow.SECOND),
                        row.textOrNull("model"),
                        row.textOrNull("user"),
                        row.textOrNull("group"),
                        row.textOrNull("virtual_cluster"))
                .parallel(plan(row))
                .on(TermColumns.terms(row));
        for (TermColumn<?> column : TermColumn.all()) {
            job = attached(job, column, row);
        }
        if (row.textOrNull("start_s") == null) {
            return job;
        }
        long start = row.secondsOrInstant("start_s");
        if (start < submit) {
            throw new TraceFieldException("start_s", row.text("start_s"), "a time not before the column submit_s");
        }
        long end = start + job.durationNanos();
        if (row.textOrNull("end_s") != null) {
            long logged = row.secondsOrInstant("end_s");
            if (end - logged > ROUNDING_NANOS) {
                throw new TraceFieldException("end_s", row.text("end_s"), "a time not before start_s plus duration_s");
            }
            end = Math.max(end, logged);
        }
        return job.ran(new LoggedRun(start, end, TermColumns.facts(row)));
    }
}
