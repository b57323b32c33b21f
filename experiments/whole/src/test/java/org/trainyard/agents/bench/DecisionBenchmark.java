package org.trainyard.agents.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
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
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.decentralised.Arrival;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.gym.decentralised.DecentralisedSettings;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/**
 * How much processor time the shipped policy and the online schedulers of the catalogue take for one decision while
 * 10,000 jobs and more wait, on 2,048 servers of 8 GPUs, on 1,250 and 12,500 under a Clos network, and on 256 and 4,096
 * whose insides differ: the 50th and 99th percentile, the worst and the calls per second, for each scheduler, a line of
 * a table. Planners are left out: they answer for a batch.
 *
 * <p>JMH only starts it: the percentiles wanted are those of single calls in a run whose state goes on changing. The
 * cluster is filled, a backlog of some 12,000 is left, on 12,500 servers 22,000, and then jobs come about as often as
 * others end. The first calls are not counted, which fill the cluster, nor what comes after {@link #seconds} on the
 * processor; of these the first calls take half at most. The table says how many calls were. A run is made twice, equal
 * to the bit, and of the two times that a call took the least counts, so that other programs, the collector and the
 * compiler count less.
 *
 * <p>Columns for 2 and 16 cores are reckoned: of the bids that agents make in a round, each measured by itself, the
 * longest counts, or an equal share where that is more; all else of a call counts in full.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@Fork(1)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class DecisionBenchmark {
    private static final int LEAST_WARM_UP = 4_000;
    private static final int GPUS_PER_JOB = 6;
    private static final int REPETITIONS = 2;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int CALLS = 10_000;
    private static final int[] CORES = {1, 2, 16};
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

    /** How names of policies that ship begin, in {@link #schedulers}. */
    private static final String POLICIES = "checkpoints/";

    private static final long SECOND = 1_000_000_000L;

    /**
     * Names of schedulers, separated by spaces, or {@code online} for the policy and all of the catalogue that neither
     * replay nor plan. {@code @16} after {@code checkpoints/default} or a rule that bids: sixteen agents that decide
     * apart, on one thread, jobs with owners.
     */
    @Param("online")
    public String schedulers = "online";

    /** How many jobs are there at first, beside a quarter of a job for each GPU. */
    @Param("10000")
    public int waiting = 10_000;

    /** Most time of a run on the processor. */
    @Param("20")
    public int seconds = 20;

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

    /** Four kinds of interior, bandwidths as a graph network believes. */
    @Benchmark
    public int onInteriors256() {
        return table(BenchWorlds.mixedInteriors(256));
    }

    @Benchmark
    public int onInteriors4096() {
        return table(BenchWorlds.mixedInteriors(4096));
    }

    private int table(String cluster) {
        return table(BenchWorlds.named(cluster));
    }

    private int table(Topology topology) {
        Workload workload = BenchWorlds.workload(topology, jobs(topology));
        List<String> names = schedulers.equals("online") ? online() : List.of(schedulers.split(" "));
        System.out.printf("%n%,d servers%n%n", topology.servers());
        System.out.println("| scheduler | calls | calls/s | p50, µs | p99, µs | most, µs | p50, p99 on 2 cores, µs "
                + "| p50, p99 on 16 cores, µs |\n|---|--:|--:|--:|--:|--:|--:|--:|");
        for (String name : names) {
            long[][] nanos = leastTimes(topology, workload, name);
            int calls = nanos[0].length;
            if (calls == 0) {
                System.out.printf("| `%s` | 0 | - | - | - | - | - | - |%n", name);
                continue;
            }
            for (long[] times : nanos) {
                Arrays.sort(times);
            }
            System.out.printf(
                    "| `%s` | %d | %.0f | %.1f | %.1f | %.1f | %.1f, %.1f | %.1f, %.1f |%n",
                    name,
                    calls,
                    calls * 1e9 / Arrays.stream(nanos[0]).sum(),
                    micros(nanos[0], 0.5),
                    micros(nanos[0], 0.99),
                    nanos[0][calls - 1] / 1e3,
                    micros(nanos[1], 0.5),
                    micros(nanos[1], 0.99),
                    micros(nanos[2], 0.5),
                    micros(nanos[2], 0.99));
        }
        return names.size();
    }

    private static double micros(long[] sorted, double share) {
        return sorted[(int) (sorted.length * share)] / 1e3;
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

    private List<TraceJob> jobs(Topology topology) {
        RandomGenerator random = RandomStreams.stream(1, "decisions");
        List<ModelProfile> models = ModelCatalog.standard().profiles();
        int[] widths = {1, 1, 1, 2, 2, 4, 8, 8, 16, 32};
        List<TraceJob> jobs = new ArrayList<>();
        long interval = 163_840 * SECOND / topology.gpus();
        for (int i = 0; i < waiting + topology.gpus() / 2; i++) {
            long submit = i < waiting + topology.gpus() / 4 ? 0 : interval * (i - waiting);
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

    private long[][] leastTimes(Topology topology, Workload workload, String name) {
        Calls least = time(topology, workload, name, Math.max(LEAST_WARM_UP, topology.gpus() / GPUS_PER_JOB));
        long[][] nanos = least.nanos;
        for (int again = 1; again < REPETITIONS; again++) {
            Calls others = time(topology, workload, name, least.warmUp);
            for (int cores = 0; cores < nanos.length; cores++) {
                nanos[cores] = Arrays.copyOf(nanos[cores], Math.min(nanos[cores].length, others.nanos[cores].length));
                for (int i = 0; i < nanos[cores].length; i++) {
                    nanos[cores][i] = Math.min(nanos[cores][i], others.nanos[cores][i]);
                }
            }
        }
        return nanos;
    }

    /** The times of the calls of one run after so many first ones, by {@link #CORES}. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Calls(int warmUp, long[][] nanos) {}

    /** Lets agents bid one after the other and adds up what each number of cores would save. */
    private static final class MeasuredRounds implements DecentralisedAgents.Workers {
        private final long[] saved = new long[CORES.length];

        @Override
        public void each(int count, IntConsumer work) {
            long sum = 0;
            long longest = 0;
            for (int piece = 0; piece < count; piece++) {
                long start = THREADS.getCurrentThreadCpuTime();
                work.accept(piece);
                long nanos = THREADS.getCurrentThreadCpuTime() - start;
                sum += nanos;
                longest = Math.max(longest, nanos);
            }
            for (int i = 0; i < CORES.length; i++) {
                saved[i] += sum - Math.max(longest, sum / CORES[i]);
            }
        }
    }

    private Calls time(Topology topology, Workload workload, String name, int mostWarmUp) {
        Simulator simulator = BenchWorlds.simulator(topology, workload);
        long limit = seconds * SECOND;
        long from = THREADS.getCurrentThreadCpuTime();
        MeasuredRounds rounds = new MeasuredRounds();
        Scheduler scheduler = scheduler(topology, name, rounds);
        long[][] nanos = new long[CORES.length][CALLS];
        int warmUp = mostWarmUp;
        int calls = 0;
        long now = from;
        while (calls < warmUp + CALLS && now < from + limit && simulator.advance()) {
            Decision decision;
            do {
                Arrays.fill(rounds.saved, 0);
                long start = THREADS.getCurrentThreadCpuTime();
                decision = scheduler.decide(simulator.view());
                now = THREADS.getCurrentThreadCpuTime();
                if (calls < warmUp && now > from + limit / 2) {
                    warmUp = calls;
                }
                for (int i = 0; i < CORES.length && calls >= warmUp && calls < warmUp + CALLS; i++) {
                    nanos[i][calls - warmUp] = now - start - rounds.saved[i];
                }
                calls++;
                simulator.apply(decision);
            } while (!(decision instanceof Decision.Wait) && now < from + limit);
        }
        int counted = Math.max(0, Math.min(CALLS, calls - warmUp));
        return new Calls(
                warmUp,
                Arrays.stream(nanos).map(times -> Arrays.copyOf(times, counted)).toArray(long[][]::new));
    }

    private static Scheduler scheduler(Topology topology, String name, MeasuredRounds rounds) {
        int at = name.indexOf('@');
        if (at >= 0) {
            return apart(topology, name.substring(0, at), Integer.parseInt(name.substring(at + 1)), rounds);
        }
        if (!name.startsWith(POLICIES)) {
            return SchedulerRegistry.named(name).create(topology, AnalyticInterference.DEFAULT, 1);
        }
        return policy(name)
                .scheduler(new Deployment(topology, Domains.racks(topology), true, AnalyticInterference.DEFAULT));
    }

    private static Scheduler apart(Topology topology, String name, int agents, MeasuredRounds rounds) {
        Domains domains = Domains.even(topology, agents);
        DecentralisedSettings owners = new DecentralisedSettings(1, true, Arrival.HASH, 2);
        if (name.startsWith("patient")) {
            return Objects.requireNonNull(SchedulerRegistry.named(name).apart())
                    .create(topology, AnalyticInterference.DEFAULT, domains, owners);
        }
        return policy(name)
                .scheduler(new Deployment(topology, domains, true, AnalyticInterference.DEFAULT).apart(owners, rounds));
    }

    private static BidPolicy policy(String name) {
        Path file = Path.of(System.getProperty("trainyard.root", "."), name, "policy.bin");
        return BidPolicy.load(file);
    }
}
