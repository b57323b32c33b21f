package org.trainyard.env.gym.observation;

import org.trainyard.env.ColumnMeaning;

/**
 * What an agent observes of a GPU of its domain: the columns of the section {@code gpus}.
 *
 * <p>The six columns of the job on the GPU are 0 when the GPU is free. The last four, from
 * {@link #NVLINK_BANDWIDTH} on, describe two links of the GPU.
 */
public enum GpuColumn implements ObservationColumn {
    PRESENT("flag", "1 or 0", "1 when there is a GPU."),
    FREE("flag", "1 or 0", "1 when the GPU is free."),
    PRESSURE_SOCKET("pressure", "x", "Pressure of the job on memory bandwidth, power and cooling of the socket, 0..1."),
    PRESSURE_PCIE("pressure", "x", "Pressure of the job on PCIe and host memory, 0..1."),
    PRESSURE_NIC("pressure", "x", "Pressure of the job on the NIC, 0..1; 0 when it holds GPUs of one server only."),
    SENSITIVITY("sensitivity", "x", "Mean sensitivity of the job to pressure on socket and PCIe, 0..1."),
    REMAINING_TIME(
            "minutes",
            "log(1 + x) / 10, rounded to 1/64",
            "Predicted remaining run time of the job; scaled time, rounded to 1/64 so that equal servers stay equal for a while."),
    JOB_GPUS("GPUs", "log2(x) / 6", "GPUs of the job: their binary logarithm over 6."),
    NVLINK_BANDWIDTH("GB/s", "log(1 + x) / log(901)", "Scaled bandwidth of NVLink; 0 without it."),
    NVLINK_RING("flag", "1 or 0", "1 when the ring of the job passes this GPU's NVLink."),
    PCIE_BANDWIDTH("GB/s", "log(1 + x) / log(901)", "Scaled bandwidth of PCIe."),
    PCIE_RING("flag", "1 or 0", "1 when the ring of the job passes this GPU's PCIe.");

    private final String unit;
    private final String scale;
    private final String text;

    GpuColumn(String unit, String scale, String text) {
        this.unit = unit;
        this.scale = scale;
        this.text = text;
    }

    @Override
    public ColumnMeaning meaning() {
        return new ColumnMeaning(unit, scale, text);
    }
}
