package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;

/** Jobs of a cluster of two nodes: since when their age counts, and what they hold when a start is undone. */
class SlurmStateTest {
    private final SlurmState state = new SlurmState(SlurmCluster.of(
            SlurmConf.parse(
                    "slurm.conf",
                    List.of(
                            "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                            "AccountingStorageEnforce=limits,qos",
                            "CompleteWait=9",
                            "PreemptType=preempt/qos",
                            "PreemptMode=REQUEUE")),
            null,
            List.of("Name|GrpTRES|Preempt", "normal||", "small|gres/gpu=4|"),
            null));
    private final SlurmPartition all = state.cluster().partition(null);
    private final SlurmCases.Notes listener = new SlurmCases.Notes();

    /** Submitted at {@code NOW - 999}. */
    private SlurmJob submit(@Nullable String reservation) {
        return SlurmCases.submit(state, 1, 1, 4, 5, "small", null, reservation);
    }

    private long ageAt(SlurmJob job, long second) {
        state.accrue(second);
        return job.accrueSecond();
    }

    @Test
    void the_age_of_a_job_counts_from_its_submission() {
        SlurmJob job = submit(null);

        assertThat(ageAt(job, NOW)).isEqualTo(NOW - 999);
        state.waitFor(job, 0);
        assertThat(ageAt(job, NOW + 1)).isEqualTo(NOW - 999);
    }

    @Test
    void the_age_of_a_job_for_later_counts_from_its_begin() {
        SlurmJob job = submit(null);
        state.beginAt(job, NOW + 50);

        assertThat(ageAt(job, NOW + 49)).isEqualTo(-1);
        assertThat(ageAt(job, NOW + 60)).isEqualTo(NOW + 50);
        assertThat(ageAt(job, NOW + 70)).isEqualTo(NOW + 50);
    }

    @Test
    void the_age_of_a_job_that_is_held_counts_from_its_release() {
        SlurmJob job = submit(null);
        state.hold(job, true, NOW);

        assertThat(ageAt(job, NOW + 10)).isEqualTo(-1);
        state.hold(job, false, NOW + 20);
        assertThat(ageAt(job, NOW + 30)).isEqualTo(NOW + 20);
    }

    @Test
    void the_age_of_a_job_that_waits_for_others_counts_from_their_end() {
        SlurmJob job = submit(null);
        state.waitFor(job, 2);

        assertThat(ageAt(job, NOW)).isEqualTo(-1);
        state.met(job);
        assertThat(ageAt(job, NOW + 10)).isEqualTo(-1);
        state.met(job);
        assertThat(ageAt(job, NOW + 20)).isEqualTo(NOW + 20);
    }

    @Test
    void the_age_of_a_job_in_a_reservation_counts_from_its_opening() {
        SlurmJob job = submit("ours");
        state.reserve(new SlurmReservation("ours", nodes(0, 1), NOW + 10, NOW + 90, Set.of("ann"), false));

        assertThat(ageAt(job, NOW + 9)).isEqualTo(-1);
        assertThat(ageAt(job, NOW + 10)).isEqualTo(NOW + 10);
    }

    @Test
    void the_age_of_a_requeued_job_counts_from_when_it_may_start() {
        SlurmJob job = submit(null);
        state.start(job, all, nodes(0), NOW);
        state.requeue(job, NOW + 5);

        assertThat(job.submitSecond()).isEqualTo(NOW + 5);
        assertThat(ageAt(job, NOW + 125)).isEqualTo(-1);
        assertThat(ageAt(job, NOW + 130)).isEqualTo(NOW + 126);
        state.requeued(job, NOW + 40);
        assertThat(job.beginSecond()).isEqualTo(NOW + 161);
    }

    /** Its QOS has four GPUs in all, its array one task at once: both are free for the same start again. */
    @Test
    void a_start_that_is_undone_leaves_nothing_behind() {
        SlurmArray array = new SlurmArray(1);
        SlurmJob first = SlurmCases.submit(state, 1, 1, 4, 5, "small", array, null);
        SlurmCases.submit(state, 1, 1, 4, 5, "small", array, null);
        MainCycle main = new MainCycle(state, listener);

        main.run(NOW, true);
        state.undoStart(first);
        assertThat(state.running()).isEmpty();
        assertThat(state.pending()).hasSize(2);
        assertThat(state.freeGpus()).isEqualTo(8);
        main.run(NOW + 1, true);

        assertThat(listener.lines()).containsExactly("start 1_0 on {0}", "start 1_0 on {0}");
    }

    /** A node is being cleaned until it has been said to be clean as often as it was not. */
    @Test
    void loops_wait_while_nodes_are_being_cleaned() {
        assertThat(state.waitsForCleaning()).isFalse();
        SlurmJob job = submit(null);
        state.start(job, all, nodes(1), NOW);
        state.preempt(job, NOW);
        state.completing(nodes(1), true);
        assertThat(state.completing).isEqualTo(nodes(1));
        assertThat(state.waitsForCleaning()).isTrue();

        state.completing(nodes(1), false);
        assertThat(state.waitsForCleaning()).isTrue();
        state.completing(nodes(1), false);
        assertThat(state.waitsForCleaning()).isFalse();
    }

    /** The age of the job begins when a loop first sees that it may start, though there is no room. */
    @Test
    void a_loop_begins_to_count_the_age_of_jobs_that_may_start() {
        state.start(submit(null), all, nodes(0), NOW);
        SlurmJob job = submit("ours");
        state.reserve(new SlurmReservation("ours", nodes(0), NOW, NOW + 90, Set.of("ann"), false));

        new MainCycle(state, listener).run(NOW + 7, true);

        assertThat(ageAt(job, NOW + 30)).isEqualTo(NOW + 7);
    }

    /** Its GPUs are 0 to 2 of the first node: undone, it holds them, and its array may not run another task. */
    @Test
    void a_preemption_that_is_undone_gives_back_gpus_and_the_place_of_a_task() {
        SlurmArray array = new SlurmArray(1);
        SlurmJob job = SlurmCases.submit(state, 1, 1, 3, 5, "small", array, null);
        SlurmCases.submit(state, 1, 1, 3, 5, "small", array, null);
        state.start(job, all, nodes(0), NOW - 100);
        state.preempt(job, NOW);
        assertThat(array.full()).isFalse();

        state.undoPreempt(job, NOW - 999, 0, NOW - 999);

        assertThat(array.full()).isTrue();
        SlurmJob beside = SlurmCases.submit(state, 2, 1, 1, 5, "normal", null, null);
        state.start(beside, all, nodes(0), NOW);
        assertThat(beside.gpusHeld()).containsExactly(0b1000);
        state.end(job);
        SlurmJob next = SlurmCases.submit(state, 3, 1, 3, 5, "normal", null, null);
        state.start(next, all, nodes(0), NOW);
        assertThat(next.gpusHeld()).containsExactly(0b0111);
    }

    /**
     * A task that was requeued has left its array: when its next start is undone it waits alone, and no other starts
     * with it.
     */
    @Test
    void a_task_that_was_requeued_waits_alone() {
        SlurmArray array = new SlurmArray(0);
        SlurmJob first = SlurmCases.submit(state, 1, 1, 1, 5, "normal", array, null);
        SlurmCases.submit(state, 1, 1, 1, 5, "normal", array, null);
        SlurmJob other = SlurmCases.submit(state, 2, 1, 1, 5, "normal", null, null);
        state.prioritise(other, 50);
        state.start(first, all, nodes(0), NOW - 300);
        state.requeue(first, NOW - 200);
        state.prioritise(first, 100);
        state.start(first, all, nodes(0), NOW - 10);

        state.undoStart(first);
        new MainCycle(state, listener).run(NOW, true);

        assertThat(listener.lines()).containsExactly("start 1_0 on {0}", "start 2 on {0}", "start 1_1 on {0}");
    }

    @Test
    void a_job_starts_once_and_ends_what_it_started() {
        SlurmJob job = submit(null);
        assertThatThrownBy(() -> state.undoStart(job))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job 1 is PENDING, not RUNNING");
        state.start(job, all, nodes(0), NOW);

        assertThatThrownBy(() -> state.start(job, all, nodes(1), NOW))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job 1 is RUNNING, not PENDING");
        state.prioritise(job, 7);
        state.requeue(job, NOW);
        assertThat(job.priority()).isEqualTo(7);
    }

    /** Its five minutes, then ten and twenty. */
    @Test
    void a_job_that_outlives_its_time_runs_once_and_is_expected_later() {
        SlurmJob job = submit(null);
        state.start(job, all, nodes(0), NOW);

        state.expectLater(NOW + 299);
        assertThat(job.endSecond).isEqualTo(NOW + 300);
        state.expectLater(NOW + 300);
        assertThat(job.endSecond).isEqualTo(NOW + 600);
        state.expectLater(NOW + 1199);
        assertThat(job.endSecond).isEqualTo(NOW + 1200);
        assertThat(state.running()).containsExactly(job);
    }

    /** Whether or not a table has it. */
    @Test
    void a_job_is_of_the_account_that_it_names() {
        SlurmJob.Request request = submit(null).request();

        assertThat(List.of(
                        state.job(request, "ghost", null, NOW).account,
                        state.job(request, "", null, NOW).account,
                        state.job(request, null, null, NOW).account))
                .containsExactly("ghost", "root", "root");
    }

    @Test
    void loops_do_not_wait_for_cleaning_where_nothing_says_so() {
        SlurmState hasty = new SlurmState(
                SlurmCluster.of(SlurmConf.parse("slurm.conf", List.of("NodeName=n[1-2]")), null, null, null));

        hasty.completing(nodes(0), true);

        assertThat(hasty.waitsForCleaning()).isFalse();
    }

    @Test
    void a_job_alone_would_start_in_its_partition() {
        SlurmState two = new SlurmState(SlurmCluster.of(
                SlurmConf.parse(
                        "slurm.conf",
                        List.of(
                                "NodeName=n[1-4] Gres=gpu:4",
                                "PartitionName=p Nodes=n[3-4]",
                                "PartitionName=q Nodes=n1")),
                null,
                null,
                null));

        assertThat(two.choice(new Asked(two, 1).in("p").at(NOW), NOW)).isEqualTo(nodes(2));
        assertThat(two.choice(new Asked(two, 2).in("q").nodes(2, 1, 1).at(NOW), NOW))
                .isNull();
    }

    /** The first node is reserved for a minute from now, which the job of five minutes would run into. */
    @Test
    void a_job_alone_would_start_outside_reservations() {
        SlurmJob job = submit(null);
        assertThat(state.choice(job, NOW)).isEqualTo(nodes(0));

        state.reserve(new SlurmReservation("window", nodes(0), NOW + 60, NOW + 120, Set.of(), true));
        assertThat(state.choice(job, NOW)).isEqualTo(nodes(1));
        state.drain(1, true);
        assertThat(state.choice(job, NOW)).isNull();
    }

    /** Of ends at 90, 150 and 200 the first that is not before a second counts, rounded up to whole minutes. */
    @ParameterizedTest
    @CsvSource({"0, 1, 90", "90, 1, 90", "91, 1, 150", "151, 1, 200", "201, 1, 0", "0, 60, 120", "151, 60, 240"})
    void the_first_end_of_a_reservation_is_the_next_time_to_try(long from, long resolution, long end) {
        Reservations reservations = new Reservations(nodes(0));
        for (long until : new long[] {150, 90, 200}) {
            reservations.add(new SlurmReservation("r" + until, nodes(0), 10, until, Set.of(), false));
        }

        assertThat(reservations.firstEnd(from, resolution)).isEqualTo(end);
    }
}
