package org.trainyard.experiments.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** Pods as YAML, which is the text of a topology too. */
class KubernetesYamlTest {
    @Test
    void pods_as_yaml_are_refused_as_pods_and_not_as_a_topology(@TempDir Path folder) throws IOException {
        Path pods = Files.writeString(folder.resolve("pods.yaml"), "apiVersion: v1\nitems: []\nkind: List\n");

        Shell shell = Shell.run("inspect", pods.toString());

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains("expected what kubectl get pods -o json prints")
                .doesNotContain("FatTree");
    }
}
