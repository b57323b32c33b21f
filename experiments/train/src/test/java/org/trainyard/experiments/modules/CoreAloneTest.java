package org.trainyard.experiments.modules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.TinyTraining;

/** The core without its wings, as the class path of this module has it: it trains, evaluates and exports. */
class CoreAloneTest {
    @TempDir
    private static Path out;

    private static Shell trained;

    @BeforeAll
    static void train() {
        trained = TinyTraining.run(List.of("quickstart.yaml"), out.resolve("run"));
    }

    @Test
    void a_training_says_which_schedulers_are_left_out_and_where_they_live() {
        String left = "note: 2 of 2 schedulers of the config are left out, for agents/heuristics, agents/production,"
                + " agents/published are not here: fifo, sjf";

        assertThat(trained.code()).isZero();
        assertThat(trained.out()).contains("untrained", "learned", left);
        assertThat(evaluated().out()).contains("untrained", "learned", left);
    }

    @Test
    void its_policy_is_exported() {
        Shell exported =
                Shell.command("export %s --out %s", out.resolve("run/checkpoints/best"), out.resolve("export"));

        assertThat(exported.code()).as(exported.err()).isZero();
    }

    @Test
    void a_scheduler_of_a_wing_that_is_asked_for_by_name_is_refused() {
        Shell refused =
                Shell.command("evaluate --checkpoint %s --schedulers fifo", out.resolve("run/checkpoints/best"));

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("'fifo'");
    }

    @Test
    void runs_over_time_are_left_out_with_a_note_and_logs_of_runs_are_refused() {
        Path files = out.resolve("evaluation");

        Shell written = Shell.command("evaluate --checkpoint %s --out %s", out.resolve("run/checkpoints/best"), files);
        Shell refused = Shell.command(
                "evaluate --checkpoint %s --events %s",
                out.resolve("run/checkpoints/best"), out.resolve("events.jsonl"));

        assertThat(written.code()).as(written.err()).isZero();
        assertThat(written.out()).contains("note: no runs over time, for experiments/simulate is not here");
        assertThat(files.resolve("summary.json")).isRegularFile();
        assertThat(files.resolve("series.csv")).doesNotExist();
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("--events, --record: expected neither")
                .hasLineCount(1);
        assertThat(out.resolve("events.jsonl")).doesNotExist();
    }

    private static Shell evaluated() {
        Shell shell = Shell.command("evaluate --checkpoint %s", out.resolve("run/checkpoints/best"));
        assertThat(shell.code()).as(shell.err()).isZero();
        return shell;
    }
}
