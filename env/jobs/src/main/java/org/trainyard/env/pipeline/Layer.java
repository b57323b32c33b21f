package org.trainyard.env.pipeline;

/**
 * One layer of a model, as profiled for one micro-batch on one GPU of speed 1.
 *
 * @param name the layer's name
 * @param activationBytes output that the layer keeps until its backward pass
 * @param cutBytes activations that cross a cut right after the layer; gradients of the same size come back
 */
public record Layer(
        String name,
        double forwardSeconds,
        double backwardSeconds,
        double activationBytes,
        double cutBytes,
        double parameterBytes) {
    public Layer {
        check(name, "forward time", "s", forwardSeconds);
        check(name, "backward time", "s", backwardSeconds);
        check(name, "activation size", "bytes", activationBytes);
        check(name, "size of the cut", "bytes", cutBytes);
        check(name, "parameter size", "bytes", parameterBytes);
    }

    /** A layer of a chain, whose output is all that crosses a cut after it. */
    public Layer(
            String name, double forwardSeconds, double backwardSeconds, double activationBytes, double parameterBytes) {
        this(name, forwardSeconds, backwardSeconds, activationBytes, activationBytes, parameterBytes);
    }

    private static void check(String layer, String what, String unit, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    "%s (%s %s) of layer %s must be finite and not negative".formatted(what, value, unit, layer));
        }
    }
}
