package org.trainyard.experiments.papers.pollux;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.trainyard.agents.learned.training.CrossEntropy;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.papers.pollux.ArtifactSimulation.Batch;

/**
 * Training of {@link ArtifactElastic} on workloads drawn like those of the artifact: their jobs are drawn with
 * replacement from the workloads of load 1.5 and 2.0, without jobs that are in a workload of load 1.0.
 */
public final class ElasticTraining {
    private static final CrossEntropy.Settings SEARCH = new CrossEntropy.Settings(10, 12, 4, 0.7, 0.05);
    private static final int JOBS = 160;
    private static final int TRAINED = 2;
    private static final int VALIDATED = 4;
    private static final int JITTER_SECONDS = 300;
    private static final int LAST_SECOND = 8 * 3600;

    private final PolluxArtifact artifact;
    private final boolean learnsFromFinished;
    private final List<String[]> pool = new ArrayList<>();

    /** @param folder of Pollux' artifact */
    public ElasticTraining(Path folder) {
        this(new PolluxArtifact(folder), true);
    }

    ElasticTraining(PolluxArtifact artifact, boolean learnsFromFinished) {
        this.artifact = artifact;
        this.learnsFromFinished = learnsFromFinished;
        Set<String> judged = rows("1.0").stream().map(ElasticTraining::text).collect(Collectors.toSet());
        for (String load : List.of("1.5", "2.0")) {
            rows(load).stream().filter(row -> !judged.contains(text(row))).forEach(pool::add);
        }
    }

    private List<String[]> rows(String load) {
        List<String[]> rows = new ArrayList<>();
        for (int workload = 1; workload <= PolluxArtifact.WORKLOADS; workload++) {
            rows.addAll(artifact.workload(load, workload));
        }
        return rows;
    }

    /** A job without its name. */
    private static String text(String... row) {
        return String.join(",", List.of(row).subList(1, row.length));
    }

    /** A workload of its own for each seed and purpose. */
    List<String[]> draw(long seed, String purpose) {
        RandomGenerator random = RandomStreams.stream(seed, purpose);
        List<String[]> drawn = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            String[] row = pool.get(random.nextInt(pool.size())).clone();
            int second = Integer.parseInt(row[1]) + random.nextInt(2 * JITTER_SECONDS + 1) - JITTER_SECONDS;
            row[0] = "%s-%d".formatted(row[2], i);
            row[1] = Integer.toString(Math.max(0, Math.min(LAST_SECOND, second)));
            drawn.add(row);
        }
        drawn.sort(Comparator.comparingInt(row -> Integer.parseInt(row[1])));
        return drawn;
    }

    double meanSeconds(double[] weights, List<String[]> workload) {
        return ArtifactSimulation.completionSeconds(
                        ArtifactSimulation.jobs(artifact, workload, Batch.ADAPTED, ArtifactJob.Fits.SELDOM),
                        new ArtifactElastic(weights, learnsFromFinished))
                .values()
                .stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElseThrow();
    }

    private double meanSeconds(double[] weights, long seed, String purpose, int workloads) {
        double sum = 0;
        for (int i = 0; i < workloads; i++) {
            sum += meanSeconds(weights, draw(seed, purpose + " " + i));
        }
        return sum / workloads;
    }

    /** The mean JCT on validation workloads, which are the same for all seeds. */
    double validation(double[] weights) {
        return meanSeconds(weights, 0, "validation", VALIDATED);
    }

    /** The weights of the generation that is best on validation workloads. */
    public double[] run(long seed, Consumer<String> told) {
        return new CrossEntropy(SEARCH, seed)
                .best(
                        ArtifactElastic.untrained(),
                        (weights, generation) -> meanSeconds(weights, seed, "generation " + generation, TRAINED),
                        (weights, generation) -> {
                            double seconds = validation(weights);
                            told.accept(
                                    generation == 0
                                            ? "untrained %.1f s".formatted(seconds)
                                            : "generation %d: %.1f s".formatted(generation, seconds));
                            return seconds;
                        })
                .weights();
    }
}
