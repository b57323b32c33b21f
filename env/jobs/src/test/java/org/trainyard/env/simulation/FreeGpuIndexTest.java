package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

class FreeGpuIndexTest {
    private static void requireRight(Topology topology, Cluster cluster) {
        FreeGpuIndex index = cluster.byFreeGpus();
        int empty = 0;
        int emptyGpus = 0;
        double largest = 0;
        for (int free = 0; free <= topology.widestServer(); free++) {
            int listed = index.next(free, 0);
            for (int server = 0; server < topology.servers(); server++) {
                if (cluster.freeOn(server) == free) {
                    assertThat(listed).as("server with %d free GPUs", free).isEqualTo(server);
                    listed = index.next(free, server + 1);
                }
            }
            assertThat(listed).as("server without %d free GPUs", free).isEqualTo(SimView.NONE);
        }
        for (int server = 0; server < topology.servers(); server++) {
            int gpus = topology.gpusOn(server);
            if (gpus > 0) {
                empty += cluster.freeOn(server) == gpus ? 1 : 0;
                emptyGpus += cluster.freeOn(server) == gpus ? gpus : 0;
                largest = Math.max(largest, (double) cluster.freeOn(server) / gpus);
            }
        }
        List<Integer> tightestFirst = IntStream.range(0, topology.servers())
                .boxed()
                .sorted(Comparator.comparingInt(cluster::freeOn))
                .toList();
        for (int gpus = 0; gpus <= topology.widestServer(); gpus++) {
            int least = gpus;
            List<Integer> walked = new ArrayList<>();
            for (int server = index.tightest(gpus); server != SimView.NONE; server = index.after(server)) {
                walked.add(server);
            }
            assertThat(walked)
                    .isEqualTo(tightestFirst.stream()
                            .filter(server -> cluster.freeOn(server) >= least)
                            .toList());
            assertThat(index.count(gpus))
                    .isEqualTo(tightestFirst.stream()
                            .filter(server -> cluster.freeOn(server) == least)
                            .count());
        }
        assertThat(index.widest()).isEqualTo(topology.widestServer());
        int[] mostFirst = IntStream.range(0, topology.servers())
                .map(server -> -cluster.freeOn(server))
                .sorted()
                .map(free -> -free)
                .toArray();
        int sum = 0;
        for (int i = 0; i < mostFirst.length; i++) {
            sum += mostFirst[i];
            if (mostFirst[i] > 0) {
                assertThat(index.fewestServers(sum)).isEqualTo(i + 1);
            }
        }
        assertThat(index.fewestServers(sum + 1)).isEqualTo(Integer.MAX_VALUE);
        assertThat(index.empty()).isEqualTo(empty);
        assertThat(index.emptyGpus()).isEqualTo(emptyGpus);
        assertThat(index.most()).isEqualTo(mostFirst[0]);
        assertThat(index.largestHole()).isEqualTo(largest);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void it_follows_starts_stops_shares_resizes_outages_and_repairs(long seed) {
        MixedWorld world = new MixedWorld(seed, Contention.NONE);
        Scheduler chaos = world.chaos();
        int[] calls = {0};

        new World(world.topology, world.truth, world.options())
                .telling(told -> world.predictor())
                .simulator(world.workload)
                .run(view -> {
                    requireRight(world.topology, view.cluster());
                    calls[0]++;
                    return chaos.decide(view);
                });

        assertThat(calls[0]).isGreaterThan(100);
    }

    @Test
    void it_goes_back_with_the_cluster_to_an_earlier_state() {
        Topology topology = Objects.requireNonNull(Topologies.parse("2x3x4"));
        Cluster cluster = new Cluster(topology);
        cluster.allocate(0, Demand.ofGpus(3), Placement.of(topology, 0, 1, 2));
        Cluster.Image image = cluster.image();
        requireRight(topology, cluster);

        cluster.allocate(1, Demand.ofGpus(5), Placement.of(topology, 3, 8, 9, 10, 11));
        requireRight(topology, cluster);
        cluster.restore(image);

        requireRight(topology, cluster);
        assertThat(cluster.byFreeGpus().next(4, 0)).isEqualTo(1);
    }

    @Test
    void it_covers_the_cluster_from_the_first_server_to_the_last_and_counts_what_it_is_asked() {
        Topology topology = Objects.requireNonNull(Topologies.parse("2x3x4"));
        FreeGpuIndex index = new Cluster(topology).byFreeGpus();

        assertThat(index.covers(0, 6)).isTrue();
        assertThat(index.covers(1, 6)).isFalse();
        assertThat(index.covers(0, 5)).isFalse();
        assertThat(index.lookUps()).isZero();
        index.next(4, 2);
        index.next(3, 0);
        assertThat(index.lookUps()).isEqualTo(2);
    }
}
