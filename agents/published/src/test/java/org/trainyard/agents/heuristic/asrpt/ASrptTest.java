package org.trainyard.agents.heuristic.asrpt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.PodCluster;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/** A-SRPT and its baselines: schedules worked out by hand, quotas, and every kind of demand. */
class ASrptTest {
    private static final Topology ONE_SERVER = Objects.requireNonNull(Topologies.parse("1x8"));
    private static final Topology TWO_SERVERS = Objects.requireNonNull(Topologies.parse("2x4"));
    private static final StagedJob.Source HEAVY = job -> new StagedJob(List.of(new Stage(job.gpus(), 0.01, 0, 1e9)));
    private static final StagedJob.Source LIGHT = job -> new StagedJob(List.of(new Stage(job.gpus(), 1, 0, 0)));

    private static ASrpt.Settings settings(double efficiency, boolean skips, double patience) {
        return new ASrpt.Settings(efficiency, skips, patience, 1.5, true);
    }

    /**
     * Virtual work 10 and 3 s on a machine 8 GPUs wide: 1 is released at 5 and runs 5..8, 0 is released at 13 and runs
     * 13..23.
     */
    @Test
    void jobs_start_when_the_virtual_machine_is_done_with_them() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 10).job(8, 2, 3);

        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "a-srpt", 0))).containsExactly(23L, 8L);
    }

    /**
     * Virtual work 1, 2 and 3 s, released at 1, 3 and 6. 0 runs 1..9 on one GPU; 1 wants all 8 and blocks until 9, runs
     * 9..11, and 2 runs 11..17. Where jobs may pass, 2 runs 6..12 and 1 runs 12..14.
     */
    @Test
    void the_head_of_the_queue_blocks_unless_jobs_may_pass() {
        TimedJobs jobs = TimedJobs.list().job(1, 0, 8).job(8, 0, 2).job(4, 0, 6);

        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "a-srpt/blocking", 0)))
                .containsExactly(9L, 11L, 17L);
        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "a-srpt", 0))).containsExactly(9L, 14L, 12L);
    }

    /** At half speed the machine needs 20 and 6 s: 1 is released at 2 + 6, 0 at 26. */
    @Test
    void a_slower_virtual_machine_holds_jobs_longer() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 10).job(8, 2, 3);

        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, new ASrpt(ONE_SERVER, settings(0.5, false, 0)), 0)))
                .containsExactly(36L, 11L);
    }

    /**
     * 0 and 1, of 3 GPUs and 160 s, have 60 s of virtual work each: released at 60 and 120, they run 60..220 and
     * 120..280 on a server each. 2, of 2 GPUs and 40 s, comes at 130 and is released at 140, when one GPU is free on
     * each server.
     */
    private static List<Long> endsWithTwoFragments(StagedJob.Source shapes, double patience) {
        Scheduler scheduler = new ASrpt(TWO_SERVERS, settings(1, false, patience), shapes);
        TimedJobs jobs = TimedJobs.list().job(3, 0, 160).job(3, 0, 160).job(2, 130, 40);
        return TimedJobs.endSeconds(jobs.run(TWO_SERVERS, scheduler, 0));
    }

    @Test
    void a_job_that_does_not_suffer_takes_the_fragments() {
        assertThat(endsWithTwoFragments(LIGHT, 0.5)).containsExactly(220L, 280L, 180L);
    }

    /** Half of 40 s after 140 it takes what there is; with three times 40 s of patience it gets a server at 220. */
    @Test
    void a_heavy_job_waits_for_one_server_as_long_as_its_patience_lasts() {
        assertThat(endsWithTwoFragments(HEAVY, 0)).containsExactly(220L, 280L, 180L);
        assertThat(endsWithTwoFragments(HEAVY, 0.5)).containsExactly(220L, 280L, 200L);
        assertThat(endsWithTwoFragments(HEAVY, 3)).containsExactly(220L, 280L, 260L);
    }

    /**
     * As above; the small job 3, released at 152, goes at once although the patient 2 is before it, even where the head
     * blocks.
     */
    @Test
    void a_job_that_waits_for_a_server_blocks_nobody() {
        Scheduler scheduler = new ASrpt(TWO_SERVERS, settings(1, false, 3), HEAVY);
        TimedJobs jobs =
                TimedJobs.list().job(3, 0, 160).job(3, 0, 160).job(2, 130, 40).job(1, 150, 16);

        assertThat(TimedJobs.endSeconds(jobs.run(TWO_SERVERS, scheduler, 0))).containsExactly(220L, 280L, 260L, 168L);
    }

    /** At 10 both fit by turns: least work is 1 with 4 x 20; by time it is 2 with 15 s; by submission 1. */
    @Test
    void the_baselines_differ_in_their_order() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 10).job(4, 1, 20).job(8, 2, 15);

        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "spjf", 0))).containsExactly(10L, 45L, 25L);
        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "spwf", 0))).containsExactly(10L, 30L, 45L);
        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "wcs-subtime", 0))).containsExactly(10L, 30L, 45L);
    }

    /**
     * 0 holds 4 until 100. At 10 the short 1 wants all 8: in SPJF and SPWF it blocks 2, in WCS 2 passes and runs
     * 10..60.
     */
    @Test
    void heads_block_in_spjf_and_spwf_and_not_in_wcs() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 100).job(8, 10, 5).job(4, 10, 50);

        for (String name : List.of("spjf", "spwf")) {
            assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, name, 0)))
                    .as(name)
                    .containsExactly(100L, 105L, 155L);
        }
        for (String name : List.of("wcs-duration", "wcs-workload", "wcs-subtime", "spwf-delay")) {
            assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, name, 0)))
                    .as(name)
                    .containsExactly(100L, 105L, 60L);
        }
    }

    /** 2 finds one GPU on each server at 10; with half of its 40 s of patience it goes at 30. */
    @Test
    void spwf_with_delay_waits_from_submission_on() {
        TimedJobs jobs = TimedJobs.list().job(3, 0, 160).job(3, 0, 160).job(2, 10, 40);
        Scheduler impatient = new SpwfWithDelay(TWO_SERVERS, 0, 1.5, HEAVY);
        Scheduler patient = new SpwfWithDelay(TWO_SERVERS, 0.5, 1.5, HEAVY);

        assertThat(TimedJobs.endSeconds(jobs.run(TWO_SERVERS, impatient, 0))).containsExactly(160L, 160L, 50L);
        assertThat(TimedJobs.endSeconds(jobs.run(TWO_SERVERS, patient, 0))).containsExactly(160L, 160L, 70L);
    }

    @Test
    void two_baselines_are_other_names_of_old_orders() {
        Map<String, String> same = Map.of("wcs-duration", "sjf", "wcs-subtime", "fifo-backfill");

        same.forEach((alias, name) -> {
            assertThat(SchedulerRegistry.named(alias)).isSameAs(SchedulerRegistry.named(name));
            assertThat(SchedulerRegistry.aliases(SchedulerRegistry.named(name))).containsExactly(alias);
            assertThat(SchedulerRegistry.names()).contains(name).doesNotContain(alias);
        });
    }

    /**
     * Parts of GPUs, jobs of one server and of the host alone, more than fit at a time; the simulator's audit checks
     * the rest.
     */
    @Test
    void jobs_of_every_kind_of_demand_finish() {
        Topology servers =
                PodCluster.cluster(PodCluster.server(4, 32), PodCluster.server(4, 8), PodCluster.server(2, 16));
        List<Demand> demands = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            demands.addAll(List.of(
                    PodCluster.gpus(1 + i % 4, 4),
                    PodCluster.part(300, 2),
                    PodCluster.host(6),
                    Demand.ofGpus(1 + i % 10)));
        }
        for (String name :
                List.of("a-srpt", "a-srpt/blocking", "a-srpt-tuned", "spwf-delay", "spjf", "spwf", "wcs-workload")) {
            Simulator simulator = PodCluster.simulator(servers, PodCluster.workload(demands));
            simulator.run(SchedulerRegistry.named(name).create(servers, 1));

            assertThat(simulator.isDone()).as(name).isTrue();
        }
    }

    /**
     * Tenant a may hold 4 GPUs. Its jobs are released at 40 and 80 and run 40..120 and 120..200; that of b, which comes
     * at 85 and is released at 95, passes the second although the head blocks.
     */
    @Test
    void a_virtual_cluster_at_its_quota_blocks_nobody_else() {
        List<JobSpec> specs = new ArrayList<>();
        for (String tenant : List.of("a", "a", "b")) {
            JobSpec like = TimedJobs.list().job(4, 0, 80).workload().job(0);
            long submit = tenant.equals("b") ? 85 * TimedJobs.SECOND : 0;
            String name = "job" + specs.size();
            specs.add(new JobSpec(specs.size(), name, submit, Demand.ofGpus(4), like.model(), like.plan(), 1)
                    .by(null, null, tenant));
        }
        Workload workload = new Workload(specs, new double[] {80, 80, 20});
        Simulator.Options options = new Simulator.Options(0, true).with(new Quotas(Map.of("a", 4)));
        Scheduler scheduler = new ASrpt(ONE_SERVER, ASrpt.Settings.BLOCKING);
        RunResult result = new World(ONE_SERVER, new RatedPerformance(), options)
                .simulator(workload)
                .run(scheduler);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(120L, 200L, 115L);
    }

    /**
     * 0 is released at 10, and somebody stops it at once: it starts anew at 10, with nothing lost, and 1, released at
     * 22, runs 22..34.
     */
    @Test
    void a_job_that_another_has_stopped_keeps_its_place() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 10).job(8, 0, 12);
        Simulator simulator = jobs.simulator(ONE_SERVER);
        Scheduler scheduler = new ASrpt(ONE_SERVER, ASrpt.Settings.PAPER);
        boolean stopped = false;
        while (simulator.advance()) {
            Decision decision;
            do {
                decision = scheduler.decide(simulator.view());
                simulator.apply(decision);
                if (!stopped && decision instanceof Decision.Start start) {
                    simulator.apply(new Decision.Preempt(start.job()));
                    stopped = true;
                }
            } while (!(decision instanceof Decision.Wait));
        }

        assertThat(TimedJobs.endSeconds(simulator.result())).containsExactly(20L, 34L);
    }

    @Test
    void settings_that_cannot_be_are_refused() {
        assertThatThrownBy(() -> settings(0, true, 1)).hasMessageContaining("efficiency (0.0)");
        assertThatThrownBy(() -> settings(1, true, -1)).hasMessageContaining("patience (-1.0)");
        assertThatThrownBy(() -> new ASrpt.Settings(1, true, 1, 1, true)).hasMessageContaining("heaviness (1.0)");
    }

    /** 1, 1 and 4 GPUs are free when a light job of 5 comes: the blocking form takes 1 + 1 + 3, others 4 + 1. */
    @Test
    void only_the_blocking_form_eats_fragments() {
        Topology servers = Objects.requireNonNull(Topologies.parse("3x4"));
        TimedJobs jobs = TimedJobs.list().job(3, 0, 1000).job(3, 0, 2000).job(5, 1000, 12);

        assertThat(serversOfLast(servers, jobs, ASrpt.Settings.BLOCKING)).isEqualTo(3);
        assertThat(serversOfLast(servers, jobs, ASrpt.Settings.PAPER)).isEqualTo(2);
        assertThat(serversOfLast(servers, jobs, ASrpt.Settings.TUNED)).isEqualTo(2);
    }

    private static int serversOfLast(Topology servers, TimedJobs jobs, ASrpt.Settings settings) {
        Simulator simulator = jobs.simulator(servers);
        Scheduler scheduler = new ASrpt(servers, settings, LIGHT);
        while (simulator.advance()) {
            Decision decision;
            do {
                decision = scheduler.decide(simulator.view());
                simulator.apply(decision);
                if (decision instanceof Decision.Start start && start.job() == 2) {
                    return start.placement().serverCount();
                }
            } while (!(decision instanceof Decision.Wait));
        }
        throw new AssertionError("job 2 never started");
    }
}
