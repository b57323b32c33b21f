package org.trainyard.experiments.papers.pollux;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.trainyard.experiments.io.JsonText;

/**
 * The learned weights that ship, by training seed.
 *
 * @param chosen the seed that was best on validation workloads
 */
record ElasticWeights(long chosen, Map<Long, double[]> bySeed) {
    static ElasticWeights shipped() {
        try (InputStream in = Objects.requireNonNull(ElasticWeights.class.getResourceAsStream("elastic.json"))) {
            JsonNode root = JsonText.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            Map<Long, double[]> bySeed = new TreeMap<>();
            for (Map.Entry<String, JsonNode> entry : root.path("weights").properties()) {
                double[] weights = new double[entry.getValue().size()];
                for (int i = 0; i < weights.length; i++) {
                    weights[i] = entry.getValue().get(i).asDouble();
                }
                bySeed.put(Long.valueOf(entry.getKey()), weights);
            }
            return new ElasticWeights(root.path("chosen").asLong(), bySeed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
