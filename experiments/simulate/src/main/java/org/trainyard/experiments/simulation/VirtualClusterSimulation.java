package org.trainyard.experiments.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.timeline.RunRecorder;

/**
 * One trace whose virtual clusters run alone, each on servers of its own, as in the simulator of Helios: an episode for
 * each; the metrics are those of all jobs together.
 */
public final class VirtualClusterSimulation extends EvaluatedSimulation {
    private final String name;
    private final Map<String, TraceSimulation> parts;

    /**
     * A simulation.
     *
     * @param name of the trace
     * @param parts by virtual cluster, its jobs on its servers, all under the same schedulers
     */
    public VirtualClusterSimulation(String name, Map<String, TraceSimulation> parts, long seed, RankingMetric metric) {
        super(metric, seed);
        this.name = name;
        this.parts = new LinkedHashMap<>(parts);
    }

    /**
     * The jobs of each virtual cluster, with their submit times in the whole trace.
     *
     * @param file where the virtual clusters are named
     * @param names of the virtual clusters; those without jobs are left out
     * @throws InputException when a job belongs to none of them
     */
    public static Map<String, Trace> split(Trace trace, String file, Set<String> names) {
        Map<String, List<TraceJob>> jobs = new LinkedHashMap<>();
        names.forEach(virtualCluster -> jobs.put(virtualCluster, new ArrayList<>()));
        for (TraceJob job : trace.jobs()) {
            List<TraceJob> ofCluster = jobs.get(String.valueOf(job.virtualCluster()));
            if (ofCluster == null) {
                throw InputException.at(
                        file,
                        String.valueOf(job.virtualCluster()),
                        "a row for every virtual cluster of the trace, such as that of job " + job.id());
            }
            ofCluster.add(job);
        }
        Map<String, Trace> parts = new LinkedHashMap<>();
        jobs.forEach((virtualCluster, ofCluster) -> {
            if (!ofCluster.isEmpty()) {
                parts.put(virtualCluster, trace.with(ofCluster));
            }
        });
        return parts;
    }

    private TraceSimulation first() {
        return parts.values().iterator().next();
    }

    @Override
    public List<String> schedulers() {
        return first().schedulers();
    }

    /** @throws IllegalArgumentException with a recorder, which records one cluster */
    @Override
    public void run(@Nullable RunRecorder recorder) {
        if (recorder != null) {
            throw new IllegalArgumentException("the runs of several virtual clusters cannot be recorded");
        }
        for (TraceSimulation part : parts.values()) {
            part.run(null);
            walls.add(part.walls);
        }
        List<SchedulerRuns> runs = new ArrayList<>();
        for (int scheduler = 0; scheduler < schedulers().size(); scheduler++) {
            int at = scheduler;
            SchedulerRuns one = first().evaluation().runs().get(at);
            runs.add(new SchedulerRuns(
                    one.name(),
                    one.role(),
                    parts.values().stream()
                            .flatMap(part -> part.evaluation().runs().get(at).episodes().stream())
                            .toList()));
        }
        evaluate(runs, false);
    }

    @Override
    public Answer answer(boolean isWide) {
        return new Answer()
                .tell(
                        "%s: %,d jobs of %,d virtual clusters, each alone on servers of its own",
                        name, evaluation().jobs(), parts.size())
                .say("World: %s.".formatted(first().description()))
                .gap()
                .table(perCluster())
                .gap()
                .add(result(isWide))
                .gap()
                .add(notes(remarks()));
    }

    private AnswerTable<Map.Entry<String, TraceSimulation>> perCluster() {
        AnswerTable<Map.Entry<String, TraceSimulation>> table = AnswerTable.of(parts.entrySet())
                .text("virtual cluster", Map.Entry::getKey)
                .count("GPUs", part -> part.getValue().gpus())
                .count("jobs", part -> part.getValue().evaluation().jobs());
        for (int i = 0; i < schedulers().size(); i++) {
            int at = i;
            table.number(
                    schedulers().get(i) + ": mean JCT, s",
                    "%,.1f",
                    part -> part.getValue().evaluation().scores().get(at).jct().mean());
        }
        return table;
    }

    /** The remarks on the virtual clusters; one on all of them is made once. */
    @Override
    List<String> remarks() {
        Map<String, List<String>> clusters = new LinkedHashMap<>();
        parts.forEach((virtualCluster, part) -> part.remarks()
                .forEach(remark -> clusters.computeIfAbsent(remark, none -> new ArrayList<>())
                        .add(virtualCluster)));
        List<String> remarks = new ArrayList<>(List.of("the makespan is the mean of those of the virtual clusters"));
        clusters.forEach((remark, of) ->
                remarks.add(of.size() == parts.size() ? remark : "%s: %s".formatted(String.join(", ", of), remark)));
        return remarks;
    }

    @Override
    String title() {
        return Counted.say("%s on %,d virtual clusters", name, parts.size());
    }
}
