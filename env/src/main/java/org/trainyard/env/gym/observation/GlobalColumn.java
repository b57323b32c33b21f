package org.trainyard.env.gym.observation;

/** What an agent observes of the whole cluster and of itself: the columns of the section {@code global}. */
public enum GlobalColumn implements ObservationColumn {
    /** 1: the agent has taken up a job. */
    HAS_FOCUS,
    /** GPUs chosen for that job so far over its demand; 0 without one. */
    PLACED,
    /** Free GPUs over all GPUs of the cluster. */
    FREE,
    /** Waiting jobs of the cluster: log(1 + jobs) / 5. */
    WAITING,
    /** Running jobs of the cluster: log(1 + jobs) / 5. */
    RUNNING,
    /** Waiting jobs of the agent's domain: log(1 + jobs) / 5. */
    OWN_QUEUE,
    /** Jobs in the agent's window over the slots of the window. */
    WINDOW,
    /** Sine of the time of day, a full turn in 24 h from the start of the episode. */
    DAY_SINE,
    /** Cosine of the time of day. */
    DAY_COSINE
}
