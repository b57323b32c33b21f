package org.trainyard.experiments.papers.pollux;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.io.Sha256;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.pollux.ArtifactSimulation.Batch;
import org.trainyard.experiments.papers.studies.LearnedWeights;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.StudyRun;

/** Pollux' eight workloads under its three schedulers, and under a learned elastic one. */
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

        double[] means() {
            return means;
        }

        String text() {
            return text;
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
                and the learned policy know what each job has measured of itself; Tiresias the GPUs that were asked for, Optimus also the remaining
                iterations. The learned policy gives each GPU to the step of a job with the highest score, linear in eight columns (what is
                left to do, age, attained service, restart) beside the logarithm of the speed gained; no run time is told to it: it learns
                from jobs that finish in the same run how much work their application has and how it scales. Its weights come from the
                cross-entropy method on workloads whose jobs are drawn from those of load 1.5 and 2.0 (none that is in a judged one);
                generations and seeds were chosen on validation workloads of the same kind, and the eight workloads judged once. The workloads were
                drawn, so that none is later than another: *fair* is here that jobs of training are others and no run time is told, which holds for all
                rows but Optimus, and that jobs teach each other nothing, one row. The hash is of the lines `workload,job,seconds`.
                """;
    }

    @Override
    public List<String> needs() {
        return List.of("pollux/throughput_traces_T4.tar.xz", "pollux/workloads_and_results.tar.xz");
    }

    @Override
    public void train(Path data, long seed, Consumer<String> told) {
        told.accept(Arrays.toString(new ElasticTraining(data.resolve("pollux")).run(seed, told)));
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
        double[] pollux = {};
        for (ArtifactScheduler one : ArtifactScheduler.values()) {
            Times times = times(artifacts, one.batch(), one::policy);
            pollux = pollux.length == 0 ? times.means() : pollux;
            add(rows, one.label(), times, published(artifacts.get(0), one.label()), "", Evidence.THEIRS);
        }
        learned(rows, artifacts, pollux);
        return rows.all();
    }

    private static void learned(StudyRun.Rows rows, List<PolluxArtifact> artifacts, double[] pollux) {
        LearnedWeights weights = LearnedWeights.of(ArtifactElastic.class, ArtifactElastic.WEIGHTS);
        weights.byName().forEach((seed, learned) -> {
            String name = "learned, seed %s%s"
                    .formatted(seed, seed.equals(weights.chosen()) ? " (chosen on validation)" : "");
            entry(rows, artifacts, pollux, name, Evidence.ENTRY, () -> new ArtifactElastic(learned, true));
        });
        double[] chosen = weights.named(weights.chosen());
        String without = "the chosen one, that learns nothing from finished jobs";
        entry(rows, artifacts, pollux, without, Evidence.FAIR, () -> new ArtifactElastic(chosen, false));
        double[] untrained = ArtifactElastic.untrained();
        entry(rows, artifacts, pollux, "untrained", Evidence.ENTRY, () -> new ArtifactElastic(untrained, true));
    }

    private static void entry(
            StudyRun.Rows rows,
            List<PolluxArtifact> artifacts,
            double[] pollux,
            String name,
            String rules,
            Supplier<ArtifactSimulation.Policy> policy) {
        Times times = times(artifacts, Batch.ADAPTED, policy);
        double[] percent = StudyRun.percent(times.means(), pollux);
        Interval interval = Objects.requireNonNull(StudyRun.interval(percent));
        String remark = String.format(
                Locale.ROOT,
                "against our pollux, workload by workload: %+.1f %% (%+.1f .. %+.1f)",
                Statistics.mean(percent),
                interval.low(),
                interval.high());
        add(rows, name, times, Double.NaN, remark, rules);
    }

    private static void add(
            StudyRun.Rows rows, String name, Times times, double published, String remark, String rules) {
        rows.add(
                name,
                Statistics.mean(times.means()),
                "s of mean JCT",
                StudyRun.interval(times.means()),
                remark,
                new Evidence(published, rules, Sha256.of(times.text())));
    }

    private static Times times(
            List<PolluxArtifact> artifacts, Batch batch, Supplier<ArtifactSimulation.Policy> policy) {
        List<Map<String, Double>> all = IntStream.rangeClosed(1, PolluxArtifact.WORKLOADS)
                .parallel()
                .mapToObj(workload -> {
                    PolluxArtifact artifact = artifacts.get(workload - 1);
                    return ArtifactSimulation.completionSeconds(
                            ArtifactSimulation.jobs(artifact, artifact.workload(LOAD, workload), batch), policy.get());
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
