package org.trainyard.agents.bench;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.pipeline.planning.DeviceGraph;
import org.trainyard.env.pipeline.planning.PipelinePlan;
import org.trainyard.env.pipeline.planning.PlannerKind;
import org.trainyard.env.topology.Topology;

/** The time to plan GPT-2 XL, merged to 48 layers, on 32 GPUs of four servers. It shall be below a second. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3)
@Measurement(iterations = 10)
public class PlanningBenchmark {
    @Param({"SPP", "DAPPLE"})
    public PlannerKind planner = PlannerKind.SPP;

    private final LayerProfile profile =
            Objects.requireNonNull(ModelArchitectures.find("gpt2-xl")).coarsened(48);
    private final Topology topology = BenchWorlds.cluster(4);
    private final DeviceGraph devices =
            DeviceGraph.of(topology, IntStream.range(0, topology.gpus()).toArray());

    @Benchmark
    public PipelinePlan plan() {
        return planner.planner().plan(profile, devices, 8);
    }
}
