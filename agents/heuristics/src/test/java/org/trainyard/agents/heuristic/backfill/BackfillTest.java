package org.trainyard.agents.heuristic.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;

class BackfillTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology TOPOLOGY = Topology.uniform("2x3x4", Fabric.DEFAULT, 2, 3, ServerSpec.ofV100(4), 2);

    /** First in, first out, with so many reservations; keeps the earliest start that each job was promised. */
    private static final class Promising implements Scheduler {
        private final Backfill backfill;
        private final Placer placer = new BestFit();
        private final Map<Integer, Long> promised = new HashMap<>();

        Promising(int most) {
            backfill = new Backfill(most, RunTimeEstimate.LIMITS);
        }

        @Override
        public Decision decide(SimView view) {
            backfill.begin(view, true);
            List<Integer> order = new ArrayList<>();
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                order.add(job);
            }
            for (int job : order) {
                JobSpec spec = view.job(job);
                backfill.visit(view, job);
                Placement where = placer.place(view, spec);
                if (where != null && backfill.mayStart(view, job, where)) {
                    return new Decision.Start(job, where);
                }
                Placement beside = where == null ? null : backfill.beside(view, spec, Integer.MAX_VALUE);
                if (beside != null && backfill.mayStart(view, job, beside)) {
                    return new Decision.Start(job, beside);
                }
                backfill.reserve(view, job, Integer.MAX_VALUE);
            }
            for (int job : order) {
                promised.merge(job, backfill.startNanos(job), Math::min);
            }
            return Decision.WAIT;
        }
    }

    /** Jobs of all shapes whose limits are at least their run times. */
    private static Workload workload(RandomGenerator random) {
        return workload(random, 5 + random.nextInt(25), 60);
    }

    /** The same, so many that come within so many seconds of each other. */
    private static Workload workload(RandomGenerator random, int jobs, int apart) {
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[jobs];
        long submit = 0;
        for (int job = 0; job < iterations.length; job++) {
            submit += random.nextInt(2) == 0 ? 0 : random.nextInt(apart) * SECOND;
            long seconds = 1L + random.nextInt(100);
            long limit = seconds + (random.nextInt(3) == 0 ? 0 : random.nextInt(200));
            TrainingPlan plan = TrainingPlan.RingAllReduce.INSTANCE;
            JobSpec spec =
                    new JobSpec(job, "job" + job, submit, Demand.ofGpus(1), RandomWorkloads.model(random), plan, 1);
            specs.add(spec.demanding(demand(random))
                    .saying(spec.terms().but().limitNanos(limit * SECOND).build()));
            iterations[job] = seconds;
        }
        return new Workload(specs, iterations);
    }

    private static Demand demand(RandomGenerator random) {
        return switch (random.nextInt(6)) {
            case 0 -> Demand.ofGpus(4).onOneServer();
            case 1 -> Demand.ofGpus(1 + random.nextInt(24));
            case 2 -> Demand.ofGpus(2 + random.nextInt(3)).onOneServer();
            default -> Demand.ofGpus(1 + random.nextInt(8));
        };
    }

    private static void check(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/backfill");
        Workload workload = workload(random);
        Promising scheduler =
                new Promising(List.of(1, 2, 3, 5, Integer.MAX_VALUE).get(random.nextInt(5)));
        RunResult result = new World(TOPOLOGY, new RatedPerformance(), new Simulator.Options(0, true))
                .simulator(workload)
                .run(scheduler);

        assertThat(result.jobs()).hasSize(workload.size());
        for (JobOutcome job : result.jobs()) {
            assertThat(job.timedOut()).isFalse();
            assertThat(job.firstStartNanos())
                    .as("seed %d, %s", seed, job.job().name())
                    .isLessThanOrEqualTo(
                            scheduler.promised.getOrDefault(job.job().id(), Long.MAX_VALUE));
        }
    }

    /** A job that runs since 0 and a wide one that waits, at 40 s. */
    private static Simulator atFortySeconds(TimedJobs jobs) {
        Simulator simulator = jobs.simulator(TOPOLOGY);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(TOPOLOGY, 0)));
        simulator.apply(Decision.waitUntil(40 * SECOND));
        simulator.advance();
        return simulator;
    }

    /** Of a run of 60 s with a limit of 100 s, 20 s are to come at 40 s. */
    @Test
    void a_scheduler_that_begins_amid_a_run_plans_with_what_is_left_of_it() {
        SimView view = atFortySeconds(
                        TimedJobs.list().job(1, 0, 60).limited(100).job(24, 0, 10))
                .view();
        for (RunTimeEstimate estimate : RunTimeEstimate.values()) {
            Backfill backfill = new Backfill(1, estimate);
            backfill.begin(view, true);
            backfill.visit(view, 1);
            backfill.reserve(view, 1, Integer.MAX_VALUE);

            assertThat(backfill.startNanos(1)).isEqualTo((estimate == RunTimeEstimate.LIMITS ? 100 : 60) * SECOND);
        }
    }

    /** Beside a reservation at 100 s, servers with 3, 3, 4, 4, 4 and 4 free GPUs: a gang of 10 takes 4, 4 and 2. */
    @Test
    void a_gang_beside_a_reservation_has_the_fewest_servers() {
        Simulator simulator = TimedJobs.list()
                .job(1, 0, 100)
                .job(1, 0, 100)
                .job(24, 0, 10)
                .job(10, 0, 50)
                .simulator(TOPOLOGY);
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(TOPOLOGY, 0)));
        simulator.apply(new Decision.Start(1, Placement.of(TOPOLOGY, 4)));
        SimView view = simulator.view();
        Backfill backfill = new Backfill(1, RunTimeEstimate.LIMITS);
        backfill.begin(view, true);
        backfill.visit(view, 2);
        backfill.reserve(view, 2, Integer.MAX_VALUE);
        backfill.visit(view, 3);

        Placement beside = Objects.requireNonNull(backfill.beside(view, view.job(3), Integer.MAX_VALUE));
        assertThat(backfill.startNanos(2)).isEqualTo(100 * SECOND);
        assertThat(beside.serverCount()).isEqualTo(3);
        assertThat(IntStream.range(0, 3).map(beside::gpusOn)).containsExactlyInAnyOrder(4, 4, 2);
        assertThat(backfill.beside(view, view.job(3), 2)).isNull();
    }

    @Test
    void no_job_with_a_reservation_is_delayed_when_limits_are_true() {
        for (long seed = 0; seed < 300; seed++) {
            check(seed);
        }
    }

    /** Jobs are few, or more than plans are made anew for; one, some or all have reservations. */
    @Test
    void the_starts_and_ends_of_two_hundred_runs_are_frozen() {
        CRC32 digest = new CRC32();
        ByteBuffer times = ByteBuffer.allocate(2 * Long.BYTES);
        for (long seed = 0; seed < 200; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "test/frozen-backfill");
            Workload workload = workload(random, seed % 10 == 0 ? 120 : 10 + random.nextInt(40), 8);
            int most = seed % 10 == 0
                    ? Integer.MAX_VALUE
                    : List.of(1, 3, Integer.MAX_VALUE).get(random.nextInt(3));
            RunResult result = new World(TOPOLOGY, new RatedPerformance(), new Simulator.Options(0, true))
                    .simulator(workload)
                    .run(new Promising(most));
            for (JobOutcome job : result.jobs()) {
                times.clear().putLong(job.firstStartNanos()).putLong(job.endNanos());
                digest.update(times.array());
            }
        }
        assertThat(digest.getValue()).isEqualTo(2_298_453_805L);
    }

    @Test
    @Tag("thorough")
    void nor_in_a_hundred_thousand_runs() {
        for (long seed = 300; seed < 100_300; seed++) {
            check(seed);
        }
    }
}
