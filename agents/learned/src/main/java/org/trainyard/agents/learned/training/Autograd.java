package org.trainyard.agents.learned.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;

/**
 * Automatic differentiation in several threads at once, for networks that share no weights. DJL's gradient collector is
 * one per process, and PyTorch's gradient mode is per thread and on in a new one, so every piece of work sets the mode
 * itself.
 */
public final class Autograd {
    private Autograd() {}

    /** Runs work with the recording of operations on, so that {@link #backwardFrom} can follow them, or off. */
    public static void record(boolean isOn, Runnable work) {
        boolean before = JniUtils.isGradMode();
        JniUtils.setGradMode(isOn);
        try {
            work.run();
        } finally {
            JniUtils.setGradMode(before);
        }
    }

    /**
     * Adds the derivatives of the sum of a recorded tensor times {@code slopes} to the gradients of all parameters it
     * depends on.
     */
    public static void backwardFrom(NDArray tensor, NDArray slopes) {
        JniUtils.backward((PtNDArray) tensor, (PtNDArray) slopes, false, false);
    }
}
