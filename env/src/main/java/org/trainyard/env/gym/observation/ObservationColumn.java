package org.trainyard.env.gym.observation;

import org.trainyard.env.Column;

/** A column of one section of an observation; the order of an enum's constants is that of the columns. */
public sealed interface ObservationColumn extends Column
        permits GpuColumn, ServerColumn, CandidateColumn, JobColumn, DomainColumn, LinkColumn, GlobalColumn {
    int ordinal();

    @Override
    default int index() {
        return ordinal();
    }
}
