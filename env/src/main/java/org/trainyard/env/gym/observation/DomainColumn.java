package org.trainyard.env.gym.observation;

/** What an agent observes of every domain: the columns of the section {@code domains}. */
public enum DomainColumn implements ObservationColumn {
    /** 1: there is a domain. */
    PRESENT,
    /** 1: the domain is the agent's own. */
    OWN,
    /** Free GPUs over all GPUs of the domain. */
    FREE,
    /** Demand of its waiting jobs over its GPUs: log(1 + that). */
    QUEUED_GPUS,
    /** Its waiting jobs: log(1 + jobs) / 5. */
    QUEUED_JOBS,
    /** Its load, held and queued GPUs over all its GPUs, less the load of the agent's domain; -2..2. */
    RELATIVE_LOAD,
    /** Its waiting and running jobs: log(1 + jobs) / 5. */
    JOBS,
    /** Its GPUs over those of the largest domain. */
    SIZE
}
