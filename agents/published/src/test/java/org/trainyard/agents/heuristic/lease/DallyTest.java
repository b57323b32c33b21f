package org.trainyard.agents.heuristic.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.performance.layered.LayeredRingPerformance;
import org.trainyard.env.performance.layered.LayeredRingPerformance.Links;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.dally.DallyJobs;

/** Dally's parts one by one, and schedules worked out on paper; leases are an hour. */
class DallyTest {
    private static final long LEASE = 3_600 * TimedJobs.SECOND;
    private static final Topology ONE_SERVER = cluster("1x8");
    /** Two racks of two servers of four. */
    private static final Topology TWO_RACKS = cluster("2x2x4");

    private static Topology cluster(String shorthand) {
        return Objects.requireNonNull(Topologies.parse(shorthand));
    }

    private static RunResult run(TimedJobs jobs, Topology topology, Dally.Settings settings, long restartSeconds) {
        return jobs.run(topology, new Dally(topology, settings), restartSeconds);
    }

    private static DallyTuner tuner(double... waitedLeases) {
        DallyTuner tuner = new DallyTuner(LEASE, 24);
        for (double leases : waitedLeases) {
            tuner.record(8, Locality.SERVER, 0, (long) (leases * LEASE));
        }
        return tuner;
    }

    /** Completions at 10 and 13, of jobs submitted at 0 and 2: a mean JCT of (10 + 11) / 2. */
    @Test
    void jobs_of_the_whole_cluster_within_their_leases_run_one_after_the_other() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 10).job(8, 2, 3);

        for (String name : List.of("dally", "dally-renew")) {
            assertThat(jobs.run(ONE_SERVER, name, 0).meanJctSeconds()).as(name).isEqualTo(10.5);
        }
    }

    @Test
    void without_history_the_timers_are_six_and_twelve_leases() {
        assertThat(tuner().timers(8, 0)).isEqualTo(new DallyTuner.Timers(6, 12));
    }

    @Test
    void timers_are_the_mean_and_two_deviations_within_bounds() {
        assertThat(tuner(10, 10, 10).timers(8, 0).serverLeases()).isEqualTo(10);
        // Mean 7, deviation 8.49: 24 leases, of which 0.8 x 24 = 19.2 is the most, rounded up.
        assertThat(tuner(1, 1, 19).timers(8, 0)).isEqualTo(new DallyTuner.Timers(20, 12));
    }

    @Test
    void thousands_of_equal_waits_have_no_deviation() {
        double[] waits = new double[5_000];
        Arrays.fill(waits, 13);

        assertThat(tuner(waits).timers(8, 0).serverLeases()).isEqualTo(13);
    }

    @Test
    void the_tuner_forgets_what_is_older_than_its_window_and_keeps_demands_apart() {
        DallyTuner tuner = tuner(10, 10, 10);

        assertThat(tuner.timers(4, 0).serverLeases()).isEqualTo(6);
        assertThat(tuner.timers(8, 24 * LEASE).serverLeases()).isEqualTo(10);
        assertThat(tuner.timers(8, 24 * LEASE + 1).serverLeases()).isEqualTo(6);
    }

    @Test
    void the_tuner_takes_in_waits_of_a_lease_and_more_by_where_they_ended() {
        DallyTuner tuner = tuner(0.9);
        tuner.record(8, Locality.RACK, 0, 20 * LEASE);
        tuner.record(8, Locality.CLUSTER, 0, 30 * LEASE);

        assertThat(tuner.timers(8, 0)).isEqualTo(new DallyTuner.Timers(6, 20));
    }

    /**
     * Four servers of 4; who wants 2 finds one GPU free on each of two servers of rack 0, until the others are done at
     * 3000.
     */
    private static TimedJobs scatteredInOneRack() {
        return TimedJobs.list()
                .job(3, 0, 3000)
                .job(3, 0, 3000)
                .job(4, 0, 3000)
                .job(4, 0, 3000)
                .job(2, 10, 100);
    }

    private static long lastEnd(TimedJobs jobs, Dally.FixedTimers timers) {
        return TimedJobs.endSeconds(run(jobs, TWO_RACKS, Dally.Settings.PUBLISHED.with(timers), 0))
                .get(4);
    }

    @Test
    void a_job_takes_a_scattered_rack_when_its_first_timer_is_over() {
        assertThat(lastEnd(scatteredInOneRack(), new Dally.FixedTimers(0.25, 0.5)))
                .isEqualTo(10 + 900 + 100);
        assertThat(lastEnd(scatteredInOneRack(), Dally.FixedTimers.NO_WAIT)).isEqualTo(10 + 100);
        assertThat(lastEnd(scatteredInOneRack(), Dally.FixedTimers.FULLY_CONSOLIDATED))
                .isEqualTo(3000 + 100);
    }

    @Test
    void a_job_takes_two_racks_when_its_second_timer_is_over() {
        TimedJobs scattered = TimedJobs.list()
                .job(3, 0, 3000)
                .job(4, 0, 3000)
                .job(3, 0, 3000)
                .job(4, 0, 3000)
                .job(2, 10, 100);

        assertThat(lastEnd(scattered, new Dally.FixedTimers(0.25, 0.5))).isEqualTo(10 + 1800 + 100);
    }

    /** Job 1 wants more than a server has, and 2 more than a rack: neither waits for the impossible. */
    @Test
    void jobs_wider_than_a_part_do_not_wait_for_one() {
        Dally.FixedTimers patient = Dally.FixedTimers.FULLY_CONSOLIDATED;
        TimedJobs rack = TimedJobs.list().job(1, 0, 1000).job(5, 0, 100);
        TimedJobs both = TimedJobs.list().job(1, 0, 1000).job(9, 0, 100);

        assertThat(TimedJobs.endSeconds(run(rack, TWO_RACKS, Dally.Settings.PUBLISHED.with(patient), 0)))
                .containsExactly(1000L, 100L);
        assertThat(TimedJobs.endSeconds(run(both, TWO_RACKS, Dally.Settings.PUBLISHED.with(patient), 0)))
                .containsExactly(1000L, 100L);
    }

    /** Its leases end at 3600 and 7200; the 16 s of each restart are in the lease that begins. */
    @Test
    void a_gang_alone_pays_a_restart_at_every_end_of_a_lease() {
        RunResult result = run(TimedJobs.list().job(16, 0, 8000), cluster("2x8"), Dally.Settings.PUBLISHED, 16);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(8000L + 2 * 16);
        assertThat(result.jobs().get(0).preemptions()).isEqualTo(2);
    }

    /** At 3600 the newcomer goes first; 0 runs 3700..7300 and from then again, less 30 s each for a restart. */
    @Test
    void a_lease_that_is_over_lets_the_newcomer_in() {
        RunResult result =
                run(TimedJobs.list().job(8, 0, 10_000).job(8, 10, 100), ONE_SERVER, Dally.Settings.PUBLISHED, 30);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(10_000L + 100 + 30 + 30, 3_700L);
    }

    @Test
    void a_renewed_lease_ends_only_for_somebody() {
        Dally.Settings renewing = Dally.Settings.PUBLISHED.renewingLeases();
        RunResult result = run(TimedJobs.list().job(8, 0, 10_000).job(8, 10, 100), ONE_SERVER, renewing, 30);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(10_000L + 100 + 30, 3_700L);
        // The latecomer waits for nobody: the lease has been over since 3600.
        RunResult late = run(TimedJobs.list().job(8, 0, 10_000).job(8, 5_000, 100), ONE_SERVER, renewing, 30);
        assertThat(TimedJobs.endSeconds(late)).containsExactly(10_000L + 100 + 30, 5_100L);
    }

    @Test
    void settings_out_of_range_are_refused() {
        assertThatThrownBy(() -> new Dally.Settings(0, 24, null, false)).hasMessageContaining("(0 s)");
        assertThatThrownBy(() -> new Dally.FixedTimers(-1, 2)).hasMessageContaining("-1");
    }

    private static Workload twoGpusHalfComputing() {
        Pressure none = new Pressure(0, 0, 0);
        // A second of computing; 2 x 1/2 x 1 GB of gradients are another at 1 GB/s.
        ModelProfile model = new ModelProfile("half", 1, 1e9, 1, none, none);
        JobSpec job = new JobSpec(0, "j", 0, 2, model, 1);
        return new Workload(List.of(job), new double[] {1_000});
    }

    @Test
    void network_sensitivity_is_ideal_time_over_time_on_gpus() {
        Link slow = Link.of(1, 0);
        Links links = new Links(slow, slow, slow, slow);
        assertThat(sensitivityAfterTenSeconds(links)).isCloseTo(0.5, within(1e-9));
        assertThat(sensitivityAfterTenSeconds(Links.FREE)).isCloseTo(1, within(1e-9));
    }

    /** The job waits for five seconds first, which do not count. */
    private static double sensitivityAfterTenSeconds(Links links) {
        Workload workload = twoGpusHalfComputing();
        Simulator simulator = new World(
                        ONE_SERVER,
                        new LayeredRingPerformance(ONE_SERVER, links, model -> 1),
                        Simulator.Options.DEFAULT)
                .simulator(workload);
        simulator.advance();
        assertThat(Dally.networkSensitivity(simulator.view(), 0)).isZero();
        simulator.apply(Decision.waitUntil(5 * TimedJobs.SECOND));
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(ONE_SERVER, 0, 1)));
        simulator.apply(Decision.waitUntil(15 * TimedJobs.SECOND));
        simulator.advance();
        return Dally.networkSensitivity(simulator.view(), 0);
    }

    /** Where places do not matter, waiting for a good one is in vain. */
    @Test
    void on_a_network_that_costs_nothing_no_wait_queues_least() {
        Dally.Settings published = Dally.Settings.PUBLISHED;
        double noWait = queueingHours(published.with(Dally.FixedTimers.NO_WAIT));

        assertThat(noWait).isLessThanOrEqualTo(queueingHours(published));
        assertThat(noWait).isLessThanOrEqualTo(queueingHours(published.with(Dally.FixedTimers.FULLY_CONSOLIDATED)));
    }

    private static double queueingHours(Dally.Settings settings) {
        Topology topology = cluster("2x4x8");
        Workload workload = DallyJobs.week(1).workload();
        RunResult result = new World(
                        topology,
                        new LayeredRingPerformance(topology, Links.FREE, DallyJobs::layers),
                        new Simulator.Options(RestartCost.FREE, false, null))
                .simulator(workload)
                .run(new Dally(topology, settings));
        return result.jobs().stream().mapToLong(JobOutcome::queueingNanos).sum() / 3.6e12;
    }
}
