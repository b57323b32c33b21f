package org.trainyard.agents.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.agents.heuristic.SchedulerCatalog;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelCatalog;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;

/**
 * How long one decision takes on 2,048 servers of 8 GPUs while 10,000 jobs wait and a job comes every other minute; the 99th percentile
 * shall be under 5 ms.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class DecisionLatencyBenchmark {
    private static final int SERVERS = 2_048;
    private static final int WAITING = 10_000;
    private static final long SECOND = 1_000_000_000L;

    @Param({"las", "srtf", "dally", "dally-renew", "tiresias", "tiresias-gittins", "gandiva", "themis"})
    public String name = "las";

    private final Topology topology =
            Topology.uniform("2048x8", Fabric.DEFAULT, 128, SERVERS / 128, ServerSpec.ofV100(8), 8);
    private final Workload workload = new WorkloadBuilder(
                    topology, ModelCatalog.standard(), new WorkloadBuilder.Options(1, false, true))
            .rated(jobs())
            .workload();
    private Simulator simulator = simulator();
    private Scheduler scheduler = SchedulerCatalog.named("las").create(topology, 1);
    private Decision decision = Decision.WAIT;

    /** As many as fill the cluster three times, and more that come later. */
    private static List<TraceJob> jobs() {
        RandomGenerator random = RandomStreams.stream(1, "latency");
        int[] gpus = {1, 1, 1, 2, 4, 8, 8, 16, 32};
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 3 * WAITING; i++) {
            long submit = i < 13_000 ? 0 : (i - 13_000) * 120L * SECOND;
            long seconds = (long) Math.exp(11 + 1.5 * random.nextGaussian()) + 600;
            jobs.add(new TraceJob(
                    "j" + i, submit, gpus[random.nextInt(gpus.length)], seconds * SECOND, null, null, null, null));
        }
        return jobs;
    }

    private Simulator simulator() {
        return new Simulator(
                topology,
                workload,
                new RatedPerformance(),
                RuntimePredictor.oracle(workload),
                Simulator.Options.DEFAULT);
    }

    @Setup(Level.Iteration)
    public void begin() {
        simulator = simulator();
        scheduler = SchedulerCatalog.named(name).create(topology, 1);
        simulator.advance();
        decision = scheduler.decide(simulator.view());
        while (!(decision instanceof Decision.Wait)) {
            simulator.apply(decision);
            decision = scheduler.decide(simulator.view());
        }
    }

    /** Carries the last decision out, and lets time pass when it was to wait. */
    @Setup(Level.Invocation)
    public void goOn() {
        simulator.apply(decision);
        if (decision instanceof Decision.Wait && !simulator.advance()) {
            begin();
        }
    }

    @Benchmark
    public Decision decide() {
        decision = scheduler.decide(simulator.view());
        return decision;
    }
}
