package org.trainyard.env.workload;

/** What the owner of a job allows about the model that it trains; attached to a job. */
public interface ModelTerms {
    /** The model under these terms; the same object where they change nothing. */
    ModelProfile under(ModelProfile model);
}
