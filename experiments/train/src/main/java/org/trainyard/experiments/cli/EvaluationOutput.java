package org.trainyard.experiments.cli;

import static org.trainyard.experiments.io.AnswerTable.shortened;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.experiments.cli.options.TableOption;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.DecisionCost;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.evaluation.RunLogs;
import org.trainyard.experiments.evaluation.RunRecording;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.report.EpisodesAnswer;
import org.trainyard.experiments.report.ResultFiles;
import org.trainyard.experiments.report.RunReport;
import org.trainyard.experiments.report.VerdictColours;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.TrainedPolicies;

/**
 * How an evaluation is told: what is printed, and where.
 *
 * @param timing whether to print processor times, too
 * @param json whether to print the summary in place of tables
 * @param wide whether to print all tables
 * @param metric that ranks the rows of the tables
 * @param table where the table is written, too
 */
record EvaluationOutput(
        boolean timing, boolean json, boolean wide, RankingMetric metric, TableOption table, PrintWriter out) {
    private static final int NAME_WIDTH = 24;

    /** Tables by the mean JCT, without processor times. */
    static EvaluationOutput tables(PrintWriter out) {
        return new EvaluationOutput(false, false, false, RankingMetric.MEAN_JCT, new TableOption(), out);
    }

    /**
     * Evaluates with these logs, prints and, given a directory, writes the result files; runs on machines have no
     * timelines.
     *
     * @param reference the scheduler that the others are compared with; null for the best heuristic
     */
    void evaluate(
            Experiment experiment,
            ExperimentEvaluation.Plan plan,
            TrainedPolicies policies,
            @Nullable String reference,
            @Nullable RunDirectory directory,
            RunLogs logs) {
        boolean isRecorded = (directory != null || logs.eventFile() != null) && experiment.fleet() == null;
        RunRecording.Source source = isRecorded ? RunRecording.source() : null;
        RunRecording recorder = source == null
                ? null
                : source.of(
                        experiment.topology(),
                        plan.runs(),
                        experiment.config().episodes().test());
        ExperimentEvaluation ran = recorder == null
                ? ExperimentEvaluation.of(experiment, plan)
                : recorder.writing(logs, () -> ExperimentEvaluation.of(experiment, plan, recorder));
        ExperimentEvaluation results = reference == null ? ran : ran.against(reference);
        List<String> remarks = new ArrayList<>(experiment.remarks());
        if (isRecorded && recorder == null) {
            remarks.add("no runs over time, for experiments/simulate is not here");
        }
        if (results.tuning() != null) {
            remarks.add(results.tuning().remark());
        }
        if (results.evaluation().runs().stream().anyMatch(SchedulerRuns::preempts)
                || !experiment.config().physics().preemptionRules().allowsAny()) {
            remarks.add(experiment.config().physics().preemptionInWords());
        }
        remarks.addAll(policies.remarks());
        String world = policies.worldRemark(experiment.config());
        if (world != null) {
            remarks.add(world);
        }
        remarks.addAll(policies.preemptionRemarks(experiment.config().physics()));
        remarks.addAll(Schedulers.absent(experiment.config().schedulers()));
        remarks.addAll(Schedulers.caveats(plan.schedulers()));
        RunReport report = new RunReport(
                RunReport.Subject.of(experiment.config()),
                results.evaluation(),
                null,
                remarks,
                List.of(),
                policies.curves(),
                recorder == null
                        ? RunRecording.Timelines.NONE
                        : recorder.recorded(results.evaluation().runs().stream()
                                .map(SchedulerRuns::name)
                                .toList()));
        EpisodesAnswer episodes = new EpisodesAnswer(results.evaluation(), metric);
        Answer answer = wide ? episodes.wide() : episodes.brief();
        if (json) {
            out.print(JsonText.pretty(report.summary()));
        } else {
            print(experiment, results, answer, remarks);
        }
        table.write(answer);
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

    private void print(Experiment experiment, ExperimentEvaluation results, Answer answer, List<String> remarks) {
        out.println(Counted.say(
                "%s on %s, %d test episodes",
                experiment.config().name(),
                experiment.topology(),
                results.evaluation().episodes()));
        remarks.forEach(remark -> out.println("note: " + remark));
        out.println();
        VerdictColours.print(answer, out);
        if (!wide) {
            out.println("More columns: evaluate --verbose.");
        }
        if (timing) {
            costs(results.costs()).print(out);
        }
    }

    /** The processor time of schedulers, most expensive first; it differs from run to run. */
    private static Answer costs(List<DecisionCost> costs) {
        List<DecisionCost> sorted = costs.stream()
                .sorted(Comparator.comparingDouble(DecisionCost::runSeconds).reversed())
                .toList();
        return new Answer()
                .gap()
                .table(AnswerTable.of(sorted)
                        .text("scheduler", cost -> shortened(cost.scheduler(), NAME_WIDTH))
                        .number("processor", "%.2f s", DecisionCost::runSeconds)
                        .number("deciding", "%.2f s", DecisionCost::decidingSeconds)
                        .number("calls", "%.0f", DecisionCost::calls)
                        .number("us/call", "%.1f", DecisionCost::microsecondsPerCall)
                        .number("us/job", "%.0f", DecisionCost::microsecondsPerJob))
                .say("Processor time of all episodes with simulation and predictions, and of decisions alone.")
                .gap()
                .table(AnswerTable.of(sorted)
                        .text("scheduler", cost -> shortened(cost.scheduler(), NAME_WIDTH))
                        .number(
                                "decisions",
                                "%.0f",
                                cost -> cost.decidingCalls().count())
                        .number("us: p50", "%.1f", cost -> cost.decidingCalls().microseconds(0.5))
                        .number("p99", "%.0f", cost -> cost.decidingCalls().microseconds(0.99))
                        .number("max", "%.0f", cost -> cost.decidingCalls().microseconds(1))
                        .number("jobs", "%.0f", cost -> cost.perJob().count())
                        .number("us/job: p50", "%.0f", cost -> cost.perJob().microseconds(0.5))
                        .number("p99", "%.0f", cost -> cost.perJob().microseconds(0.99))
                        .number("max", "%.0f", cost -> cost.perJob().microseconds(1)))
                .say("Processor time of a call that makes a decision, and of all calls that decide about a job,"
                        + " including waits before.");
    }
}
