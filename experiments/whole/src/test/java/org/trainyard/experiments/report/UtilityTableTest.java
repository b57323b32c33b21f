package org.trainyard.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** Utilities and rejections in the table of a simulation and in its report. */
class UtilityTableTest {
    @TempDir
    private Path folder;

    /** Two jobs worth 5 and 2, and one that ends after its horizon. */
    private Shell simulate() throws Exception {
        Path trace = Files.writeString(folder.resolve("t.csv"), """
                job,submit_s,gpus,duration_s,utility
                a,0,1,100,saturation:5:100:1000
                b,5,1,100,sigmoid:4:0:50:1000
                c,10,1,100,sigmoid:9:0:10:50
                """);
        return Shell.command(
                "simulate --trace %s --cluster 1x8 --scheduler posted-price:fifo,fifo --out %s",
                trace, folder.resolve("run"));
    }

    @Test
    void a_simulation_shows_total_utilities_and_rejections() throws Exception {
        Shell shell = simulate();

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .containsPattern("\nfifo +7\\.00 +undefined +100\\.0 % +66\\.7 %\nposted-price:fifo +5\\.00 ")
                .contains("posted-price:fifo rejected 2 jobs; its times are those of the others");
    }

    @Test
    void the_report_shows_the_largest_total_utility_first_and_rejections() throws Exception {
        assertThat(simulate().code()).isZero();

        String dom =
                Chromium.dump(folder, folder.resolve("run/report.html").toUri().toString());

        assertThat(dom.substring(dom.indexOf("<h2>Utility</h2>")))
                .containsSubsequence(
                        "<th>total utility</th>",
                        "<td>fifo</td><td>7.00</td>",
                        "<td>66.7 %</td>",
                        "<td>posted-price:fifo</td><td>5.00</td>");
        assertThat(dom).contains("<li>posted-price:fifo rejected 2 jobs; its times");
    }

    @Test
    void schedulers_that_reject_jobs_are_not_ranked_with_the_others() {
        Shell shell = Shell.command("simulate --trace generated --jobs 200 --cluster 2x8 --scheduler "
                + "posted-price:fifo,fifo,srtf --verbose");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("posted-price:fifo rejected ")
                .containsPattern("more than the best.*\nsrtf .* best\nfifo .*\nIntervals:");
    }
}
