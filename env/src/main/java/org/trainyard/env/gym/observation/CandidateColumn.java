package org.trainyard.env.gym.observation;

/**
 * What an agent that has taken up a job observes of a server of its domain as the job's next server: the columns of the section {@code
 * candidates}.
 *
 * <p>The server would give as many GPUs as the job still lacks, or all its free ones. All columns are 0 when it has none free.
 */
public enum CandidateColumn implements ObservationColumn {
    /** 1: the server has a free GPU. */
    PRESENT,
    /** GPUs that the server would give over those the job still lacks. */
    TAKES_OF_LEFT,
    /** GPUs left free on the server afterwards, over all its GPUs. */
    LEFTOVER,
    /** 1: the job has all its GPUs then. */
    COMPLETES,
    /** 1: the server is empty now. */
    OPENS_SERVER,
    /** Predicted slowdown of the job on the server, less 1; at most 2. */
    OWN_SLOWDOWN,
    /** Predicted extra slowdown of all neighbours, each weighted by the part of the job's time that it stays; at most 2. */
    NEIGHBOUR_SLOWDOWN,
    /** Jobs on the server, an eighth of them. */
    NEIGHBOURS,
    /** 1: the job has GPUs of another server already. */
    IS_SPLIT,
    /** GPUs that the server would give over all its GPUs. */
    TAKES_OF_SERVER,
    /** 1: no GPU of the server stays free. */
    FILLS,
    /** 1: the server would give fewer GPUs than an empty server of its size. */
    SPLITS
}
