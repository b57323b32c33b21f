package org.trainyard.experiments.config;

/** Where schedulers get their guesses of run times from. */
public sealed interface RuntimeConfig {
    /** The truth: the upper reference, and what published simulators assume. */
    record Oracle() implements RuntimeConfig {}

    /** Finished jobs of the same group or user. */
    record History() implements RuntimeConfig {}
}
