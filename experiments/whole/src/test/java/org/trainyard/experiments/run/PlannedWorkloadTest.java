package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.graphtraining.GraphTraining;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;

/** The share of pipelines and mixed parallelism that a config asks for. */
class PlannedWorkloadTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction/small.yaml");
    private static final int JOBS = 200;

    @TempDir
    private Path folder;

    /** The experiment of a shipped config with another line in its {@code workload}. */
    private Experiment experiment(String line, String... changes) throws IOException {
        String text = Files.readString(CONFIG)
                .replace(
                        "base: ../base.yaml",
                        "base: " + CONFIG.resolveSibling("../base.yaml").toAbsolutePath())
                .replace("workload:\n", "workload:\n  " + line + "\n");
        Path file = Files.writeString(folder.resolve("planned.yaml"), text);
        List<String> all = new ArrayList<>(List.of("episodes.jobs=" + JOBS, "cluster=2x4x4"));
        all.addAll(List.of(changes));
        return new Experiment(ConfigReader.read(file, all));
    }

    /** The plans of the jobs, by their label. */
    private static List<String> plans(Workload workload) {
        List<String> labels = new ArrayList<>();
        for (int job = 0; job < workload.size(); job++) {
            labels.add(workload.job(job).plan().label());
        }
        return labels;
    }

    private static long planned(Workload workload) {
        return plans(workload).stream()
                .filter(label -> !label.equals(TrainingPlan.RingAllReduce.INSTANCE.label()))
                .count();
    }

    @Test
    void a_share_of_the_jobs_of_every_episode_is_planned_and_differs_by_episode() throws IOException {
        try (Experiment experiment = experiment("pipelines: 0.2")) {
            assertThat(planned(experiment.test().get(0))).isBetween(25L, 55L);
            assertThat(planned(experiment.validation().get(0))).isBetween(25L, 55L);
            assertThat(plans(experiment.train(0)))
                    .isEqualTo(plans(experiment.train(0)))
                    .isNotEqualTo(plans(experiment.train(1)));
        }
        try (Experiment rings = experiment("")) {
            assertThat(planned(rings.test().get(0))).isZero();
        }
    }

    @Test
    void the_jobs_of_a_trace_are_planned_too() throws IOException {
        StringBuilder trace = new StringBuilder("job,submit_s,gpus,duration_s\n");
        for (int job = 0; job < JOBS; job++) {
            trace.append("%d,%d,%d,3600\n".formatted(job, 60 * job, 1 + job % 2));
        }
        Path file = Files.writeString(folder.resolve("jobs.csv"), trace);
        try (Experiment experiment = experiment("pipelines: 0.5", "workload.trace=" + file, "episodes.jobs=50")) {
            assertThat(planned(experiment.test().get(0))).isBetween(20L, 25L);
        }
    }

    @Test
    void a_heuristic_runs_on_planned_jobs() throws IOException {
        try (Experiment experiment = experiment("pipelines: 0.3", "episodes.jobs=30")) {
            Workload workload = experiment.test().get(0);
            assertThat(planned(workload)).isPositive();
            assertThat(experiment
                            .world()
                            .simulator(workload)
                            .run(experiment.scheduler("srtf", 0))
                            .jobs())
                    .hasSize(workload.size());
        }
    }

    @Test
    void shares_of_the_jobs_synchronise_or_train_on_graphs_and_run() throws IOException {
        String plans = "plans: [{plan: sync:adsp, share: 0.4, cpu_milli_per_gpu: 0, memory_mib_per_gpu: 0}, {plan:"
                + " gnn:papers100m:bgl, share: 0.3, cpu_milli_per_gpu: 4000, memory_mib_per_gpu: 8192}]";
        try (Experiment experiment = experiment(plans, "physics.graph_training=even")) {
            Workload workload = experiment.test().get(0);
            assertThat(plans(workload))
                    .contains("sync:adsp", "gnn:papers100m:bgl", TrainingPlan.RingAllReduce.INSTANCE.label());
            assertThat(planned(workload)).isBetween(100L, 180L);
            for (int job = 0; job < workload.size(); job++) {
                boolean isGraph = workload.job(job).plan() instanceof GraphTraining;
                assertThat(workload.job(job).demand().cpuMilli())
                        .isEqualTo(isGraph ? 4000L * workload.job(job).gpus() : 0);
            }
            assertThat(experiment
                            .world()
                            .simulator(workload)
                            .run(experiment.scheduler("srtf", 0))
                            .jobs())
                    .hasSize(workload.size());
        }
        assertThatThrownBy(() -> experiment(
                        "plans: [{plan: sync:asp, share: 0.4, cpu_milli_per_gpu: 0, memory_mib_per_gpu: 0}]"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("sync:asp");
        assertThatThrownBy(() -> experiment("", "physics.graph_training=apart"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("graph_training");
    }

    @Test
    void a_share_above_one_is_refused() throws IOException {
        assertThatThrownBy(() -> experiment("pipelines: 1.2"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("pipelines")
                .hasMessageContaining("1.2");
    }
}
