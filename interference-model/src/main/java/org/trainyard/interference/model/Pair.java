package org.trainyard.interference.model;

import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;

/** A victim beside one neighbour, on what they share. */
public record Pair(JobType victim, JobType neighbour, Domain domain) {
    /** The pair that a row measured. */
    public static Pair of(Measurement row) {
        return new Pair(row.victim(), row.neighbour(), row.domain());
    }
}
