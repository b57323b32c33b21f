package org.trainyard.env.topology;

/** The smallest part of the data centre that holds all GPUs of a placement, smallest first. */
public enum Locality {
    GPU,
    SOCKET,
    SERVER,
    RACK,
    POD,
    CLUSTER
}
