package org.trainyard.env.gym.observation;

/** What an agent observes of a server of its domain: the columns of the section {@code servers}. */
public enum ServerColumn implements ObservationColumn {
    /** 1: there is a server. */
    PRESENT,
    /** Free GPUs over all GPUs of the server. */
    FREE,
    /** GPUs, an eighth of them. */
    GPUS,
    /** Jobs on the server, an eighth of them. */
    JOBS,
    /** 1: its GPUs are connected by NVLink. */
    NVLINK,
    /** Compute speed of its GPU type, relative to a V100. */
    SPEED,
    /** Scaled bandwidth of PCIe for the link between its sockets (UPI); 0 with one socket. */
    UPI_BANDWIDTH,
    /** Jobs with GPUs of several sockets of the server, an eighth of them. */
    UPI_RINGS,
    /** Scaled bandwidth of the NIC. */
    NIC_BANDWIDTH,
    /** Jobs whose rings pass the NIC, an eighth of them. */
    NIC_RINGS
}
