package org.trainyard.env.pipeline.planning;

/** The kind of work that takes longest in an iteration. */
public enum Bottleneck {
    /** Forward and backward passes of a stage. */
    COMPUTE,
    /** Activations and their gradients between two stages. */
    CHANNEL,
    /** Gradients of the replicas of a stage. */
    ALL_REDUCE
}
