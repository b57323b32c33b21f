package org.trainyard.agents.bench;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
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
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ClusterEnv;
import org.trainyard.env.gym.ClusterScenario;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/**
 * The gym on {@code medium} without a network, replaying an episode of random legal actions: the counter {@code decisions} is actions
 * of agents that had a choice, per second. Beginning an episode counts too, once in some 100,000 steps.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class StepBenchmark {
    private static final int JOBS = 20_000;
    /** A step costs many times as much with preemption. */
    private static final int JOBS_WITH_PREEMPTION = 2_000;

    /** What the steps brought. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Counters {
        public long decisions;
    }

    private final Topology topology = Topologies.medium();
    private final IntArrayList recorded = new IntArrayList();

    /** Whether agents may preempt running jobs. */
    @Param({"false", "true"})
    public boolean preemption;

    private Workload workload = workload();
    private ClusterEnv env = env();
    private float[] row = new float[0];
    private int[] actions = new int[0];
    private int next;

    private Workload workload() {
        int jobs = preemption ? JOBS_WITH_PREEMPTION : JOBS;
        return BenchWorlds.workload(topology, BenchWorlds.generated(topology, jobs, 0.9));
    }

    private ClusterEnv env() {
        RingPerformance truth = new RingPerformance(topology, AnalyticInterference.DEFAULT);
        ClusterScenario world = new ClusterScenario(
                topology, truth, AnalyticInterference.DEFAULT, RuntimePredictor::oracle, Simulator.Options.DEFAULT);
        ClusterEnv.Settings settings =
                new ClusterEnv.Settings(Domains.racks(topology), 16, 2, preemption, Double.POSITIVE_INFINITY, 0.5, 0.5);
        return new ClusterEnv(
                world, settings, episode -> workload, new DelayReward(topology, AnalyticInterference.DEFAULT));
    }

    @Setup
    public void record() {
        workload = workload();
        env = env();
        row = new float[env.spec().size()];
        RandomGenerator random = RandomStreams.stream(1, "actions");
        env.reset(workload);
        int[] step = new int[env.agents()];
        do {
            for (int agent = 0; agent < step.length; agent++) {
                step[agent] = env.isActive(agent) ? draw(agent, random) : ActionSpace.WAIT;
                recorded.add(step[agent]);
            }
        } while (!env.step(step, 0).done());
        actions = recorded.toIntArray();
        next = actions.length;
    }

    private int draw(int agent, RandomGenerator random) {
        env.observe(agent, row, 0);
        int action;
        do {
            action = random.nextInt(env.spec().actions().size());
        } while (row[env.spec().maskAt() + action] == 0);
        return action;
    }

    private void rewind() {
        if (next == actions.length) {
            env.reset(workload);
            next = 0;
        }
    }

    private int active() {
        int active = 0;
        for (int agent = 0; agent < env.agents(); agent++) {
            active += env.isActive(agent) ? 1 : 0;
        }
        return active;
    }

    /** The step alone. */
    @Benchmark
    public double step(Counters counters) {
        rewind();
        counters.decisions += active();
        double reward = env.step(actions, next).reward(0);
        next += env.agents();
        return reward;
    }

    /** The step and, before it, what every agent with a choice sees. */
    @Benchmark
    public double observeAndStep(Counters counters) {
        rewind();
        for (int agent = 0; agent < env.agents(); agent++) {
            if (env.isActive(agent)) {
                env.observe(agent, row, 0);
            }
        }
        return step(counters);
    }
}
