package org.trainyard.agents.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.env.topology.Topology;

/**
 * 3,400,000 jobs on 6,000 GPUs, about what a year brings to a large data centre, drawn and run: within 120 s and 4 GB.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class YearBenchmark {
    @Param({"sjf"})
    public String scheduler = "";

    @Param({"3400000"})
    public int jobs;

    @Benchmark
    public String year() {
        Topology topology = BenchWorlds.cluster(750);
        return BenchWorlds.run(
                        topology, BenchWorlds.workload(topology, BenchWorlds.generated(topology, jobs, 0.9)), scheduler)
                .eventLogSha256();
    }
}
