package org.trainyard.experiments.papers.pollux;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.StudyRun;

/** Pollux' eight workloads under its three schedulers. */
public record PolluxRecord() implements RecordStudy {
    private static final String LOAD = "1.0";

    /** Mean JCT of each workload, and the times of all jobs as text. */
    private static final class Times {
        private final double[] means;
        private final String text;

        Times(double[] means, String text) {
            this.means = means;
            this.text = text;
        }
    }

    @Override
    public String system() {
        return "pollux";
    }

    @Override
    public String title() {
        return "Pollux' eight workloads on 16 x 4 T4 (OSDI 2021): mean JCT";
    }

    @Override
    public String rules() {
        return """
                160 jobs in eight hours, eight workloads, the artifact's physics: measured step times, rounds of 60 s, a restart takes 30 s. Pollux
                knows what each job has measured of itself, Tiresias the GPUs that were asked for, Optimus also the remaining iterations.
                The hash is of the lines `workload,job,seconds`.
                """;
    }

    @Override
    public List<String> needs() {
        return List.of("pollux/throughput_traces_T4.tar.xz", "pollux/workloads_and_results.tar.xz");
    }

    @Override
    public ObjectNode replay(Path data, String scheduler, String workload) {
        return new PolluxReplay(ArtifactScheduler.named(scheduler), workload)
                .run(new PolluxArtifact(data.resolve("pollux")));
    }

    @Override
    public List<ClaimRow> rows(StudyRun run) {
        StudyRun.Rows rows = run.rows(this);
        List<PolluxArtifact> artifacts = IntStream.range(0, PolluxArtifact.WORKLOADS)
                .mapToObj(i -> new PolluxArtifact(run.data().resolve("pollux")))
                .toList();
        for (ArtifactScheduler one : ArtifactScheduler.values()) {
            Times times = times(artifacts, one);
            rows.add(
                    one.label(),
                    Statistics.mean(times.means),
                    "s of mean JCT",
                    StudyRun.interval(times.means),
                    "",
                    new Evidence(published(artifacts.get(0), one.label()), Evidence.THEIRS, Sha256.of(times.text)));
        }
        return rows.all();
    }

    private static Times times(List<PolluxArtifact> artifacts, ArtifactScheduler scheduler) {
        List<Map<String, Double>> all = IntStream.rangeClosed(1, PolluxArtifact.WORKLOADS)
                .parallel()
                .mapToObj(workload -> {
                    PolluxArtifact artifact = artifacts.get(workload - 1);
                    return scheduler.completionSeconds(artifact, artifact.workload(LOAD, workload));
                })
                .toList();
        String text = IntStream.range(0, all.size())
                .mapToObj(i -> new TreeMap<>(all.get(i))
                        .entrySet().stream()
                                .map(job -> "workload-%d,%s,%.0f\n".formatted(i + 1, job.getKey(), job.getValue()))
                                .collect(Collectors.joining()))
                .collect(Collectors.joining());
        return new Times(all.stream().mapToDouble(PolluxRecord::mean).toArray(), text);
    }

    private static double mean(Map<String, Double> seconds) {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum() / seconds.size();
    }

    private static double published(PolluxArtifact artifact, String policy) {
        return artifact.published(policy, LOAD).values().stream()
                .mapToDouble(PolluxRecord::mean)
                .average()
                .orElseThrow();
    }
}
