package org.trainyard.interference.runtimes;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.interference.runtime.ForestSettings;

/** A log of 20,000 jobs replayed: all forests and predictions of a simulation of so many jobs. One thread. */
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
public class RuntimeForestBenchmark {
    private final RuntimeLog log = RuntimeLog.of(Logs.generated(20_000, 3));

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public Object replay() {
        return ReplayedLog.of(log, ForestSettings.DEFAULT, 1);
    }
}
