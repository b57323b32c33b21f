package org.trainyard.experiments.evaluation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

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
        double runSeconds,
        double decidingSeconds,
        long calls,
        long jobs,
        Latencies decidingCalls,
        Latencies perJob) {
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

    /** For {@code timing.json}. */
    public static ArrayNode json(List<DecisionCost> costs) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (DecisionCost cost : costs) {
            ObjectNode one = list.addObject();
            one.put("scheduler", cost.scheduler());
            one.put("run_processor_seconds", cost.runSeconds());
            one.put("deciding_processor_seconds", cost.decidingSeconds());
            one.put("calls", cost.calls());
            one.put("jobs", cost.jobs());
            one.set("deciding_call", cost.decidingCalls().json());
            one.set("job", cost.perJob().json());
        }
        return list;
    }
}
