package org.trainyard.env.workload;

/**
 * A model whose front layers a scheduler may freeze, which saves compute and costs progress; attached to a model. What
 * they cost is constant in each of equal stages of the training.
 */
public interface FreezableModel {
    /** Layers are frozen in blocks of so many. */
    int blockLayers();

    /** The most layers that can be frozen, a multiple of that. */
    int mostLayers();

    /** Whether so many layers can be frozen. */
    default boolean allows(int layers) {
        return layers >= 0 && layers <= mostLayers() && layers % blockLayers() == 0;
    }

    /** The load of a model of this kind with so many of its front layers frozen. */
    ModelProfile left(ModelProfile model, int layers);

    int stages();

    /** The stage of a progress of 0..1. */
    int stage(double progress);

    /** The part of its progress that training with frozen layers makes in a stage. */
    double progressLeft(int layers, int stage);

    /** The rate at which accuracy is put at risk in a stage. */
    double penalty(int layers, int stage);

    /** Whether the learning rate drops after one progress and not after another. */
    boolean dropsBetween(double from, double to);
}
