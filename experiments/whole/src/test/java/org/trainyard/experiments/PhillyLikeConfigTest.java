package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.experiments.config.ConfigReader;

/** The jobs of {@code philly-like.yaml} lie between those of Philly and ITP. */
class PhillyLikeConfigTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final long TWO_DAYS_NANOS = 48L * 3600 * 1_000_000_000L;
    private static final int GPUS = 128;

    @Test
    void its_demands_and_its_tail_lie_within_the_bands_of_its_comments() {
        List<TraceJob> jobs = drawn("philly-like", 60_000);

        assertThat(share(jobs, job -> job.gpus() == 1)).isBetween(0.87, 0.93);
        assertThat(share(jobs, job -> job.gpus() > 8)).isBetween(0.0035, 0.0125);
        assertThat(jobs).allMatch(job -> Integer.bitCount(job.gpus()) == 1);
        assertThat(share(jobs, PhillyLikeConfigTest::isLong)).isBetween(0.008, 0.017);
        assertThat(gpuTimeOfLongJobs(jobs)).isBetween(0.40, 0.70);
        assertThat(share(jobs, job -> job.group() != null)).isBetween(0.56, 0.69);
    }

    @Test
    void the_bands_are_those_of_the_traces() {
        List<TraceJob> philly = read("philly/philly_pass.csv.gz");
        List<TraceJob> itp = new ArrayList<>();
        for (String cluster : List.of("01", "02", "04", "05", "06", "08", "09", "10")) {
            itp.addAll(read("elasticflow_itp/cluster%s.csv.gz".formatted(cluster)));
        }

        assertThat(share(philly, job -> job.gpus() == 1)).isBetween(0.930, 0.933);
        assertThat(share(itp, job -> job.gpus() == 1)).isBetween(0.872, 0.874);
        assertThat(share(philly, job -> job.gpus() > 8)).isBetween(0.0034, 0.0036);
        assertThat(share(itp, job -> job.gpus() > 8)).isBetween(0.0124, 0.0126);
        assertThat(share(philly, PhillyLikeConfigTest::isLong)).isBetween(0.0170, 0.0174);
        assertThat(share(itp, PhillyLikeConfigTest::isLong)).isBetween(0.0075, 0.0077);
        assertThat(gpuTimeOfLongJobs(philly)).isBetween(0.69, 0.71);
        assertThat(gpuTimeOfLongJobs(itp)).isBetween(0.39, 0.41);
        assertThat(share(philly, job -> Integer.bitCount(job.gpus()) > 1)).isLessThan(0.0003);
        assertThat(itp).allMatch(job -> Integer.bitCount(job.gpus()) == 1);
    }

    private static boolean isLong(TraceJob job) {
        return job.durationNanos() > TWO_DAYS_NANOS;
    }

    private static double share(List<TraceJob> jobs, Predicate<TraceJob> which) {
        return jobs.stream().filter(which).count() / (double) jobs.size();
    }

    private static double gpuTimeOfLongJobs(List<TraceJob> jobs) {
        double all = 0;
        double inLong = 0;
        for (TraceJob job : jobs) {
            double time = (double) job.durationNanos() * job.gpus();
            all += time;
            inLong += isLong(job) ? time : 0;
        }
        return inLong / all;
    }

    private static List<TraceJob> drawn(String config, int jobs) {
        GeneratorSettings settings = ConfigReader.read(
                        ROOT.resolve("experiments/configs/auction/%s.yaml".formatted(config)), List.of())
                .workload()
                .generator();
        return new TraceGenerator(settings, jobs, ModelCatalog.standard()).generate(1, GPUS);
    }

    private static List<TraceJob> read(String name) {
        Path trace = ROOT.resolve("../shared/data").resolve(name);
        assumeTrue(Files.exists(trace), () -> "skipped: the data pack has no " + trace);
        return TraceReader.read(trace, new TraceReader.Options(null, null, false))
                .jobs();
    }
}
