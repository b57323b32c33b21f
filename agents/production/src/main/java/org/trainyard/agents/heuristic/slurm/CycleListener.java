package org.trainyard.agents.heuristic.slurm;

import java.util.BitSet;

/** Is told what a cycle of a loop decides, in its order. */
public interface CycleListener {
    /** A job has started; the state holds it as running. */
    void started(SlurmJob job, boolean backfilled);

    /** A job is planned for a second, on whole nodes, until its limit ends. */
    void planned(SlurmJob job, long startSecond, long endSecond, BitSet nodes);

    /**
     * A running job is about to give way to another: it is requeued or, by its QOS, cancelled. Its nodes are completing
     * until the state is told that they are not.
     */
    void preempted(SlurmJob victim, SlurmJob by);
}
