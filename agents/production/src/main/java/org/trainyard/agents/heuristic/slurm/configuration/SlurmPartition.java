package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.BitSet;

/**
 * A partition.
 *
 * @param index its place in the configuration
 * @param nodes its nodes, by index
 * @param bounds what it asks of jobs
 * @param defaultSeconds the limit of a job that asks for none; -1 for the longest
 * @param tier its PriorityTier
 * @param jobFactor its PriorityJobFactor
 * @param up whether it starts jobs
 * @param qos the QOS whose limits hold for it; empty for none
 * @param billing weights of usage
 */
public record SlurmPartition(
        String name,
        int index,
        BitSet nodes,
        PartitionBounds bounds,
        long defaultSeconds,
        int tier,
        int jobFactor,
        boolean up,
        String qos,
        Billing billing) {
    /** By its place alone, for its nodes may be many. */
    @Override
    public int hashCode() {
        return index;
    }

    /** The longest limit of its jobs, seconds; -1 for any. */
    public long maxSeconds() {
        return bounds.maxSeconds();
    }

    /** This partition on other nodes. */
    public SlurmPartition on(BitSet others) {
        return new SlurmPartition(name, index, others, bounds, defaultSeconds, tier, jobFactor, up, qos, billing);
    }
}
