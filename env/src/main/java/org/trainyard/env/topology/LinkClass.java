package org.trainyard.env.topology;

/** The tiers of a data centre's links, nearest first. */
public enum LinkClass {
    /** GPU to GPU inside a server. */
    NVLINK,
    /** GPU to GPU, or GPU to host, over the server's PCIe tree. */
    PCIE,
    /** Server to its top-of-rack switch. */
    NIC,
    /** Top-of-rack switch to the spine of its pod. */
    TOR,
    /** Spine to spine, between pods. */
    SPINE
}
