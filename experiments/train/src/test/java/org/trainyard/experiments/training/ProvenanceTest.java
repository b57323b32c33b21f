package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.gnn.CheckedFile;

class ProvenanceTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));

    @TempDir
    Path folder;

    private static Provenance of(String... overrides) {
        return Provenance.of(
                ConfigReader.read(ROOT.resolve("experiments/configs/auction/small.yaml"), List.of(overrides)));
    }

    @Test
    void equal_trainings_have_equal_provenance_and_another_seed_another_config() {
        assertThat(of()).isEqualTo(of());
        assertThat(of("seed=2").seed()).isEqualTo(2);
        assertThat(of("seed=2").configSha256()).isNotEqualTo(of().configSha256());
        assertThat(of("seed=2").dataSha256()).isEqualTo(of().dataSha256());
    }

    @Test
    void other_settings_of_the_generator_are_other_data() {
        assertThat(of("workload.generator.offered_load=1.3").dataSha256()).isNotEqualTo(of().dataSha256());
        assertThat(of().dataSha256()).containsOnlyKeys("workload.generator");
    }

    @Test
    void a_trace_and_a_cluster_are_known_by_their_content() throws Exception {
        Path trace = folder.resolve("trace.csv");
        Path cluster = folder.resolve("cluster.yaml");
        Files.copy(ROOT.resolve("experiments/clusters/small.yaml"), cluster);
        Files.writeString(trace, "job,submit_s,gpus,duration_s\na,0,1,100\n");
        Provenance before = of("workload.trace=" + trace, "cluster=" + cluster);
        Files.writeString(trace, "job,submit_s,gpus,duration_s\na,0,1,101\n");
        Provenance after = of("workload.trace=" + trace, "cluster=" + cluster);

        assertThat(before.dataSha256()).containsOnlyKeys("workload.trace", "cluster");
        assertThat(after.dataSha256().get("workload.trace"))
                .isNotEqualTo(before.dataSha256().get("workload.trace"));
        assertThat(after.dataSha256().get("cluster"))
                .isEqualTo(before.dataSha256().get("cluster"));
        assertThat(after.configSha256()).isEqualTo(before.configSha256());
    }

    @Test
    void a_training_does_not_go_on_with_a_trace_that_changed() throws Exception {
        Path trace = Files.writeString(folder.resolve("trace.csv"), "job,submit_s,gpus,duration_s\na,0,1,100\n");
        ExperimentConfig config = ConfigReader.read(
                ROOT.resolve("experiments/configs/auction/small.yaml"), List.of("workload.trace=" + trace));
        Provenance.requireUnchanged(config, folder);
        Provenance.of(config).write(folder);
        Provenance.requireUnchanged(config, folder);
        String begun = CheckedFile.sha256(trace);
        Files.writeString(trace, "job,submit_s,gpus,duration_s\na,0,1,101\n");

        assertThatThrownBy(() -> Provenance.requireUnchanged(config, folder))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "data: 'workload.trace, SHA-256 %s' is not valid: expected SHA-256 %s, with which the run began (%s); --replace starts anew",
                        CheckedFile.sha256(trace), begun, folder.resolve("provenance.json"));
    }

    @Test
    void a_starting_policy_is_known_by_its_content() {
        Path checkpoint = ROOT.resolve("checkpoints/default");

        assertThat(of().startingPolicySha256()).isEmpty();
        assertThat(of("learner.start={type: Checkpoint, from: '%s'}".formatted(checkpoint))
                        .startingPolicySha256())
                .containsEntry("learner.start.from", CheckedFile.sha256(checkpoint.resolve("policy.bin")));
    }

    @Test
    void every_flipped_bit_is_noticed_or_changes_nothing() throws Exception {
        Provenance written = of();
        written.write(folder);
        Path file = folder.resolve(Provenance.FILE);
        byte[] sound = Files.readAllBytes(file);
        for (int at = 0; at < sound.length; at++) {
            byte[] damaged = sound.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            Files.write(file, damaged);
            Provenance read;
            try {
                read = Provenance.read(folder);
            } catch (InputException noticed) {
                assertThat(noticed.getMessage()).contains(Provenance.FILE).hasLineCount(1);
                continue;
            }
            assertThat(read).as("byte " + at).isEqualTo(written);
        }
    }

    @Test
    void what_is_written_is_read_back_and_what_is_damaged_is_refused() throws Exception {
        assertThat(Provenance.read(folder)).isNull();
        of().write(folder);
        assertThat(Provenance.read(folder)).isEqualTo(of());
        Files.writeString(folder.resolve(Provenance.FILE), "{\"seed\": 1, \"what\": 2}");
        assertThatThrownBy(() -> Provenance.read(folder))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(Provenance.FILE);
    }

    @Test
    void a_jar_has_the_hash_of_the_folder_it_was_made_from() throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes/org/a"));
        Files.writeString(classes.resolve("A.class"), "code");
        Files.writeString(classes.resolve("B.class"), "more");
        Path jar = folder.resolve("a.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String name : List.of("META-INF/MANIFEST.MF", "org/a/B.class", "org/a/A.class")) {
                out.putNextEntry(new ZipEntry(name));
                out.write(
                        (name.endsWith("A.class") ? "code" : "more").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }

        String hash = CodeVersion.sha256(List.of(folder.resolve("classes")));
        assertThat(CodeVersion.sha256(List.of(jar))).isEqualTo(hash);
        Files.writeString(classes.resolve("A.class"), "Code");
        assertThat(CodeVersion.sha256(List.of(folder.resolve("classes")))).isNotEqualTo(hash);
    }
}
