package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/**
 * The work of jobs that slow each other down, restart, lose work by preemptions and outages, and outlive time limits:
 * of random runs, forked at every other decision, against sums of rates times intervals.
 */
class WorkUnderInterferenceTest {
    private static final int JOBS = 50;
    private static final long RESTART = 40 * SECOND;
    private static final long CHECKPOINT = 200 * SECOND;
    private static final long SAVED_EVERY = 300 * SECOND;
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("2x2x4"));

    /** The sums of a job. */
    private static final class Sums {
        double done;
        double saved;
        double rate;
        double slowdown = 1;
        double slowdownSeconds;
        double interferenceSeconds;
        long overhead;
        long run;
        long productive;
        long sinceStart;
        long lost;
        int preemptions;
        int kills;
        boolean runs;
        int servers;
        long racks;

        void start(boolean resumes, Placement place) {
            overhead = resumes ? overhead + RESTART : 0;
            saved = done;
            sinceStart = 0;
            runs = true;
            servers = place.serverCount();
            racks = IntStream.range(0, servers)
                    .map(i -> TOPOLOGY.rackOf(place.server(i)))
                    .distinct()
                    .count();
        }

        void pass(long nanos) {
            long idle = Math.min(nanos, overhead);
            double seconds = (nanos - idle) / 1e9;
            overhead -= idle;
            run += nanos;
            productive += nanos - idle;
            sinceStart += nanos - idle;
            done += rate * seconds;
            slowdownSeconds += slowdown * seconds;
            interferenceSeconds += (1 - 1 / slowdown) * seconds;
        }

        void lose(long every) {
            long unsaved = sinceStart % every;
            done = Math.max(saved, unsaved == sinceStart ? saved : done - rate * unsaved / 1e9);
            interferenceSeconds -= (1 - 1 / slowdown) * unsaved / 1e9;
            lost += unsaved;
            runs = false;
        }
    }

    private final Sums[] sums =
            IntStream.range(0, JOBS).mapToObj(i -> new Sums()).toArray(Sums[]::new);
    private double gpuSeconds;
    private double jobSeconds;

    private static Workload workload(long seed) {
        Workload drawn = RandomWorkloads.ofFewModels(seed, JOBS, 6);
        List<JobSpec> jobs = new ArrayList<>();
        for (int job = 0; job < JOBS; job++) {
            JobSpec spec = drawn.job(job);
            long limit = job % 9 == 4 ? 2000 * SECOND : 0;
            jobs.add(spec.saying(spec.terms().but().limitNanos(limit).build()));
        }
        return new Workload(
                jobs,
                IntStream.range(0, JOBS).mapToDouble(drawn::trueIterations).toArray());
    }

    private static Simulator simulator(Workload workload, Random random) {
        List<Outages.Recorded.Entry> failures = new ArrayList<>();
        for (int unit = 0; unit < 20; unit += 3) {
            long from = random.nextInt(20_000) * SECOND;
            failures.add(new Outages.Recorded.Entry(unit, new Outage(from, from + 900 * SECOND)));
        }
        RestartCost restart = (job, unpaidNanos) -> unpaidNanos + RESTART;
        return new World(
                        TOPOLOGY,
                        new RingPerformance(TOPOLOGY, AnalyticInterference.DEFAULT),
                        new Simulator.Options(restart, true, null)
                                .with(new Outages.Recorded(failures), CHECKPOINT)
                                .with(PreemptionRules.FREE.savingEvery(SAVED_EVERY)))
                .simulator(workload);
    }

    private void start(Simulator simulator, int job, Random random) {
        SimView view = simulator.view();
        PlacementBuilder builder = new PlacementBuilder(TOPOLOGY, view.cluster());
        int first = random.nextInt(4);
        for (int i = 0; i < 4 && builder.count() < view.job(job).gpus(); i++) {
            int server = (first + i) % 4;
            int left = view.job(job).gpus() - builder.count();
            int taken = Math.min(Math.min(builder.available(server), left), 1 + random.nextInt(4));
            if (taken > 0) {
                builder.take(server, taken);
            }
        }
        if (builder.count() == view.job(job).gpus()) {
            Placement place = builder.build();
            simulator.apply(new Decision.Start(job, place));
            sums[job].start(sums[job].preemptions + sums[job].kills > 0, place);
        }
    }

    private void decide(Simulator simulator, Random random) {
        SimView view = simulator.view();
        for (int job = 0; job < view.arrived(); job++) {
            if (view.state(job) == JobState.WAITING && random.nextInt(4) > 0) {
                start(simulator, job, random);
            } else if (view.state(job) == JobState.RUNNING && random.nextInt(12) == 0) {
                simulator.apply(new Decision.Preempt(job));
                sums[job].lose(SAVED_EVERY);
                sums[job].preemptions++;
            }
        }
    }

    private void pass(SimView view, long nanos) {
        for (Sums job : sums) {
            if (job.runs) {
                job.pass(nanos);
            }
        }
        for (int job = 0; job < view.arrived(); job++) {
            if (sums[job].runs && view.state(job) == JobState.WAITING) {
                sums[job].lose(CHECKPOINT);
                sums[job].kills++;
            }
            sums[job].runs &= view.state(job) == JobState.RUNNING;
        }
    }

    private void compare(Simulator simulator) {
        SimView view = simulator.view();
        assertThat(simulator.busyGpuSeconds()).isCloseTo(gpuSeconds, within(1e-6));
        assertThat(simulator.jobSeconds()).isCloseTo(jobSeconds, within(1e-6));
        for (int job = 0; job < view.arrived(); job++) {
            Sums expected = sums[job];
            assertThat(view.runNanos(job)).isEqualTo(expected.run);
            assertThat(view.kills(job)).isEqualTo(expected.kills);
            assertThat(view.preemptions(job)).isEqualTo(expected.preemptions);
            if (view.state(job) != JobState.DONE) {
                assertThat(view.progressSeconds(job) * view.job(job).idealIterationsPerSecond())
                        .isCloseTo(expected.done, within(1e-6 * (1 + expected.done)));
                assertThat(view.restartSeconds(job)).isEqualTo((expected.overhead + RESTART) / 1e9);
            }
            assertThat(view.unsavedSeconds(job)).isEqualTo(expected.runs ? expected.sinceStart % SAVED_EVERY / 1e9 : 0);
            assertThat(view.rate(job) > 0).isEqualTo(expected.runs);
        }
    }

    private void compare(JobOutcome outcome, double iterations) {
        Sums job = sums[outcome.job().id()];
        double done = outcome.timedOut() ? job.done : iterations;
        assertThat(job.done).isCloseTo(done, within(1e-6 * done));
        assertThat(outcome.meanSlowdown())
                .isCloseTo(job.productive == 0 ? 1 : job.slowdownSeconds / job.productive * 1e9, within(1e-6));
        JobOutcome.TimeOnGpus parts = outcome.onGpus();
        assertThat(parts.nanos()).isEqualTo(job.run);
        assertThat(parts.undisturbedNanos() / 1e9)
                .isCloseTo(done / outcome.job().idealIterationsPerSecond(), within(1e-3));
        assertThat(parts.restartNanos()).isEqualTo(job.run - job.productive + job.lost);
        assertThat(parts.interferenceNanos() / 1e9).isCloseTo(job.interferenceSeconds, within(1e-6));
        assertThat(outcome.servers()).isEqualTo(job.servers);
        assertThat((long) outcome.racks()).isEqualTo(job.racks);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void work_is_the_sum_of_rates_times_intervals(long seed) {
        Random random = new Random(seed);
        Workload workload = workload(seed);
        Simulator simulator = simulator(workload, random);
        boolean goesOn = simulator.advance();
        while (goesOn) {
            compare(simulator);
            decide(simulator, random);
            compare(simulator);
            SimView view = simulator.view();
            long before = view.nowNanos();
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                sums[job].rate = view.rate(job);
                sums[job].slowdown = view.slowdown(job);
                assertThat(view.rate(job) * view.slowdown(job)).isCloseTo(view.rateAlone(job), within(1e-9));
            }
            double held =
                    TOPOLOGY.gpus() - view.cluster().free() - view.cluster().down();
            int inSystem = view.waitingCount() + view.runningCount();
            simulator.apply(
                    view.runningCount() > 0 && random.nextInt(3) > 0
                            ? Decision.WAIT
                            : Decision.waitUntil(before + random.nextInt(1, 600) * SECOND));
            simulator = random.nextBoolean() ? simulator.fork() : simulator;
            goesOn = simulator.advance();
            long elapsed = simulator.view().nowNanos() - before;
            gpuSeconds += held * elapsed / 1e9;
            jobSeconds += inSystem * (elapsed / 1e9);
            pass(simulator.view(), elapsed);
        }
        RunResult result = simulator.result();
        assertThat(result.jobs()).hasSize(JOBS);
        result.jobs()
                .forEach(outcome ->
                        compare(outcome, workload.trueIterations(outcome.job().id())));
        assertThat(result.jobs()).anyMatch(JobOutcome::timedOut);
        assertThat(sums).anyMatch(job -> job.kills > 0).anyMatch(job -> job.preemptions > 1 && job.lost > 0);
        assertThat(result.jobs()).anyMatch(job -> job.meanSlowdown() > 1.1 && job.servers() > 1);
    }
}
