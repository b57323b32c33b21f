package org.trainyard.env.pipeline.mixed;

import java.util.List;

/**
 * A chain of matrix products {@code Y = X W} with their backward passes, whose layouts are chosen: of each product the
 * gradients {@code dX = dY W'} and {@code dW = X' dY}.
 *
 * <p>The input arrives split along its rows. The gradient of the output has the layout of the output as the loss reads
 * it, which may not be a partial sum. The first product has no gradient of its input. Weights stay in one layout; their
 * gradients are converted to it. Each conversion counts once for each consumer.
 *
 * @param gpus in the group
 * @param linkSeconds seconds per byte moved, over all GPUs together
 * @param columnBytes of one column of the output: where it is split along its columns, a softmax all-reduces the
 *     greatest of each row and their sum; 0 for a loss without one
 */
record LayoutChain(List<Product> products, int gpus, double linkSeconds, double columnBytes) {
    /**
     * One product of the chain.
     *
     * @param inputBytes of X
     * @param weightBytes of W
     * @param outputBytes of Y
     * @param forwardSeconds of the product on one GPU
     * @param backwardSeconds of both gradients on one GPU, half each; of the first product, of its only one
     */
    record Product(
            double inputBytes, double weightBytes, double outputBytes, double forwardSeconds, double backwardSeconds) {}

    /** Layouts of one product: forward, gradient of the input, gradient of the weights, and where the weights stay. */
    record Choice(MatrixProduct forward, MatrixProduct input, MatrixProduct weight, TensorLayout stored) {}

    LayoutChain {
        products = List.copyOf(products);
    }

    /** Costs of one product, with its conversions tabulated by layouts: a search asks for thousands of sums of them. */
    final class ProductCosts {
        private final Product product;
        private final boolean isFirst;
        private final double[][] input;
        private final double[][] weight;
        private final double[][] output;

        private ProductCosts(int index) {
            product = products.get(index);
            isFirst = index == 0;
            input = conversions(product.inputBytes());
            weight = conversions(product.weightBytes());
            output = conversions(product.outputBytes());
        }

        /**
         * Cost of the product.
         *
         * @param x layout in which X arrives
         * @param dy layout in which the gradient of Y arrives
         */
        double seconds(Choice choice, TensorLayout x, TensorLayout dy) {
            double backward = product.backwardSeconds();
            double seconds = share(choice.forward(), product.forwardSeconds())
                    + share(choice.weight(), isFirst ? backward : backward / 2)
                    + moved(input, x, choice.forward().left())
                    + moved(weight, choice.stored(), choice.forward().right())
                    + moved(input, x.transposed(), choice.weight().left())
                    + moved(output, dy, choice.weight().right())
                    + moved(weight, choice.weight().product(), choice.stored());
            if (isFirst) {
                return seconds;
            }
            return seconds
                    + share(choice.input(), backward / 2)
                    + moved(output, dy, choice.input().left())
                    + moved(weight, choice.stored().transposed(), choice.input().right());
        }
    }

    ProductCosts costs(int index) {
        return new ProductCosts(index);
    }

    /** Seconds by the layouts before and after. */
    private double[][] conversions(double bytes) {
        TensorLayout[] layouts = TensorLayout.values();
        double[][] seconds = new double[layouts.length][layouts.length];
        for (TensorLayout from : layouts) {
            for (TensorLayout to : layouts) {
                seconds[from.index()][to.index()] = linkSeconds * Boxing.bytes(from, to, bytes, gpus);
            }
        }
        return seconds;
    }

    private static double moved(double[][] conversions, TensorLayout from, TensorLayout to) {
        return conversions[from.index()][to.index()];
    }

    private double share(MatrixProduct product, double seconds) {
        return product.isSharded() ? seconds / gpus : seconds;
    }

    /** Conversion of the output to the layout in which the loss reads it, with what the loss itself moves. */
    double lossSeconds(TensorLayout y, TensorLayout read) {
        double softmax = read == TensorLayout.SPLIT_COLUMNS
                ? 2 * Boxing.bytes(TensorLayout.PARTIAL, TensorLayout.BROADCAST, columnBytes, gpus)
                : 0;
        return linkSeconds
                * (softmax
                        + Boxing.bytes(
                                y, read, products.get(products.size() - 1).outputBytes(), gpus));
    }

    /**
     * Cost of layouts that are given.
     *
     * @param choices of each product
     * @param read layout in which the loss reads the output
     */
    double seconds(List<Choice> choices, TensorLayout read) {
        int last = products.size() - 1;
        double seconds = lossSeconds(choices.get(last).forward().product(), read);
        TensorLayout x = TensorLayout.SPLIT_ROWS;
        for (int i = 0; i <= last; i++) {
            TensorLayout dy = i == last ? read : choices.get(i + 1).input().product();
            seconds += costs(i).seconds(choices.get(i), x, dy);
            x = choices.get(i).forward().product();
        }
        return seconds;
    }

    /**
     * Bytes that a conversion between layouts moves, over all GPUs together: OneFlow's boxing operators.
     *
     * <p>Source: J. Yuan et al.: OneFlow, 2021, table 2; conversions on one group checked against its code. Deviation:
     * (1) slices are free, where the code charges one byte.
     */
    static final class Boxing {
        private Boxing() {}

        /** Bytes that a change of layout moves on one group of {@code gpus}. */
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
}
