package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * When the loops of Slurm run beside a simulation of two servers with four GPUs each, whom they stop, and whom they
 * refuse.
 */
class SlurmLoopsTest {
    private static final Topology TWO = Objects.requireNonNull(Topologies.parse("2x4"));
    private static final List<String> QOS = List.of("Name|Preempt|MaxWall", "normal||", "low||", "high|low|");

    private static SlurmFiles files(@Nullable List<String> associations, String... lines) {
        return new SlurmFiles("slurm.conf", List.of(lines), null, QOS, associations, null);
    }

    /** By job, the whole second of its first start. */
    private static List<Long> starts(RunResult result) {
        TreeMap<Integer, Long> starts = new TreeMap<>();
        result.jobs().forEach(job -> starts.put(job.job().id(), job.firstStartNanos() / TimedJobs.SECOND));
        return List.copyOf(starts.values());
    }

    /**
     * The main loop looks at one job: job 1 waits for the first server, and job 2 starts with the run over all, a
     * minute after the first.
     */
    @Test
    void a_run_over_the_whole_queue_comes_once_an_interval() {
        SlurmFiles files = files(
                null,
                "SchedulerType=sched/builtin",
                "SchedulerParameters=default_queue_depth=0",
                "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                "PartitionName=a Nodes=n1",
                "PartitionName=b Nodes=n2");
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 1000)
                .saying(terms -> terms.partition("a"))
                .job(4, 1, 10)
                .saying(terms -> terms.partition("a"))
                .job(4, 2, 10)
                .saying(terms -> terms.partition("b"));

        assertThat(starts(jobs.run(TWO, new SlurmScheduler(files, TWO), 0))).containsExactly(0L, 1000L, 60L);
    }

    /** Each loop starts one job in a run: the main loop job 0, backfill job 1, and the others every half minute. */
    @Test
    void a_start_lets_the_backfill_loop_look_again() {
        SlurmFiles files = files(null, "SchedulerParameters=sched_max_job_start=1,bf_max_job_start=1");
        TimedJobs jobs =
                TimedJobs.list().job(1, 0, 1000).job(1, 0, 1000).job(1, 0, 1000).job(1, 0, 1000);

        assertThat(starts(jobs.run(TWO, new SlurmScheduler(files, TWO), 0))).containsExactly(0L, 0L, 30L, 60L);
    }

    /** Without a backfill loop: each of two jobs has the server of another at once, first the one, then the other. */
    @Test
    void jobs_start_in_the_second_in_which_others_give_way() {
        SlurmFiles files = files(null, "SchedulerType=sched/builtin", "PreemptType=preempt/qos", "PreemptMode=REQUEUE");
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < 4; job++) {
            String qos = job < 2 ? "low" : "high";
            jobs.job(4, 10L * job, 1000).saying(terms -> terms.qos(qos));
        }

        RunResult result = jobs.run(TWO, new SlurmScheduler(files, TWO), 0);

        assertThat(starts(result)).containsExactly(0L, 10L, 20L, 30L);
        assertThat(result.jobs().stream().mapToInt(job -> job.preemptions()).sum())
                .isEqualTo(2);
    }

    /**
     * Ann's job 1 had four GPUs for 115 s when carol's took them. At 120 s, when priorities are calculated, Bob's job 3
     * has had four for 90 s: of two that wait his job 6 is first at 150 s. What Ann had used by 60 s alone would be
     * less. Of Dave's jobs without GPUs one waits for the licence of the other, so that Slurm calculates once a minute.
     */
    @Test
    void a_job_that_gives_way_has_used_what_it_held() {
        SlurmFiles files = files(
                List.of("Account|User|Share", "root||1", "a||1", "a|ann|1", "a|bob|1", "a|carol|1", "a|dave|1"),
                "Licenses=m:1",
                "PreemptType=preempt/qos",
                "PreemptMode=REQUEUE",
                "PriorityType=priority/multifactor",
                "PriorityWeightFairshare=1000",
                "PriorityCalcPeriod=1",
                "PriorityDecayHalfLife=0");
        Demand none = new Demand(0, 0, 0, 1000, 1_000, 0, false, List.of(), 0, 0);
        TimedJobs jobs = TimedJobs.list();
        String[] users = {"dave", "ann", "dave", "bob", "carol", "ann", "bob"};
        long[] submitted = {0, 0, 1, 30, 115, 116, 117};
        for (int job = 0; job < users.length; job++) {
            boolean isLicensed = users[job].equals("dave");
            String qos = job == 1 ? "low" : job == 4 ? "high" : "normal";
            jobs.job(isLicensed ? none : Demand.ofGpus(4), submitted[job], job == 3 ? 120 : 5000)
                    .by(users[job], null)
                    .saying(terms -> terms.account("a").qos(qos).licenses(isLicensed ? "m" : null));
        }

        List<Long> starts = starts(jobs.run(TWO, new SlurmScheduler(files, TWO), 0));

        assertThat(List.of(starts.get(1), starts.get(3), starts.get(4))).containsExactly(0L, 30L, 115L);
        assertThat(starts.get(6)).isBetween(150L, 153L);
    }

    /**
     * From 10 s to 20 s another scheduler decides, and starts job 1 on GPUs 6 and 7: for job 2 there are GPUs 4 and 5.
     */
    @Test
    void a_job_that_another_scheduler_started_is_where_that_put_it() {
        SlurmScheduler slurm = new SlurmScheduler(SlurmFiles.DEFAULT, TWO);
        TimedJobs jobs = TimedJobs.list().job(4, 0, 1000).job(2, 12, 1000).job(2, 25, 1000);

        RunResult result = jobs.run(
                TWO,
                view -> {
                    long second = view.nowNanos() / TimedJobs.SECOND;
                    if (second < 10 || second >= 20) {
                        return slurm.decide(view);
                    }
                    return view.arrived() == 2 && view.state(1) == JobState.WAITING
                            ? new Decision.Start(1, Placement.of(TWO, 6, 7))
                            : Decision.WAIT;
                },
                0);

        assertThat(starts(result)).containsExactly(0L, 12L, 25L);
    }

    /**
     * The world lets no job be preempted in its first minute, and a preempted one waits again after five: so long after
     * Slurm's two minutes.
     */
    @Test
    void nobody_gives_way_whom_the_world_protects() {
        SlurmFiles files = files(null, "PreemptType=preempt/qos", "PreemptMode=REQUEUE");
        TimedJobs jobs = TimedJobs.list()
                .job(8, 0, 1000)
                .saying(terms -> terms.qos("low"))
                .job(8, 10, 50)
                .saying(terms -> terms.qos("high"));
        PreemptionRules rules =
                new PreemptionRules(0, 60 * TimedJobs.SECOND, 300 * TimedJobs.SECOND, PreemptionRules.NO_LIMIT);

        RunResult result = new World(TWO, new RatedPerformance(), new Simulator.Options(0, true).with(rules))
                .simulator(jobs.workload())
                .run(new SlurmScheduler(files, TWO));

        assertThat(starts(result)).containsExactly(0L, 60L);
        assertThat(TimedJobs.endSeconds(result)).containsExactly(1300L, 110L);
    }

    /** By their words: a job a minute longer than its partition allows, and one of more GPUs than there are. */
    @Test
    void jobs_that_can_never_start_are_refused_when_they_come() {
        SlurmFiles files = files(
                null,
                "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                "PartitionName=p Nodes=ALL MaxTime=10 Default=YES",
                "PartitionName=few Nodes=n1");
        SlurmScheduler slurm = new SlurmScheduler(files, TWO);
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .limited(661)
                .job(4, 0, 100)
                .limited(600)
                .job(8, 0, 100)
                .saying(terms -> terms.partition("few"))
                .job(8, 0, 100);
        List<JobSpec> specs = List.of(
                jobs.workload().job(0),
                jobs.workload().job(1),
                jobs.workload().job(2),
                jobs.workload().job(3));

        RunResult result = jobs.run(TWO, slurm, 0);

        assertThat(result.rejected()).extracting(job -> job.job().id()).containsExactlyInAnyOrder(0, 2);
        assertThat(starts(result)).containsExactly(0L, 100L);
        assertThat(specs.stream().map(slurm::refusal))
                .containsExactly(
                        "PartitionTimeLimit (partition p)",
                        null,
                        "Resources: 2 nodes of 4 GPUs and 0 CPUs, and only 1 in service (partition few)",
                        null);
    }
}
