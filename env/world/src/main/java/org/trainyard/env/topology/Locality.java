package org.trainyard.env.topology;

/** The locality of a placement: the smallest part of the data centre that contains all its GPUs, closest first. */
public enum Locality {
    GPU,
    SOCKET,
    SERVER,
    RACK,
    POD,
    CLUSTER
}
