package org.trainyard.env.workload.trace;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.math.BigDecimal;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.FailedWriteException;
import org.trainyard.env.Invalid;
import org.trainyard.env.workload.Attachments;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.columns.TermColumn;
import org.trainyard.env.workload.log.DemandColumns;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.env.workload.log.TermColumns;

/**
 * Writes jobs as a {@link LogFormats#OWN} file, from which they read back equal; the columns of starts, of demands
 * beyond whole GPUs, of plans, of utilities, of frozen layers and of terms are left out where no job needs them.
 */
public final class TraceWriter {
    private TraceWriter() {}

    /**
     * Writes whole or not at all: to a file beside it, forced to disk, then renamed over it.
     *
     * @throws IllegalArgumentException when a job could not be read back as it is
     */
    public static void write(List<TraceJob> jobs, Path file) {
        Set<String> ids = new HashSet<>();
        for (TraceJob job : jobs) {
            check(job);
            Invalid.when(!ids.add(job.id()), "two jobs have the id (%s)", job.id());
        }
        try {
            Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
            try {
                writeTo(temporary, jobs);
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new FailedWriteException(file, e);
        }
    }

    private static void check(TraceJob job) {
        for (@Nullable String text : texts(job)) {
            if (text != null && (text.isBlank() || text.chars().anyMatch(Character::isISOControl))) {
                throw new IllegalArgumentException(
                        "job (%s) has a blank name or one with control characters (%s)".formatted(job.id(), text));
            }
        }
        if (!TraceFields.canBeWritten(job.demand())) {
            throw new IllegalArgumentException(
                    "job (%s) demands what a trace cannot say (%s)".formatted(job.id(), job.demand()));
        }
        TrainingPlan plan = job.plan();
        if (plan.layers() != null && !plan.equals(TrainingPlan.parse(plan.label(), plan.layers()))) {
            throw new IllegalArgumentException("job (%s) has a plan that a trace cannot say (%s of %s)"
                    .formatted(job.id(), plan.label(), plan.layers()));
        }
        if (!job.hidden().equals(Attachments.NONE)) {
            throw new IllegalArgumentException("job (%s) changes its speed as it runs (%s), which a trace cannot say"
                    .formatted(job.id(), job.hidden()));
        }
        if (job.submitNanos() > TraceLimits.NANOS
                || job.durationNanos() > TraceLimits.NANOS
                || (job.past() != null && job.past().endNanos() > TraceLimits.NANOS)) {
            throw new IllegalArgumentException("job (%s) is larger than a trace may hold".formatted(job.id()));
        }
    }

    private static List<@Nullable String> texts(TraceJob job) {
        List<@Nullable String> texts = new ArrayList<>();
        texts.add(job.id());
        texts.add(job.model());
        texts.add(job.user());
        texts.add(job.group());
        texts.add(job.virtualCluster());
        texts.addAll(TraceFields.ofTerms(job).values());
        return texts;
    }

    private static void writeTo(Path file, List<TraceJob> jobs) throws IOException {
        // The stream by itself: a writer whose last text does not fit on the disk leaves it open.
        try (OutputStream bytes = Files.newOutputStream(file);
                BufferedWriter out =
                        new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8.newEncoder()));
                CsvWriter csv =
                        CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out)) {
            boolean demands = jobs.stream().anyMatch(job -> TraceFields.isSaid(job.demand()));
            List<String> header = new ArrayList<>(LogFormats.OWN.required());
            header.addAll(LogFormats.OWN.optional());
            boolean starts = jobs.stream().anyMatch(job -> job.past() != null);
            header.removeIf(column -> !demands && DemandColumns.NAMES.contains(column));
            header.removeIf(column -> !starts && List.of("start_s", "end_s").contains(column));
            boolean segments = jobs.stream().anyMatch(job -> job.demand().segment() > 0);
            header.removeIf(column -> !segments && column.equals(DemandColumns.SEGMENT));
            boolean plans = jobs.stream().anyMatch(job -> !(job.plan() instanceof TrainingPlan.RingAllReduce));
            header.removeIf(column -> !plans && List.of("plan", "profile").contains(column));
            List<TermColumn<?>> kinds = TermColumn.all().stream()
                    .filter(kind -> jobs.stream().anyMatch(job -> job.of(kind.type()) != null))
                    .toList();
            TermColumn.all().stream().filter(kind -> !kinds.contains(kind)).forEach(kind -> header.remove(kind.name()));
            Set<String> terms = new HashSet<>();
            jobs.forEach(job -> terms.addAll(TraceFields.ofTerms(job).keySet()));
            header.removeIf(column -> TermColumns.isOne(column) && !terms.contains(column));
            List<String> said = header.stream().filter(TermColumns::isOne).toList();
            csv.writeRecord(header);
            for (TraceJob job : jobs) {
                List<String> fields = fields(job, starts, demands, segments, plans);
                kinds.forEach(kind -> fields.add(kind.labelOf(job)));
                Map<String, String> own = TraceFields.ofTerms(job);
                said.forEach(column -> fields.add(own.getOrDefault(column, "")));
                csv.writeRecord(fields);
            }
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static List<String> fields(TraceJob job, boolean starts, boolean demands, boolean segments, boolean plans) {
        List<String> fields = new ArrayList<>(List.of(
                job.id(),
                seconds(job.submitNanos()),
                Integer.toString(job.gpus()),
                seconds(job.durationNanos()),
                orEmpty(job.model()),
                orEmpty(job.user()),
                orEmpty(job.group()),
                orEmpty(job.virtualCluster())));
        if (starts) {
            LoggedRun past = job.past();
            fields.add(past == null ? "" : seconds(past.startNanos()));
            fields.add(past == null ? "" : seconds(past.endNanos()));
        }
        if (demands) {
            fields.addAll(TraceFields.ofDemand(job.demand()));
        }
        if (segments) {
            fields.add(TraceFields.unless(job.demand().segment(), 0));
        }
        if (plans) {
            fields.add(job.plan().label());
            fields.add(orEmpty(job.plan().layers()));
        }
        return fields;
    }

    private static String seconds(long nanos) {
        return BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
