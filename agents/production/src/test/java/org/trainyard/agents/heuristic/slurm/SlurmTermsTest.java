package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.SubmissionTerms;

/** What jobs say of other jobs, of nodes and of reservations, as Slurm's documents have it. */
class SlurmTermsTest {
    private static final long NOW = SlurmCases.NOW;
    /** Whole seconds that may pass until the main loop runs again. */
    private static final long STEP = 3;

    private static final CycleListener QUIET = new CycleListener() {
        @Override
        public void started(SlurmJob job, boolean backfilled) {}

        @Override
        public void planned(SlurmJob job, long startSecond, long endSecond, BitSet nodes) {}

        @Override
        public void preempted(SlurmJob victim, SlurmJob by) {}
    };

    private static final Topology ONE_SERVER = Objects.requireNonNull(Topologies.parse("1x8"));

    private static long startSecond(RunResult result, int job) {
        return result.jobs().stream()
                .filter(outcome -> outcome.job().id() == job)
                .mapToLong(outcome -> outcome.firstStartNanos() / TimedJobs.SECOND)
                .findFirst()
                .orElseThrow();
    }

    /** Job 0 runs for 100 s from 0 s, or is killed at its limit of 60 s; job 1 depends on it, and there is room. */
    @ParameterizedTest
    @CsvSource({
        "afterok:job0, 600, 100",
        "afterany:job0, 600, 100",
        "afterany:job0, 60, 60",
        "afternotok:job0, 60, 60",
        "after:job0, 600, 0",
        "after:job0+1, 600, 60",
        "afternotok:job0?afterany:job0, 600, 100"
    })
    void a_job_starts_when_the_other_is_as_its_dependency_says(String dependency, long limit, long second) {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .limited(limit)
                .job(1, 0, 10)
                .saying(terms -> terms.dependency(dependency));

        assertThat(startSecond(jobs.run(ONE_SERVER, "slurm", 0), 1)).isBetween(second, second + STEP);
    }

    @ParameterizedTest
    @CsvSource({"afterok:job0, 60", "afternotok:job0, 600"})
    void a_job_whose_dependency_is_never_satisfied_never_starts(String dependency, long limit) {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .limited(limit)
                .job(1, 0, 10)
                .saying(terms -> terms.dependency(dependency))
                .job(8, 1, 10);

        RunResult result = jobs.run(ONE_SERVER, "slurm", 0);

        assertThat(result.rejected()).extracting(job -> job.job().id()).containsExactly(1);
        assertThat(startSecond(result, 2)).isBetween(Math.min(limit, 100), Math.min(limit, 100) + STEP);
    }

    /** Six tasks of 30 s at most two at a time; the wide job behind them runs when all have ended. */
    @Test
    void no_more_tasks_of_an_array_run_than_it_says_and_what_follows_waits_for_all() {
        TimedJobs jobs = TimedJobs.list();
        for (int task = 0; task < 6; task++) {
            int number = task;
            jobs.job(1, 0, 30).saying(terms -> terms.array(new SubmissionTerms.ArrayTask("9", number, 2)));
        }
        jobs.job(1, 0, 10).saying(terms -> terms.dependency("afterok:9"));

        RunResult result = jobs.run(ONE_SERVER, "slurm", 0);

        for (int task = 0; task < 6; task++) {
            long earliest = task / 2 * 30L;
            assertThat(startSecond(result, task)).isBetween(earliest, earliest + (task / 2 + 1) * STEP);
        }
        assertThat(startSecond(result, 6)).isBetween(90L, 90 + 4 * STEP);
    }

    private static SlurmState state() {
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse(
                        "slurm.conf",
                        List.of(
                                "NodeName=n[1-4] CPUs=8 Gres=gpu:a100:4",
                                "PreemptType=preempt/qos",
                                "PreemptMode=REQUEUE")),
                null,
                List.of("Name|Priority|Preempt", "low|0|", "normal|20|low", "high|100|low,normal"),
                null));
    }

    private static SlurmJob submit(
            SlurmState state,
            long id,
            int gpus,
            int minutes,
            String qos,
            @Nullable SlurmArray array,
            @Nullable String reservation) {
        return SlurmCases.submit(state, id, 1, gpus, minutes, qos, array, reservation);
    }

    private static void run(SlurmState state, long second) {
        new MainCycle(state, QUIET).run(second, true);
    }

    @Test
    void jobs_of_the_least_qos_give_way_first_however_young_and_no_better_one_does() {
        SlurmState state = state();
        SlurmPartition all = state.cluster().partition(null);
        SlurmJob old = submit(state, 1, 4, 5, "normal", null, null);
        SlurmJob young = submit(state, 2, 4, 5, "low", null, null);
        state.start(old, all, nodes(0), NOW - 100);
        state.start(young, all, nodes(1), NOW - 1);
        for (int node = 2; node < 4; node++) {
            state.start(submit(state, 1 + node, 4, 5, "high", null, null), all, nodes(node), NOW);
        }
        submit(state, 5, 4, 5, "high", null, null);

        run(state, NOW);

        assertThat(List.of(old.state(), young.state())).containsExactly(SlurmJob.State.RUNNING, SlurmJob.State.PENDING);
        assertThat(young.beginSecond()).isEqualTo(NOW + 121);
    }

    /** A task that starts keeps the record of its array; those behind it get one behind all others. */
    @Test
    void tasks_of_an_array_are_candidates_in_the_order_of_their_records() {
        SlurmState state = state();
        SlurmPartition all = state.cluster().partition(null);
        SlurmArray array = new SlurmArray(0);
        SlurmJob first = submit(state, 5, 1, 5, "low", array, null);
        SlurmJob second = submit(state, 5, 1, 5, "low", array, null);
        SlurmJob third = submit(state, 5, 1, 5, "low", array, null);
        SlurmJob other = submit(state, 6, 1, 5, "low", null, null);
        state.start(first, all, nodes(0), NOW);
        SlurmJob later = submit(state, 7, 1, 5, "low", null, null);
        for (SlurmJob job : List.of(later, second, third, other)) {
            state.start(job, all, nodes(1), NOW);
        }

        assertThat(new Preemption(state).candidates(submit(state, 8, 4, 5, "high", null, null), all, NOW))
                .containsExactly(first, other, second, later, third);
    }

    @Test
    void a_draining_node_keeps_its_jobs_and_takes_no_more() {
        SlurmState state = state();
        SlurmJob runs = submit(state, 1, 1, 5, "normal", null, null);
        state.start(runs, state.cluster().partition(null), nodes(0), NOW - 10);
        state.drain(0, true);
        SlurmJob waits = submit(state, 2, 1, 5, "normal", null, null);

        run(state, NOW);

        assertThat(runs.state()).isEqualTo(SlurmJob.State.RUNNING);
        assertThat(waits.nodesHeld()).containsExactly(1);
    }

    @Test
    void in_a_reservation_its_jobs_run_alone_and_others_end_before_it_or_start_after_it() {
        SlurmState state = state();
        state.reserve(new SlurmReservation("ours", nodes(0, 1, 2, 3), NOW + 100, NOW + 200, Set.of("ann"), false));
        SlurmJob inside = submit(state, 1, 4, 1, "normal", null, "ours");
        SlurmJob outside = submit(state, 2, 4, 2, "normal", null, null);
        SlurmJob before = submit(state, 3, 4, 1, "normal", null, null);

        run(state, NOW);
        assertThat(List.of(inside.state(), outside.state(), before.state()))
                .containsExactly(SlurmJob.State.PENDING, SlurmJob.State.PENDING, SlurmJob.State.RUNNING);
        run(state, NOW + 100);
        assertThat(List.of(inside.state(), outside.state()))
                .containsExactly(SlurmJob.State.RUNNING, SlurmJob.State.PENDING);
        run(state, NOW + 200);
        assertThat(outside.state()).isEqualTo(SlurmJob.State.RUNNING);
    }

    /** Its node is not being cleaned then: when the job ends, another takes the node at once. */
    @Test
    void a_job_whose_preemption_is_undone_holds_what_it_held_and_no_more() {
        SlurmState state = state();
        SlurmPartition all = state.cluster().partition(null);
        SlurmJob job = submit(state, 1, 3, 5, "low", null, null);
        state.start(job, all, nodes(0), NOW - 100);
        state.preempt(job, NOW);
        assertThat(state.freeGpus()).isEqualTo(16);

        state.undoPreempt(job, NOW - 999, 0, NOW - 999);

        assertThat(job.state()).isEqualTo(SlurmJob.State.RUNNING);
        assertThat(state.pending()).isEmpty();
        assertThat(state.running()).containsExactly(job);
        assertThat(state.freeGpus()).isEqualTo(13);
        SlurmJob beside = submit(state, 2, 2, 5, "low", null, null);
        run(state, NOW);
        assertThat(beside.nodesHeld()).containsExactly(1);
        state.end(job);
        SlurmJob wide = SlurmCases.submit(state, 3, 3, 4, 5, "low", null, null);
        run(state, NOW);
        assertThat(wide.nodesHeld()).containsExactly(0, 2, 3);
    }
}
