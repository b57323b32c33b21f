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

    /** From a group of {@code producers} to another of {@code consumers} without a GPU in common. */
    static double bytesBetweenGroups(
            TensorLayout from, TensorLayout to, double tensorBytes, int producers, int consumers) {
        double copies = to == TensorLayout.BROADCAST ? consumers - 1 : 0;
        double summands = from == TensorLayout.PARTIAL ? producers - 1 : 0;
        return tensorBytes * (1 + copies + summands);
    }

    /**
     * On a grid where only the layout along one axis changes.
     *
     * @param along layout along the other axis
     * @param across GPUs of the other axis
     */
    static double bytesOnGrid(
            TensorLayout along, int across, TensorLayout from, TensorLayout to, double tensorBytes, int gpus) {
        return bytes(from, to, along.isSplit() ? tensorBytes : across * tensorBytes, gpus);
    }
}
