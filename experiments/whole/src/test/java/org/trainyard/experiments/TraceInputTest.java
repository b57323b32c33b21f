package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code simulate} says of a trace that is not as it should be, and what {@code --strict} makes of it. */
class TraceInputTest {
    private static final String HEADER = "job,submit_s,gpus,duration_s\n";

    @TempDir
    private Path directory;

    private Shell simulate(String rows, String... more) throws IOException {
        Path trace = Files.writeString(directory.resolve("t.csv"), HEADER + rows);
        List<String> args = new ArrayList<>(
                List.of("simulate", "--trace", trace.toString(), "--cluster", "2x4", "--scheduler", "fifo"));
        args.addAll(List.of(more));
        return Shell.run(args);
    }

    private static void stops(Shell strict, String... fragments) {
        assertThat(strict.code()).isEqualTo(2);
        assertThat(strict.err().lines()).hasSize(1);
        assertThat(strict.err()).contains(fragments);
        assertThat(strict.out()).isEmpty();
    }

    @Test
    void inspect_heeds_columns_for_json_and_refuses_json_of_a_log_that_no_format_has() throws IOException {
        Path log = Files.writeString(
                directory.resolve("log.json"),
                "{\"jobs\": [{\"id\": 7, \"t_submit\": 5.5, \"t_run\": 65.5, \"t_cleanup\": 3665.5, \"nnodes\": 2}]}");

        Shell refused = Shell.command("inspect %s", log);
        Shell read = Shell.command(
                "inspect %s --columns job=id,gpus=nnodes*8,submit=t_submit,start=t_run,end=t_cleanup", log);

        stops(refused, "Flux is not read", "gpus=nnodes*8");
        assertThat(read.code()).isZero();
        assertThat(read.out()).contains("16 GPUs").contains("wait, 16-31 GPUs median 60 s");
    }

    @Test
    void a_small_file_with_more_text_than_the_limit_is_refused_in_a_line() throws IOException {
        Path bomb = directory.resolve("bomb.csv.gz");
        byte[] row = "x".repeat(4094).concat("\r\n").getBytes(StandardCharsets.UTF_8);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(bomb))) {
            out.write("job,submit_s,gpus,duration_s\na,0,1,100\n".getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 256 * 3; i++) {
                out.write(row);
            }
        }
        assertThat(Files.size(bomb)).isLessThan(1 << 16);

        Shell refused = Shell.command("inspect %s --max-mb 2", bomb);
        Shell read = Shell.command("inspect %s --max-mb 4", bomb);
        Shell wrong = Shell.command("inspect %s --max-mb 0", bomb);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .hasLineCount(1)
                .contains("holds more than 2 MB of text: expected at most that, or a higher --max-mb");
        assertThat(read.code()).isZero();
        assertThat(wrong.err()).contains("--max-mb: '0' is not valid").hasLineCount(1);
    }

    @Test
    void jobs_larger_than_the_cluster_are_left_out_and_counted_and_strict_stops() throws IOException {
        String rows = "a,0,1,5\nwide,1,9,5\nb,2,8,5\nwider,3,64,5\n";
        Shell shell = simulate(rows, "--partial");
        assertThat(shell.code()).isZero();
        assertThat(shell.out())
                .contains("Note: 2 jobs need more than 8 GPUs; left out; the first is wide.")
                .contains("t: 2 jobs on 2x4");
        stops(simulate(rows, "--strict"), "trace, job wide", "'9 GPUs'", "at most the 8 of 2x4");
    }

    @Test
    void an_id_used_twice_is_left_out_and_counted_and_strict_stops() throws IOException {
        String rows = "a,0,1,5\na,1,1,5\nb,2,1,5\nb,3,1,5\n";
        Shell shell = simulate(rows);
        assertThat(shell.code()).isZero();
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.err()).contains("2 bad lines were left out; the first is", "t.csv:3, job: 'a'");
        stops(simulate(rows, "--strict"), "t.csv:3, job: 'a'", "an id that no line above has");
    }

    @Test
    void numbers_that_are_none_are_left_out_and_counted_and_strict_stops() throws IOException {
        String rows = "a,0,1,5\nb,NaN,1,5\nc,1,NaN,5\nd,1,1,NaN\n";
        Shell shell = simulate(rows);
        assertThat(shell.code()).isZero();
        assertThat(shell.err()).contains("3 bad lines were left out; the first is", "t.csv:3, submit_s: 'NaN'");
        stops(simulate(rows, "--strict"), "t.csv:3, submit_s: 'NaN'", "a time of zero or more");
    }

    @Test
    void time_that_goes_backwards_is_put_in_order_and_said() throws IOException {
        Shell shell = simulate("a,10,1,5\nb,5,1,5\nc,7,1,5\nd,1,1,5\n", "--strict");
        assertThat(shell.code()).isZero();
        assertThat(shell.out()).contains("Note: 2 rows are submitted before the row above them; sorted.");
    }
}
