package org.trainyard.agents.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.agents.heuristic.SchedulerCatalog;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;

/**
 * How long a scheduler thinks about one decision on 2,048 servers of 8 GPUs while 10,000 generated jobs or more wait and others come and
 * go; what the simulator does in between is not measured. The 99th percentile shall be below 5 ms.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 4)
public class DecisionBenchmark {
    private static final int WAITING = 10_000;
    private static final int JOBS = 60_000;
    /** By then the cluster is full, and virtual machines have released jobs. */
    private static final int FIRST_INSTANTS = 3_000;

    @Param({"sjf", "spwf", "a-srpt", "a-srpt-tuned", "spwf-delay"})
    public String scheduler = "sjf";

    private final Topology topology = BenchWorlds.cluster(2048);
    private final List<TraceJob> jobs = new ArrayList<>();
    private Simulator simulator = fresh();
    private Scheduler mind = SchedulerCatalog.named("sjf").create(topology, 1);
    private Decision last = Decision.WAIT;

    private Simulator fresh() {
        if (jobs.isEmpty()) {
            // Enough at the start for the cluster to be full and the queue to be long, then one by one at a load of 1.
            List<TraceJob> drawn = BenchWorlds.generated(topology, JOBS, 1);
            int atOnce = WAITING + 20_000;
            long shift = drawn.get(atOnce).submitNanos();
            for (TraceJob job : drawn) {
                long submit = Math.max(0, job.submitNanos() - shift);
                jobs.add(new TraceJob(
                        job.id(), submit, job.gpus(), job.durationNanos(), job.model(), job.user(), job.group(), null));
            }
        }
        return BenchWorlds.simulator(topology, BenchWorlds.workload(topology, jobs));
    }

    @Setup(Level.Trial)
    public void fillTheCluster() {
        restart();
    }

    private void restart() {
        simulator = fresh();
        mind = SchedulerCatalog.named(scheduler).create(topology, 1);
        for (int i = 0; i < FIRST_INSTANTS; i++) {
            instant();
        }
    }

    private void instant() {
        simulator.advance();
        do {
            last = mind.decide(simulator.view());
            simulator.apply(last);
        } while (!(last instanceof Decision.Wait));
    }

    /** Moves the simulation to where the next decision is due. */
    @Setup(Level.Invocation)
    public void next() {
        if (last instanceof Decision.Wait) {
            if (simulator.view().waitingCount() < WAITING || !simulator.advance()) {
                restart();
                simulator.advance();
            }
        }
    }

    @Benchmark
    public Decision decide() {
        last = mind.decide(simulator.view());
        return last;
    }

    @TearDown(Level.Invocation)
    public void apply() {
        simulator.apply(last);
    }
}
