package org.trainyard.agents.heuristic.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.agents.ForSeeds;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;

/**
 * What holds for every scheduler, whatever the jobs; audits are on throughout. The tests of a plug-in are a class that
 * extends this one.
 */
public abstract class SchedulerProperties {
    private final List<SchedulerRegistry.Entry> schedulers;

    /** Judges the schedulers of a plug-in. */
    protected SchedulerProperties(SchedulerPlugin plugin) {
        this(plugin.schedulers());
        assertThat(schedulers).as("schedulers of the plug-in").isNotEmpty();
    }

    protected SchedulerProperties(List<SchedulerRegistry.Entry> schedulers) {
        this.schedulers = List.copyOf(schedulers);
    }

    private record Made(long nanos, Decision decision) {}

    @ForSeeds
    void every_job_finishes_and_the_sums_agree(long seed) {
        RandomScenario world = RandomScenario.of(seed);
        for (SchedulerRegistry.Entry entry : schedulers) {
            Simulator simulator = world.simulator();
            RunResult result = simulator.run(entry.create(world.topology(), AnalyticInterference.DEFAULT, seed));

            assertThat(simulator.isDone()).as(entry.name()).isTrue();
            double gpuSeconds = 0;
            double jctSeconds = 0;
            for (JobOutcome job : result.jobs()) {
                gpuSeconds += job.job().gpus() * (job.runNanos() / 1e9);
                jctSeconds += job.jctNanos() / 1e9;
                assertThat(job.queueingNanos()).as(entry.name()).isNotNegative();
                assertThat(entry.has(SchedulerRegistry.Flag.PREEMPTIVE) || job.preemptions() == 0)
                        .as("%s preempts nobody", entry.name())
                        .isTrue();
            }
            assertThat(result.busyGpuSeconds()).as(entry.name()).isCloseTo(gpuSeconds, within(1e-6 * gpuSeconds));
            assertThat(simulator.jobSeconds()).as(entry.name()).isCloseTo(jctSeconds, within(1e-6 * jctSeconds));
        }
    }

    @ForSeeds
    void a_job_alone_ends_at_its_work_over_its_rate(long seed) {
        RandomScenario world = RandomScenario.ofOneJob(seed);
        RingPerformance alone = new RingPerformance(world.topology(), InterferenceModel.NONE);
        for (SchedulerRegistry.Entry entry : schedulers) {
            Simulator simulator = world.simulator();
            JobSpec job = world.workload().job(0);
            List<Made> made =
                    drive(simulator, entry.create(world.topology(), AnalyticInterference.DEFAULT, seed), () -> {});

            Made start = holdsJobs(entry)
                    ? made.stream()
                            .filter(one -> one.decision() instanceof Decision.Start)
                            .findFirst()
                            .orElseThrow()
                    : made.get(0);
            assertThat(start.decision()).as(entry.name()).isInstanceOf(Decision.Start.class);
            Placement where = ((Decision.Start) start.decision()).placement();
            double seconds = world.workload().trueIterations(0) / alone.aloneRate(job, where);
            long end = simulator.outcome(0).endNanos();
            assertThat(end - start.nanos()).as(entry.name()).isEqualTo(Math.round(seconds * 1e9));
        }
    }

    /**
     * Whether it lets a job wait on an idle cluster, because its definition says so: {@code slurm} looks once a second.
     */
    private static boolean holdsJobs(SchedulerRegistry.Entry entry) {
        return entry.name().startsWith("a-srpt") || entry.name().equals("slurm");
    }

    @ForSeeds
    void watching_a_run_does_not_change_it_and_no_gpu_is_held_twice(long seed) {
        RandomScenario world = RandomScenario.of(seed);
        for (SchedulerRegistry.Entry entry : schedulers) {
            Simulator watched = world.simulator();
            SimView view = watched.view();
            drive(watched, entry.create(world.topology(), AnalyticInterference.DEFAULT, seed), () -> {
                BitSet held = new BitSet();
                for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                    assertThat(view.rate(job) * view.slowdown(job)).isPositive();
                    Placement placement = view.placement(job);
                    assertThat(placement.gpuCount()).isEqualTo(view.job(job).gpus());
                    for (int i = 0; i < placement.gpuCount(); i++) {
                        assertThat(held.get(placement.gpu(i))).as(entry.name()).isFalse();
                        held.set(placement.gpu(i));
                    }
                }
            });
            RunResult alone = RandomScenario.of(seed)
                    .simulatorWithoutAudit()
                    .run(entry.create(world.topology(), AnalyticInterference.DEFAULT, seed));

            assertThat(watched.eventLog().sha256()).as(entry.name()).isEqualTo(alone.eventLogSha256());
        }
    }

    /** As when a policy learns from a heuristic that is asked in situations the policy got into. */
    @ForSeeds
    void composed_schedulers_cope_with_what_others_decided(long seed) {
        RandomScenario world = RandomScenario.of(seed);
        for (SchedulerRegistry.Entry entry : schedulers) {
            if (!entry.replaysTrace()) {
                Simulator simulator = world.simulator();
                Scheduler asked = entry.create(world.topology(), AnalyticInterference.DEFAULT, seed);
                Scheduler other = SchedulerRegistry.named("srtf/random").create(world.topology(), seed);
                RandomGenerator coin = RandomStreams.stream(seed, "coin");
                while (simulator.advance()) {
                    decide(simulator, coin.nextBoolean() ? asked : other, new ArrayList<>(), () -> {});
                }
                assertThat(simulator.isDone()).as(entry.name()).isTrue();
            }
        }
    }

    /** With a predictor that does not know the truth, nothing a scheduler can see tells how much work there is. */
    @ForSeeds
    void decisions_do_not_depend_on_true_work_until_a_job_is_done(long seed) {
        RandomScenario world = RandomScenario.of(seed);
        RandomScenario longer = world.withWorkTimes(1000);
        for (SchedulerRegistry.Entry entry : schedulers) {
            Simulator simulator = world.simulator(new ByDemand());
            List<Made> made =
                    driveToFirstFinish(simulator, entry.create(world.topology(), AnalyticInterference.DEFAULT, seed));
            long until = simulator.view().nowNanos();
            List<Made> madeLonger = driveToFirstFinish(
                    longer.simulator(new ByDemand()),
                    entry.create(world.topology(), AnalyticInterference.DEFAULT, seed));

            assertThat(madeLonger.stream().filter(decision -> decision.nanos() < until))
                    .as(entry.name())
                    .isEqualTo(made);
        }
    }

    /** Guesses from the demand alone. */
    private static final class ByDemand implements RuntimePredictor {
        @Override
        public double predictSeconds(JobSpec job) {
            return 10_000.0 / (1 + job.id() % 7) / job.gpus();
        }

        @Override
        public void finished(JobSpec job, double idealSeconds) {}
    }

    private static List<Made> drive(Simulator simulator, Scheduler scheduler, Runnable afterEach) {
        List<Made> made = new ArrayList<>();
        while (simulator.advance()) {
            decide(simulator, scheduler, made, afterEach);
        }
        return made;
    }

    private static List<Made> driveToFirstFinish(Simulator simulator, Scheduler scheduler) {
        List<Made> made = new ArrayList<>();
        int read = 0;
        while (simulator.advance()) {
            for (; read < simulator.view().journalSize(); read++) {
                if (simulator.view().journalKind(read) == EventKind.FINISH) {
                    return made;
                }
            }
            decide(simulator, scheduler, made, () -> {});
        }
        return made;
    }

    private static void decide(Simulator simulator, Scheduler scheduler, List<Made> made, Runnable afterEach) {
        Decision decision;
        do {
            decision = scheduler.decide(simulator.view());
            made.add(new Made(simulator.view().nowNanos(), decision));
            simulator.apply(decision);
            afterEach.run();
        } while (!(decision instanceof Decision.Wait));
    }
}
