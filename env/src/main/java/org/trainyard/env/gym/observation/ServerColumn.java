package org.trainyard.env.gym.observation;

import org.trainyard.env.ColumnMeaning;

/** What an agent observes of a server of its domain: the columns of the section {@code servers}. */
public enum ServerColumn implements ObservationColumn {
    PRESENT("flag", "1 or 0", "1 when there is a server."),
    FREE("ratio", "x", "Free GPUs over all GPUs of the server."),
    GPUS("GPUs", "x / 8", "GPUs, an eighth of them."),
    JOBS("jobs", "x / 8", "Jobs on the server, an eighth of them."),
    NVLINK("flag", "1 or 0", "1 when its GPUs are connected by NVLink."),
    SPEED("ratio", "x", "Compute speed of its GPU type, relative to a V100."),
    UPI_BANDWIDTH(
            "GB/s",
            "log(1 + x) / log(901)",
            "Scaled bandwidth of PCIe for the link between its sockets (UPI); 0 with one socket."),
    UPI_RINGS("jobs", "x / 8", "Jobs with GPUs of several sockets of the server, an eighth of them."),
    NIC_BANDWIDTH("GB/s", "log(1 + x) / log(901)", "Scaled bandwidth of the NIC."),
    NIC_RINGS("jobs", "x / 8", "Jobs whose rings pass the NIC, an eighth of them.");

    private final String unit;
    private final String scale;
    private final String text;

    ServerColumn(String unit, String scale, String text) {
        this.unit = unit;
        this.scale = scale;
        this.text = text;
    }

    @Override
    public ColumnMeaning meaning() {
        return new ColumnMeaning(unit, scale, text);
    }
}
