package org.trainyard.env.pipeline.mixed;

/**
 * Bytes that a conversion between layouts moves, over all GPUs together: OneFlow's boxing operators.
 *
 * <p>Source: J. Yuan et al.: OneFlow, 2021, table 2; conversions on one group checked against its code. Deviation:
 * (1) slices are free, where the code charges one byte.
 */
final class Boxing {
    private Boxing() {}

    /** On one group of {@code gpus}. */
    static double bytes(TensorLayout from, TensorLayout to, double tensorBytes, int gpus) {
        double others = gpus - 1;
        if (from == to || from == TensorLayout.BROADCAST || (from.isSplit() && to == TensorLayout.PARTIAL)) {
            return 0;
        }
        if (from.isSplit()) {
            return to.isSplit() ? others / gpus * tensorBytes : others * tensorBytes;
        }
        return to.isSplit() ? others * tensorBytes : 2 * others * tensorBytes;
    }
}
