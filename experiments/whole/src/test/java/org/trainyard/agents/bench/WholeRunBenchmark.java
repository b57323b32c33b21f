package org.trainyard.agents.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/** Real traces from end to end on 2,048 GPUs: the counter {@code events} is events of the log per second. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx3g")
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
public class WholeRunBenchmark {
    /** What a run brought. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Counters {
        public long events;
    }

    @Param({"elasticflow_itp/cluster04.csv.gz", "philly/philly_pass.csv.gz"})
    public String trace = "";

    @Param({"fifo", "sjf", "srtf"})
    public String scheduler = "";

    @Param({"none", "sjf-bco"})
    public String contention = "";

    private final Topology topology = BenchWorlds.named("16x16x8");
    private Workload workload = BenchWorlds.workload(topology, BenchWorlds.generated(topology, 1, 1));

    @Setup
    public void read() {
        workload = BenchWorlds.workload(topology, BenchWorlds.real(trace));
    }

    @Benchmark
    public String run(Counters counters) {
        RunResult result = contention.equals("none")
                ? BenchWorlds.run(topology, workload, scheduler)
                : BenchWorlds.runContended(topology, workload, scheduler);
        counters.events += result.events();
        return result.eventLogSha256();
    }
}
