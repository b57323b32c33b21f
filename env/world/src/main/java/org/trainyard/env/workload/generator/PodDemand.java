package org.trainyard.env.workload.generator;

import org.trainyard.env.Invalid;
import org.trainyard.env.workload.Demand;

/**
 * Demand of a job of so many GPUs in the form of a pod: a part of each GPU, and host CPU and memory.
 *
 * @param gpus of the jobs that may ask for it, at least 1
 * @param gpuMilli the part of each GPU, thousandths, 1 to 1,000; a part for jobs of one GPU only
 * @param cpuMilli host CPU of the whole job, thousandths of a core
 * @param memoryMib host memory of the whole job, MiB
 * @param weight how often, relative to the others of as many GPUs
 */
public record PodDemand(int gpus, int gpuMilli, long cpuMilli, long memoryMib, double weight) {
    public PodDemand {
        Invalid.when(gpus < 1, "GPUs (%d) must be at least 1", gpus);
        if (gpuMilli < 1 || gpuMilli > Demand.WHOLE || (gpus > 1 && gpuMilli != Demand.WHOLE)) {
            throw new IllegalArgumentException(
                    "part of a GPU (%d milli) must be 1 to 1000, and 1000 for more than one GPU".formatted(gpuMilli));
        }
        if (cpuMilli < 0 || memoryMib < 0) {
            throw new IllegalArgumentException(
                    "CPU (%d milli) and memory (%d MiB) must not be negative".formatted(cpuMilli, memoryMib));
        }
        Invalid.when(!(weight > 0) || Double.isInfinite(weight), "weight (%s) must be finite and above 0", weight);
    }

    /** The demand of a job that asks for this. */
    Demand demand() {
        return Demand.ofGpus(gpus).withGpuMilli(gpuMilli).withHost(cpuMilli, memoryMib);
    }
}
