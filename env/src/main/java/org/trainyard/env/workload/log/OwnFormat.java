package org.trainyard.env.workload.log;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.synchronisation.SynchronisationModel;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.freezing.FreezingTerms;
import org.trainyard.env.workload.utility.JobUtility;

/**
 * The project's own format: everything a {@link TraceJob} says. Submissions and starts are seconds, or instants in ISO 8601 with a zone, which are made relative to the earliest submission.
 *
 * <p>The optional columns may be missing or empty; those of {@link DemandColumns} say what a job demands beyond whole GPUs, {@code utility} is the label of a {@link JobUtility}, {@code freezing}
 * that of {@link FreezingTerms}, and those of {@link TermColumns} say what else a job said and what its log knows of its run.
 */
final class OwnFormat extends RowFormat {
    /** By how much rounded columns may disagree. */
    private static final long ROUNDING_NANOS = TraceRow.SECOND;

    private static final List<String> OPTIONAL = Stream.of(
                    List.of("model", "user", "group", "virtual_cluster", "start_s", "end_s"),
                    DemandColumns.NAMES,
                    List.of(DemandColumns.SEGMENT, "plan", "profile", "utility", "freezing"),
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
                    "ring, sync:MODEL (%s), gnn:papers100m:CACHE (random, degree, bgl), ps:SAMPLE_S:BATCH:WORKERS_PER_SERVER:GRADIENT_BYTES:INSIDE_BPS:ACROSS_BPS, mixed:sbp or pipeline:PLANNER, the latter two with a profile (%s) of %s"
                            .formatted(
                                    String.join(", ", SynchronisationModel.labels()),
                                    model,
                                    String.join(", ", ModelArchitectures.names())));
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
                                            : "%d to %d GPUs".formatted(plan.leastGpus(), plan.mostGpus())));
        }
        return plan;
    }

    private static @Nullable JobUtility utility(TraceRow row) {
        String label = row.textOrNull("utility");
        JobUtility utility = label == null ? null : JobUtility.parse(label);
        if (label != null && utility == null) {
            throw new TraceFieldException(
                    "utility",
                    label,
                    "sigmoid:PRIORITY:SENSITIVITY:TARGET_S[:HORIZON_S], or logarithm, saturation, root or"
                            + " exponential:WEIGHT:SCALE_S[:HORIZON_S]");
        }
        return utility;
    }

    private static @Nullable FreezingTerms freezing(TraceRow row) {
        String label = row.textOrNull("freezing");
        if (label == null) {
            return null;
        }
        FreezingTerms terms = FreezingTerms.parse(label);
        if (terms == null) {
            throw new TraceFieldException("freezing", label, FreezingTerms.FORM);
        }
        if (!(plan(row) instanceof TrainingPlan.RingAllReduce)) {
            throw new TraceFieldException("freezing", label, "nothing for a job with another plan than ring");
        }
        return terms;
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
                .attaching(JobUtility.class, utility(row))
                .attaching(FreezingTerms.class, freezing(row))
                .on(TermColumns.terms(row));
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
