package org.trainyard.gnn.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.util.JsonUtils;
import ai.onnxruntime.OrtException;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both levels against the numbers that {@code src/test/python/cluster.py} wrote with plain PyTorch. */
class TwoLevelReferenceTest {
    private static final Offset<Float> CLOSE = within(1e-5f);

    private static TwoLevels.Results reference(ClusterEncoder.Kind kind) throws IOException {
        try (Reader in = new InputStreamReader(
                Objects.requireNonNull(TwoLevelReferenceTest.class.getResourceAsStream("two-levels.json")),
                StandardCharsets.UTF_8)) {
            Map<String, TwoLevels.Results> all =
                    JsonUtils.GSON.fromJson(in, new TypeToken<Map<String, TwoLevels.Results>>() {}.getType());
            return Objects.requireNonNull(all.get(kind.name()));
        }
    }

    private static void same(float[] ours, float[] theirs) {
        assertThat(ours).containsExactly(theirs, CLOSE);
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void tensors_give_the_embeddings_and_gradients_of_plain_pytorch(ClusterEncoder.Kind kind) throws IOException {
        TwoLevels.Results theirs = reference(kind);
        TwoLevels.Results ours = new TwoLevels(kind).byTensors();
        same(ours.insides, theirs.insides);
        same(ours.nodes, theirs.nodes);
        same(ours.gpuGradient, theirs.gpuGradient);
        same(ours.clusterGradient, theirs.clusterGradient);
        for (float[] each : new float[][] {theirs.insides, theirs.nodes, theirs.gpuGradient}) {
            assertThat(largest(each)).isGreaterThan(0.3);
        }
    }

    private static double largest(float[] values) {
        double largest = 0;
        for (float value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        return largest;
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void arrays_give_the_embeddings_of_plain_pytorch(ClusterEncoder.Kind kind) throws IOException {
        TwoLevels.Results theirs = reference(kind);
        TwoLevels.Results ours = new TwoLevels(kind).byArrays();
        same(ours.insides, theirs.insides);
        same(ours.nodes, theirs.nodes);
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void the_graph_gives_the_embeddings_of_plain_pytorch(ClusterEncoder.Kind kind) throws IOException, OrtException {
        TwoLevels.Results theirs = reference(kind);
        TwoLevels ours = new TwoLevels(kind);
        try (EncoderSession session = new EncoderSession(ours.graph())) {
            Map<String, Object> outputs = session.run(ours.inputs());
            same(flat(outputs, "insides"), theirs.insides);
            same(flat(outputs, "nodes"), theirs.nodes);
        }
    }

    private static float[] flat(Map<String, Object> outputs, String name) {
        float[][] values = (float[][]) Objects.requireNonNull(outputs.get(name));
        float[] all = new float[values.length * values[0].length];
        for (int i = 0; i < values.length; i++) {
            System.arraycopy(values[i], 0, all, i * values[i].length, values[i].length);
        }
        return all;
    }
}
