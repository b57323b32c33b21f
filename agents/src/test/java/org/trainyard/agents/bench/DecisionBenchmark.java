package org.trainyard.agents.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
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
import org.trainyard.agents.heuristic.patient.Patient;
import org.trainyard.agents.heuristic.patient.PatientWeights;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.policy.InferencePolicy;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.decentralised.Arrival;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.gym.decentralised.DecentralisedSettings;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.trace.TraceJob;

/**
 * How much processor time the shipped policy and the online schedulers of the catalogue take for one decision while 10,000 jobs and more wait, on 2,048
 * servers of 8 GPUs and on 1,250 and 12,500 under a Clos network: the 50th and 99th percentile and the worst, for each scheduler, a line of a table. Planners are
 * left out: they answer for a batch.
 *
 * <p>JMH only starts it: the percentiles wanted are those of single calls in a run whose state goes on changing. The cluster is filled, a
 * backlog of some 12,000 is left, on 12,500 servers 22,000, and then jobs come about as often as others end. The first calls are not counted, which fill the cluster, nor what comes
 * after 20 seconds on the processor; of these the first calls take half at most. The table says how many calls were. A run is made twice, equal to the bit, and of the two
 * times that a call took the least counts, so that other programs, the collector and the compiler count less.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@Fork(1)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class DecisionBenchmark {
    private static final int WAITING = 10_000;
    private static final int LEAST_WARM_UP = 4_000;
    private static final int GPUS_PER_JOB = 6;
    private static final int REPETITIONS = 2;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int CALLS = 10_000;
    private static final long LIMIT_NANOS = 20_000_000_000L;
    /** Members of the tuned family: each order, each placement, patience of each kind. */
    private static final List<String> TUNED = List.of(
            "tuned:sjf+best-fit+delay=2",
            "tuned:fifo+lif+delay=6+limit=1.5",
            "tuned:spwf+lifw+delay=never",
            "tuned:las+spread+delay=never",
            "tuned:srtf+first-fit+delay=0.5",
            "tuned:srtf+best-fit+delay=never+share=0.5",
            "tuned:srtf+sets");

    /** The shipped policy, as {@link #schedulers} names it. */
    private static final String POLICY = "checkpoints/default";

    private static final long SECOND = 1_000_000_000L;

    /**
     * Names of schedulers, separated by spaces, or {@code online} for the policy and all of the catalogue that neither replay nor plan. {@code @16} after
     * {@code checkpoints/default} or a rule that bids: sixteen agents that decide apart, on one thread, jobs with owners.
     */
    @Param("online")
    public String schedulers = "online";

    @Benchmark
    public int onServers2048() {
        return table("16x128x8");
    }

    @Benchmark
    public int onServers1250() {
        return table("leaf-spine:25x8x50x8@2");
    }

    @Benchmark
    public int onServers12500() {
        return table("leaf-spine:250x8x50x8@2");
    }

    private int table(String cluster) {
        Topology topology = BenchWorlds.named(cluster);
        Workload workload = BenchWorlds.workload(topology, jobs(topology));
        List<String> names = schedulers.equals("online") ? online() : List.of(schedulers.split(" "));
        System.out.printf("%n%,d servers%n%n", topology.servers());
        System.out.println("| scheduler | calls | p50, µs | p99, µs | most, µs |\n|---|--:|--:|--:|--:|");
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
        names.add(POLICY);
        for (SchedulerRegistry.Entry entry : SchedulerRegistry.entries()) {
            if (!entry.replaysTrace() && !entry.name().endsWith("-plan")) {
                names.add(entry.name());
            }
        }
        names.addAll(TUNED);
        return names;
    }

    private static List<TraceJob> jobs(Topology topology) {
        RandomGenerator random = RandomStreams.stream(1, "decisions");
        List<ModelProfile> models = ModelCatalog.standard().profiles();
        int[] widths = {1, 1, 1, 2, 2, 4, 8, 8, 16, 32};
        List<TraceJob> jobs = new ArrayList<>();
        long interval = 163_840 * SECOND / topology.gpus();
        for (int i = 0; i < WAITING + topology.gpus() / 2; i++) {
            long submit = i < WAITING + topology.gpus() / 4 ? 0 : interval * (i - WAITING);
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
        Calls least = time(topology, workload, name, Math.max(LEAST_WARM_UP, topology.gpus() / GPUS_PER_JOB));
        long[] nanos = least.nanos;
        for (int again = 1; again < REPETITIONS; again++) {
            Calls others = time(topology, workload, name, least.warmUp);
            nanos = Arrays.copyOf(nanos, Math.min(nanos.length, others.nanos.length));
            for (int i = 0; i < nanos.length; i++) {
                nanos[i] = Math.min(nanos[i], others.nanos[i]);
            }
        }
        return nanos;
    }

    /** The times of the calls of one run after so many first ones. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Calls(int warmUp, long[] nanos) {}

    private static Calls time(Topology topology, Workload workload, String name, int mostWarmUp) {
        Simulator simulator = BenchWorlds.simulator(topology, workload);
        long from = THREADS.getCurrentThreadCpuTime();
        Scheduler scheduler = scheduler(topology, name);
        long[] nanos = new long[CALLS];
        int warmUp = mostWarmUp;
        int calls = 0;
        long now = from;
        while (calls < warmUp + CALLS && now < from + LIMIT_NANOS && simulator.advance()) {
            Decision decision;
            do {
                long start = THREADS.getCurrentThreadCpuTime();
                decision = scheduler.decide(simulator.view());
                now = THREADS.getCurrentThreadCpuTime();
                if (calls < warmUp && now > from + LIMIT_NANOS / 2) {
                    warmUp = calls;
                }
                if (calls >= warmUp && calls < warmUp + CALLS) {
                    nanos[calls - warmUp] = now - start;
                }
                calls++;
                simulator.apply(decision);
            } while (!(decision instanceof Decision.Wait) && now < from + LIMIT_NANOS);
        }
        return new Calls(warmUp, Arrays.copyOf(nanos, Math.max(0, Math.min(CALLS, calls - warmUp))));
    }

    private static Scheduler scheduler(Topology topology, String name) {
        int at = name.indexOf('@');
        if (at >= 0) {
            return apart(topology, name.substring(0, at), Integer.parseInt(name.substring(at + 1)));
        }
        if (!name.equals(POLICY)) {
            return SchedulerRegistry.named(name).create(topology, AnalyticInterference.DEFAULT, 1);
        }
        return policy().scheduler(new Deployment(
                topology, Domains.racks(topology), null, null, true, AnalyticInterference.DEFAULT));
    }

    private static Scheduler apart(Topology topology, String name, int agents) {
        Domains domains = Domains.even(topology, agents);
        DecentralisedSettings owners = new DecentralisedSettings(1, true, Arrival.HASH, 2);
        PatientWeights rule = PatientWeights.named(name);
        if (rule != null) {
            return Patient.apart(rule, topology, AnalyticInterference.DEFAULT, domains, owners);
        }
        return policy().scheduler(new Deployment(topology, domains, true, AnalyticInterference.DEFAULT)
                .apart(owners, DecentralisedAgents.Workers.SEQUENTIAL));
    }

    private static InferencePolicy policy() {
        Path file = Path.of(System.getProperty("trainyard.root", "."), POLICY, "policy.bin");
        return BidPolicy.load(file).toInferencePolicy();
    }
}
