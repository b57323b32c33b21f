package org.trainyard.env.performance;

import org.trainyard.env.workload.ModelProfile;

/**
 * Predicts the slowdown of a job by the other jobs on its server.
 *
 * <p>Contract: neutral (no neighbours give exactly 1), never below 1, monotone (one more neighbour never speeds the
 * victim up), pure, and safe for use by several threads. A model that learns during a run belongs to that run and is
 * pure between two revisions.
 */
public interface InterferenceModel {
    /** Slowdown of the victim on this server: its rate without neighbours divided by its rate with them. */
    double slowdown(ModelProfile victim, Colocation place);

    /** How often predictions have changed; what was computed from them before is stale. */
    default int revision() {
        return 0;
    }

    /** No interference. */
    InterferenceModel NONE = (victim, place) -> 1.0;
}
