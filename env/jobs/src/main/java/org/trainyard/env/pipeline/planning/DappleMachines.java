package org.trainyard.env.pipeline.planning;

/**
 * The machines and constants of DAPPLE's planner: NVLink of 25 GB/s, Ethernet of 3 GB/s for collectives and 1 GB/s from
 * point to point, GPUs with 16 GB.
 *
 * <p>The formulas are those of the authors' code (github.com/AlibabaPAI/DAPPLE, BSD-3-Clause), including its all-reduce
 * within a machine, which gains by half the number of GPUs.
 */
public final class DappleMachines implements Devices {
    private static final double NVLINK = 25e9;
    private static final double ETHERNET_COLLECTIVE = 3e9;
    private static final double ETHERNET = 1e9;
    private static final double MEMORY = 16e9;

    private final int machines;
    private final int gpusPerMachine;

    public DappleMachines(int machines, int gpusPerMachine) {
        if (machines < 1 || gpusPerMachine < 1) {
            throw new IllegalArgumentException(
                    "machines (%d) and GPUs of each (%d) must be at least 1".formatted(machines, gpusPerMachine));
        }
        this.machines = machines;
        this.gpusPerMachine = gpusPerMachine;
    }

    @Override
    public int count() {
        return machines * gpusPerMachine;
    }

    @Override
    public int serverOf(int gpu) {
        return gpu / gpusPerMachine;
    }

    @Override
    public double speed(int gpu) {
        return 1;
    }

    @Override
    public double memoryBytes(int gpu) {
        return MEMORY;
    }

    @Override
    public double bytesPerSecond(int gpuA, int gpuB) {
        return serverOf(gpuA) == serverOf(gpuB) ? NVLINK : ETHERNET;
    }

    @Override
    public double allReduceSeconds(int[] gpus, double bytes) {
        if (gpus.length == 1) {
            return 0;
        }
        double sent = bytes * 2.0 * (gpus.length - 1) / gpus.length;
        int pairs = gpus.length / 2;
        return isOnOneMachine(gpus) ? sent / NVLINK / pairs : sent / ETHERNET_COLLECTIVE;
    }

    @Override
    public double transferSeconds(int[] from, int[] to, double bytes) {
        int machine = serverOf(to[0]);
        int remote = 0;
        for (int gpu : from) {
            remote += serverOf(gpu) == machine ? 0 : 1;
        }
        if (!isOnOneMachine(to)) {
            return bytes / ETHERNET_COLLECTIVE;
        }
        return remote == 0 ? bytes / NVLINK : bytes / from.length * remote / ETHERNET;
    }

    private boolean isOnOneMachine(int[] gpus) {
        int machine = serverOf(gpus[0]);
        for (int gpu : gpus) {
            if (serverOf(gpu) != machine) {
                return false;
            }
        }
        return true;
    }
}
