package org.trainyard.agents.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.trainyard.agents.heuristic.SchedulerRegistry;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.trace.TraceJob;

/**
 * How much processor time an online scheduler of the catalogue takes for one decision on 2,048 servers of 8 GPUs while 10,000 jobs wait: the
 * 50th and 99th percentile and the worst, for each scheduler, a line of a table. Planners are left out: they answer for a batch.
 *
 * <p>JMH only starts it: the percentiles wanted are those of single calls in a run whose state goes on changing. The cluster is filled, a
 * backlog of some 12,000 is left, and then jobs come about as often as others end. The first 4,000 calls are not counted, nor what comes
 * after 40 seconds on the processor; the table says how many calls were. A run is made three times, equal to the bit, and of the three
 * times that a call took the least counts, so that neither other programs nor the collector nor the compiler do.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@Fork(1)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class DecisionBenchmark {
    private static final int SERVERS = 2_048;
    private static final int WAITING = 10_000;
    private static final int WARM_UP = 4_000;
    private static final int REPETITIONS = 3;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int CALLS = 10_000;
    private static final long LIMIT_NANOS = 40_000_000_000L;
    /** Members of the tuned family: each order, each placement, patience of each kind. */
    private static final List<String> TUNED = List.of(
            "tuned:sjf+best-fit+delay=2",
            "tuned:fifo+lif+delay=6+limit=1.5",
            "tuned:spwf+lifw+delay=never",
            "tuned:las+spread+delay=never",
            "tuned:srtf+first-fit+delay=0.5",
            "tuned:srtf+best-fit+delay=never+share=0.5");

    private static final long SECOND = 1_000_000_000L;

    /** Names of schedulers, separated by spaces, or {@code online} for all of the catalogue that neither replay nor plan. */
    @Param("online")
    public String schedulers = "online";

    @Benchmark
    public int table() {
        Topology topology = topology();
        Workload workload = BenchWorlds.workload(topology, jobs(topology));
        List<String> names = schedulers.equals("online") ? online() : List.of(schedulers.split(" "));
        System.out.println("\n| scheduler | calls | p50, µs | p99, µs | most, µs |\n|---|--:|--:|--:|--:|");
        for (String name : names) {
            long[] nanos = leastTimes(topology, workload, name);
            if (nanos.length == 0) {
                System.out.printf("| `%s` | 0 | - | - | - |%n", name);
                continue;
            }
            Arrays.sort(nanos);
            System.out.printf(
                    "| `%s` | %d | %.1f | %.1f | %.1f |%n",
                    name,
                    nanos.length,
                    nanos[nanos.length / 2] / 1e3,
                    nanos[(int) (nanos.length * 0.99)] / 1e3,
                    nanos[nanos.length - 1] / 1e3);
        }
        return names.size();
    }

    private static List<String> online() {
        List<String> names = new ArrayList<>();
        for (SchedulerRegistry.Entry entry : SchedulerRegistry.entries()) {
            if (!entry.replaysTrace() && !entry.name().endsWith("-plan")) {
                names.add(entry.name());
            }
        }
        names.addAll(TUNED);
        return names;
    }

    private static Topology topology() {
        Topology topology = Topologies.parse("16x128x8");
        if (topology == null || topology.servers() != SERVERS) {
            throw new IllegalStateException("16x128x8 is not 2,048 servers");
        }
        return topology;
    }

    private static List<TraceJob> jobs(Topology topology) {
        RandomGenerator random = RandomStreams.stream(1, "decisions");
        List<ModelProfile> models = ModelCatalog.standard().profiles();
        int[] widths = {1, 1, 1, 2, 2, 4, 8, 8, 16, 32};
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < WAITING + topology.gpus() / 2; i++) {
            long submit = i < WAITING + topology.gpus() / 4 ? 0 : 10L * (i - WAITING) * SECOND;
            jobs.add(new TraceJob(
                    "job" + i,
                    submit,
                    widths[random.nextInt(widths.length)],
                    (long) ((300 + 40_000 * random.nextDouble()) * SECOND),
                    models.get(random.nextInt(models.size())).name(),
                    null,
                    null,
                    null));
        }
        return jobs;
    }

    private static long[] leastTimes(Topology topology, Workload workload, String name) {
        long[] least = time(topology, workload, name);
        for (int again = 1; again < REPETITIONS; again++) {
            long[] nanos = time(topology, workload, name);
            int calls = Math.min(least.length, nanos.length);
            for (int i = 0; i < calls; i++) {
                least[i] = Math.min(least[i], nanos[i]);
            }
            least = Arrays.copyOf(least, calls);
        }
        return least;
    }

    private static long[] time(Topology topology, Workload workload, String name) {
        Simulator simulator = new Simulator(
                topology,
                workload,
                new RingPerformance(topology, AnalyticInterference.DEFAULT),
                RuntimePredictor.oracle(workload),
                Simulator.Options.DEFAULT);
        Scheduler scheduler = SchedulerRegistry.named(name).create(topology, AnalyticInterference.DEFAULT, 1);
        long[] nanos = new long[CALLS];
        int calls = -WARM_UP;
        long until = THREADS.getCurrentThreadCpuTime() + LIMIT_NANOS;
        while (calls < CALLS && simulator.advance()) {
            Decision decision;
            do {
                long start = THREADS.getCurrentThreadCpuTime();
                decision = scheduler.decide(simulator.view());
                if (calls >= 0 && calls < CALLS) {
                    nanos[calls] = THREADS.getCurrentThreadCpuTime() - start;
                }
                calls++;
                simulator.apply(decision);
                if (THREADS.getCurrentThreadCpuTime() > until) {
                    return Arrays.copyOf(nanos, Math.max(0, Math.min(CALLS, calls)));
                }
            } while (!(decision instanceof Decision.Wait));
        }
        return Arrays.copyOf(nanos, Math.max(0, Math.min(CALLS, calls)));
    }
}
