package org.trainyard.env.workload;

/**
 * A job's pressure on each resource it shares with its neighbours, or its sensitivity to their pressure there; each in
 * 0..1.
 *
 * @param gpu the GPU's time; counts only between jobs that share a GPU
 * @param socket memory bandwidth, power and cooling of a CPU socket and its GPUs
 * @param pcie the server's PCIe tree and host memory
 * @param nic the server's network card; only jobs that span servers use it
 */
public record Pressure(double gpu, double socket, double pcie, double nic) {
    public Pressure {
        if (!inUnit(gpu) || !inUnit(socket) || !inUnit(pcie) || !inUnit(nic)) {
            throw new IllegalArgumentException(
                    "pressure (gpu %s, socket %s, pcie %s, nic %s) must lie in 0..1".formatted(gpu, socket, pcie, nic));
        }
    }

    /** Pressure on everything but the GPU itself. */
    public Pressure(double socket, double pcie, double nic) {
        this(0, socket, pcie, nic);
    }

    private static boolean inUnit(double value) {
        return value >= 0 && value <= 1;
    }
}
