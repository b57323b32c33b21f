package org.trainyard.experiments.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.TrainyardProcess;

/** The libraries that a training loads, as the architecture page says. */
class LoadedLibrariesTest {
    private static final Path CONFIGS = Path.of(System.getProperty("trainyard.root", "."), "experiments/configs")
            .toAbsolutePath();
    private static final String ND4J = "org.nd4j.linalg.cpu.nativecpu.blas.CpuLapack";

    @TempDir
    private Path folder;

    /** The classes that a training of one small update loads. */
    private Set<String> loaded(String config, String... settings) throws IOException, InterruptedException {
        Path classes = folder.resolve("classes");
        Path log = folder.resolve("log");
        List<String> by = List.of("env", "JDK_JAVA_OPTIONS=-Xlog:class+load:file=" + classes + ":none:filecount=0");
        Stream<String> small = Stream.of(
                "learner.updates=1",
                "learner.episodes_per_update=1",
                "learner.plays_per_episode=2",
                "episodes.jobs=12",
                "episodes.validation=1",
                "episodes.test=1",
                "schedulers=[fifo]");
        Process process = TrainyardProcess.start(
                by,
                log,
                System.getProperty("java.class.path"),
                Stream.concat(
                                Stream.of("train", CONFIGS.resolve(config).toString(), "--out", folder + "/run"),
                                Stream.concat(small, Stream.of(settings)).flatMap(set -> Stream.of("--set", set)))
                        .toList());

        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        try (Stream<String> lines = Files.lines(classes)) {
            return lines.map(line -> line.split(" ", 2)[0]).collect(Collectors.toSet());
        }
    }

    /** The quickstart itself, with more jobs than its forest needs: agents apart, both levels, belief, forest. */
    @Test
    void the_quickstart_learns_on_pytorch_from_the_topology_s_graph_by_a_belief_fitted_on_nd4j_and_a_forest()
            throws Exception {
        Set<String> classes = loaded("quickstart.yaml", "episodes.jobs=60");

        assertThat(classes)
                .contains(
                        "ai.djl.pytorch.engine.PtNDArray",
                        "ai.djl.pytorch.jni.PyTorchLibrary",
                        "org.trainyard.gnn.cluster.ClusterEncoder",
                        "org.trainyard.gnn.cluster.GpuSetEncoder",
                        "org.trainyard.env.gym.decentralised.DecentralisedAgents",
                        "org.jgrapht.graph.SimpleWeightedGraph",
                        "ml.dmlc.xgboost4j.java.XGBoost",
                        "com.fasterxml.jackson.dataformat.yaml.YAMLFactory",
                        ND4J);
    }

    @Test
    void a_training_that_fits_no_belief_does_not_load_nd4j() throws Exception {
        assertThat(loaded("auction/small.yaml"))
                .contains("ai.djl.pytorch.jni.PyTorchLibrary")
                .doesNotContain(ND4J)
                .noneMatch(name -> name.startsWith("org.nd4j."));
    }
}
