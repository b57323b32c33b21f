package org.trainyard.experiments.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;

/**
 * What it cost to run a scheduler on all episodes, by the processor's clock.
 *
 * @param scheduler its name in the tables
 * @param runSeconds of whole runs, simulation and predictions included
 * @param decidingSeconds of the scheduler's part
 * @param calls how often it was asked, waits counted
 * @param jobs of all episodes
 */
public record DecisionCost(String scheduler, double runSeconds, double decidingSeconds, long calls, long jobs) {
    /** The sum of two shares of one scheduler's work. */
    DecisionCost plus(DecisionCost other) {
        return new DecisionCost(
                scheduler,
                runSeconds + other.runSeconds,
                decidingSeconds + other.decidingSeconds,
                calls + other.calls,
                jobs + other.jobs);
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
            list.addObject()
                    .put("scheduler", cost.scheduler())
                    .put("run_processor_seconds", cost.runSeconds())
                    .put("deciding_processor_seconds", cost.decidingSeconds())
                    .put("calls", cost.calls())
                    .put("jobs", cost.jobs());
        }
        return list;
    }
}
