package org.trainyard.interference.runtimes;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.interference.forest.RegressionForest;

/** Growing a forest from 100,000 jobs, and asking it about 10,000, all at once and one by one. One thread. */
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
public class RuntimeForestBenchmark {
    private static final int JOBS = 100_000;
    private static final int ASKED = 10_000;

    private RuntimeRows rows = new RuntimeRows();
    private float[] asked = {};
    private float[][] single = {};
    private @Nullable RegressionForest forest;

    @Setup
    public void grow() {
        ReplayedLog log = ReplayedLog.of(RuntimeLog.of(Logs.generated(JOBS, 3)));
        rows = log.finishedBy(Long.MAX_VALUE);
        asked = log.features(JOBS - ASKED, JOBS);
        single = new float[ASKED][];
        for (int job = 0; job < ASKED; job++) {
            single[job] = log.row(JOBS - ASKED + job);
        }
        forest = ForestGrower.grow(rows, ForestSettings.DEFAULT, 1);
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public Object fit100000() {
        return ForestGrower.grow(rows, ForestSettings.DEFAULT, 1);
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    @OperationsPerInvocation(ASKED)
    public double[] predictInBatches() {
        return Objects.requireNonNull(forest).means(asked, SubmissionFeatures.COUNT);
    }

    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    @OperationsPerInvocation(ASKED)
    public double predictOneByOne() {
        double sum = 0;
        for (float[] row : single) {
            sum += Objects.requireNonNull(forest).mean(row);
        }
        return sum;
    }
}
