package org.trainyard.env.workload.freezing;

import org.trainyard.env.Invalid;

/**
 * PipeTransformer's schedule of frozen layers: after every epoch a part {@code alpha} of the layers that are still
 * active is frozen.
 *
 * <p>Source: C. He, S. Li, M. Soltanolkotabi, S. Avestimehr: PipeTransformer: automated elastic pipelining for
 * distributed training of transformers, ICML 2021, whose sum collapses to {@code L (1 - (1 - alpha)^epoch)}; there
 * alpha is 1/3 to 1/2. The training scripts of IceFrog's author use one over the number of epochs.
 *
 * @param alpha above 0, below 1
 */
public record PipeTransformerSchedule(double alpha) {
    public PipeTransformerSchedule {
        Invalid.when(!(alpha > 0 && alpha < 1), "alpha (%s) must be above 0 and below 1", alpha);
    }

    /** Frozen layers after so many epochs, not rounded. */
    public double layers(int layers, int epochs) {
        return layers * (1 - Math.pow(1 - alpha, epochs));
    }
}
