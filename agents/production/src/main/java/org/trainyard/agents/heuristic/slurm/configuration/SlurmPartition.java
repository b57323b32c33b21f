package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.BitSet;

/**
 * A partition.
 *
 * @param index its place in the configuration
 * @param nodes its nodes, by index
 * @param maxSeconds the longest limit of its jobs; -1 for any
 * @param defaultSeconds the limit of a job that asks for none; -1 for the longest
 * @param tier its PriorityTier
 * @param jobFactor its PriorityJobFactor
 * @param up whether it starts jobs
 * @param qos the QOS whose limits hold for it; empty for none
 * @param gpuBilling what a GPU counts in usage
 * @param cpuBilling what a CPU counts in usage
 */
public record SlurmPartition(
        String name,
        int index,
        BitSet nodes,
        long maxSeconds,
        long defaultSeconds,
        int tier,
        int jobFactor,
        boolean up,
        String qos,
        double gpuBilling,
        double cpuBilling) {
    /** By its place alone, for its nodes may be many. */
    @Override
    public int hashCode() {
        return index;
    }

    /** This partition on other nodes. */
    public SlurmPartition on(BitSet others) {
        return new SlurmPartition(
                name, index, others, maxSeconds, defaultSeconds, tier, jobFactor, up, qos, gpuBilling, cpuBilling);
    }
}
