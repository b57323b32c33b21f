package org.trainyard.experiments.papers.records;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.trace.TraceReader;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.SimulationSetup;
import org.trainyard.experiments.simulation.TraceSimulation;

/** Replays of a trace under presets of a published simulator, as {@code simulate} does them. */
final class Replays {
    private Replays() {}

    /** The run of one preset. */
    static RunResult of(Path trace, String cluster, String preset) {
        TraceSimulation simulation = new TraceSimulation(
                List.of(Schedulers.named("records", preset)),
                null,
                TraceReader.read(trace, TraceReader.Options.DEFAULT),
                Clusters.resolve(cluster),
                new SimulationSetup(
                        SimulationSetup.World.PUBLISHED, new RuntimeConfig.Oracle(), null, InterferenceModel.NONE),
                TraceSimulation.Models.NEUTRAL,
                1,
                true,
                RankingMetric.MEAN_JCT);
        simulation.run(null);
        return simulation.evaluation().runs().get(0).episodes().get(0);
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
