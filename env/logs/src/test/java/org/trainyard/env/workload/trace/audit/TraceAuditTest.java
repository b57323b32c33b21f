package org.trainyard.env.workload.trace.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;

/** What is known of a log after its jobs went past. */
class TraceAuditTest {
    private static final int ROWS = 110_000;

    @TempDir
    Path dir;

    private static TraceJob job(String id, long submit) {
        return new TraceJob(id, submit * 1_000_000_000L, 1, 1_000_000_000L, null, "ada", "train", null);
    }

    private static String row(String id, int second, String state) {
        LocalDateTime submit = LocalDateTime.of(2026, 3, 2, 8, 0).plusSeconds(second);
        return "%s|%s|%s|%s|%s|gres/gpu=2|gres/gpu=2|ada|train%n"
                .formatted(id, state, submit, submit.plusSeconds(60), submit.plusSeconds(60 + 3600));
    }

    @Test
    void jobs_that_go_past_are_those_of_a_log_that_is_kept_even_with_runs_far_apart() throws IOException {
        StringBuilder text = new StringBuilder("JobID|State|Submit|Start|End|AllocTRES|ReqTRES|User|JobName\n");
        text.append(row("7", 0, "REQUEUED"));
        IntStream.range(0, ROWS).forEach(i -> text.append(row(Integer.toString(1000 + i), i, "COMPLETED")));
        text.append(row("109999", ROWS, "FAILED"));
        text.append(row("7", ROWS, "COMPLETED"));
        Path log = Files.writeString(dir.resolve("log.txt"), text);
        Trace kept = TraceReader.read(log, TraceReader.Options.DEFAULT);
        TraceAudit audit = new TraceAudit();

        Trace past = TraceReader.stream(log, TraceReader.Options.DEFAULT, audit);

        assertThat(past.jobs()).isEmpty();
        assertThat(audit.jobs()).isEqualTo(kept.jobs().size()).isEqualTo(ROWS + 2);
        assertThat(audit.gpuHours())
                .isEqualTo(kept.jobs().stream().mapToDouble(TraceJob::gpuHours).sum(), within(1e-6));
        assertThat(audit.statistics(past).gpuDemand())
                .isEqualTo(TraceStatistics.of(kept).gpuDemand());
    }

    @Test
    void ids_that_appear_twice_are_counted_whether_they_are_numbers_or_not() {
        SeenIds ids = new SeenIds();

        long twice =
                List.of("1", "01", "17_4", "4294967296", "9999999999", "a", "17_4", "1", "a", "01", "4294967296")
                        .stream()
                        .filter(id -> !ids.add(id))
                        .count();

        assertThat(twice).isEqualTo(5);
        assertThat(IntStream.range(100_000, 1_000_000)
                        .filter(i -> !ids.add(Integer.toString(i)))
                        .count())
                .isZero();
    }

    @Test
    void ties_and_gaps_do_not_depend_on_the_order_of_rows() {
        TraceAudit audit = new TraceAudit();
        List.of(job("a", 100), job("b", 0), job("c", 100), job("d", 40), job("e", 100))
                .forEach(audit);

        assertThat(audit.json())
                .containsEntry("ties", 2L)
                .containsEntry("longest_gap", 60.0)
                .containsEntry("repeated_ids", 0L)
                .containsEntry("recurring_share", 1.0);
    }

    @Test
    void quantiles_are_exact_of_few_numbers_and_within_three_per_cent_of_many() {
        LogHistogram few = new LogHistogram(1000);
        LogHistogram many = new LogHistogram(10);
        for (int i = 1; i <= 1000; i++) {
            few.add(i);
            many.add(i);
        }

        assertThat(few.quantile(0.5)).isEqualTo(500);
        assertThat(few.quantile(1)).isEqualTo(1000);
        assertThat(few.atMost(250)).isEqualTo(250);
        assertThat(many.quantile(0.5)).isEqualTo(500, offset(15.0));
        assertThat(many.quantile(1)).isEqualTo(1000, offset(1.0));
        assertThat((double) many.atMost(250)).isEqualTo(250, offset(10.0));
        assertThat(many.min()).isEqualTo(1);
        assertThat(many.mean()).isEqualTo(500.5);
    }
}
