package org.trainyard.env.topology;

import org.trainyard.env.Labelled;

/** The tiers of a data centre's links, nearest first. */
public enum LinkClass implements Labelled {
    /** GPU to GPU inside a server. */
    NVLINK,
    /** GPU to GPU, or GPU to host, over the server's PCIe tree. */
    PCIE,
    /** Server to the leaf switch of its rack. */
    NIC,
    /** Leaf to a spine of its pod. */
    TOR,
    /** Spine to core, between pods. */
    SPINE
}
