package org.trainyard.experiments.papers.pollux;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.trainyard.env.workload.goodput.BatchLimits;
import org.trainyard.env.workload.goodput.GoodputProfile;
import org.trainyard.env.workload.goodput.GradientNoise;
import org.trainyard.env.workload.goodput.ThroughputParameters;

/** Makes the table of {@link org.trainyard.env.workload.goodput.PolluxApplications} from measurements. */
final class PolluxProfiles {
    private static final int STAGES = 10;
    private static final int NCF_BATCH = 32768;
    /** Where the measured squared norm is zero. */
    private static final double MOST_NOISE = 1e6;

    private PolluxProfiles() {}

    static GoodputProfile of(MeasuredApplication application) {
        BatchLimits limits = application.name.equals("ncf")
                ? new BatchLimits(application.limits.initial(), NCF_BATCH, NCF_BATCH / 2, NCF_BATCH / 2)
                : application.limits;
        return new GoodputProfile(
                ThroughputFit.to(application.measurements()),
                limits,
                application.progress(application.epochs),
                IntStream.range(0, STAGES)
                        .mapToDouble(stage -> noise(application, stage))
                        .toArray());
    }

    /**
     * The geometric mean of variance over squared norm, over the batches that were measured and the epochs that end in
     * the stage.
     */
    private static double noise(MeasuredApplication application, int stage) {
        double length = application.progress(application.epochs) / STAGES;
        int from = 0;
        while (application.progress(from + 1) <= stage * length) {
            from++;
        }
        int to = from;
        while (to + 1 < application.epochs && application.progress(to + 1) < (stage + 1) * length - 1e-6 * length) {
            to++;
        }
        return Math.exp(IntStream.rangeClosed(from, to)
                .boxed()
                .flatMapToDouble(epoch -> application.measuredBatches().stream().mapToDouble(batch -> {
                    GradientNoise noise = application.noise(batch, epoch);
                    return Math.log(Math.min(MOST_NOISE, noise.variance() / noise.squaredNorm()));
                }))
                .average()
                .orElseThrow());
    }

    /** The row of the table. */
    static String row(String name, GoodputProfile profile) {
        ThroughputParameters times = profile.throughput();
        BatchLimits limits = profile.limits();
        return "%s | %s | %d %d %d %d | %.7g | %s"
                .formatted(
                        name,
                        text(
                                times.alphaCompute(),
                                times.betaCompute(),
                                times.alphaNode(),
                                times.betaNode(),
                                times.alphaLocal(),
                                times.betaLocal(),
                                times.gamma()),
                        limits.initial(),
                        limits.most(),
                        limits.leastLocal(),
                        limits.mostLocal(),
                        profile.iterations(),
                        text(profile.noise()));
    }

    private static String text(double... numbers) {
        return DoubleStream.of(numbers)
                .mapToObj(number -> String.format(Locale.ROOT, "%.4g", number))
                .collect(Collectors.joining(" "));
    }
}
