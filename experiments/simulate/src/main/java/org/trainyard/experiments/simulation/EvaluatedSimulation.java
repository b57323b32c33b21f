package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.blocks.BlockRanking;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.RunRecording;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.report.ResultFiles;
import org.trainyard.experiments.report.RunReport;
import org.trainyard.experiments.report.SummaryJson;

/** A simulation that keeps the jobs of its runs, so that its schedulers are compared by an {@link Evaluation}. */
abstract sealed class EvaluatedSimulation extends Simulation permits TraceSimulation, VirtualClusterSimulation {
    private final RankingMetric metric;
    private final long seed;
    private @Nullable Evaluation evaluation;
    private @Nullable BlockRanking ranking;

    /** @param metric that ranks the schedulers */
    EvaluatedSimulation(RankingMetric metric, long seed) {
        this.metric = metric;
        this.seed = seed;
    }

    /** @param isOneTrace whether there may be intervals over its time */
    final void evaluate(List<SchedulerRuns> runs, boolean isOneTrace) {
        evaluation = Evaluation.of(runs, seed);
        ranking = isOneTrace ? BlockRanking.of(evaluation, metric) : null;
    }

    /** The scores of all schedulers, after {@link #run}. */
    public final Evaluation evaluation() {
        return Objects.requireNonNull(evaluation, "nothing has run yet");
    }

    /** Name of the trace and of the cluster, as the title of a report. */
    abstract String title();

    /** Remarks on the jobs and on the runs; no full stops. */
    abstract List<String> remarks();

    /** Notes of the report. */
    List<String> reported() {
        return remarks();
    }

    /** Records of the runs over time. */
    RunRecording.Timelines timelines() {
        return RunRecording.Timelines.NONE;
    }

    /** The comparison of the schedulers. */
    final Answer result(boolean isWide) {
        TraceAnswer answer = new TraceAnswer(evaluation(), metric, ranking);
        return isWide
                ? answer.wide(table -> table.number(
                                "wall time",
                                "%.2f s",
                                score -> walls.of(score.name()).seconds())
                        .count("events/s", score -> walls.of(score.name()).eventsPerSecond()))
                : answer.brief();
    }

    static Answer notes(List<String> remarks) {
        return new Answer().say(remarks.stream().map("Note: %s."::formatted).toList());
    }

    @Override
    public JsonNode summary(JsonNode config) {
        return SummaryJson.of(config, seed, evaluation(), ranking).tree();
    }

    @Override
    public void write(RunDirectory directory, JsonNode config) {
        ResultFiles.write(
                directory,
                new RunReport(
                        new RunReport.Subject(title(), config, JsonText.pretty(config), seed),
                        evaluation(),
                        ranking,
                        reported(),
                        List.of(),
                        List.of(),
                        timelines()),
                walls.timing());
    }

    @Override
    public List<LogHash> hashes() {
        return evaluation().scores().stream()
                .map(score -> new LogHash(score.name(), score.eventLogSha256()))
                .toList();
    }
}
