package org.trainyard.experiments.evaluation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What it cost to run a scheduler on all episodes, by the processor's clock.
 *
 * @param scheduler its name in the tables
 * @param runSeconds of whole runs, simulation and predictions included
 * @param decidingSeconds of the scheduler's part
 * @param calls how often it was asked, waits counted
 * @param jobs of all episodes
 * @param decidingCalls of the calls that did not answer with a wait
 * @param perJob of all that was decided about a job; see {@link TimedScheduler}
 */
public record DecisionCost(
        String scheduler,
        double runSeconds,
        double decidingSeconds,
        long calls,
        long jobs,
        Latencies decidingCalls,
        Latencies perJob) {
    /** The sum of two shares of one scheduler's work. */
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

    /** For machines. */
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
