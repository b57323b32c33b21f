package org.trainyard.env.scheduling.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** Checked in states that random play leads to. */
class VictimSearchTest {
    private static final Topology TOPOLOGY = Topologies.small();
    private static final int GPUS = 4;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void victims_free_enough_gpus_in_the_locality_and_none_is_needless(long seed) {
        VictimSearch search = new VictimSearch();
        int[] found = new int[1];
        RandomPlay.play(seed, TOPOLOGY, view -> {
            IntArrayList running = new IntArrayList();
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                running.add(job);
            }
            IntArrayList victims = search.within(view, GPUS, Locality.SERVER, running, running.size());
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
    void on_as_many_servers_as_there_are_any_gpu_counts(long seed) {
        VictimSearch search = new VictimSearch();
        RandomPlay.play(seed, TOPOLOGY, view -> {
            IntArrayList running = new IntArrayList();
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                running.add(job);
            }
            int gpus = view.cluster().free() + 1;
            IntArrayList victims = search.onServers(view, gpus, TOPOLOGY.servers(), running, running.size());
            assertThat(victims.size()).isEqualTo(running.isEmpty() ? 0 : 1);
            if (!running.isEmpty()) {
                assertThat(victims.getInt(0)).isEqualTo(running.getInt(0));
            }
        });
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
