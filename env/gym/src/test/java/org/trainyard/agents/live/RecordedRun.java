package org.trainyard.agents.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.scenario.RandomScenario;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.LiveScheduler;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/**
 * A simulation that plays the real cluster: its arrivals, completions and outages are reported to a live cluster, whose
 * scheduler decides for it.
 */
final class RecordedRun implements EventSink {
    private static final long CHECKPOINT_NANOS = 600_000_000_000L;

    private record Event(long timeNanos, EventKind kind, int job, int argument) {}

    private final Workload workload;
    private final Topology topology;
    private final Simulator simulator;
    private final List<Event> unreported = new ArrayList<>();
    final LiveCluster live;
    final LiveScheduler scheduler;
    private long failures;
    private long preemptions;

    /** The jobs of a run and their world, of which both sides get their own copies. */
    record Original(World world, Workload workload) {
        static Original random(long seed, boolean hasOutages) {
            RandomScenario scenario = RandomScenario.of(seed);
            Simulator.Options options = new Simulator.Options(30_000_000_000L, true);
            World world = new World(
                    scenario.topology(),
                    new RingPerformance(scenario.topology(), AnalyticInterference.DEFAULT),
                    hasOutages ? options.with(new Outages.Exponential(5, 50, 0.2, seed), CHECKPOINT_NANOS) : options);
            return new Original(
                    world.telling(jobs -> RuntimePredictor.lognormal(jobs, 0.5, seed)), scenario.workload());
        }
    }

    RecordedRun(Original original, Supplier<Scheduler> schedulers) {
        World world = original.world();
        workload = original.workload();
        topology = world.topology();
        simulator = world.simulator(workload, this);
        live = new LiveCluster(world.telling(reported -> world.predictors().apply(workload)));
        scheduler = new LiveScheduler(live, schedulers);
    }

    /** A run whose live cluster has the event log of its simulation. */
    static RecordedRun replays(Original original, Supplier<Scheduler> schedulers) {
        String simulated = original.world()
                .simulator(original.workload())
                .run(schedulers.get())
                .eventLogSha256();
        RecordedRun run = new RecordedRun(original, schedulers);
        run.play();

        assertThat(run.simulator.eventLog().sha256()).isEqualTo(simulated);
        assertThat(run.live.eventLog().sha256()).isEqualTo(simulated);
        assertThat(run.scheduler.renewals()).isZero();
        return run;
    }

    @Override
    public void event(long timeNanos, EventKind kind, int job, int argument, @Nullable Placement placement) {
        unreported.add(new Event(timeNanos, kind, job, argument));
    }

    /** Plays the run to its end; the live cluster carries out what it proposes. */
    void play() {
        while (simulator.advance()) {
            report();
            live.moveTo(simulator.view().nowNanos());
            for (Decision decision : scheduler.propose()) {
                simulator.apply(decision);
                carryOut(decision);
            }
            unreported.clear();
        }
        report();
    }

    /** Number of servers and GPUs that failed. */
    long failures() {
        return failures;
    }

    long preemptions() {
        return preemptions;
    }

    String simulated() {
        return simulator.eventLog().sha256();
    }

    private void report() {
        for (Event event : unreported) {
            live.moveTo(event.timeNanos());
            switch (event.kind()) {
                case ARRIVE -> live.arrive(workload.job(event.job()));
                case FINISH -> live.finish(event.job(), workload.trueIterations(event.job()));
                case DOWN -> {
                    failures++;
                    live.breakDown(unit(event));
                }
                case UP -> live.repair(unit(event));
                case KILL -> {
                    // Follows from the failure of its server.
                }
                default -> throw new AssertionError(event);
            }
        }
        unreported.clear();
    }

    private int unit(Event event) {
        return event.job() >= 0 ? event.job() : topology.servers() + event.argument();
    }

    private void carryOut(Decision decision) {
        if (decision instanceof Decision.Start start) {
            live.start(start.job(), start.placement());
        } else if (decision instanceof Decision.Preempt preempt) {
            preemptions++;
            live.preempt(preempt.job());
        } else if (decision instanceof Decision.Resize resize) {
            live.resize(resize.job(), resize.placement());
        } else if (decision instanceof Decision.Forward forward) {
            live.forward(forward.job(), forward.domain());
        } else if (decision instanceof Decision.Reject reject) {
            live.cancel(reject.job());
        }
    }
}
