package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.run.Experiment;

/** Training and evaluation on a log whose jobs have time limits that most of them nearly used up. */
class AsLoggedTrainingTest {
    private static final int JOBS = 60;
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", "..")).resolve("experiments/configs/auction/small.yaml");

    @TempDir
    private Path directory;

    private Path log;

    /** Neighbours slow each other down; every tenth job was killed at its limit, others ended just before theirs. */
    @BeforeEach
    void write() throws IOException {
        List<String> lines = new ArrayList<>(List.of("JobID|User|State|Submit|Start|End|Timelimit|AllocTRES|NNodes"));
        for (int i = 0; i < JOBS; i++) {
            boolean isKilled = i % 10 == 9;
            lines.add(
                    "%d|u%d|%s|2026-01-01T%02d:%02d:00|2026-01-01T%02d:%02d:00|2026-01-01T%02d:%02d:%02d|01:00:00|gres/gpu=%d|1"
                            .formatted(
                                    i + 1,
                                    i % 3,
                                    isKilled ? "TIMEOUT" : "COMPLETED",
                                    i / 6,
                                    i % 6 * 10,
                                    i / 6,
                                    i % 6 * 10,
                                    (i % 6 * 10 + (isKilled ? 60 : 58)) / 60 + i / 6,
                                    (i % 6 * 10 + (isKilled ? 60 : 58)) % 60,
                                    0,
                                    2));
        }
        log = Files.write(directory.resolve("sacct.txt"), lines);
    }

    private List<String> values(String... more) {
        List<String> values = new ArrayList<>(List.of(
                "workload.trace=" + log,
                "cluster=2x8",
                "episodes.jobs=10",
                "episodes.validation=1",
                "episodes.test=2",
                "learner.updates=1",
                "schedulers=[fifo, srtf]"));
        values.addAll(List.of(more));
        return values;
    }

    private Shell command(String command, List<String> values) {
        List<String> words = new ArrayList<>(List.of(command, CONFIG.toString()));
        values.forEach(value -> words.addAll(List.of("--set", value)));
        words.addAll(List.of("--out", directory.resolve("run").toString()));
        return Shell.run(words);
    }

    private void refuses(Shell shell) {
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines().filter(line -> line.contains("not valid")))
                .singleElement()
                .asString()
                .contains("workload.trace: '%s' is not valid".formatted(log))
                .contains("under fifo it is")
                .contains("workload.as_logged: true");
        assertThat(directory.resolve("run/summary.json")).doesNotExist();
    }

    @Test
    void a_figure_of_more_killed_jobs_than_in_the_log_is_refused() {
        refuses(command("evaluate", values()));
        refuses(command("train", values()));
    }

    @Test
    void durations_of_a_log_are_warned_of_as_in_simulations() throws IOException {
        Files.writeString(log, Files.readString(log).replace("|01:00:00|", "|10:00:00|"));

        Shell shell = command("evaluate", values());

        assertThat(shell.code()).isZero();
        assertThat(shell.out())
                .contains("note: durations of a log already contain neighbours and links")
                .contains("workload.as_logged: true");
    }

    @Test
    void as_logged_every_job_runs_as_long_as_it_did_and_none_is_killed() {
        Shell shell = command("train", values("workload.as_logged=true"));

        assertThat(shell.err()).isEmpty();
        assertThat(shell.code()).isZero();
        assertThat(shell.out())
                .contains("learned")
                .doesNotContain("were killed")
                .doesNotContain("slow its jobs down");
        try (Experiment experiment = new Experiment(ConfigReader.read(CONFIG, values("workload.as_logged=true")))) {
            List<SchedulerRuns> runs = ExperimentEvaluation.of(
                            experiment, ExperimentEvaluation.Plan.of(List.of("fifo", "srtf")))
                    .evaluation()
                    .runs();
            assertThat(runs).hasSize(2);
            for (SchedulerRuns run : runs) {
                for (JobOutcome job : run.jobs()) {
                    assertThat(job.timedOut()).isFalse();
                    long seconds = (job.onGpus().nanos() - job.onGpus().restartNanos()) / 1_000_000_000L;
                    assertThat(seconds).isIn(58 * 60L, 3600L);
                    assertThat(job.job().terms().limitNanos()).isGreaterThan(3_600_000_000_000L - 1);
                }
            }
        }
    }

    @Test
    void as_logged_no_scheduler_expects_interference_and_another_belief_is_said_to_be_unused() {
        try (Experiment experiment = new Experiment(ConfigReader.read(CONFIG, values("workload.as_logged=true")))) {
            assertThat(experiment.belief()).isSameAs(InterferenceModel.NONE);
        }
        assertThat(command(
                                "evaluate",
                                values("workload.as_logged=true", "belief={type: Samples, share: 0.1, noise: 0}"))
                        .out())
                .contains("is not used: jobs run as long as logged, whoever runs beside them");
    }

    @Test
    void as_logged_without_a_log_is_refused() {
        Shell shell = Shell.command("evaluate %s --set workload.as_logged=true", CONFIG);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("as_logged");
    }
}
