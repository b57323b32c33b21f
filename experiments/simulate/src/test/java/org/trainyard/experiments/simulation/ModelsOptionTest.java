package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

class ModelsOptionTest {
    @TempDir
    private Path folder;

    private String trace() throws IOException {
        StringBuilder rows = new StringBuilder("job,submit_s,gpus,duration_s,user\n");
        for (int job = 0; job < 60; job++) {
            rows.append("j%d,%d,%d,%d,u%d\n".formatted(job, 40 * job, 1 + job % 6, 300 + 97 * (job % 11), job % 7));
        }
        return Files.writeString(folder.resolve("trace.csv"), rows).toString();
    }

    private static String hashes(Shell shell) {
        assertThat(shell.code()).as(shell.err()).isZero();
        return shell.out().substring(shell.out().indexOf("SHA-256"));
    }

    @Test
    void without_models_the_seed_does_not_change_what_runs() throws IOException {
        String trace = trace();
        Shell one =
                Shell.command("simulate --trace %s --cluster small --scheduler sjf,tiresias --verbose --seed 1", trace);
        Shell two =
                Shell.command("simulate --trace %s --cluster small --scheduler sjf,tiresias --verbose --seed 2", trace);

        assertThat(hashes(one)).isEqualTo(hashes(two)).contains("60 jobs name no known model and got a neutral one");
    }

    @Test
    void a_mix_runs_several_draws_and_says_how_they_spread() throws IOException {
        Shell shell = Shell.command(
                "simulate --trace %s --cluster small --scheduler sjf,fifo --models mix --draws 3", trace());

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("mean JCT over draws, s", "of 3", "60 jobs name no known model and got drawn ones, 3 times");
    }

    @Test
    void drawn_models_are_another_configuration_of_a_run_and_equal_schedulers_do_not_overtake_each_other(
            @TempDir Path runs) throws IOException {
        String out = runs.resolve("run").toString();
        String trace = trace();
        Shell mix = simulate("optimus,pollux", trace, out, "--models", "mix", "--draws", "2");
        Shell neutral = simulate("optimus,pollux", trace, out);

        assertThat(mix.code()).as(mix.err()).isZero();
        assertThat(mix.out()).contains("2 of 2").doesNotContain("Too close to call, for some draw");
        assertThat(neutral.code()).isEqualTo(2);
        assertThat(neutral.err()).contains("another");
    }

    private static Shell simulate(String schedulers, String trace, String out, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("simulate", "--trace", trace, "--cluster", "small", "--scheduler", schedulers, "--out", out));
        arguments.addAll(List.of(more));
        return Shell.run(arguments.toArray(String[]::new));
    }

    @Test
    void an_unknown_choice_is_answered_in_a_line() throws IOException {
        Shell shell = Shell.command("simulate --trace %s --cluster small --scheduler sjf --models mxi", trace());

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("mix").hasLineCount(1);
    }
}
