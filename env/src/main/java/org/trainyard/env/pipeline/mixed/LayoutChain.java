package org.trainyard.env.pipeline.mixed;

import java.util.List;

/**
 * A chain of matrix products {@code Y = X W} with their backward passes, whose layouts are chosen: of each product the gradients {@code dX = dY W'} and {@code dW = X' dY}.
 *
 * <p>The input arrives split along its rows. The gradient of the output has the layout of the output as the loss reads it, which may not be a partial sum. The first
 * product has no gradient of its input. Weights stay in one layout; their gradients are converted to it. Each conversion counts once for each consumer.
 *
 * @param gpus in the group
 * @param linkSeconds seconds per byte moved, over all GPUs together
 */
record LayoutChain(List<Product> products, int gpus, double linkSeconds) {
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

    private double moved(TensorLayout from, TensorLayout to, double bytes) {
        return linkSeconds * Boxing.bytes(from, to, bytes, gpus);
    }

    private double share(MatrixProduct product, double seconds) {
        return product.isSharded() ? seconds / gpus : seconds;
    }

    /**
     * Cost of one product.
     *
     * @param x layout in which X arrives
     * @param dy layout in which the gradient of Y arrives
     */
    double seconds(int index, Choice choice, TensorLayout x, TensorLayout dy) {
        Product p = products.get(index);
        double seconds = share(choice.forward(), p.forwardSeconds())
                + share(choice.weight(), index == 0 ? p.backwardSeconds() : p.backwardSeconds() / 2)
                + moved(x, choice.forward().left(), p.inputBytes())
                + moved(choice.stored(), choice.forward().right(), p.weightBytes())
                + moved(x.transposed(), choice.weight().left(), p.inputBytes())
                + moved(dy, choice.weight().right(), p.outputBytes())
                + moved(choice.weight().product(), choice.stored(), p.weightBytes());
        if (index == 0) {
            return seconds;
        }
        return seconds
                + share(choice.input(), p.backwardSeconds() / 2)
                + moved(dy, choice.input().left(), p.outputBytes())
                + moved(choice.stored().transposed(), choice.input().right(), p.weightBytes());
    }

    /** Conversion of the output to the layout in which the loss reads it. */
    double lossSeconds(TensorLayout y, TensorLayout read) {
        return moved(y, read, products.get(products.size() - 1).outputBytes());
    }
}
