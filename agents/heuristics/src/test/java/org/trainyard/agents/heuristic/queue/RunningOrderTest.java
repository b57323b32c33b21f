package org.trainyard.agents.heuristic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.order.ServiceQueues;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topologies;

/** Orders kept up to date, held against all ranks computed anew, in states that random play leads to. */
class RunningOrderTest {
    private static final long[] LIMITS = {60, 600, 6_000};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void jobs_by_falling_rank_come_in_the_order_of_their_ranks_now(long seed) {
        Rank remaining = SimView::predictedRemainingSeconds;
        RunningOrder kept = new RunningByFallingRank(remaining);
        int[] longest = new int[1];
        RandomPlay.play(seed, Topologies.small(), view -> {
            for (double limit : new double[] {2_000, 100, -1}) {
                List<Integer> expected = jobs(new RunningByRank(remaining), view, limit);
                longest[0] = Math.max(longest[0], expected.size());
                assertThat(jobs(kept, view, limit)).isEqualTo(expected);
            }
        });
        assertThat(longest[0]).isGreaterThan(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void jobs_in_queues_come_in_the_order_of_their_queues_now(long seed) {
        ServiceQueues queues = new ServiceQueues(LIMITS);
        RunningQueues kept = new RunningQueues(queues);
        int[] sunk = new int[1];
        RandomPlay.play(seed, Topologies.small(), view -> {
            for (double limit : new double[] {1, 0, -1}) {
                List<Integer> expected = jobs(new RunningByRank(queues::of), view, limit);
                sunk[0] += limit == 1 && !expected.isEmpty() ? 1 : 0;
                assertThat(jobs(kept, view, limit)).isEqualTo(expected);
            }
        });
        assertThat(sunk[0]).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void the_next_job_sinks_when_the_first_of_all_running_jobs_does(long seed) {
        ServiceQueues queues = new ServiceQueues(LIMITS);
        RunningQueues kept = new RunningQueues(queues);
        int[] found = new int[1];
        RandomPlay.play(seed, Topologies.small(), view -> {
            kept.update(view);
            for (int best = 0; best < queues.count(); best++) {
                long sooner = Long.MAX_VALUE;
                for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                    int queue = queues.of(view, job);
                    sooner =
                            Math.min(sooner, queue + 1 > best ? queues.sinkingNanos(view, job, queue) : Long.MAX_VALUE);
                }
                found[0] += sooner < Long.MAX_VALUE ? 1 : 0;
                assertThat(kept.nextSinkingNanos(best)).isEqualTo(sooner);
            }
        });
        assertThat(found[0]).isPositive();
    }

    private static List<Integer> jobs(RunningOrder order, SimView view, double limit) {
        IntArrayList jobs = new IntArrayList();
        order.begin(view);
        for (int job = order.next(view, limit); job != SimView.NONE; job = order.next(view, limit)) {
            jobs.add(job);
        }
        return jobs;
    }
}
