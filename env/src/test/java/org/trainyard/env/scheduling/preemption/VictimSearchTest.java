package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.queue.RunningByFallingRank;
import org.trainyard.env.scheduling.queue.RunningOrder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Checked in states that random play leads to. */
class VictimSearchTest {
    private static final Topology TOPOLOGY = Topologies.small();
    private static final int GPUS = 4;
    private static final Rank REMAINING = SimView::predictedRemainingSeconds;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void victims_free_enough_gpus_in_the_locality_and_none_is_needless(long seed) {
        VictimSearch search = new VictimSearch();
        int[] found = new int[1];
        RandomPlay.play(seed, TOPOLOGY, view -> {
            PreemptibleJobs running = new PreemptibleJobs(TOPOLOGY, 1, REMAINING, seed == 1);
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                running.add(view, job, 0);
            }
            List<Integer> victims = search.within(view, GPUS, Locality.SERVER, running, 0);
            if (!victims.isEmpty()) {
                found[0]++;
                Set<Integer> gone = new HashSet<>(victims);
                assertThat(IntStream.range(0, TOPOLOGY.servers()))
                        .anyMatch(server -> freeOn(view, server, gone) == GPUS
                                && gone.stream().allMatch(job -> freeOn(view, server, without(gone, job)) < GPUS));
            }
        });
        assertThat(found[0]).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void anywhere_the_job_of_highest_rank_is_the_victim_for_one_gpu_more(long seed) {
        VictimSearch search = new VictimSearch();
        RunningOrder order = new RunningByFallingRank(REMAINING);
        RandomPlay.play(seed, TOPOLOGY, view -> {
            int highest = SimView.NONE;
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                boolean isHigher = highest == SimView.NONE
                        || REMAINING.of(view, job) > REMAINING.of(view, highest)
                        || (REMAINING.of(view, job) == REMAINING.of(view, highest) && job > highest);
                highest = isHigher ? job : highest;
            }
            List<Integer> victims = search.anywhere(view, view.cluster().free() + 1, order, -1);
            assertThat(victims).isEqualTo(highest == SimView.NONE ? List.of() : List.of(highest));
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void jobs_below_the_level_are_spared(long seed) {
        VictimSearch search = new VictimSearch();
        int[] found = new int[1];
        PreemptibleJobs kept = new PreemptibleJobs(TOPOLOGY, 2, REMAINING, false);
        Set<Integer> there = new HashSet<>();
        RandomPlay.play(seed, TOPOLOGY, view -> {
            there.forEach(kept::remove);
            there.clear();
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                kept.add(view, job, job % 2);
                there.add(job);
            }
            int gpus = view.cluster().free() + 1;
            List<Integer> victims = search.within(view, gpus, Locality.CLUSTER, kept, 1);
            boolean isAnyOnLevel = there.stream().anyMatch(job -> job % 2 == 1);
            assertThat(victims.isEmpty()).isNotEqualTo(isAnyOnLevel);
            assertThat(victims).allMatch(job -> job % 2 == 1);
            found[0] += victims.size();
        });
        assertThat(found[0]).isPositive();
    }

    private static Set<Integer> without(Set<Integer> jobs, int job) {
        Set<Integer> others = new HashSet<>(jobs);
        others.remove(job);
        return others;
    }

    private static int freeOn(SimView view, int server, Set<Integer> gone) {
        int free = view.cluster().freeOn(server);
        for (int job : gone) {
            Placement placement = view.placement(job);
            int at = placement.indexOf(server);
            free += at < 0 ? 0 : placement.gpusOn(at);
        }
        return free;
    }
}
