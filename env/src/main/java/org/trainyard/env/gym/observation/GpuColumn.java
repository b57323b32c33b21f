package org.trainyard.env.gym.observation;

/**
 * What an agent observes of a GPU of its domain: the columns of the section {@code gpus}.
 *
 * <p>The six columns of the job on the GPU are 0 when the GPU is free. The last four, from {@link #NVLINK_BANDWIDTH} on,
 * describe two links of the GPU.
 */
public enum GpuColumn implements ObservationColumn {
    /** 1: there is a GPU. */
    PRESENT,
    /** 1: the GPU is free. */
    FREE,
    /** Pressure of the job on memory bandwidth, power and cooling of the socket, 0..1. */
    PRESSURE_SOCKET,
    /** Pressure of the job on PCIe and host memory, 0..1. */
    PRESSURE_PCIE,
    /** Pressure of the job on the NIC, 0..1; 0 when it holds GPUs of one server only. */
    PRESSURE_NIC,
    /** Mean sensitivity of the job to pressure on socket and PCIe, 0..1. */
    SENSITIVITY,
    /** Predicted remaining run time of the job; scaled time, rounded to 1/64 so that equal servers stay equal for a while. */
    REMAINING_TIME,
    /** GPUs of the job: their binary logarithm over 6. */
    JOB_GPUS,
    /** Scaled bandwidth of NVLink; 0 without it. */
    NVLINK_BANDWIDTH,
    /** 1: the ring of the job passes this GPU's NVLink. */
    NVLINK_RING,
    /** Scaled bandwidth of PCIe. */
    PCIE_BANDWIDTH,
    /** 1: the ring of the job passes this GPU's PCIe. */
    PCIE_RING
}
