package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.MaintenanceWindow;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Slurm beside a simulation of two servers with four GPUs each: what it does at each event, worked out on paper. */
class SlurmControllerTest {
    private static final Topology TWO = Objects.requireNonNull(Topologies.parse("2x4"));
    private static final Simulator.Options FREE = new Simulator.Options(0, true);

    private static SlurmFiles files(@Nullable List<String> qos, @Nullable List<String> associations, String... lines) {
        return new SlurmFiles("slurm.conf", List.of(lines), null, qos, associations, null);
    }

    private static SlurmScheduler slurm() {
        return new SlurmScheduler(SlurmFiles.DEFAULT, TWO);
    }

    private static World world(Simulator.Options options) {
        return new World(TWO, new RatedPerformance(), options);
    }

    private static Outage seconds(double from, double until) {
        return new Outage(Math.round(from * TimedJobs.SECOND), Math.round(until * TimedJobs.SECOND));
    }

    /** By job, the whole seconds of its first start and of its end. */
    private static List<String> spans(RunResult result) {
        Map<Integer, String> spans = new TreeMap<>();
        result.jobs()
                .forEach(job -> spans.put(
                        job.job().id(),
                        "%d-%d"
                                .formatted(
                                        job.firstStartNanos() / TimedJobs.SECOND, job.endNanos() / TimedJobs.SECOND)));
        return List.copyOf(spans.values());
    }

    /**
     * Job 0 is expected until 120 s, so job 1 of all GPUs is planned for then. Job 3 ends before that, and starts at
     * the next look of the backfill loop; job 2 would not.
     */
    @Test
    void a_scheduler_that_begins_amid_a_run_plans_around_the_jobs_that_run() {
        TimedJobs jobs =
                TimedJobs.list().job(4, 0, 100).job(8, 20, 100).job(4, 30, 200).job(4, 31, 60);
        Scheduler first = slurm();
        Scheduler then = slurm();

        RunResult result =
                jobs.run(TWO, view -> (view.nowNanos() < 10 * TimedJobs.SECOND ? first : then).decide(view), 0);

        assertThat(spans(result))
                .containsExactly("0-100", "110-210", "210-410", "50-110")
                .isEqualTo(spans(jobs.run(TWO, slurm(), 0)));
    }

    /** At 10 s job 1 runs on the second server, so that the first is free for job 2. */
    @Test
    void a_scheduler_that_begins_amid_a_run_knows_the_servers_of_the_jobs_that_run() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 5).job(4, 0, 100).job(4, 12, 20);
        Scheduler first = slurm();
        Scheduler then = slurm();

        RunResult result =
                jobs.run(TWO, view -> (view.nowNanos() < 10 * TimedJobs.SECOND ? first : then).decide(view), 0);

        assertThat(spans(result)).containsExactly("0-5", "0-100", "12-32");
    }

    /** From 300.5 s on the first server is out: until then it takes jobs whose limits end a second before. */
    @Test
    void no_job_starts_whose_limit_would_run_into_maintenance() {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 239)
                .limited(300)
                .job(4, 0, 60)
                .limited(299)
                .job(4, 1, 30)
                .limited(300)
                .job(4, 65, 30)
                .limited(60)
                .job(4, 66, 10)
                .limited(240);
        World maintained = world(FREE).maintained(List.of(new MaintenanceWindow(seconds(300.5, 400.5), List.of(0))));

        assertThat(spans(maintained.simulator(jobs.workload()).run(slurm())))
                .containsExactly("0-239", "0-60", "239-269", "90-120", "269-279");
    }

    /**
     * GPU 0 is out of order from 10 s to 100 s: job 0 waits two minutes and a second, and the rest of its server is
     * drained.
     */
    @Test
    void a_server_with_a_gpu_out_of_order_takes_no_jobs_and_the_one_that_it_stopped_waits_two_minutes() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 50).job(4, 20, 200).job(1, 21, 10);
        Outages gpu = new Outages.Recorded(List.of(new Outages.Recorded.Entry(2, seconds(10, 100))));

        assertThat(spans(world(FREE.with(gpu, 0)).simulator(jobs.workload()).run(slurm())))
                .containsExactly("0-171", "20-220", "100-110");
    }

    @Test
    void starts_of_one_cycle_keep_to_the_quota_of_a_virtual_cluster() {
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < 5; job++) {
            jobs.job(2, 0, 100).by("ann", job < 3 ? "a" : "b");
        }

        assertThat(spans(world(FREE.with(new Quotas(Map.of("a", 4))))
                        .simulator(jobs.workload())
                        .run(slurm())))
                .containsExactly("0-100", "0-100", "100-200", "0-100", "0-100");
    }

    /**
     * Priorities are equal until they are calculated at 60 s, by when ann has used 400 GPU-seconds, carol 80 and bob
     * none.
     */
    @Test
    void whoever_has_used_less_comes_first_at_the_next_calculation() {
        TimedJobs jobs = TimedJobs.list();
        long[] seconds = {0, 5, 10, 11};
        for (int job = 0; job < seconds.length; job++) {
            String user = List.of("ann", "carol", "ann", "bob").get(job);
            jobs.job(8, seconds[job], 50).by(user, null).saying(terms -> terms.account("a"));
        }
        SlurmFiles shares = files(
                null,
                List.of("Account|User|Share", "root||1", "a||1", "a|ann|1", "a|bob|1", "a|carol|1"),
                "SchedulerType=sched/backfill",
                "PriorityType=priority/multifactor",
                "PriorityWeightFairshare=1000",
                "PriorityCalcPeriod=1",
                "PriorityDecayHalfLife=7-0");

        assertThat(spans(world(FREE).simulator(jobs.workload()).run(new SlurmScheduler(shares, TWO))))
                .containsExactly("0-50", "50-100", "150-200", "100-150");
    }

    /**
     * A tier is above every priority, which falls by one with each job; of two partitions one that lets it start is
     * enough.
     */
    @Test
    void a_job_has_a_rank_and_a_hindrance() {
        SlurmFiles files = files(
                List.of("Name|MaxJobsPU", "normal|", "one|1"),
                null,
                "PartitionName=low Nodes=ALL PriorityTier=1 Default=YES",
                "PartitionName=top Nodes=ALL PriorityTier=3",
                "PartitionName=few Nodes=ALL QOS=one",
                "AccountingStorageEnforce=limits,qos",
                "Licenses=lic:1");
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .saying(terms -> terms.licenses("lic").partition("few"))
                .job(1, 1, 100)
                .saying(terms -> terms.licenses("lic"))
                .job(1, 2, 100)
                .saying(terms -> terms.partition("few"))
                .job(8, 3, 100)
                .saying(terms -> terms.partition("few,low"))
                .job(8, 4, 100)
                .saying(terms -> terms.partition("top"));
        SlurmScheduler slurm = new SlurmScheduler(files, TWO);
        Simulator simulator = jobs.simulator(TWO);
        SimView view = simulator.view();
        assertThat(slurm.rank(view, 0)).isZero();
        assertThat(slurm.hindrance(view, 0)).isNull();
        while (view.arrived() < 5 && simulator.advance()) {
            Decision decision;
            do {
                decision = slurm.decide(view);
                simulator.apply(decision);
            } while (!(decision instanceof Decision.Wait));
        }

        double first = 4_294_901_759.0;
        assertThat(IntStream.range(0, 5).mapToDouble(job -> -slurm.rank(view, job)))
                .containsExactly(
                        0x1p33 + first,
                        0x1p33 + first - 1,
                        0x1p33 + first - 2,
                        0x1p33 + first - 3,
                        3 * 0x1p33 + first - 4);
        assertThat(slurm.rank(view, 9)).isZero();
        assertThat(slurm.hindrance(view, 9)).isNull();
        assertThat(slurm.rankName()).isEqualTo("Slurm's priority");
        assertThat(IntStream.range(1, 5).mapToObj(job -> slurm.hindrance(view, job)))
                .containsExactly(
                        "Licenses: others hold those that it asks for",
                        "Limit: of its QOS or association (QOSMax..., AssocGrp...)",
                        null,
                        null);
    }

    /**
     * Job 0 is expected to take 20 minutes, as only the second of its partitions allows; so it leaves the first to job
     * 1.
     */
    @Test
    void a_job_without_a_limit_has_the_longest_that_one_of_its_partitions_allows() {
        SlurmFiles files = files(
                null,
                null,
                "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                "PartitionName=short Nodes=n1 MaxTime=10",
                "PartitionName=long Nodes=n2 MaxTime=60");
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 1200)
                .saying(terms -> terms.partition("short,long"))
                .job(4, 1, 60)
                .limited(60)
                .saying(terms -> terms.partition("short"));

        RunResult result = world(FREE).simulator(jobs.workload()).run(new SlurmScheduler(files, TWO));

        assertThat(spans(result).get(0)).isEqualTo("0-1200");
        assertThat(result.jobs().stream()
                        .filter(job -> job.job().id() == 1)
                        .map(job -> job.firstStartNanos() / TimedJobs.SECOND))
                .allSatisfy(start -> assertThat(start).isBetween(1L, 4L));
    }

    /**
     * Ann's job 0 had four GPUs for 115 s when its server failed. At 120 s, when priorities are calculated, Bob's job 1
     * has had four for 90 s: of two that wait his job is first at 150 s. What Ann had used by 60 s alone would be less.
     */
    @Test
    void a_job_that_a_failure_stops_has_used_what_it_held() {
        SlurmFiles shares = files(
                null,
                List.of("Account|User|Share", "root||1", "a||1", "a|ann|1", "a|bob|1"),
                "PriorityType=priority/multifactor",
                "PriorityWeightFairshare=1000",
                "PriorityCalcPeriod=1",
                "PriorityDecayHalfLife=0");
        TimedJobs jobs = TimedJobs.list();
        String[] users = {"ann", "bob", "ann", "bob"};
        for (int job = 0; job < users.length; job++) {
            jobs.job(4, job < 2 ? 30L * job : 114 + job, job == 1 ? 120 : 500)
                    .by(users[job], null)
                    .saying(terms -> terms.account("a"));
        }
        Outages first = new Outages.Recorded(List.of(new Outages.Recorded.Entry(0, seconds(115, 5000))));

        RunResult result = world(FREE.with(first, 0)).simulator(jobs.workload()).run(new SlurmScheduler(shares, TWO));

        assertThat(result.jobs().stream()
                        .filter(job -> job.job().id() == 3)
                        .map(job -> job.firstStartNanos() / TimedJobs.SECOND))
                .allSatisfy(start -> assertThat(start).isBetween(150L, 153L));
    }
}
