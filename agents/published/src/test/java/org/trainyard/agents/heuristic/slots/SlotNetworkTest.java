package org.trainyard.agents.heuristic.slots;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.elastic.GpusByServer;
import org.trainyard.env.RandomStreams;

class SlotNetworkTest {
    private static final double[] ONE_GPU = {1};

    /** Two racks of two servers of four GPUs; links of one and a half rings. */
    private final SlotNetwork network = new SlotNetwork(
            new double[][] {{4}, {4}, {4}, {4}},
            new int[] {0, 0, 1, 1},
            new double[] {1.5, 1.5, 1.5, 1.5},
            new double[] {1.5, 1.5});

    private static int @Nullable [] table(SlotNetwork network, double[] demand, int workers, double bandwidth) {
        GpusByServer embedding = network.embed(demand, workers, bandwidth);
        return embedding == null ? null : embedding.table(4);
    }

    @Test
    void a_ring_on_one_server_uses_no_link() {
        GpusByServer embedding = Objects.requireNonNull(network.embed(ONE_GPU, 4, 100));
        assertThat(embedding.table(4)).containsExactly(4, 0, 0, 0);
        network.take(ONE_GPU, embedding, 100);
        assertThat(network.serverLink(0)).isEqualTo(1.5);
        assertThat(network.links(embedding)).isZero();
    }

    @Test
    void a_ring_takes_its_bandwidth_on_each_uplink_and_a_second_one_finds_too_little() {
        GpusByServer two = GpusByServer.of(2, 2, 0, 0);
        network.take(ONE_GPU, two, 1);

        assertThat(network.links(two)).isEqualTo(2);
        assertThat(network.serverLink(0)).isEqualTo(0.5);
        assertThat(network.serverLink(1)).isEqualTo(0.5);
        assertThat(network.serverLink(2)).isEqualTo(1.5);
        network.take(ONE_GPU, GpusByServer.of(0, 0, 2, 2), 0);
        assertThat(table(network, ONE_GPU, 4, 1))
                .as("only servers 2 and 3 have the bandwidth")
                .containsExactly(0, 0, 2, 2);
        network.take(ONE_GPU, GpusByServer.of(0, 0, 2, 2), 1);
        assertThat(table(network, ONE_GPU, 4, 1)).isNull();
        network.give(ONE_GPU, two, 1);
        assertThat(table(network, ONE_GPU, 8, 1)).containsExactly(4, 4, 0, 0);
    }

    @Test
    void the_smallest_server_comes_first_then_one_rack_then_several() {
        network.take(ONE_GPU, GpusByServer.on(1, 2), 0);
        assertThat(table(network, ONE_GPU, 2, 1)).containsExactly(0, 2, 0, 0);
        assertThat(table(network, ONE_GPU, 6, 1)).as("the rack with less room").containsExactly(4, 2, 0, 0);
        assertThat(table(network, ONE_GPU, 7, 1)).containsExactly(0, 0, 4, 3);
        GpusByServer wide = Objects.requireNonNull(network.embed(ONE_GPU, 10, 1));
        assertThat(wide.table(4)).containsExactly(2, 0, 4, 4);
        assertThat(network.links(wide)).as("three servers and two racks").isEqualTo(5);
        network.take(ONE_GPU, wide, 1);
        assertThat(table(network, ONE_GPU, 4, 1)).as("links are used up").isNull();
    }

    @Test
    void the_scarcest_resource_bounds_the_workers_of_a_server() {
        SlotNetwork mixed = new SlotNetwork(
                new double[][] {{4, 8}, {4, 32}}, new int[] {0, 0}, new double[] {1, 1}, new double[] {1});
        assertThat(mixed.room(0, new double[] {1, 4})).isEqualTo(2);
        assertThat(Objects.requireNonNull(mixed.embed(new double[] {1, 4}, 4, 1))
                        .table(2))
                .containsExactly(0, 4);
        assertThat(mixed.embed(new double[] {1, 4}, 7, 1)).isNull();
    }

    /** What an embedding is, by looking at all servers. */
    private static final class Scan {
        private final int[] gpus;
        private final int[] rackOf;
        private final double[] serverLink;
        private final double[] rackLink;

        Scan(int[] gpus, int[] rackOf, double[] serverLink, double[] rackLink) {
            this.gpus = gpus;
            this.rackOf = rackOf;
            this.serverLink = serverLink;
            this.rackLink = rackLink;
        }

        int @Nullable [] embed(int workers, double bandwidth) {
            int best = IntStream.range(0, gpus.length)
                    .filter(server -> gpus[server] >= workers)
                    .boxed()
                    .min(Comparator.comparingInt(server -> gpus[server]))
                    .orElse(-1);
            if (best >= 0) {
                int[] row = new int[gpus.length];
                row[best] = workers;
                return row;
            }
            List<int[]> oneRack = new ArrayList<>();
            List<Integer> racks = new ArrayList<>();
            for (int rack = 0; rack < rackLink.length; rack++) {
                int[] row = fill(List.of(rack), workers, bandwidth);
                if (row != null) {
                    oneRack.add(row);
                }
                if (rackLink[rack] >= bandwidth) {
                    racks.add(rack);
                }
            }
            racks.sort(Comparator.comparingInt(rack -> -room(rack, bandwidth)));
            return oneRack.stream()
                    .min(Comparator.comparingLong(SlotNetworkTest::servers)
                            .thenComparingInt(row -> room(rackOf(row), bandwidth)))
                    .orElseGet(() -> fill(racks, workers, bandwidth));
        }

        private int rackOf(int[] row) {
            return rackOf[
                    IntStream.range(0, row.length)
                            .filter(server -> row[server] > 0)
                            .findFirst()
                            .orElseThrow()];
        }

        private IntStream linked(int rack, double bandwidth) {
            return IntStream.range(0, gpus.length)
                    .filter(server -> rackOf[server] == rack && serverLink[server] >= bandwidth);
        }

        private int room(int rack, double bandwidth) {
            return linked(rack, bandwidth).map(server -> gpus[server]).sum();
        }

        private int @Nullable [] fill(List<Integer> racks, int workers, double bandwidth) {
            int[] row = new int[gpus.length];
            int left = workers;
            for (int rack : racks) {
                for (int server : linked(rack, bandwidth)
                        .boxed()
                        .sorted(Comparator.comparingInt(server -> -gpus[server]))
                        .toList()) {
                    row[server] = Math.min(left, gpus[server]);
                    left -= row[server];
                }
            }
            return left > 0 ? null : row;
        }
    }

    private static long servers(int[] row) {
        return Arrays.stream(row).filter(gpus -> gpus > 0).count();
    }

    @Test
    void embeddings_are_those_of_a_scan_of_all_servers_while_rings_come_and_go() {
        RandomGenerator random = RandomStreams.stream(3, "slot networks");
        for (int instance = 0; instance < 40; instance++) {
            int[] gpus = random.ints(12, 1, 9).toArray();
            int[] rackOf = IntStream.range(0, 12).map(server -> server / 4).toArray();
            double[] serverLink = random.ints(12, 2, 6).asDoubleStream().toArray();
            double[] rackLink = random.ints(3, 2, 6).asDoubleStream().toArray();
            SlotNetwork indexed = new SlotNetwork(
                    Arrays.stream(gpus).mapToObj(count -> new double[] {count}).toArray(double[][]::new),
                    rackOf,
                    serverLink,
                    rackLink);
            Scan scan = new Scan(gpus, rackOf, serverLink, rackLink);
            List<GpusByServer> held = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                int workers = random.nextInt(1, 20);
                GpusByServer embedding = indexed.embed(ONE_GPU, workers, 1);
                int[] expected = scan.embed(workers, 1);
                assertThat(embedding == null ? null : embedding.table(12)).isEqualTo(expected);
                if (embedding != null) {
                    indexed.take(ONE_GPU, embedding, 1);
                    move(scan, embedding, 1);
                    held.add(embedding);
                } else if (!held.isEmpty()) {
                    GpusByServer gone = held.remove(random.nextInt(held.size()));
                    indexed.give(ONE_GPU, gone, 1);
                    move(scan, gone, -1);
                }
                assertThat(indexed.total(0)).isEqualTo(Arrays.stream(gpus).sum());
            }
        }
    }

    private static void move(Scan scan, GpusByServer embedding, int factor) {
        int[] row = embedding.table(scan.gpus.length);
        long racks = IntStream.range(0, row.length)
                .filter(server -> row[server] > 0)
                .map(server -> scan.rackOf[server])
                .distinct()
                .count();
        boolean[] seen = new boolean[scan.rackLink.length];
        for (int server = 0; server < row.length; server++) {
            scan.gpus[server] -= factor * row[server];
            if (row[server] > 0 && embedding.serverCount() > 1) {
                int rack = scan.rackOf[server];
                scan.serverLink[server] -= factor;
                scan.rackLink[rack] -= racks > 1 && !seen[rack] ? factor : 0;
                seen[rack] = true;
            }
        }
    }
}
