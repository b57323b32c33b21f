package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;

/** The order in which loops see pending jobs, each with its partition, as of Slurm's {@code sort_job_queue2}. */
class QueueOrderTest {
    private SlurmState state = state();

    private static SlurmState state(String... more) {
        List<String> conf = new ArrayList<>(List.of(
                "NodeName=n[1-4] CPUs=8 Gres=gpu:4",
                "PartitionName=low Nodes=ALL PriorityTier=1 Default=YES",
                "PartitionName=top Nodes=ALL PriorityTier=3",
                "PartitionName=shut Nodes=ALL PriorityTier=9 State=DOWN"));
        conf.addAll(List.of(more));
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse("slurm.conf", conf),
                null,
                List.of("Name|Priority|Preempt", "normal|0|", "high|9|normal", "other|0|"),
                null));
    }

    private SlurmJob submit(Asked asked, long second, long... priorities) {
        SlurmJob job = asked.at(second);
        state.prioritise(job, priorities);
        return job;
    }

    private SlurmJob submit(long id, long priority) {
        return submit(new Asked(state, id), NOW - 10, priority);
    }

    private List<String> order() {
        List<String> order = new ArrayList<>();
        state.queue(NOW)
                .forEachRemaining(
                        entry -> order.add(entry.job() + " " + entry.partition().name()));
        return order;
    }

    @Test
    void jobs_are_sorted_by_reservation_tier_priority_submission_and_number() {
        state.reserve(new SlurmReservation("ours", nodes(0), NOW - 5, NOW + 90, Set.of(), false));
        submit(new Asked(state, 9), NOW - 10, 5);
        submit(new Asked(state, 8), NOW - 10, 5);
        submit(new Asked(state, 7), NOW - 9, 5);
        submit(new Asked(state, 6), NOW - 11, 5);
        submit(new Asked(state, 5), NOW - 1, 6);
        submit(new Asked(state, 4).in("top"), NOW - 1, 1);
        submit(new Asked(state, 3).reservation("ours"), NOW - 1, 0);
        submit(new Asked(state, 2).reservation("theirs"), NOW - 1, 9);

        assertThat(order()).containsExactly("3 low", "4 top", "5 low", "6 low", "8 low", "9 low", "7 low");
    }

    /** One that is shut takes none. */
    @Test
    void a_job_stands_in_each_of_its_partitions_with_the_priority_there() {
        submit(new Asked(state, 1).in("low,shut,top"), NOW - 10, 9, 7, 2);
        submit(new Asked(state, 2), NOW - 10, 8);
        submit(new Asked(state, 3).in("top"), NOW - 10, 1);
        submit(new Asked(state, 4).in("top"), NOW - 10, 3);

        assertThat(order()).containsExactly("4 top", "1 top", "3 top", "1 low", "2 low");
    }

    /** Whether one job of many has a new priority, or most of them do. */
    @Test
    void jobs_with_new_priorities_have_new_places() {
        List<SlurmJob> jobs = new ArrayList<>();
        for (int id = 1; id <= 6; id++) {
            jobs.add(submit(id, 10 - id));
        }

        state.prioritise(jobs.get(4), 100);
        state.prioritise(jobs.get(0), 1);
        assertThat(order()).containsExactly("5 low", "2 low", "3 low", "4 low", "6 low", "1 low");
        state.prioritiseAll(job -> new long[] {job.request().id()});

        assertThat(order()).containsExactly("6 low", "5 low", "4 low", "3 low", "2 low", "1 low");
        state.end(jobs.get(3));
        state.end(jobs.get(5));
        assertThat(order()).containsExactly("5 low", "3 low", "2 low", "1 low");
    }

    /** The tasks of an array have one place, that of the next to start, whatever the priorities of those behind it. */
    @Test
    void a_task_behind_the_next_of_its_array_has_no_place() {
        SlurmArray array = new SlurmArray(0);
        List<SlurmJob> tasks = new ArrayList<>();
        for (int task = 0; task < 3; task++) {
            tasks.add(state.submit(new Asked(state, 1).task(array).request(), null, array, NOW - 10));
        }
        for (int id = 2; id <= 5; id++) {
            submit(id, 10 - id);
        }

        state.prioritise(tasks.get(1), 100);

        assertThat(order()).containsExactly("2 low", "3 low", "4 low", "5 low", "1_0 low");
        state.start(tasks.get(0), tasks.get(0).partition(), nodes(0), NOW);
        assertThat(order()).containsExactly("1_1 low", "2 low", "3 low", "4 low", "5 low");
        state.end(tasks.get(1));
        assertThat(order()).containsExactly("2 low", "3 low", "4 low", "5 low", "1_2 low");
    }

    /** Job 1 and the first task of array 2 ran for a moment: they wait as of then, behind those who came before it. */
    @Test
    void requeued_jobs_have_places_by_their_second_submission() {
        SlurmJob first = submit(1, 5);
        SlurmArray array = new SlurmArray(0);
        for (int task = 0; task < 3; task++) {
            state.prioritise(state.submit(new Asked(state, 2).task(array).request(), null, array, NOW - 300), 5);
        }
        submit(new Asked(state, 3), NOW - 20, 5);
        for (SlurmJob job : List.of(first, Objects.requireNonNull(array.next()))) {
            state.start(job, job.partition(), nodes(0), NOW - 200);
            state.requeue(job, NOW - 150);
        }

        assertThat(order()).containsExactly("2_1 low", "1 low", "2_0 low", "3 low");
    }

    /**
     * A run goes on behind the job that it saw last, whoever starts or ends meanwhile; jobs that come then are of the
     * next run.
     */
    @Test
    void a_run_sees_the_jobs_that_waited_when_it_began() {
        List<SlurmJob> jobs = new ArrayList<>();
        for (int id = 1; id <= 5; id++) {
            jobs.add(submit(id, 10 - id));
        }
        Iterator<SlurmQueue.Entry> run = state.queue(NOW);

        assertThat(run.next().job()).isSameAs(jobs.get(0));
        state.start(jobs.get(0), jobs.get(0).partition(), nodes(0), NOW);
        state.end(jobs.get(2));
        submit(6, 8);
        submit(7, 0);
        assertThat(run.next().job()).isSameAs(jobs.get(1));
        state.start(jobs.get(1), jobs.get(1).partition(), nodes(0), NOW);
        state.hold(jobs.get(3), true, NOW);
        assertThat(run.next().job()).isSameAs(jobs.get(4));
        assertThat(run.hasNext()).isFalse();
        assertThatThrownBy(run::next).isInstanceOf(NoSuchElementException.class);
        assertThat(order()).containsExactly("6 low", "5 low", "7 low");
    }

    /** A job of a QOS that may preempt another's comes before it in spite of its priority, and others by theirs. */
    @Test
    void where_jobs_preempt_those_who_may_come_first() {
        state = state("PreemptType=preempt/qos", "PreemptMode=REQUEUE");
        submit(1, 90);
        submit(new Asked(state, 2).qos("high"), NOW - 10, 1);
        submit(3, 95);
        SlurmJob fourth = submit(new Asked(state, 4).qos("high"), NOW - 10, 2);
        submit(new Asked(state, 5).qos("high").in("top"), NOW - 10, 0);

        assertThat(order()).containsExactly("5 top", "4 low", "2 low", "3 low", "1 low");
        state.end(fourth);
        assertThat(order()).containsExactly("5 top", "2 low", "3 low", "1 low");
    }

    /**
     * Of three QOS one may preempt another, and the third none, so that there is no order of all. Jobs 2 and 3 are
     * compared first, by priority, then 1 with 2: so 3, which may preempt 1, is last; with the priorities of 2 and 3
     * exchanged it is first.
     */
    @Test
    void where_not_all_may_preempt_pairs_are_compared_as_a_merge_sort_does() {
        state = state("PreemptType=preempt/qos", "PreemptMode=REQUEUE");
        submit(1, 90);
        SlurmJob second = submit(new Asked(state, 2).qos("other"), NOW - 10, 50);
        SlurmJob third = submit(new Asked(state, 3).qos("high"), NOW - 10, 10);

        assertThat(order()).containsExactly("1 low", "2 low", "3 low");
        state.prioritise(second, 10);
        state.prioritise(third, 50);
        assertThat(order()).containsExactly("3 low", "1 low", "2 low");
    }
}
