package org.trainyard.interference.fit;

import org.trainyard.env.Labelled;

/** The models of pairs that can be fitted to measurements. */
public enum ModelKind implements Labelled {
    /** Non-negative pressure times sensitivity. */
    PRESSURE,
    /** A Gaussian process. */
    PROCESS
}
