package org.trainyard.experiments.waitreasons;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** {@code simulate --explain} on two servers of four GPUs, whose schedule can be worked out on paper. */
class WaitReasonsTest {
    @TempDir
    private Path folder;

    private String log = "";

    /** Long holds one server; wide needs both from 100 s on; short could pass it, and late could not. */
    @BeforeEach
    void write_a_log() throws IOException {
        log = Files.writeString(folder.resolve("log.csv"), """
                job,submit_s,gpus,duration_s,limit_s,dependency
                long,0,4,1000,1000,
                wide,100,8,500,500,
                late,200,4,2000,2000,
                after,300,1,10,10,afterok:wide
                """).toString();
    }

    private String explained(String scheduler, String what) {
        Shell shell = Shell.command(
                "simulate --trace %s --cluster 2x4 --scheduler %s --explain %s --as-logged", log, scheduler, what);
        assertThat(shell.code()).as(shell.err()).isZero();
        return shell.out().substring(shell.out().indexOf("Job " + what.replaceFirst("@.*", "") + " under"));
    }

    @Test
    void a_job_behind_a_reservation_names_the_job_and_the_instant() {
        assertThat(explained("easy", "late@200"))
                .contains(
                        "Priority: 1 waiting job for 8 GPUs comes before it by fifo rank (wide)",
                        "Reservation: GPUs are kept for job wide from 1,000 s on");
        assertThat(explained("easy", "wide@200")).contains("Resources: it has a reservation from 1,000 s on");
    }

    @Test
    void stretches_go_from_submission_to_start() {
        assertThat(explained("fifo", "wide").lines().map(String::strip))
                .anyMatch(line -> line.matches("from 1 min 40 s on: Resources: it asks for 8 GPUs and 4 GPUs are free"))
                .anyMatch(line -> line.matches("from 16 min 40 s on: it runs"));
    }

    @Test
    void a_held_job_names_its_dependency() {
        assertThat(explained("fifo", "after@400")).contains("Dependency: afterok:wide");
        assertThat(explained("slurm", "after@400")).contains("Dependency: afterok:wide");
    }

    @Test
    void a_scheduler_without_ranks_or_reservations_says_what_is_missing() {
        assertThat(explained("tiresias", "wide@250")).contains("Resources: it asks for 8 GPUs and 4 GPUs are free");
    }

    /** Both are of one user and one name: Slurm lets one run at a time, though both would fit. */
    @Test
    void a_singleton_waits_for_the_others_of_its_user_and_name_under_slurm() throws IOException {
        log = Files.writeString(folder.resolve("log.csv"), """
                job,submit_s,gpus,duration_s,limit_s,dependency,user,group
                one,0,1,1000,1000,singleton,ann,train
                two,10,1,50,60,singleton,ann,train
                """).toString();

        assertThat(explained("slurm", "two"))
                .contains("from 10 s on: Dependency: singleton", "from 16 min 40 s on: it runs");
    }

    @Test
    void a_job_that_the_trace_does_not_have_is_refused() {
        Shell shell = Shell.command("simulate --trace %s --cluster 2x4 --scheduler fifo --explain nobody", log);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--explain: 'nobody' is not valid: expected the id of one of the 4 jobs");
    }

    @Test
    void an_instant_that_is_no_number_is_refused() {
        Shell shell = Shell.command("simulate --trace %s --cluster 2x4 --scheduler fifo --explain wide@NaN", log);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--explain: 'wide@NaN' is not valid: expected JOB or JOB@SECONDS");
    }
}
