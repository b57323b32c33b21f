package org.trainyard.agents.heuristic.victims;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.queue.RunningByFallingRank;
import org.trainyard.agents.heuristic.queue.RunningByRank;
import org.trainyard.agents.heuristic.queue.RunningOrder;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.scheduling.order.Rank;
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
            List<Integer> victims = search.anywhere(view, view.cluster().free() + 1, order, -1, job -> true);
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

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void on_a_few_servers_victims_make_room_on_those_with_most_to_gain_or_there_are_none(int most) {
        VictimSearch search = new VictimSearch();
        int[] found = new int[2];
        RandomPlay.play(most, TOPOLOGY, view -> {
            IntArrayList jobs = new IntArrayList();
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                if (job % 3 > 0) {
                    jobs.add(job);
                }
            }
            int gpus = most * GPUS - 1;
            List<Integer> best = IntStream.range(0, TOPOLOGY.servers())
                    .boxed()
                    .sorted(Comparator.comparing(
                                    (Integer server) -> -Math.min(gpus, freeOn(view, server, new HashSet<>(jobs))))
                            .thenComparing(server -> -view.cluster().freeOn(server)))
                    .limit(most)
                    .toList();

            Set<Integer> gone = new HashSet<>(search.onServers(view, gpus, most, jobs, null));

            boolean isEnough = best.stream()
                            .mapToInt(server -> freeOn(view, server, new HashSet<>(jobs)))
                            .sum()
                    >= gpus;
            boolean hasRoom = best.stream().mapToInt(view.cluster()::freeOn).sum() >= gpus;
            assertThat(gone.isEmpty()).isEqualTo(!isEnough || hasRoom);
            if (!gone.isEmpty()) {
                assertThat(best.stream()
                                .mapToInt(server -> freeOn(view, server, gone))
                                .sum())
                        .isGreaterThanOrEqualTo(gpus);
                assertThat(gone)
                        .allMatch(job -> best.stream()
                                        .mapToInt(server -> freeOn(view, server, without(gone, job)))
                                        .sum()
                                < gpus);
            }
            found[gone.isEmpty() ? 0 : 1]++;
        });
        assertThat(found[0]).isPositive();
        assertThat(found[1]).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void an_order_that_is_kept_gives_the_victims_of_one_that_is_made_anew(long seed) {
        PreemptionCandidates kept = new PreemptionCandidates(REMAINING, new RunningByFallingRank(REMAINING));
        PreemptionCandidates anew = new PreemptionCandidates(REMAINING, new RunningByRank(REMAINING));
        int[] found = new int[1];
        RandomPlay.play(seed, TOPOLOGY, view -> {
            for (int servers = 1; servers <= TOPOLOGY.servers(); servers++) {
                for (double limit : new double[] {600, 60, -1}) {
                    int victim = kept.victim(view, limit, servers * GPUS - 1, servers);
                    assertThat(victim).isEqualTo(anew.victim(view, limit, servers * GPUS - 1, servers));
                    found[0] += victim == SimView.NONE ? 0 : 1;
                }
            }
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
