package org.trainyard.gnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class TorchReferenceTest {
    private static final int HIDDEN = 32;
    private static final int ROUNDS = 2;

    @TempDir
    private Path folder;

    /** Clusters without and with pods, several racks per agent, and several agents per rack. */
    @ParameterizedTest
    @ValueSource(strings = {"medium", "large", "leaf-spine:4x2x3x8", "fat-tree:4x4"})
    void plain_pytorch_gives_the_same_embeddings_and_gradients(String name) throws IOException, InterruptedException {
        String python = TorchReference.python();
        assumeThat(python)
                .as("a python3 (or $TRAINYARD_PYTHON) with torch and numpy")
                .isNotNull();
        Topology topology = Objects.requireNonNull(Topologies.parse(name));
        PlayedRows played = new PlayedRows(topology, Domains.even(topology, 3));
        float[] rows = played.collect(12);
        Path batch = folder.resolve("batch.npz");
        Path out = folder.resolve("out.npz");
        try (Parameters parameters = new Parameters(4);
                NDManager scope = parameters.newScope()) {
            HierarchicalEncoder encoder = new HierarchicalEncoder(parameters, HIDDEN, ROUNDS);
            NDArray tensor = scope.create(rows).reshape(12, -1).duplicate();
            Sections sections = Sections.of(tensor, played.spec());
            TorchReference.write(batch, parameters, sections, ROUNDS);
            Process process = TorchReference.program(
                            Objects.requireNonNull(python), "check", batch.toString(), out.toString())
                    .start();
            assertThat(process.waitFor()).isZero();

            Map<String, NDArray> ours = new HashMap<>();
            try (GradientCollector collector = Engine.getInstance().newGradientCollector()) {
                Embeddings seen = encoder.encode(sections);
                ours.put("servers", seen.servers());
                ours.put("domains", seen.domains());
                ours.put("jobs", seen.jobs());
                ours.put("focus", seen.focus());
                ours.put("context", seen.context());
                collector.backward(ours.values().stream()
                        .map(x -> x.mul(x).mean())
                        .reduce(NDArray::add)
                        .orElseThrow());
            }
            for (String weight : parameters.names()) {
                ours.put(weight, parameters.get(weight).getGradient());
            }
            NDList theirs = NDList.decode(scope, Files.readAllBytes(out));
            assertThat(theirs).hasSize(ours.size());
            for (NDArray array : theirs) {
                assertThat(Objects.requireNonNull(ours.get(array.getName())).toFloatArray())
                        .as(array.getName())
                        .containsExactly(array.toFloatArray(), within(1e-5f));
            }
        }
    }
}
