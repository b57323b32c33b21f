package org.trainyard.experiments.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.measured.MeasuredInterference;
import org.trainyard.interference.model.InterferenceFiles;

/** A law of interference of a world that was measured. */
class MeasuredPhysicsTest {
    private static final String CONTENDED = """
            interference: {type: Analytic, socket_weight: 0.6, pcie_weight: 1.0, nic_weight: 0.0, gpu_weight: 1.0}
            contention: {type: SjfBco, a: 0.062, xi: 1.0}
            stragglers: 1.0
            restart: {type: Fixed, seconds: 30.0}
            outages: {type: None}
            quotas: []
            """;

    @TempDir
    private Path dir;

    @Test
    void the_measured_world_is_what_was_measured_and_counts_the_network_itself() throws IOException {
        Path rows = file("measurements.csv", """
                victim,victim_architecture,neighbour,neighbour_architecture,scope,hardware,slowdown,source,weight,capped
                "BERT,4,2",bert,"DLRM,4,2",dlrm,nic,bench,1.5,here,1.0,false
                """);
        String text =
                CONTENDED.replaceAll("interference: .*", "interference: {type: Measured, file: '%s'}".formatted(rows));

        refused(text, "interference", "no measurements over the network", "contention counts");
        InterferenceModel model = read(text.replaceAll("contention: .*", "contention: {type: None}"))
                .interference()
                .model();
        Colocation place = new Colocation();
        place.reset(8, 4, true);
        place.add(Objects.requireNonNull(ModelCatalog.standard().find("dlrm")), 4, true, false, false);
        assertThat(model.slowdown(Objects.requireNonNull(ModelCatalog.standard().find("bert")), place))
                .isEqualTo(1.5);
    }

    private InterferenceModel measured(String rows) throws IOException {
        Path table = file("own.csv", rows);
        return read(CONTENDED
                        .replaceAll("interference: .*", "interference: {type: Measured, file: '%s'}".formatted(table))
                        .replaceAll("contention: .*", "contention: {type: None}"))
                .interference()
                .model();
    }

    @Test
    void own_measurements_slow_the_pairs_that_they_name_on_any_hardware() throws IOException {
        InterferenceModel model = measured("""
                model_a,model_b,hardware,sharing,slowdown
                bert,resnet50,h100,gpu,1.7
                resnet50,bert,H100,gpu,1.2
                bert,resnet50,any,nic,1.1
                """);
        ModelProfile bert = Objects.requireNonNull(ModelCatalog.standard().find("bert"));
        ModelProfile resnet = Objects.requireNonNull(ModelCatalog.standard().find("resnet50"));

        assertThat(((MeasuredInterference) model).pair(bert, resnet, MeasuredInterference.Shared.GPU))
                .isEqualTo(1.7);
        assertThat(((MeasuredInterference) model).pair(resnet, bert, MeasuredInterference.Shared.GPU))
                .isEqualTo(1.2);
        assertThat(((MeasuredInterference) model).pair(bert, resnet, MeasuredInterference.Shared.NIC))
                .isEqualTo(1.1);
    }

    @Test
    void a_measurement_that_would_not_be_used_is_refused_with_its_line_and_column() {
        String own = "model_a,model_b,hardware,sharing,slowdown\n";
        String fitted = "victim_architecture,neighbour_architecture,hardware,scope,slowdown\n";
        refusedRows(
                fitted + "bert,bert,h100,gpu,1.5\nbert,bert,k80,gpu,1.5\n",
                "own.csv:2, hardware",
                "'h100, k80'",
                "v100 or power8 nvlink, or the columns model_a,model_b");
        refusedRows(
                own + "bert,bert,h100,gpu,1.5\nbert,bert,a100,gpu,1.6\n",
                "own.csv:3, hardware",
                "'a100'",
                "h100 as above");
        refusedRows(own + "bart,bert,h100,gpu,1.5\n", "own.csv:2, model_a", "'bart'", "bert");
        refusedRows(own + "bert,bert,h100,room,1.5\n", "own.csv:2, sharing", "'room'", "gpu, socket or nic");
        refusedRows(own + "bert,bert,h100,gpu,0.5\n", "own.csv:2, slowdown", "'0.5'", "from 1");
        refusedRows(own + "bert,bert,h100,gpu,NaN\n", "own.csv:2, slowdown", "'NaN'");
        refusedRows(own, "own.csv", "no rows");
        refusedRows("model,other,slowdown\nbert,bert,1.5\n", "own.csv:1", "model_a,model_b,hardware,sharing,slowdown");
    }

    /** As in a campaign on three generations: the rows of V100s are the law, and how many others there are is said. */
    @Test
    void published_rows_of_other_hardware_are_left_out_and_counted() throws IOException {
        Path table = file("measurements.csv", """
                victim_architecture,neighbour_architecture,hardware,scope,slowdown
                bert,resnet50,k80,gpu,3.0
                bert,resnet50,v100,gpu,1.7
                bert,resnet50,p100,gpu,2.0
                resnet50,bert,k80,gpu,2.5
                nobody,bert,p100,gpu,2.5
                bert,resnet50,power8 nvlink,socket,1.2
                bert,resnet50,4x8 InfiniBand,nic,1.1
                """);
        ModelProfile bert = Objects.requireNonNull(ModelCatalog.standard().find("bert"));
        ModelProfile resnet = Objects.requireNonNull(ModelCatalog.standard().find("resnet50"));

        InterferenceFiles.Law law = read(CONTENDED
                        .replaceAll("interference: .*", "interference: {type: Measured, file: '%s'}".formatted(table))
                        .replaceAll("contention: .*", "contention: {type: None}"))
                .interference()
                .read();

        assertThat(law.remarks())
                .containsExactly(
                        table
                                + ": the law is of 1 row of power8 nvlink, 1 row of v100; left out: 2 rows of k80, 2 rows of p100");
        MeasuredInterference model = (MeasuredInterference) law.model();
        assertThat(model.pair(bert, resnet, MeasuredInterference.Shared.GPU)).isEqualTo(1.7);
        assertThat(model.pair(resnet, bert, MeasuredInterference.Shared.GPU)).isCloseTo(1.7, within(1e-12));
        assertThat(model.pair(bert, resnet, MeasuredInterference.Shared.SOCKET)).isEqualTo(1.2);
        assertThat(model.pair(bert, resnet, MeasuredInterference.Shared.NIC)).isEqualTo(1.1);
    }

    private void refusedRows(String rows, String... fragments) {
        assertThatThrownBy(() -> measured(rows))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(fragments)
                .hasMessageNotContaining("\n");
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text);
    }

    private PhysicsConfig read(String text) throws IOException {
        return PhysicsConfig.read(file("physics.yaml", text));
    }

    private void refused(String text, String... fragments) throws IOException {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(fragments)
                .hasMessageNotContaining("\n");
    }
}
