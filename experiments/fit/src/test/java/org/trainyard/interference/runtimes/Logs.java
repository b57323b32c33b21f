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
import org.trainyard.interference.runtime.ForestSettings;

/** Logs to learn from: generated ones, in which two thirds of the jobs recur, and real ones of the data pack. */
final class Logs {
    private static final int CLUSTER_GPUS = 1024;

    private Logs() {}

    static List<TraceJob> generated(int jobs, long seed) {
        GeneratorSettings settings = GeneratorSettings.DEFAULT.with(0.9, 32);
        return new TraceGenerator(settings, jobs, ModelCatalog.standard()).generate(seed, CLUSTER_GPUS);
    }

    /** A trace of the data pack; the test is skipped when there is none. */
    static List<TraceJob> real(String name) {
        Path file = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data", name);
        assumeTrue(Files.exists(file), () -> "skipped: the data pack has no " + file);
        return TraceReader.read(file, TraceReader.Options.DEFAULT).jobs();
    }

    /** A replay with forests that are quick to grow. */
    static ReplayedLog replayed(List<TraceJob> jobs) {
        return ReplayedLog.of(RuntimeLog.of(jobs), small(), 1);
    }

    /** A forest that is quick to grow. */
    static ForestSettings small() {
        return new ForestSettings(20, 10, 8, 6, 0.632, 1.5, 30, 1000, 20_000);
    }
}
