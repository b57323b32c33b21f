package org.trainyard.interference.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.measured.MeasurementTable;

class DatasetsTest {
    private static final String MATRIX = """
            ,"A,2,2","A,4,2"
            "A,2,2",0.5,
            "A,4,2",1.000,0.8
            """;
    private static final String GAVEL = """
            {"v100": {"('LM (batch size 5)', 1)": {"null": 10.0,
                "('A3C', 1)": [4.0, 3.0], "('LM (batch size 5)', 1)": [0.0, 0.0]},
              "('A3C', 1)": {"null": 3.0, "('LM (batch size 5)', 1)": [3.0, 4.0]},
              "('A3C', 2)": {"null": 3.0, "('A3C', 2)": [0.0, 0.0]}},
             "v100_unconsolidated": {"('A3C', 1)": {"null": 3.0, "('LM (batch size 5)', 1)": [3.0, 4.0]}}}
            """;

    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void an_empty_cell_is_no_measurement_and_a_ratio_of_one_is_marked() throws IOException {
        List<Measurement> rows = Datasets.read(List.of(file("m.csv", MATRIX))).rows();

        assertThat(rows).hasSize(3);
        assertThat(rows.get(0).slowdown()).isCloseTo(2, within(1e-12));
        assertThat(rows.get(0).scope()).isEqualTo(Scope.NIC);
        assertThat(rows).extracting(Measurement::capped).containsExactly(false, true, false);
        assertThat(rows.get(2).victim().trait(Trait.GPUS)).isEqualTo(2);
    }

    @Test
    void a_pair_of_zeros_is_no_measurement_and_unconsolidated_workers_are_left_out() throws IOException {
        MeasurementTable table = Datasets.read(List.of(file("g.json", GAVEL)));

        assertThat(table.rows())
                .extracting(row -> row.victim().label() + " " + row.slowdown() + " " + row.capped())
                .containsExactly("LM (batch size 5) 2.5 false", "A3C 1.0 true");
        assertThat(table.rows().get(0).victim().architecture()).isEqualTo("lstm");
        assertThat(table.sources().get(0).licence()).isEqualTo("MIT");
    }

    @Test
    void rows_that_measure_the_same_again_share_a_weight() throws IOException {
        MeasurementTable table = Datasets.read(List.of(file("a.csv", MATRIX), file("b.csv", MATRIX)));

        assertThat(table.rows())
                .hasSize(6)
                .allSatisfy(row -> assertThat(row.weight()).isEqualTo(0.5));
    }

    @Test
    void rates_alone_beside_the_matrix_say_how_types_scale() throws IOException {
        Path matrix = file("shared_thp_ratio.csv", MATRIX);
        file("isolated_thp.csv", ",isol_thp\n\"A,2,2\",10\n\"A,4,2\",15\n");

        MeasurementTable table = Datasets.read(List.of(matrix));

        assertThat(table.rows().get(2).victim().trait(Trait.SCALING)).isCloseTo(Math.log(1.5), within(1e-12));
        assertThat(table.sources()).hasSize(2);
    }

    @Test
    void what_is_no_measurement_is_named_in_one_line() throws IOException {
        assertThatThrownBy(() -> Datasets.read(List.of(file("x.csv", "a,b\n1,2\n"))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("x.csv")
                .hasMessageContaining("Gavel");
        assertThatThrownBy(() -> Datasets.read(List.of(file("y.csv", MATRIX.replace("0.8", "-3")))))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("y.csv:3")
                .hasMessageContaining("-3");
    }

    @Test
    void the_published_files_have_the_rows_their_notes_say() {
        double[] speeds = DataPack.table(DataPack.DEEPSHARE).rows().stream()
                .mapToDouble(row -> 1 / row.slowdown())
                .toArray();
        double mean = Arrays.stream(speeds).average().orElseThrow();
        assertThat(speeds).hasSize(1102);
        assertThat(mean).isCloseTo(0.790, within(0.001));
        assertThat(Math.sqrt(Arrays.stream(speeds)
                        .map(speed -> (speed - mean) * (speed - mean))
                        .average()
                        .orElseThrow()))
                .isCloseTo(0.182, within(0.001));
        MeasurementTable gavel = DataPack.table(DataPack.GAVEL);
        Domain v100 = new Domain(Scope.GPU, "v100");
        assertThat(gavel.rows().stream()
                        .filter(row -> row.domain().equals(v100) && row.source().contains("simulation")))
                .hasSize(636);
        assertThat(DataPack.table(DataPack.MINSKY).rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.slowdown()).isBetween(1.0, 5.0));
    }
}
