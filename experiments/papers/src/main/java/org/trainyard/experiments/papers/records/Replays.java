package org.trainyard.experiments.papers.records;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.studies.StudyRun;
import org.trainyard.experiments.simulation.SimulationSetup;
import org.trainyard.experiments.simulation.TraceSimulation;
import org.trainyard.experiments.simulation.TrainedContender;
import org.trainyard.experiments.training.Checkpoint;

/** Replays of a trace under presets of a published simulator, as {@code simulate} does them. */
final class Replays {
    private static final List<String> RIVALS = List.of("srtf", "tiresias:promote=8", "easy");

    private Replays() {}

    static RunResult of(Path trace, String cluster, String preset) {
        return Objects.requireNonNull(
                runs(trace, List.of(preset), null, SimulationSetup.published(Clusters.resolve(cluster), 1))
                        .get(preset));
    }

    private static Map<String, RunResult> runs(
            Path trace, List<String> schedulers, @Nullable TrainedContender learned, SimulationSetup setup) {
        TraceSimulation simulation = new TraceSimulation(
                schedulers.stream()
                        .map(name -> Schedulers.named("records", name))
                        .toList(),
                learned,
                TraceReader.read(trace, TraceReader.Options.DEFAULT),
                setup,
                TraceSimulation.Models.neutral(true),
                RankingMetric.MEAN_JCT);
        simulation.run(null);
        Map<String, RunResult> runs = new LinkedHashMap<>();
        for (SchedulerRuns one : simulation.evaluation().runs()) {
            runs.put(one.name(), one.episodes().get(0));
        }
        return runs;
    }

    /**
     * Rows of schedulers of ours and of the policy that ships, who are told run times as predicted: a forecast, without
     * a physical run.
     */
    static void fair(StudyRun.Rows rows, StudyRun run, Path trace, String cluster) {
        // Kept figures are of the shipped belief.
        SimulationSetup setup =
                SimulationSetup.asLogged(Clusters.resolve(cluster), 1).believing(BeliefConfig.SHIPPED.toString());
        runs(trace, RIVALS, null, setup).forEach((name, result) -> forecast(rows, name, result));
        Path folder = run.configs().resolveSibling("../checkpoints/default").normalize();
        Checkpoint checkpoint = Checkpoint.open("records", folder);
        BidPolicy untrained = Objects.requireNonNull(checkpoint.untrained());
        ExperimentConfig config = ConfigReader.read(checkpoint.config(), List.of());
        Map.of("learned", checkpoint.policy(), "untrained", untrained).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(one -> runs(trace, List.of(), new TrainedContender(one.getValue(), config), setup)
                        .forEach((name, result) -> forecast(rows, one.getKey(), result)));
    }

    private static void forecast(StudyRun.Rows rows, String name, RunResult run) {
        rows.add(
                name + ", predicted",
                run.meanJctSeconds(),
                "s of mean JCT",
                null,
                "a forecast",
                new Evidence(Double.NaN, Evidence.FAIR, run.eventLogSha256()));
    }

    /** JCT of each job by its name, seconds. */
    static Map<String, Double> jctSeconds(RunResult run) {
        return run.jobs().stream().collect(Collectors.toMap(job -> job.job().name(), job -> job.jctNanos() / 1e9));
    }

    /** The mean absolute difference of a job's JCT from the physical one, per cent of the physical mean. */
    static double jobByJobPercent(Map<String, Double> ours, Map<String, Double> physical) {
        double apart = 0;
        double all = 0;
        for (Map.Entry<String, Double> job : physical.entrySet()) {
            apart += Math.abs(Objects.requireNonNull(ours.get(job.getKey()), job.getKey()) - job.getValue());
            all += job.getValue();
        }
        return 100 * apart / all;
    }

    static double mean(Map<String, Double> seconds) {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum() / seconds.size();
    }
}
