package org.trainyard.experiments.watch;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One run of a recording.
 *
 * @param events how many it has
 * @param endSeconds time of the last
 */
record RecordedEpisode(
        String scheduler,
        int episode,
        int events,
        @JsonProperty("end") double endSeconds) {
    /** Whether a line of an event log or of decisions is of this run. */
    boolean has(String ofScheduler, int ofEpisode) {
        return scheduler.equals(ofScheduler) && episode == ofEpisode;
    }
}
