package org.trainyard.interference.runtimes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.env.workload.log.TraceReader;

/** Logs to learn from: generated ones, in which two thirds of the jobs recur, and real ones of the data pack. */
final class Logs {
    private static final int CLUSTER_GPUS = 1024;

    private Logs() {}

    static List<TraceJob> generated(int jobs, long seed) {
        return generated(jobs, seed, CLUSTER_GPUS);
    }

    /** Jobs that come as fast as a cluster of that size can take them. */
    static List<TraceJob> generated(int jobs, long seed, int clusterGpus) {
        GeneratorSettings settings = GeneratorSettings.DEFAULT.with(0.9, 32);
        return new TraceGenerator(settings, jobs, ModelCatalog.standard()).generate(seed, clusterGpus);
    }

    /** A trace of the data pack; the test is skipped when there is none. */
    static List<TraceJob> real(String name) {
        Path file = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data", name);
        assumeTrue(Files.exists(file), () -> "skipped: the data pack has no " + file);
        return TraceReader.read(file, TraceReader.Options.DEFAULT).jobs();
    }

    /** A forest that is quick to grow. */
    static ForestSettings small() {
        return new ForestSettings(20, 3, 12, 5, 0.632, 86_400_000_000_000L, 1000, 30, 100_000);
    }
}
