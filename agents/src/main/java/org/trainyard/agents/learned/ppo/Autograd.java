package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.function.Supplier;

/**
 * Gradients in several threads at once, for networks that share no weights.
 *
 * <p>The engine's collector is one per program, and PyTorch remembers per thread whether operations are recorded: in a new thread they
 * are. So every piece of work says itself what it wants.
 */
final class Autograd {
    private Autograd() {}

    /** What comes of work whose operations are recorded, so that {@link #backward} can follow them. */
    static <T> T recorded(Supplier<T> work) {
        return in(true, work);
    }

    /** What comes of work that nobody asks gradients of. */
    static <T> T unrecorded(Supplier<T> work) {
        return in(false, work);
    }

    private static <T> T in(boolean mode, Supplier<T> work) {
        boolean before = JniUtils.isGradMode();
        JniUtils.setGradMode(mode);
        try {
            return work.get();
        } finally {
            JniUtils.setGradMode(before);
        }
    }

    /** Adds the derivatives of a recorded number to the gradients of all parameters that went into it. */
    static void backward(NDArray loss, NDManager scope) {
        try (NDArray one = scope.ones(loss.getShape())) {
            JniUtils.backward((PtNDArray) loss, (PtNDArray) one, false, false);
        }
    }
}
