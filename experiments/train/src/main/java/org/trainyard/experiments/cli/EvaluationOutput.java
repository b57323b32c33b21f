package org.trainyard.experiments.cli;

import static org.trainyard.experiments.io.TextTable.number;
import static org.trainyard.experiments.io.TextTable.shortened;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.DecisionCost;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.evaluation.Latencies;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.report.ConsoleTable;
import org.trainyard.experiments.report.ResultFiles;
import org.trainyard.experiments.report.RunReport;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.timeline.RunLogs;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.training.TrainedPolicies;

/**
 * How an evaluation is told: what is printed, and where.
 *
 * @param timing whether to print processor times, too
 * @param json whether to print the summary in place of tables
 * @param wide whether to print all tables
 * @param metric that ranks the rows of the tables
 */
record EvaluationOutput(boolean timing, boolean json, boolean wide, RankingMetric metric, PrintWriter out) {
    /** Tables by the mean JCT, without processor times. */
    static EvaluationOutput tables(PrintWriter out) {
        return new EvaluationOutput(false, false, false, RankingMetric.MEAN_JCT, out);
    }

    /**
     * Evaluates with these logs, prints and, given a directory, writes the result files; runs on machines have no
     * timelines.
     */
    void evaluate(
            Experiment experiment,
            ExperimentEvaluation.Plan plan,
            TrainedPolicies policies,
            @Nullable RunDirectory directory,
            RunLogs logs) {
        RunRecorder recorder = (directory == null && logs.eventFile() == null) || experiment.fleet() != null
                ? null
                : new RunRecorder(
                        experiment.topology(),
                        plan.runs(),
                        experiment.config().episodes().test());
        ExperimentEvaluation results = recorder == null
                ? ExperimentEvaluation.of(experiment, plan)
                : logs.around(
                        recorder, experiment.topology(), () -> ExperimentEvaluation.of(experiment, plan, recorder));
        List<String> remarks = new ArrayList<>(experiment.remarks());
        if (results.tuning() != null) {
            remarks.add(results.tuning().remark());
        }
        if (results.evaluation().runs().stream().anyMatch(SchedulerRuns::preempts)
                || !experiment.config().physics().preemptionRules().allowsAny()) {
            remarks.add(experiment.config().physics().preemptionInWords());
        }
        remarks.addAll(policies.remarks());
        remarks.addAll(policies.preemptionRemarks(experiment.config().physics()));
        remarks.addAll(Schedulers.absent(experiment.config().schedulers()));
        remarks.addAll(Schedulers.caveats(plan.schedulers()));
        RunReport report = new RunReport(
                RunReport.Subject.of(experiment.config()),
                results.evaluation(),
                remarks,
                List.of(),
                policies.curves(),
                recorder == null
                        ? List.of()
                        : recorder.timelines(results.evaluation().runs().stream()
                                .map(SchedulerRuns::name)
                                .toList()));
        if (json) {
            out.print(report.summaryText());
        } else {
            print(experiment, results, remarks);
        }
        out.flush();
        if (directory != null) {
            if (results.tuning() != null) {
                AtomicFiles.write(
                        directory.tuning(), JsonText.pretty(results.tuning().json()));
            }
            ResultFiles.write(directory, report, results.timing());
            if (!json) {
                out.println("report: %s".formatted(directory.report()));
            }
        }
    }

    private void print(Experiment experiment, ExperimentEvaluation results, List<String> remarks) {
        out.println("%s on %s, %d test episodes"
                .formatted(
                        experiment.config().name(),
                        experiment.topology(),
                        results.evaluation().episodes()));
        remarks.forEach(remark -> out.println("note: " + remark));
        out.println();
        out.print(ConsoleTable.result(results.evaluation(), metric, wide, Progress.onTerminal()));
        if (!wide) {
            out.println("More columns: evaluate --verbose.");
        }
        if (timing) {
            out.print("\n" + CostTable.render(results.costs()));
        }
    }

    /**
     * The processor time of schedulers as two text tables of at most 100 columns, most expensive first. Processor times
     * differ from run to run.
     */
    private static final class CostTable {
        private static final int NAME_WIDTH = 24;

        private CostTable() {}

        static String render(List<DecisionCost> costs) {
            TextTable totals = new TextTable("scheduler", "processor", "deciding", "calls", "us/call", "us/job");
            TextTable latencies = new TextTable(
                    "scheduler", "decisions", "us: p50", "p99", "max", "jobs", "us/job: p50", "p99", "max");
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
}
