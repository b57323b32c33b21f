package org.trainyard.gnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.onnxruntime.OrtException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.gnn.onnx.ElementType;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;
import org.trainyard.gnn.onnx.TensorData;

class EncoderExportTest {
    private static final float TOLERANCE = 1e-5f;

    private static GraphEncoder encoder(Parameters parameters, boolean isHierarchical, int hidden) {
        return isHierarchical ? new HierarchicalEncoder(parameters, hidden, 2) : new FlatEncoder(parameters, hidden);
    }

    private static OnnxGraph graph(GraphEncoder encoder) {
        OnnxGraph graph = new OnnxGraph("encoder");
        OnnxValue gpus = graph.input("gpus", ElementType.FLOAT, "n", "s", "k", "p", "" + ObservationSpace.GPU);
        EmbeddingValues embeddings = encoder.export(new SectionValues(
                gpus,
                graph.input("servers", ElementType.FLOAT, "n", "s", "" + ObservationSpace.SERVER),
                graph.input("candidates", ElementType.FLOAT, "n", "s", "" + ObservationSpace.CANDIDATE),
                graph.input("jobs", ElementType.FLOAT, "n", "w", "" + ObservationSpace.JOB),
                graph.input("focus", ElementType.FLOAT, "n", "1", "" + ObservationSpace.JOB),
                graph.input("domains", ElementType.FLOAT, "n", "d", "" + ObservationSpace.DOMAIN),
                graph.input("links", ElementType.FLOAT, "n", "c", "" + ObservationSpace.LINK),
                graph.input("parents", ElementType.LONG, "n", "c"),
                graph.input("global", ElementType.FLOAT, "n", "1", "" + ObservationSpace.GLOBAL)));
        graph.output("of_servers", embeddings.servers(), ElementType.FLOAT, "n", "s", "h");
        graph.output("of_domains", embeddings.domains(), ElementType.FLOAT, "n", "d", "h");
        graph.output("of_jobs", embeddings.jobs(), ElementType.FLOAT, "n", "w", "h");
        graph.output("of_focus", embeddings.focus(), ElementType.FLOAT, "n", "1", "h");
        graph.output("of_context", embeddings.context(), ElementType.FLOAT, "n", "1", "h");
        return graph;
    }

    private static TensorData tensor(String name, NDArray array, long... shape) {
        return TensorData.of(name, array.toFloatArray(), shape);
    }

    private static List<TensorData> inputs(Sections sections, ObservationSpace spec) {
        long n = sections.mask().getShape().get(0);
        float[] parents = sections.parents().toFloatArray();
        long[] numbers = new long[parents.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (long) parents[i];
        }
        long s = spec.servers();
        long c = spec.children();
        return List.of(
                tensor("gpus", sections.gpus(), n, s, spec.sockets(), spec.gpusPerSocket(), ObservationSpace.GPU),
                tensor("servers", sections.servers(), n, s, ObservationSpace.SERVER),
                tensor("candidates", sections.candidates(), n, s, ObservationSpace.CANDIDATE),
                tensor("jobs", sections.jobs(), n, spec.window(), ObservationSpace.JOB),
                tensor("focus", sections.focus(), n, 1, ObservationSpace.JOB),
                tensor("domains", sections.domains(), n, spec.domains(), ObservationSpace.DOMAIN),
                tensor("links", sections.links(), n, c, ObservationSpace.LINK),
                TensorData.of("parents", numbers, n, c),
                tensor("global", sections.global(), n, 1, ObservationSpace.GLOBAL));
    }

    private static void flatten(Object array, List<Float> into) {
        if (array instanceof float[] floats) {
            for (float value : floats) {
                into.add(value);
            }
            return;
        }
        for (int i = 0; i < Array.getLength(array); i++) {
            flatten(Array.get(array, i), into);
        }
    }

    private static void requireEqual(GraphEncoder encoder, NDArray rows, ObservationSpace spec) throws OrtException {
        Sections sections = Sections.of(rows, spec);
        Embeddings embeddings = encoder.encode(sections);
        Map<String, NDArray> expected = new LinkedHashMap<>();
        expected.put("of_servers", embeddings.servers());
        expected.put("of_domains", embeddings.domains());
        expected.put("of_jobs", embeddings.jobs());
        expected.put("of_focus", embeddings.focus());
        expected.put("of_context", embeddings.context());
        try (EncoderSession session = new EncoderSession(graph(encoder))) {
            Map<String, Object> outputs = session.run(inputs(sections, spec));
            for (Map.Entry<String, NDArray> tensor : expected.entrySet()) {
                List<Float> found = new ArrayList<>();
                flatten(Objects.requireNonNull(outputs.get(tensor.getKey())), found);
                float[] values = tensor.getValue().toFloatArray();
                assertThat(found).as(tensor.getKey()).hasSize(values.length);
                float greatest = 0;
                for (int i = 0; i < values.length; i++) {
                    assertThat(found.get(i)).as("%s, %d", tensor.getKey(), i).isCloseTo(values[i], within(TOLERANCE));
                    greatest = Math.max(greatest, Math.abs(values[i]));
                }
                assertThat(greatest).as(tensor.getKey()).isGreaterThan(0.05f);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "medium, true, 32",
        "large, true, 16",
        "leaf-spine:4x2x3x8, true, 32",
        "fat-tree:4x4, true, 7",
        "medium, false, 16",
        "fat-tree:4x4, false, 32"
    })
    void an_exported_encoder_gives_the_same_embeddings_of_played_rows(String name, boolean isHierarchical, int hidden)
            throws OrtException {
        Topology topology = Objects.requireNonNull(Topologies.parse(name));
        PlayedRows played = new PlayedRows(topology, Domains.even(topology, 3));
        float[] rows = played.collect(8);
        try (Parameters parameters = new Parameters(4);
                NDManager scope = parameters.newScope()) {
            GraphEncoder encoder = encoder(parameters, isHierarchical, hidden);
            requireEqual(encoder, scope.create(rows).reshape(8, -1).duplicate(), played.spec());
        }
    }

    /** Servers with and without NVLink, of several sizes, and places where nothing is. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void it_does_so_with_padding_and_unequal_servers(boolean isHierarchical) throws OrtException {
        try (Parameters parameters = new Parameters(2);
                NDManager scope = parameters.newScope()) {
            GraphEncoder encoder = encoder(parameters, isHierarchical, 12);
            for (ObservationSpace spec : List.of(Rows.tight(), Rows.loose())) {
                float[] row = new Rows(3).lay(spec);
                requireEqual(encoder, scope.create(row).reshape(1, -1).duplicate(), spec);
            }
        }
    }
}
