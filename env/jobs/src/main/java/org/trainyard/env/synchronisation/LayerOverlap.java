package org.trainyard.env.synchronisation;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.pipeline.LayerProfile;

/**
 * How the exchange of gradients hides behind the backward pass, layer by layer from the last.
 *
 * <p>The gradients of a layer go out once it is computed and those of the layers behind it are exchanged, and take the
 * part of the whole exchange that its parameters are of all. Source: the layered structure of SMD (INFOCOM 2021,
 * 2105.13855), which gives no figures of layers. Our deviations: (1) they are those of a model of our catalogue; (2)
 * the exchange of one iteration ends before the next begins.
 *
 * @param profile whose layers have the forward and backward times and the parameters, of which only the ratios count
 */
public record LayerOverlap(LayerProfile profile) {
    /** Time of an iteration, seconds; without layers the sum of both. */
    public static double iterationSeconds(
            @Nullable LayerOverlap layers, double computeSeconds, double exchangeSeconds) {
        return layers == null ? computeSeconds + exchangeSeconds : layers.seconds(computeSeconds, exchangeSeconds);
    }

    /**
     * Time of an iteration, seconds. With one layer the sum of both. O(layers).
     *
     * @param computeSeconds forward and backward
     * @param exchangeSeconds of all gradients
     */
    double seconds(double computeSeconds, double exchangeSeconds) {
        int layers = profile.size();
        double compute = computeSeconds / profile.computeSeconds();
        double exchange = exchangeSeconds / profile.parameterBytes();
        double computed = compute * profile.forwardSeconds(0, layers);
        double exchanged = computed;
        for (int layer = layers - 1; layer >= 0; layer--) {
            computed += compute * profile.backwardSeconds(layer, layer + 1);
            exchanged = Math.max(computed, exchanged) + exchange * profile.parameterBytes(layer, layer + 1);
        }
        return Math.max(computed, exchanged);
    }
}
