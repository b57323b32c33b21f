package org.trainyard.env.workload.freezing;

/**
 * Egeria's rule: the front-most active layer is frozen when its plasticity has stopped changing; all layers are active
 * again when the learning rate drops.
 *
 * <p>Plasticity is the loss between the activations of a layer in training and in a reference model. It is smoothed
 * over the evaluations, and counts as stationary when its slope over a window of them is below a part of the steepest
 * slope that the layer had, once it has changed at all.
 *
 * <p>Source: Y. Wang, D. Sun, K. Chen, F. Lai, M. Chowdhury: Egeria: efficient DNN training with knowledge-guided layer
 * freezing, EuroSys 2023, known to us by its abstract and notes: window, smoothing and threshold are our own, and so is
 * the moving average.
 *
 * <p>One object follows one job.
 */
public final class Egeria {
    /** Evaluations over which the slope is taken. */
    static final int WINDOW = 5;
    /** Part of the steepest slope below which a layer is stationary. */
    static final double STATIONARY = 0.2;
    /** Weight of a new plasticity in the moving average. */
    static final double SMOOTHING = 0.5;

    private final double[] smoothed = new double[WINDOW + 1];
    private int evaluations;
    private double steepest;
    private int frozen;

    /** Frozen layers so far. */
    public int layers() {
        return frozen;
    }

    /** The learning rate drops: all layers are active again. */
    public void rateDropped() {
        frozen = 0;
        follow();
    }

    private void follow() {
        evaluations = 0;
        steepest = 0;
    }

    /**
     * Evaluates the plasticity and freezes or unfreezes layers.
     *
     * @param plasticity of the front-most active layer
     * @param most layers that can be frozen
     * @return frozen layers
     */
    public int evaluate(double plasticity, int most) {
        System.arraycopy(smoothed, 1, smoothed, 0, WINDOW);
        smoothed[WINDOW] =
                evaluations == 0 ? plasticity : smoothed[WINDOW - 1] + SMOOTHING * (plasticity - smoothed[WINDOW - 1]);
        if (++evaluations > WINDOW) {
            double slope = Math.abs(smoothed[WINDOW] - smoothed[0]) / WINDOW;
            if (steepest > 0 && slope <= STATIONARY * steepest && frozen < most) {
                frozen++;
                follow();
            }
            steepest = Math.max(steepest, slope);
        }
        return frozen;
    }
}
