package org.trainyard.interference.data;

import org.trainyard.env.Labelled;

/** The resource that two jobs share, from the nearest to the farthest. */
public enum Scope implements Labelled {
    /** The time and memory of one GPU. */
    GPU,
    /** A switch of the server's PCIe tree. */
    PCIE,
    /** A CPU socket, its memory and its NVLinks. */
    SOCKET,
    /** The server's memory and host cores. */
    SERVER,
    /** The network cards of the servers. */
    NIC,
    /** The link of a rack to the rest. */
    UPLINK
}
