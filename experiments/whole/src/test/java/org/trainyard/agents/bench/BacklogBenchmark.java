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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;

/**
 * SRTF's time per event while very many jobs wait: short jobs come one by one, push a long one out, and let it in
 * again. That time shall grow as the logarithm of the backlog, less than threefold from a thousand to a million.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx3g")
@Warmup(iterations = 20)
@Measurement(iterations = 20)
public class BacklogBenchmark {
    private static final int EVENTS = 10_000;
    private static final int SHORT_JOBS = 200_000;
    private static final long SECOND = 1_000_000_000L;

    @Param({"1000", "10000", "100000", "1000000"})
    public int waiting;

    private final Topology topology = BenchWorlds.cluster(16);
    private final List<TraceJob> jobs = new ArrayList<>();
    private Simulator simulator =
            BenchWorlds.simulator(topology, BenchWorlds.workload(topology, BenchWorlds.generated(topology, 1, 1)));
    private Scheduler scheduler = SchedulerRegistry.named("srtf").create(topology, 1);

    @Setup(Level.Trial)
    public void fillTheQueue() {
        RandomGenerator random = RandomStreams.stream(1, "backlog");
        for (int i = 0; i < waiting + topology.gpus(); i++) {
            add("long", 0, 1 << random.nextInt(4), (1_000_000 + random.nextInt(9_000_000)) * SECOND);
        }
        for (int i = 0; i < SHORT_JOBS; i++) {
            add("short", (10 + i) * SECOND, 1 << random.nextInt(4), (1 + random.nextInt(20)) * SECOND);
        }
        simulator = BenchWorlds.simulator(topology, BenchWorlds.workload(topology, jobs));
        instant();
    }

    private void add(String name, long submit, int gpus, long duration) {
        jobs.add(new TraceJob(name + jobs.size(), submit, gpus, duration, "resnet50", null, null, null));
    }

    private void instant() {
        simulator.advance();
        simulator.decide(scheduler);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long event() {
        long enough = simulator.eventLog().count() + EVENTS;
        while (simulator.eventLog().count() < enough) {
            instant();
        }
        if (simulator.view().waitingCount() < waiting / 2) {
            throw new IllegalStateException(
                    "only (%d) jobs wait".formatted(simulator.view().waitingCount()));
        }
        return enough;
    }
}
