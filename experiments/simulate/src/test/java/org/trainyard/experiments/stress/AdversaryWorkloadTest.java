package org.trainyard.experiments.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.run.Experiment;

/** Workloads of a search as episodes of an experiment. */
class AdversaryWorkloadTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "heuristics.yaml");

    @TempDir
    private static Path folder;

    @BeforeAll
    static void search() {
        Shell shell = Shell.command("stress sjf --cluster small --jobs 40 --evaluations 64 --out %s", folder);
        assertThat(shell.code()).as(shell.err()).isZero();
    }

    private static Experiment experiment(Path adversary, String... values) {
        List<String> all = new ArrayList<>(List.of("workload.adversary=" + adversary));
        all.addAll(List.of(values));
        return new Experiment(ConfigReader.read(CONFIG, all));
    }

    @Test
    void every_workload_of_a_pool_is_an_episode_of_one_kind() {
        try (Experiment experiment = experiment(
                folder.resolve("sjf/pool"),
                "episodes.train_share=0.5",
                "episodes.validation_share=0.25",
                "episodes.validation=9",
                "episodes.test=9")) {
            Set<Long> seen = new HashSet<>();
            for (int i = 0; i < 4; i++) {
                seen.add(signature(experiment.train(i)));
            }
            assertThat(seen).hasSize(4);
            assertThat(signature(experiment.train(4))).isEqualTo(signature(experiment.train(0)));
            assertThat(experiment.validation()).hasSize(2);
            experiment.validation().forEach(workload -> seen.add(signature(workload)));
            assertThat(experiment.test()).hasSize(2);
            experiment.test().forEach(workload -> seen.add(signature(workload)));

            assertThat(seen).hasSize(8);
            assertThat(experiment.remarks()).anyMatch(remark -> remark.contains("whole workloads of the pool"));
        }
    }

    private static long signature(Workload workload) {
        long signature = workload.size();
        for (int job = 0; job < workload.size(); job++) {
            signature = 31 * signature + workload.job(job).submitNanos();
            signature = 31 * signature + Double.hashCode(workload.trueIterations(job));
        }
        return signature;
    }

    @Test
    void a_scheduler_is_evaluated_on_the_workload_that_hurts_it() throws Exception {
        Path out = folder.resolve("evaluation");
        Shell shell = Shell.command(
                "evaluate %s --set %s --set episodes.train_share=0 --set episodes.validation_share=0 "
                        + "--set cluster=small --schedulers sjf,srtf --out %s",
                CONFIG, "workload.adversary=" + folder.resolve("sjf/hardest.csv"), out);

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode found = new JsonMapper()
                .readTree(folder.resolve("sjf/summary.json").toFile())
                .get("hardest");
        JsonNode scores =
                new JsonMapper().readTree(out.resolve("summary.json").toFile()).get("schedulers");
        for (JsonNode score : scores) {
            if (score.get("name").asText().equals("sjf")) {
                assertThat(score.get("jct_s").get("mean").asDouble())
                        .isCloseTo(found.at("/jct_s/mean").asDouble(), within(1e-6));
            }
        }
    }

    @Test
    void impossible_pools_are_refused() {
        assertThatThrownBy(() -> experiment(folder.resolve("sjf/hardest.csv")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("episodes.validation_share")
                .hasMessageContaining("of the 1 in the pool");
        assertThatThrownBy(() -> experiment(folder.resolve("sjf/hardest.csv"), "episodes.validation_share=0"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("workload.adversary")
                .hasMessageContaining("episodes.train_share");
        assertThatThrownBy(() -> experiment(folder.resolve("none")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no such file");
        assertThatThrownBy(() -> experiment(folder.resolve("sjf/pool"), "workload.trace=" + CONFIG))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("null with a trace");
        assertThatThrownBy(() -> experiment(folder.resolve("sjf/checkpoints")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("holds no files that end in .csv");
    }
}
