package org.trainyard.experiments.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.TinyTraining;

/** The export where no other wing is, as the class path of this module has it. */
class ExportBesideTheCoreTest {
    @TempDir
    private Path out;

    @Test
    void a_policy_that_the_core_trained_is_exported() {
        Shell trained = TinyTraining.run(List.of("quickstart.yaml"), out.resolve("run"));
        Shell exported =
                Shell.command("export %s --out %s", out.resolve("run/checkpoints/best"), out.resolve("export"));

        assertThat(trained.code()).as(trained.err()).isZero();
        assertThat(exported.code()).as(exported.err()).isZero();
        assertThat(exported.out()).containsPattern("\\b(\\d+) of \\1 decisions equal");
        assertThat(out.resolve("export/policy.onnx")).isRegularFile();
    }
}
