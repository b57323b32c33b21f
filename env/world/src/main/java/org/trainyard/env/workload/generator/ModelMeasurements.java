package org.trainyard.env.workload.generator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.workload.ScalingCurve;

/** Published measurements of models of the {@link ModelCatalog}: speeds on GPU types, and gains by workers. */
final class ModelMeasurements {
    /**
     * Speeds on other GPU types relative to the V100: single-GPU rates of Gavel (D. Narayanan et al., OSDI 2020) at
     * the batch sizes above (resnet18: 64). Its recommendation model, which was bound by the host of the V100, is
     * left out.
     */
    private static final String SPEEDS = """
            resnet50    | P100 0.596 K80 0.141
            resnet18    | P100 0.926 K80 0.293
            transformer | P100 0.591 K80 0.203
            lstm        | P100 0.749 K80 0.214
            a2c         | P100 0.792 K80 0.479
            """;

    /**
     * Iterations per second on 1, 2, 4, … 64 A100 at one global batch size, the largest that was measured (D. Gu et
     * al.: ElasticFlow, ASPLOS 2023; from the repository of that paper, rounded to three figures).
     */
    private static final String SCALING = """
            resnet50    | 1.84 3.45 6.19 10.4 15.2 17.8 18.8
            vgg16       | 1.31 2.52 4.64 8 12.6 16.4 20.7
            inception3  | 2.56 4.66 7.8 10.9 12.8 12.8 12.3
            bert        | 3.57 5.68 8.45 9.99 10.8 10.7 9.44
            gpt2        | 4.1 6.96 11.4 15.7 17.9 18.9 15.6
            deepspeech2 | 1.6 2.96 5.25 7.41 9.4 12.5 14
            """;

    private ModelMeasurements() {}

    private static List<String> cellsOf(String table, String model) {
        for (String line : table.split("\n", -1)) {
            if (line.startsWith(model + " ")) {
                return List.of(line.substring(line.indexOf('|') + 1).strip().split(" ", -1));
            }
        }
        return List.of();
    }

    /** Measured speeds of a model by GPU type, relative to the V100; empty when there are none. */
    static Map<String, Double> speeds(String model) {
        List<String> cells = cellsOf(SPEEDS, model);
        Map<String, Double> speeds = new HashMap<>();
        for (int i = 0; i < cells.size(); i += 2) {
            speeds.put(cells.get(i), Double.valueOf(cells.get(i + 1)));
        }
        return speeds;
    }

    /** The measured scaling curve of a model, or the linear one. */
    static ScalingCurve scaling(String model) {
        List<String> cells = cellsOf(SCALING, model);
        return cells.isEmpty()
                ? ScalingCurve.LINEAR
                : ScalingCurve.measured(
                        cells.stream().mapToDouble(Double::parseDouble).toArray());
    }
}
