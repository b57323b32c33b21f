package org.trainyard.env.pipeline.mixed;

import java.util.List;

/**
 * Layouts that people found for two layers on eight GPUs, with the bytes that they move and those of the layouts that a
 * search finds. Each conversion counts once for each consumer, and products are computed in parts only.
 */
public enum HandLayout {
    /**
     * Columns, then rows, of a perceptron of 4,096 and 16,384 units in 16 bits: M. Shoeybi et al.: Megatron-LM, 2019.
     */
    MEGATRON(
            perceptron(1024),
            TensorLayout.BROADCAST,
            new LayoutChain.Choice(
                    MatrixProduct.COLUMNS, MatrixProduct.ROWS, MatrixProduct.COLUMNS, TensorLayout.SPLIT_COLUMNS),
            new LayoutChain.Choice(
                    MatrixProduct.INNER, MatrixProduct.COLUMNS, MatrixProduct.ROWS, TensorLayout.SPLIT_ROWS)),
    /**
     * A split batch and split weights, gathered for each product, of the same perceptron: S. Rajbhandari et al.: ZeRO,
     * 2020, stage 3.
     */
    ZERO(
            perceptron(32768),
            TensorLayout.SPLIT_ROWS,
            new LayoutChain.Choice(
                    MatrixProduct.ROWS, MatrixProduct.ROWS, MatrixProduct.INNER, TensorLayout.SPLIT_ROWS),
            new LayoutChain.Choice(
                    MatrixProduct.ROWS, MatrixProduct.ROWS, MatrixProduct.INNER, TensorLayout.SPLIT_ROWS)),
    /**
     * A million classes split over GPUs, behind a layer whose batch is split, in 32 bits: InsightFace's softmax, as J.
     * Yuan et al.: OneFlow, 2021, set it beside theirs.
     */
    SPLIT_SOFTMAX(
            chain(1024, 512, 512, 1e6, Float.BYTES, 1024.0 * Float.BYTES),
            TensorLayout.SPLIT_COLUMNS,
            new LayoutChain.Choice(MatrixProduct.ROWS, MatrixProduct.ROWS, MatrixProduct.INNER, TensorLayout.BROADCAST),
            new LayoutChain.Choice(
                    MatrixProduct.COLUMNS, MatrixProduct.INNER, MatrixProduct.COLUMNS, TensorLayout.SPLIT_COLUMNS));

    private final double handBytes;
    private final double foundBytes;

    HandLayout(LayoutChain chain, TensorLayout read, LayoutChain.Choice... choices) {
        handBytes = chain.seconds(List.of(choices), read);
        foundBytes = LayoutSearch.best(chain, false).seconds();
    }

    private static LayoutChain perceptron(double batch) {
        return chain(batch, 4096, 16384, 4096, Short.BYTES, 0);
    }

    /** Two products, of which only transfers cost. */
    private static LayoutChain chain(
            double batch, double width, double hidden, double output, int bytes, double columnBytes) {
        return new LayoutChain(
                List.of(
                        new LayoutChain.Product(
                                bytes * batch * width, bytes * width * hidden, bytes * batch * hidden, 0, 0),
                        new LayoutChain.Product(
                                bytes * batch * hidden, bytes * hidden * output, bytes * batch * output, 0, 0)),
                8,
                1,
                columnBytes);
    }

    /** Bytes that the layout found by hand moves in an iteration, over all GPUs together. */
    public double handBytes() {
        return handBytes;
    }

    /** Bytes of the cheapest layouts. */
    public double foundBytes() {
        return foundBytes;
    }
}
