package org.trainyard.experiments.report;

import static org.trainyard.experiments.io.TextTable.number;
import static org.trainyard.experiments.io.TextTable.shortened;

import java.util.Comparator;
import java.util.List;
import org.trainyard.experiments.evaluation.DecisionCost;
import org.trainyard.experiments.evaluation.Latencies;
import org.trainyard.experiments.io.TextTable;

/**
 * The processor time of schedulers as two text tables of at most 100 columns, most expensive first. Processor times
 * differ from run to run.
 */
public final class CostTable {
    private static final int NAME_WIDTH = 24;

    private CostTable() {}

    public static String render(List<DecisionCost> costs) {
        TextTable totals = new TextTable("scheduler", "processor", "deciding", "calls", "us/call", "us/job");
        TextTable latencies =
                new TextTable("scheduler", "decisions", "us: p50", "p99", "max", "jobs", "us/job: p50", "p99", "max");
        costs.stream()
                .sorted(Comparator.comparingDouble(DecisionCost::runSeconds).reversed())
                .forEach(cost -> {
                    totals.add(totals(cost));
                    latencies.add(latencies(cost));
                });
        return totals.render()
                + "Processor time of all episodes with simulation and predictions, and of decisions alone.\n\n"
                + latencies.render()
                + "Processor time of a call that makes a decision, and of all calls that decide about a job, including waits before.\n";
    }

    private static String[] totals(DecisionCost cost) {
        return new String[] {
            shortened(cost.scheduler(), NAME_WIDTH),
            number("%.2f s", cost.runSeconds()),
            number("%.2f s", cost.decidingSeconds()),
            Long.toString(cost.calls()),
            number("%.1f", cost.microsecondsPerCall()),
            number("%.0f", cost.microsecondsPerJob())
        };
    }

    private static String[] latencies(DecisionCost cost) {
        Latencies calls = cost.decidingCalls();
        Latencies jobs = cost.perJob();
        return new String[] {
            shortened(cost.scheduler(), NAME_WIDTH),
            Integer.toString(calls.count()),
            number("%.1f", calls.microseconds(0.5)),
            number("%.0f", calls.microseconds(0.99)),
            number("%.0f", calls.microseconds(1)),
            Integer.toString(jobs.count()),
            number("%.0f", jobs.microseconds(0.5)),
            number("%.0f", jobs.microseconds(0.99)),
            number("%.0f", jobs.microseconds(1))
        };
    }
}
