package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;

/** The tables of Alibaba PAI, 2020, as published: without headers. */
class PaiTablesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String JOBS = """
            4f057009a5d481acec67b088,i1,58540f191766,Terminated,1739100.0,1739200.0
            aaaa7009a5d481acec67b088,i2,58540f191766,Terminated,1739000.5,1739900.0
            bbbb7009a5d481acec67b088,i3,dddd0f191766,Failed,1739500.0,1739700.0
            eeee7009a5d481acec67b088,i4,dddd0f191766,Waiting,,
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void write_the_tasks() throws IOException {
        Files.writeString(folder.resolve("pai_task_table.csv"), """
                4f057009a5d481acec67b088,tensorflow,1.0,Terminated,1739162.0,1739200.0,600.0,29.296875,50.0,MISC
                aaaa7009a5d481acec67b088,ps,1.0,Terminated,1739100.0,1739900.0,600.0,29.3,0.0,
                aaaa7009a5d481acec67b088,worker,4.0,Terminated,1739102.0,1739900.0,600.0,29.3,100.0,V100
                aaaa7009a5d481acec67b088,evaluator,1.0,Terminated,1739101.0,1739900.0,600.0,29.3,100.0,V100
                bbbb7009a5d481acec67b088,worker,2.0,Failed,1739499.0,1739700.0,600.0,29.3,100.0,T4
                cccc7009a5d481acec67b088,worker,1.0,Terminated,1739600.0,1739700.0,600.0,29.3,100.0,T4
                """);
    }

    private static List<String> shown(Trace trace) {
        return trace.jobs().stream()
                .map(job -> "%s %s %d %d".formatted(job.id().substring(0, 4), job.user(), job.gpus(), wait(job)))
                .toList();
    }

    private static long wait(TraceJob job) {
        return job.past() == null ? -1 : (job.past().startNanos() - job.submitNanos()) / (SECOND / 10);
    }

    @Test
    void a_folder_is_the_tasks_with_the_users_and_submissions_of_their_jobs() throws IOException {
        Files.writeString(folder.resolve("pai_job_table.csv"), JOBS);

        Trace trace = TraceReader.read(folder, Options.DEFAULT);

        assertThat(trace.format().label()).isEqualTo("pai-tasks");
        assertThat(trace.name()).isEqualTo("pai_task_table");
        assertThat(shown(trace))
                .containsExactly(
                        "aaaa 58540f191766 5 1005",
                        "4f05 58540f191766 1 620",
                        "bbbb dddd0f191766 2 0",
                        "cccc null 1 -1");
        assertThat(trace.jobs().get(1).demand().gpuMilli()).isEqualTo(500);
        assertThat(Objects.requireNonNull(trace.jobs().get(0).past()).endNanos())
                .isEqualTo(1_739_900L * SECOND);
        assertThat(trace.oddities())
                .contains(
                        "1 row has no time of submission in pai_job_table; not used.",
                        "1 task starts before pai_job_table has the job submitted; a wait of 0 s.",
                        "1 task is of jobs that pai_job_table lacks; the starts of these stand for their submissions.")
                .noneMatch(said -> said.contains("the starts stand for both"));
    }

    @Test
    void a_gzipped_table_with_a_header_is_the_same() throws IOException {
        try (GZIPOutputStream gzip =
                new GZIPOutputStream(Files.newOutputStream(folder.resolve("pai_job_table.csv.gz")))) {
            gzip.write(("job_name,inst_id,user,status,start_time,end_time\n" + JOBS).getBytes(StandardCharsets.UTF_8));
        }

        assertThat(shown(TraceReader.read(folder.resolve("pai_task_table.csv"), Options.DEFAULT)))
                .startsWith("aaaa 58540f191766 5 1005", "4f05 58540f191766 1 620");
    }

    @Test
    void the_tasks_alone_have_no_waits_and_say_what_is_missing() {
        Trace trace = TraceReader.read(folder, Options.DEFAULT);

        assertThat(trace.jobs()).hasSize(4).allMatch(job -> job.past() == null && job.user() == null);
        assertThat(trace.oddities())
                .contains("Users and submissions are in pai_job_table, which is not beside this file (1 file).")
                .anyMatch(said -> said.contains("the starts stand for both"));
    }

    @Test
    void a_folder_without_tasks_is_no_trace() throws IOException {
        Files.delete(folder.resolve("pai_task_table.csv"));

        assertThatThrownBy(() -> TraceReader.read(folder, Options.DEFAULT))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'directory' is not valid: expected a trace file");
    }
}
