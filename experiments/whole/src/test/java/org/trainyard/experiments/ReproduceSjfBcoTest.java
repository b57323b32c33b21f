package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.experiments.papers.sjfbco.SjfBcoConfig;
import org.trainyard.experiments.papers.sjfbco.SjfBcoExperiment;
import org.trainyard.experiments.papers.sjfbco.SjfBcoRow;

/** The paper's random experiments, on ten batches. */
class ReproduceSjfBcoTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root"), "experiments");
    private static final Path CONFIG = ROOT.resolve("configs/papers/sjf-bco.yaml");

    private static List<SjfBcoRow> rows(String... overrides) {
        return new SjfBcoExperiment(SjfBcoConfig.read(CONFIG, List.of(overrides))).run();
    }

    private static double makespan(List<SjfBcoRow> rows, String setting, String policy) {
        return rows.stream()
                .filter(row -> row.setting().equals(setting) && row.policy().equals(policy))
                .findFirst()
                .orElseThrow()
                .outcomes()
                .stream()
                .mapToDouble(SjfBcoRow.Outcome::makespan)
                .average()
                .orElseThrow();
    }

    @Test
    void sjf_bco_ends_first_and_random_gpus_late() {
        List<SjfBcoRow> rows = rows("batches=10", "kappas=[]", "lambdas=[]", "fewer_servers=[]");

        double ours = makespan(rows, "plan", "SJF-BCO, kappa tried");
        assertThat(ours).isLessThanOrEqualTo(makespan(rows, "plan", "SJF-BCO"));
        assertThat(ours).isLessThan(makespan(rows, "plan", "LS"));
        assertThat(makespan(rows, "plan", "LS")).isLessThan(makespan(rows, "plan", "RAND"));
        assertThat(ours).isLessThan(makespan(rows, "plan", "FF"));
    }

    /** The gap to list scheduling is at least the 3 % that our notes ask for. */
    @Test
    void trying_kappas_pays_when_rings_disturb_each_other() {
        List<SjfBcoRow> rows = rows("kappas=[]", "lambdas=[]", "fewer_servers=[]");

        assertThat(makespan(rows, "plan", "LS") / makespan(rows, "plan", "SJF-BCO, kappa tried"))
                .isGreaterThan(1.03);
        assertThat(makespan(rows, "plan", "SJF-BCO")).isCloseTo(396, within(0.5));
        assertThat(makespan(rows, "plan", "LS")).isCloseTo(422, within(0.5));
    }

    @Test
    void first_fit_falls_behind_further_on_fewer_servers() {
        List<SjfBcoRow> rows = rows("batches=10", "kappas=[]", "lambdas=[]", "fewer_servers=[10, 20]");

        double few = makespan(rows, "10 servers", "FF") / makespan(rows, "10 servers", "SJF-BCO");
        double many = makespan(rows, "20 servers", "FF") / makespan(rows, "20 servers", "SJF-BCO");
        assertThat(few).isGreaterThan(many);
    }

    @Test
    void equal_seeds_give_equal_rows() {
        assertThat(rows("batches=1", "kappas=[]")).isEqualTo(rows("batches=1", "kappas=[]"));
    }

    @Test
    void every_key_and_value_of_the_shipped_config_is_pinned() throws IOException {
        assertThat(ConfigWriter.yaml(SjfBcoConfig.read(CONFIG, List.of())))
                .isEqualTo(Files.readString(ROOT.resolve("train/src/test/resources/configs/papers/sjf-bco.yaml")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "batches=0; batches",
                "physics.overlap=0; physics.overlap",
                "batch.counts=[1, 2]; batch.counts",
                "baseline_order=fast; baseline_order",
                "servers=1; servers",
                "server=1; unknown key 'server'"
            })
    void a_bad_value_is_refused_in_one_line(String override, String place) {
        assertThatThrownBy(() -> SjfBcoConfig.read(CONFIG, List.of(override)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(place)
                .hasMessageNotContaining("\n");
    }
}
