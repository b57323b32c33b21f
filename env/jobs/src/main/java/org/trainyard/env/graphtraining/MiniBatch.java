package org.trainyard.env.graphtraining;

/**
 * The work of preparing and training one mini-batch, by the eight stages of BGL's pipeline.
 *
 * @param requestCoreSeconds stage 1, handling of a sampling request on a graph store: CPU time of one core
 * @param buildCoreSeconds stage 2, building of the sub-graph there
 * @param processCoreSeconds stage 4, processing of the sub-graph by the worker
 * @param lookUpCoreSeconds stage 6, look-up and assembly of cached features by the worker: the part that cores divide
 * @param lookUpSeconds the part of stage 6 that they do not
 * @param gpuSeconds stage 8, on a GPU of speed 1
 * @param graphBytes the sub-graph: stages 3 and 5
 * @param featureBytes the features: stages 3 and 7 move those that the cache lacks
 */
public record MiniBatch(
        double requestCoreSeconds,
        double buildCoreSeconds,
        double processCoreSeconds,
        double lookUpCoreSeconds,
        double lookUpSeconds,
        double gpuSeconds,
        double graphBytes,
        double featureBytes) {
    public MiniBatch {
        for (double figure : new double[] {
            requestCoreSeconds,
            buildCoreSeconds,
            processCoreSeconds,
            lookUpCoreSeconds,
            gpuSeconds,
            graphBytes,
            featureBytes
        }) {
            if (!(figure > 0) || Double.isInfinite(figure)) {
                throw new IllegalArgumentException(
                        "work of a stage (%s) must be finite and above zero".formatted(figure));
            }
        }
        if (!(lookUpSeconds >= 0) || Double.isInfinite(lookUpSeconds)) {
            throw new IllegalArgumentException(
                    "time of a look-up (%s s) must be finite and not negative".formatted(lookUpSeconds));
        }
    }
}
