package org.trainyard.experiments.evaluation;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Processor time of a scheduler over all episodes.
 *
 * @param scheduler its name in the tables
 * @param runSeconds time of whole runs, with simulation and predictions
 * @param decidingSeconds time in calls of the scheduler
 * @param calls calls of the scheduler, also those that it answered with a wait
 * @param jobs jobs of all episodes
 * @param decidingCalls latencies of calls that were not answered with a wait
 * @param perJob latencies per job; see {@link TimedScheduler}
 */
public record DecisionCost(
        String scheduler,
        @JsonProperty("run_processor_seconds") double runSeconds,
        @JsonProperty("deciding_processor_seconds") double decidingSeconds,
        long calls,
        long jobs,
        @JsonProperty("deciding_call") Latencies decidingCalls,
        @JsonProperty("job") Latencies perJob) {
    /** The cost of the episodes of both. */
    DecisionCost plus(DecisionCost other) {
        return new DecisionCost(
                scheduler,
                runSeconds + other.runSeconds,
                decidingSeconds + other.decidingSeconds,
                calls + other.calls,
                jobs + other.jobs,
                decidingCalls.plus(other.decidingCalls),
                perJob.plus(other.perJob));
    }

    public double microsecondsPerJob() {
        return 1e6 * decidingSeconds / jobs;
    }

    public double microsecondsPerCall() {
        return 1e6 * decidingSeconds / calls;
    }
}
