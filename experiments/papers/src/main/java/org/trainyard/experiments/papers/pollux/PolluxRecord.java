package org.trainyard.experiments.papers.pollux;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.trainyard.env.InputException;
import org.trainyard.env.Labelled;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.StudyRun;

/** Pollux' eight workloads under its three schedulers. */
public record PolluxRecord(String system) implements RecordStudy {
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
    public List<String> needs() {
        return List.of("pollux/throughput_traces_T4.tar.xz", "pollux/workloads_and_results.tar.xz");
    }

    @Override
    public Replay replay(Path data, String scheduler, String workload) {
        return new PolluxReplay(Labelled.named("--replay", ArtifactScheduler.class, scheduler), workload)
                .run(new PolluxArtifact(data.resolve("pollux")));
    }

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
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

    /**
     * One workload under one scheduler of Pollux' artifact, in its physics: 16 servers of 4 T4, measured step times.
     *
     * @param workload a file of {@code name,time,application,num_replicas,batch_size}, or the number of a published one
     */
    record PolluxReplay(ArtifactScheduler scheduler, String workload) {
        private static final String HEADER = "name,time,application,num_replicas,batch_size";
        /** A job on up to 64 GPUs, which the cluster has. */
        private static final Pattern ROW = Pattern.compile("[^,]+,\\d{1,9},(%s),([1-9]|[1-5]\\d|6[0-4]),[1-9]\\d{0,8}"
                .formatted(String.join("|", PolluxArtifact.APPLICATIONS)));

        Replay run(PolluxArtifact artifact) {
            List<String[]> rows = rows(artifact);
            Map<String, Double> seconds = scheduler.completionSeconds(artifact, rows);
            double sum =
                    seconds.values().stream().mapToDouble(Double::doubleValue).sum();
            return new Replay(
                    scheduler.label(),
                    workload,
                    sum / seconds.size(),
                    rows.stream()
                            .map(row -> new Replay.Job(
                                    row[0],
                                    Long.parseLong(row[1]),
                                    Objects.requireNonNull(seconds.get(row[0])).longValue()))
                            .toList());
        }

        private List<String[]> rows(PolluxArtifact artifact) {
            if (workload.matches("[1-%d]".formatted(PolluxArtifact.WORKLOADS))) {
                return artifact.workload("1.0", Integer.parseInt(workload));
            }
            List<String> lines =
                    InputFiles.text(InputFiles.path(workload)).lines().toList();
            if (lines.size() < 2 || !lines.get(0).strip().equals(HEADER)) {
                throw InputException.at("--workload", workload, "1 to 8, or a file with the columns " + HEADER);
            }
            List<String[]> rows = new ArrayList<>();
            for (int i = 1; i < lines.size(); i++) {
                if (!ROW.matcher(lines.get(i).strip()).matches()) {
                    throw InputException.at(
                            "%s, line %d".formatted(workload, i + 1),
                            lines.get(i),
                            HEADER + " with up to 64 GPUs of an application of " + PolluxArtifact.APPLICATIONS);
                }
                rows.add(lines.get(i).strip().split(",", -1));
            }
            return rows;
        }
    }
}
