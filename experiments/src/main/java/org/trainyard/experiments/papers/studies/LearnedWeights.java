package org.trainyard.experiments.papers.studies;

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
 * The learned weights of a record that ship, by name: a training seed, with the course of training where there is
 * more than one.
 *
 * @param chosen the name of those that were best on validation
 */
public record LearnedWeights(String chosen, Map<String, double[]> byName) {
    public static LearnedWeights of(Class<?> home, String resource) {
        try (InputStream in = Objects.requireNonNull(home.getResourceAsStream(resource), resource)) {
            JsonNode root = JsonText.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            Map<String, double[]> byName = new TreeMap<>();
            for (Map.Entry<String, JsonNode> entry : root.path("weights").properties()) {
                double[] weights = new double[entry.getValue().size()];
                for (int i = 0; i < weights.length; i++) {
                    weights[i] = entry.getValue().get(i).asDouble();
                }
                byName.put(entry.getKey(), weights);
            }
            return new LearnedWeights(root.path("chosen").asText(), byName);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those of a name. */
    public double[] named(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }
}
