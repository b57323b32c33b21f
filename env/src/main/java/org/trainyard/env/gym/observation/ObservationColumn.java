package org.trainyard.env.gym.observation;

/** A column of one section of an observation; the order of an enum's constants is that of the columns. */
public sealed interface ObservationColumn
        permits GpuColumn, ServerColumn, CandidateColumn, JobColumn, DomainColumn, LinkColumn, GlobalColumn {
    int ordinal();

    /** Where the column is in its section. */
    default int index() {
        return ordinal();
    }
}
