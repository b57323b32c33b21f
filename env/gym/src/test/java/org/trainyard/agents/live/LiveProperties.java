package org.trainyard.agents.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.agents.heuristic.scenario.RandomScenario;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.LiveScheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/**
 * Decisions for a live cluster are those of a simulation; and where a cluster carries out only some proposals, late,
 * while jobs fail and are cancelled, all proposals stay legal. The tests of a plug-in are a class that extends this
 * one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class LiveProperties {
    private static final int STEPS = 250;
    private static final int SEEDS = 2;
    private static final int REPLAYS = 3;

    private final List<SchedulerRegistry.Entry> schedulers;
    private final List<Decision> toCarryOut = new ArrayList<>();

    /** Judges the schedulers of a plug-in. */
    protected LiveProperties(SchedulerPlugin plugin) {
        this(plugin.schedulers());
        assertThat(schedulers).as("schedulers of the plug-in").isNotEmpty();
    }

    protected LiveProperties(List<SchedulerRegistry.Entry> schedulers) {
        this.schedulers = List.copyOf(schedulers);
    }

    Stream<Named<SchedulerRegistry.Entry>> schedulers() {
        return schedulers.stream().map(entry -> Named.of(entry.name(), entry));
    }

    @ParameterizedTest
    @MethodSource("schedulers")
    void every_scheduler_gives_a_live_cluster_the_event_log_of_its_simulation(SchedulerRegistry.Entry entry) {
        for (long seed = 1; seed <= REPLAYS; seed++) {
            long root = seed;
            RecordedRun.Original original = RecordedRun.Original.random(seed, seed > 1);
            RecordedRun.replays(
                    original, () -> entry.create(original.world().topology(), AnalyticInterference.DEFAULT, root));
        }
    }

    @ParameterizedTest
    @MethodSource("schedulers")
    void every_scheduler_proposes_legal_decisions_whatever_the_cluster_does(SchedulerRegistry.Entry entry) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            RandomScenario scenario = RandomScenario.of(seed);
            Topology topology = scenario.topology();
            long root = seed;
            LiveCluster live = new LiveCluster(new World(
                            topology,
                            new RingPerformance(topology, AnalyticInterference.DEFAULT),
                            new Simulator.Options(30_000_000_000L, true))
                    .telling(told -> RuntimePredictor.oracle(scenario.workload())));
            LiveScheduler scheduler =
                    new LiveScheduler(live, () -> entry.create(topology, AnalyticInterference.DEFAULT, root));
            RandomGenerator random = RandomStreams.stream(seed, "disobedience");
            toCarryOut.clear();
            for (int step = 0; step < STEPS; step++) {
                live.moveTo(live.view().nowNanos() + random.nextLong(120_000_000_000L));
                happen(live, scenario.workload(), random);
                if (random.nextInt(3) > 0) {
                    // Proposals are legal: they have been applied one after another, with an audit after each.
                    List<Decision> decisions = scheduler.propose();
                    assertThat(scheduler.propose()).isEqualTo(decisions);
                    toCarryOut.clear();
                    toCarryOut.addAll(decisions);
                }
            }
            assertThat(live.reports()).isGreaterThan(STEPS / 3);
        }
    }

    private void happen(LiveCluster live, Workload source, RandomGenerator random) {
        SimView view = live.view();
        switch (random.nextInt(8)) {
            case 0, 1 -> arrive(live, source, random);
            case 2 -> {
                if (view.runningCount() > 0) {
                    live.finish(view.firstRunning());
                }
            }
            case 3 -> {
                int unit = random.nextInt(
                        view.topology().servers() + view.topology().gpus());
                if (live.isDown(unit)) {
                    live.repair(unit);
                } else if (random.nextInt(4) == 0) {
                    live.breakDown(unit);
                }
            }
            case 4 -> {
                if (view.runningCount() > 0 && random.nextBoolean()) {
                    live.requeue(view.firstRunning());
                } else if (view.waitingCount() > 0) {
                    live.cancel(view.firstWaiting());
                }
            }
            default -> carryOut(live, random);
        }
    }

    private static void arrive(LiveCluster live, Workload source, RandomGenerator random) {
        int id = live.view().arrived();
        if (id < source.size()) {
            JobSpec like = source.job(id);
            JobSpec job = new JobSpec(
                    id,
                    like.name(),
                    live.view().nowNanos(),
                    like.demand(),
                    like.model(),
                    like.plan(),
                    like.idealIterationsPerSecond());
            if (random.nextBoolean()) {
                live.arrive(job, 1 + random.nextInt(10_000));
            } else {
                live.arrive(job);
            }
        }
    }

    /** Carries out all proposals, or some of them. */
    private void carryOut(LiveCluster live, RandomGenerator random) {
        boolean isObedient = random.nextInt(3) == 0;
        for (Decision decision : toCarryOut) {
            if (isObedient || random.nextBoolean()) {
                try {
                    carryOut(live, decision);
                } catch (IllegalArgumentException isNoLongerPossible) {
                    break;
                }
            }
        }
        toCarryOut.clear();
    }

    private static void carryOut(LiveCluster live, Decision decision) {
        if (decision instanceof Decision.Start start) {
            live.start(start.job(), start.placement());
        } else if (decision instanceof Decision.Preempt preempt) {
            live.preempt(preempt.job());
        } else if (decision instanceof Decision.Resize resize) {
            live.resize(resize.job(), resize.placement());
        } else if (decision instanceof Decision.Forward forward) {
            live.forward(forward.job(), forward.domain());
        }
    }
}
