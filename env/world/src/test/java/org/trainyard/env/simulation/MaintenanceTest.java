package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

class MaintenanceTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology TWO = Topologies.parse("2x4");

    private static Outage span(long from, long until) {
        return new Outage(from * SECOND, until * SECOND);
    }

    private static MaintenanceWindow window(long from, long until, Integer... servers) {
        return new MaintenanceWindow(span(from, until), List.of(servers));
    }

    /** Jobs of four GPUs at time 0 that run 100 s, each with a limit in seconds; 0 for none. */
    private static Simulator simulator(List<MaintenanceWindow> windows, int... limits) {
        List<JobSpec> jobs = new ArrayList<>();
        for (int limit : limits) {
            jobs.add(new JobSpec(
                            jobs.size(),
                            "job" + jobs.size(),
                            0,
                            Demand.ofGpus(4),
                            ModelCatalog.standard().neutral(),
                            1)
                    .saying(SubmissionTerms.NONE
                            .but()
                            .limitNanos(limit * SECOND)
                            .build()));
        }
        double[] seconds = IntStream.of(limits).mapToDouble(limit -> 100).toArray();
        return new World(
                        TWO,
                        new RatedPerformance(),
                        new Simulator.Options(0, true).with(new Outages.Maintained(Outages.NONE, windows), 0))
                .simulator(new Workload(jobs, seconds));
    }

    private static final Scheduler FIRST_THAT_FITS = view -> {
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            for (int server = 0; server < 2; server++) {
                if (view.isWithinQuota(job, 4)
                        && view.cluster().room(view.job(job).demand(), server) == 4) {
                    return new Decision.Start(
                            job,
                            Placement.of(
                                    TWO,
                                    IntStream.range(4 * server, 4 * server + 4).toArray()));
                }
            }
        }
        return Decision.WAIT;
    };

    private static List<Long> starts(RunResult result) {
        return result.jobs().stream().map(job -> job.firstStartNanos() / SECOND).toList();
    }

    @Test
    void a_job_whose_limit_crosses_the_maintenance_of_all_servers_waits_for_its_end() {
        RunResult result =
                simulator(List.of(window(200, 500, 0, 1)), 201, 200, 150, 150).run(FIRST_THAT_FITS);

        assertThat(starts(result)).containsExactly(500L, 0L, 0L, 500L);
    }

    @Test
    void a_job_goes_to_the_servers_that_stay_in_service() {
        RunResult result =
                simulator(List.of(window(200, 500, 0)), 900, 900, 150).run(FIRST_THAT_FITS);

        assertThat(starts(result)).containsExactly(0L, 100L, 0L);
        assertThat(result.jobs()).allMatch(job -> job.kills() == 0);
    }

    @Test
    void a_job_without_a_limit_is_stopped_and_goes_on_afterwards() {
        RunResult result = simulator(List.of(window(60, 300, 0, 1)), 0).run(FIRST_THAT_FITS);

        assertThat(result.jobs().get(0).kills()).isEqualTo(1);
        assertThat(result.jobs().get(0).endNanos()).isEqualTo(340 * SECOND);
    }

    @Test
    void the_simulator_refuses_a_start_across_a_window() {
        for (Integer[] servers : new Integer[][] {{0, 1}, {0}}) {
            Simulator simulator = simulator(List.of(window(50, 60, servers)), 100);
            simulator.advance();

            assertThatThrownBy(() -> simulator.start(0, Placement.of(TWO, 0, 1, 2, 3)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot start job (0)");
        }
    }

    /**
     * At 100 s of its limit of 300 s a job of two to four GPUs goes to the server that is out of service from then on.
     */
    @ParameterizedTest
    @CsvSource({"299, false", "300, true", "399, true"})
    void a_job_that_is_resized_has_the_rest_of_its_limit_before_it(long from, boolean fits) {
        JobSpec job = new JobSpec(
                        0,
                        "job",
                        0,
                        Demand.ofGpus(4).elastic(2, 4),
                        ModelCatalog.standard().neutral(),
                        1)
                .saying(SubmissionTerms.NONE.but().limitNanos(300 * SECOND).build());
        Simulator simulator = new World(
                        TWO,
                        new RatedPerformance(),
                        new Simulator.Options(0, true)
                                .with(new Outages.Maintained(Outages.NONE, List.of(window(from, 1000, 1))), 0))
                .simulator(new Workload(List.of(job), new double[] {250}));
        simulator.advance();
        simulator.apply(new Decision.Start(0, Placement.of(TWO, 0, 1, 2, 3)));
        simulator.apply(Decision.waitUntil(100 * SECOND));
        simulator.advance();
        Decision there = new Decision.Resize(0, Placement.of(TWO, 4, 5));

        if (fits) {
            simulator.apply(there);
            assertThat(simulator.view().placement(0).server(0)).isOne();
        } else {
            assertThatThrownBy(() -> simulator.apply(there)).hasMessageContaining("cannot resize job (0)");
        }
    }

    @Test
    void a_restored_run_goes_on_as_the_other_one() {
        Simulator one = simulator(List.of(window(150, 500, 0), window(400, 800, 1)), 120, 300, 120, 0, 90);
        for (int i = 0; i < 4; i++) {
            one.advance();
            one.decide(FIRST_THAT_FITS);
        }
        Simulator other = one.fork();

        assertThat(other.run(FIRST_THAT_FITS).eventLogSha256())
                .isEqualTo(one.run(FIRST_THAT_FITS).eventLogSha256());
    }

    @Test
    void outages_and_maintenance_that_meet_are_one_outage() {
        Outages failures = new Outages.Recorded(List.of(
                new Outages.Recorded.Entry(0, span(5, 12)),
                new Outages.Recorded.Entry(0, span(25, 26)),
                new Outages.Recorded.Entry(1, span(1, 2))));
        Outages all = new Outages.Maintained(
                failures, List.of(window(10, 20, 0), window(20, 24, 0), window(15, 18, 0, 1), window(40, 50, 0)));

        List<Outage> found = new ArrayList<>();
        for (Outage next = all.next(TWO, 0, 0, 0); next != null; ) {
            found.add(next);
            next = all.next(TWO, 0, found.size(), next.untilNanos());
        }
        assertThat(found).containsExactly(span(5, 24), span(25, 26), span(40, 50));
        assertThat(all.next(TWO, 1, 1, 0)).isEqualTo(span(15, 18));
        assertThat(all.next(TWO, 2, 0, 0)).isNull();
    }
}
