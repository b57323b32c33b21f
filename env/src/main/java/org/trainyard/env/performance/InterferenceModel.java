package org.trainyard.env.performance;

import org.trainyard.env.workload.ModelProfile;

/**
 * How much the jobs on a server slow one of them down.
 *
 * <p>Contract: neutral (no neighbours give exactly 1), never below 1, monotone (one more neighbour never speeds the victim up),
 * pure, and safe for use by several threads.
 */
public interface InterferenceModel {
    /** Slowdown of the victim on this server: its rate with nobody else there, divided by its rate now. */
    double slowdown(ModelProfile victim, Colocation place);

    /** Nobody disturbs anybody. */
    InterferenceModel NONE = (victim, place) -> 1.0;
}
