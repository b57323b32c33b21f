package org.trainyard.gnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.Domains;
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
    void plain_pytorch_gives_the_same_embeddings(String name) throws IOException, InterruptedException {
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

            Embeddings ours = encoder.encode(sections);
            NDList theirs = NDList.decode(scope, Files.readAllBytes(out));
            Map<String, NDArray> expected = Map.of(
                    "servers", ours.servers(),
                    "domains", ours.domains(),
                    "jobs", ours.jobs(),
                    "focus", ours.focus(),
                    "context", ours.context());
            assertThat(theirs).hasSize(expected.size());
            for (NDArray array : theirs) {
                NDArray own = Objects.requireNonNull(expected.get(array.getName()));
                assertThat(array.toFloatArray()).as(array.getName()).containsExactly(own.toFloatArray(), within(1e-5f));
            }
        }
    }
}
