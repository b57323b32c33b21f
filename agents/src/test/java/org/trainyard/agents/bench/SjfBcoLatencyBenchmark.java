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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.agents.heuristic.SjfBco;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;

/**
 * One decision of online SJF-BCO on 2,048 servers of 8 GPUs with 10,000 jobs waiting, and jobs above 4 GPUs taken for large ones: the
 * answer to "what now?" after a completion, a job started or not. Shall stay under 5 ms in 99 of 100.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 3, time = 5)
public class SjfBcoLatencyBenchmark {
    private static final int WAITING = 10_000;
    private static final long SECOND = 1_000_000_000L;

    private final Topology topology = BenchWorlds.cluster(2048);
    private Simulator simulator =
            BenchWorlds.simulator(topology, BenchWorlds.workload(topology, BenchWorlds.generated(topology, 1, 1)));
    private Scheduler scheduler = new SjfBco(4, 1);
    private Decision decision = Decision.WAIT;

    @Setup(Level.Trial)
    public void fillTheQueue() {
        RandomGenerator random = RandomStreams.stream(1, "latency");
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            // Sixteen thousand GPUs hold about 3,400 jobs of 4.8 GPUs; one comes for each that goes.
            long submit = i < WAITING + 3400 ? 0 : (i - WAITING - 3400) * SECOND;
            int gpus = 1 << random.nextInt(5);
            jobs.add(new TraceJob(
                    "job" + i, submit, gpus, (1 + random.nextInt(6800)) * SECOND, "resnet50", null, null, null));
        }
        simulator = BenchWorlds.simulator(topology, BenchWorlds.workload(topology, jobs));
        scheduler = new SjfBco(4, 1);
        simulator.advance();
        do {
            decision = scheduler.decide(simulator.view());
            simulator.apply(decision);
        } while (!(decision instanceof Decision.Wait));
    }

    /** Time passes outside the measurement. */
    @Setup(Level.Invocation)
    public void apply() {
        if (!simulator.isAsking()) {
            simulator.advance();
        }
        if (simulator.view().waitingCount() < WAITING / 2) {
            throw new IllegalStateException(
                    "only (%d) jobs wait".formatted(simulator.view().waitingCount()));
        }
    }

    @Benchmark
    public Decision decide() {
        decision = scheduler.decide(simulator.view());
        return decision;
    }

    @TearDown(Level.Invocation)
    public void carryOut() {
        simulator.apply(decision);
    }
}
