package org.trainyard.env.workload;

/** Terms that the owner of a job sets for the model that it trains; attached to a job. */
public interface ModelTerms {
    /** The model under these terms; the same object where they change nothing. */
    ModelProfile under(ModelProfile model);
}
