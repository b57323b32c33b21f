package org.trainyard.agents.heuristic.composed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.TunedSchedulers;
import org.trainyard.agents.heuristic.scenario.RandomScenario;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/** Schedules of members of the tuned family worked out on paper: ideal rates, run times known, restarts for nothing. */
class ComposedSchedulerTest {
    private static final Pressure MUCH = new Pressure(0, 1, 0);
    private static final Pressure NONE = new Pressure(0, 0, 0);
    /** Slows its like down, and is slowed down by it: two halves of a server by 1/2 each. */
    private static final ModelProfile NOISY = new ModelProfile("noisy", 1, 0, 1, MUCH, MUCH);

    private static final ModelProfile QUIET = new ModelProfile("quiet", 1, 0, 1, NONE, NONE);

    private static List<Long> ends(String cluster, String member, TimedJobs jobs) {
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        Scheduler scheduler = SchedulerRegistry.named(member).create(topology, AnalyticInterference.DEFAULT, 1);
        return TimedJobs.endSeconds(jobs.run(topology, scheduler, 0));
    }

    /**
     * Two servers with one GPU free each; the job of two GPUs comes at 10, runs 50 s, and at 60 a server becomes free.
     */
    @ParameterizedTest
    @CsvSource({"0, 60", "0.5, 85", "2, 110", "never, 110"})
    void a_job_waits_for_one_server_up_to_its_delay(String delay, long end) {
        TimedJobs jobs = TimedJobs.list().job(3, 0, 100).job(3, 0, 60).job(2, 10, 50);

        assertThat(ends("2x4", "tuned:fifo+best-fit+delay=" + delay, jobs)).containsExactly(100L, 60L, end);
    }

    /** The short job has waited long enough at 35, the long one of the same kind before it in the queue has not. */
    @Test
    void who_comes_later_may_lose_patience_first() {
        TimedJobs jobs =
                TimedJobs.list().job(3, 0, 100).job(3, 0, 100).job(2, 10, 1000).job(2, 10, 50);

        assertThat(ends("2x4", "tuned:fifo+best-fit+delay=0.5", jobs)).containsExactly(100L, 100L, 1100L, 85L);
    }

    /** Both servers have room for two of three; 12 GPUs need two servers of eight, of which one is free only at 100. */
    @Test
    void a_gang_wider_than_a_server_waits_for_as_few_as_it_needs() {
        TimedJobs jobs =
                TimedJobs.list().job(6, 0, 100).job(6, 0, 90).job(6, 0, 80).job(12, 10, 20);

        // Free at 80: 2, 2 and 8 GPUs, three servers' worth; at 90: 2, 8 and 8.
        assertThat(ends("3x8", "tuned:fifo+best-fit+delay=never", jobs)).containsExactly(100L, 90L, 80L, 110L);
        assertThat(ends("3x8", "tuned:fifo+best-fit", jobs)).containsExactly(100L, 90L, 80L, 100L);
    }

    @ParameterizedTest
    @CsvSource({"fifo, 120, 220", "sjf, 120, 220", "spwf, 220, 200"})
    void predicted_work_is_time_times_gpus(String order, long wide, long narrow) {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 100).job(8, 10, 20).job(1, 20, 100);

        assertThat(ends("1x8", "tuned:%s+best-fit".formatted(order), jobs)).containsExactly(100L, wide, narrow);
    }

    /**
     * The wide job has 160 GPU-seconds and 57 seconds times the root of its GPUs, the narrow one 100 of both; the
     * margin keeps all from preemption.
     */
    @ParameterizedTest
    @CsvSource({"0, 120, 220", "0.5, 120, 220", "1, 220, 200"})
    void the_wider_a_job_the_later_it_goes_by_the_exponent_of_its_gpus(String width, long wide, long narrow) {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 100).job(8, 10, 20).job(1, 20, 100);

        assertThat(ends("1x8", "tuned:gittins+best-fit+margin=1000000+width=" + width, jobs))
                .containsExactly(100L, wide, narrow);
    }

    /** The long job has 90 s left when the short one comes, and a restart costs it 50 s. */
    @ParameterizedTest
    @CsvSource({
        "srtf+best-fit+margin=0, 0, 170, 30",
        "srtf+best-fit+margin=0, 2, 100, 120",
        "srtf+best-fit+margin=0+migrate=never, 0, 170, 30",
        "srtf+best-fit+margin=0+migrate=0.5, 2, 100, 120"
    })
    void a_charge_for_the_restart_keeps_a_job_that_would_hardly_gain(
            String member, String charge, long longEnd, long shortEnd) {
        Topology topology = Objects.requireNonNull(Topologies.parse("1x8"));
        TimedJobs jobs = TimedJobs.list().job(8, 0, 100).job(8, 10, 20);
        String name = "tuned:" + member + (charge.equals("0") ? "" : "+charge=" + charge);

        assertThat(TimedJobs.endSeconds(
                        jobs.run(topology, SchedulerRegistry.named(name).create(topology, 1), 50)))
                .containsExactly(longEnd, shortEnd);
    }

    /** Two small jobs share the first server, or each takes one; a job of a whole server shows which. */
    @ParameterizedTest
    @CsvSource({"best-fit, 60", "first-fit, 60", "spread, 150"})
    void a_placement_packs_or_spreads(String placement, long end) {
        TimedJobs jobs = TimedJobs.list().job(2, 0, 100).job(2, 0, 100).job(4, 10, 50);

        assertThat(ends("2x4", "tuned:fifo+%s+delay=never".formatted(placement), jobs))
                .containsExactly(100L, 100L, end);
    }

    /** At 60 the first server is free and the second half full. */
    @ParameterizedTest
    @CsvSource({"best-fit, 120", "first-fit, 210"})
    void best_fit_leaves_the_free_server_for_who_needs_it_all(String placement, long end) {
        TimedJobs jobs =
                TimedJobs.list().job(4, 0, 50).job(2, 0, 200).job(2, 60, 100).job(4, 70, 50);

        assertThat(ends("2x4", "tuned:fifo+%s+delay=never".formatted(placement), jobs))
                .containsExactly(50L, 200L, 160L, end);
    }

    @Test
    void lif_keeps_apart_who_disturb_each_other_and_packs_who_do_not() {
        TimedJobs noisy =
                TimedJobs.list().job(NOISY, 2, 0, 100).job(NOISY, 2, 0, 100).job(QUIET, 4, 10, 50);
        TimedJobs quiet =
                TimedJobs.list().job(NOISY, 2, 0, 100).job(QUIET, 2, 0, 100).job(QUIET, 4, 10, 50);

        assertThat(ends("2x4", "tuned:fifo+lif+delay=never", noisy)).containsExactly(100L, 100L, 150L);
        assertThat(ends("2x4", "tuned:fifo+lif+delay=never", quiet)).containsExactly(100L, 100L, 60L);
        assertThat(ends("2x4", "lif", quiet)).containsExactly(100L, 100L, 60L);
    }

    /** The third job meets a neighbour for 10 s on the second server, or for all its 100 s on the first. */
    @ParameterizedTest
    @CsvSource({"lif, 80", "lifw, 160"})
    void weighted_by_overlap_a_neighbour_soon_gone_counts_little(String placement, long end) {
        TimedJobs jobs = TimedJobs.list()
                .job(NOISY, 2, 0, 200)
                .job(NOISY, 2, 0, 20)
                .job(NOISY, 2, 10, 100)
                .job(QUIET, 4, 30, 50);

        assertThat(ends("2x4", "tuned:fifo+%s+delay=never".formatted(placement), jobs))
                .containsExactly(200L, 20L, 110L, end);
    }

    /** Each would slow the other down by 1/2, a sum of 1 beyond 1; the second comes at 10 and runs 20 s. */
    @ParameterizedTest
    @CsvSource({"limit=2.1, 30", "limit=1.9, 70", "limit=1.9+patience=10, 120", "limit=1.9+patience=0, 30"})
    void a_job_waits_while_more_interference_than_the_limit_is_predicted(String knobs, long end) {
        TimedJobs jobs = TimedJobs.list().job(NOISY, 2, 0, 100).job(NOISY, 2, 10, 20);

        assertThat(ends("1x4", "tuned:fifo+best-fit+" + knobs, jobs)).containsExactly(100L, end);
    }

    /** Two hours are long; together the two would hold all GPUs, and the third is short. */
    @Test
    void long_jobs_hold_a_share_of_the_gpus_at_most() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 7200).job(4, 0, 7200).job(4, 10, 100);

        assertThat(ends("1x8", "tuned:fifo+best-fit+share=0.5+long=1", jobs)).containsExactly(7200L, 14400L, 110L);
        assertThat(ends("1x8", "tuned:fifo+best-fit+share=1+long=1", jobs)).containsExactly(7200L, 7200L, 7300L);
    }

    @Test
    void a_long_job_wider_than_the_share_runs_when_no_other_long_job_does() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 7200).job(8, 0, 7200);

        assertThat(ends("1x8", "tuned:fifo+best-fit+share=0.1+long=1", jobs)).containsExactly(7200L, 14400L);
    }

    /** Two and one GPUs are free; pushing out the two on the first server frees a whole one. */
    @Test
    void a_preemptive_order_frees_as_few_servers_as_the_beneficiary_needs() {
        TimedJobs jobs = TimedJobs.list().job(2, 0, 1000).job(3, 0, 500).job(4, 10, 50);

        assertThat(ends("2x4", "tuned:srtf+best-fit+delay=never+margin=0", jobs))
                .containsExactly(1050L, 500L, 60L);
    }

    /** Six GPU-minutes sink a job: the first has them at 90 s of 4 GPUs. */
    @Test
    void las_pushes_out_who_has_sunk() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 200).job(4, 10, 50);

        assertThat(ends("1x4", "tuned:las+best-fit+queues=360", jobs)).containsExactly(250L, 140L);
    }

    /**
     * Each of two jobs holds half of a server; a long job wants a whole one. One of the two moves to the half server
     * beside the other, the one with more time left, because a restart costs it less.
     */
    @ParameterizedTest
    @CsvSource({
        "srtf, 0, 1000, 2500",
        "srtf, 1, 1000, 2010",
        "gittins, 1, 1000, 2010",
        "srtf, 0.01, 1000, 2500",
        "srtf, never, 1000, 2010"
    })
    void a_job_in_the_way_migrates_where_there_is_room(String order, String migrate, long moved, long beneficiary) {
        TimedJobs jobs = TimedJobs.list().job(2, 0, 1000).job(2, 0, 500).job(4, 10, 2000);

        assertThat(ends("2x4", "tuned:%s+spread+delay=never+migrate=%s".formatted(order, migrate), jobs))
                .containsExactly(moved, 500L, beneficiary);
    }

    /**
     * Two racks of two servers; at 20 one server of each is free, at 60 a rack. The gang of both servers comes at 30
     * and runs 50 s.
     */
    @ParameterizedTest
    @CsvSource({
        "fifo+sets+delay=never, 80",
        "fifo+sets+delay=never+racks=1, 110",
        "fifo+sets+delay=0.5+racks=1, 105",
        "srtf+sets+delay=never+migrate=1+racks=1, 80"
    })
    void a_gang_waits_for_one_rack_or_a_job_in_the_way_migrates_to_the_other(String knobs, long end) {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .job(4, 0, 20)
                .job(4, 0, 60)
                .job(4, 0, 20)
                .job(8, 30, 50);

        assertThat(ends("2x2x4", "tuned:" + knobs, jobs)).containsExactly(100L, 20L, 60L, 20L, end);
    }

    /**
     * The first job has outrun its prediction of 10 s twentyfold: nearly done by prediction, far from it by the Gittins
     * index.
     */
    @ParameterizedTest
    @CsvSource({"srtf, 1000, 1020", "gittins, 1020, 220"})
    void a_job_that_outran_its_prediction_ranks_low_by_the_gittins_index(String order, long first, long second) {
        Topology topology = Objects.requireNonNull(Topologies.parse("1x4"));
        Workload workload = TimedJobs.list().job(4, 0, 1000).job(4, 200, 20).workload();
        double[] predicted = {10, 20};
        RuntimePredictor predictor = new RuntimePredictor() {
            @Override
            public double predictSeconds(JobSpec job) {
                return predicted[job.id()];
            }

            @Override
            public void finished(JobSpec job, double idealSeconds) {}
        };
        Scheduler scheduler = SchedulerRegistry.named("tuned:%s+best-fit+margin=0".formatted(order))
                .create(topology, 1);

        assertThat(TimedJobs.endSeconds(new World(topology, new RatedPerformance(), new Simulator.Options(0, true))
                        .telling(told -> predictor)
                        .simulator(workload)
                        .run(scheduler)))
                .containsExactly(first, second);
    }

    /** Servers of 4 and of 8 GPUs: a plan for a gang may clear more servers than the gang needs on an empty cluster. */
    @ParameterizedTest
    @ValueSource(strings = {"tuned:gittins+lif+delay=never+migrate=1", "tuned:srtf+spread+delay=2+migrate=never"})
    void plans_end_where_servers_differ_in_size(String member) {
        Topology topology = new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(Collections.nCopies(4, ServerSpec.ofV100(4)))
                .rack(Collections.nCopies(2, ServerSpec.ofV100(8)))
                .build();
        for (long seed = 1; seed <= 8; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "mixed");
            TimedJobs jobs = TimedJobs.list();
            long submit = 0;
            for (int i = 0; i < 150; i++) {
                submit += random.nextInt(120);
                jobs = jobs.job(1 + random.nextInt(16), submit, 30 + random.nextInt(2_000));
            }
            Scheduler scheduler = SchedulerRegistry.named(member).create(topology, AnalyticInterference.DEFAULT, 1);
            assertThat(jobs.run(topology, scheduler, 30).jobs()).hasSize(150);
        }
    }

    @ForSeeds
    void members_finish_every_job_repeat_themselves_and_cope_with_others(long seed) {
        RandomScenario world = RandomScenario.of(seed);
        RandomGenerator random = RandomStreams.stream(seed, "members");
        for (int i = 0; i < 12; i++) {
            SchedulerRegistry.Entry entry = TunedSchedulers.tuned(draw(random));
            String first = run(world, entry, seed);
            assertThat(run(world, entry, seed)).as(entry.name()).isEqualTo(first);

            Simulator simulator = world.simulator();
            Scheduler asked = entry.create(world.topology(), AnalyticInterference.DEFAULT, seed);
            Scheduler other = SchedulerRegistry.named("srtf/random").create(world.topology(), seed);
            while (simulator.advance()) {
                Decision decision;
                do {
                    decision = (random.nextBoolean() ? asked : other).decide(simulator.view());
                    simulator.apply(decision);
                } while (!(decision instanceof Decision.Wait));
            }
            assertThat(simulator.isDone()).as(entry.name()).isTrue();
        }
    }

    private static String run(RandomScenario world, SchedulerRegistry.Entry entry, long seed) {
        Simulator simulator = world.simulator();
        String hash = simulator
                .run(entry.create(world.topology(), AnalyticInterference.DEFAULT, seed))
                .eventLogSha256();
        assertThat(simulator.isDone()).as(entry.name()).isTrue();
        return hash;
    }

    static ComposedSettings draw(RandomGenerator random) {
        List<Double> delays = new ArrayList<>(List.of(0.0, 0.5, 2.0, 6.0, Double.POSITIVE_INFINITY));
        ComposedSettings.Order[] orders = ComposedSettings.Order.values();
        ComposedSettings.Placement[] placements = ComposedSettings.Placement.values();
        ComposedSettings settings = ComposedSettings.of(
                        orders[random.nextInt(orders.length)], placements[random.nextInt(placements.length)])
                .with(Knob.DELAY, delays.get(random.nextInt(delays.size())));
        boolean migrates = settings.order().isByRemainingTime() && random.nextBoolean();
        settings = migrates ? settings.with(Knob.MIGRATE, 4 * random.nextDouble()) : settings;
        settings = settings.canKeepToRack() && random.nextBoolean() ? settings.with(Knob.RACKS, 1) : settings;
        boolean isWeighted = settings.order().isByGittinsIndex() && random.nextBoolean();
        settings = isWeighted ? settings.with(Knob.WIDTH, 2 * random.nextDouble()) : settings;
        settings = random.nextBoolean()
                ? settings
                : settings.with(Knob.LIMIT, 1 + random.nextDouble()).with(Knob.PATIENCE, random.nextInt(4));
        return random.nextBoolean()
                ? settings
                : settings.with(Knob.SHARE, 0.25 + random.nextDouble() / 2).with(Knob.LONG, 0.05);
    }
}
