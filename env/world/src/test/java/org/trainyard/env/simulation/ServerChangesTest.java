package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Readers of random changes of a small cluster, of which some come seldom enough to miss some. */
class ServerChangesTest {
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("4x16x2"));
    private static final int STEPS = 4_000;

    /** Jobs come and go, GPUs fail and are repaired, and at times all goes back to an earlier allocation. */
    private static final class RandomCluster {
        private final RandomGenerator random;
        private final Cluster cluster = new Cluster(TOPOLOGY);
        private final List<@Nullable Placement> placements = new ArrayList<>();

        private RandomCluster(RandomGenerator random) {
            this.random = random;
        }

        private void step() {
            int kind = random.nextInt(400);
            if (kind == 0) {
                cluster.restore(cluster.image());
            } else if (kind <= 40) {
                breakOrRepair(random.nextInt(TOPOLOGY.gpus()));
            } else if (random.nextBoolean()) {
                start();
            } else {
                end();
            }
        }

        private void breakOrRepair(int gpu) {
            if (cluster.owner(gpu) == Cluster.FREE) {
                cluster.breakDown(gpu);
            } else if (cluster.owner(gpu) == Cluster.DOWN) {
                cluster.repair(gpu);
            }
        }

        private void start() {
            int[] free = IntStream.range(0, TOPOLOGY.gpus())
                    .filter(gpu -> cluster.owner(gpu) == Cluster.FREE && random.nextInt(3) == 0)
                    .limit(1 + random.nextInt(6))
                    .toArray();
            if (free.length > 0) {
                Placement placement = Placement.of(TOPOLOGY, free);
                cluster.allocate(placements.size(), Demand.ofGpus(free.length), placement);
                placements.add(placement);
            }
        }

        private void end() {
            int[] running = IntStream.range(0, placements.size())
                    .filter(job -> placements.get(job) != null)
                    .toArray();
            if (running.length > 0) {
                int job = running[random.nextInt(running.length)];
                Placement placement = Objects.requireNonNull(placements.get(job));
                cluster.release(job, Demand.ofGpus(placement.gpuCount()), placement);
                placements.set(job, null);
            }
        }
    }

    private static List<Integer> contents(Cluster cluster, int server) {
        List<Integer> contents = new ArrayList<>(List.of(cluster.freeOn(server)));
        for (int n = 0; n < cluster.jobsOn(server); n++) {
            contents.add(cluster.jobOn(server, n));
        }
        return contents;
    }

    /** Keeps what is on every server. */
    private static final class Reader {
        private final ServerChanges.Cursor cursor = new ServerChanges.Cursor();
        private final List<List<Integer>> kept = new ArrayList<>(Arrays.asList(emptyLists()));
        private int anew;
        private int changes;

        @SuppressWarnings({"unchecked", "rawtypes"})
        private static List<Integer>[] emptyLists() {
            List[] lists = new List[TOPOLOGY.servers()];
            Arrays.fill(lists, List.of());
            return lists;
        }

        private void read(Cluster cluster) {
            if (cursor.advance(cluster)) {
                anew++;
                assertThat(cursor.first()).isEqualTo(cursor.end());
                for (int server = 0; server < TOPOLOGY.servers(); server++) {
                    kept.set(server, contents(cluster, server));
                }
            }
            for (long change = cursor.first(); change < cursor.end(); change++) {
                changes++;
                kept.set(cursor.server(change), contents(cluster, cursor.server(change)));
            }
        }
    }

    private static List<List<Integer>> contents(Cluster cluster) {
        return IntStream.range(0, TOPOLOGY.servers())
                .mapToObj(server -> contents(cluster, server))
                .toList();
    }

    @Test
    void who_reads_the_changes_alone_knows_every_server() {
        RandomGenerator random = RandomStreams.stream(1, "test/changes");
        RandomCluster world = new RandomCluster(random);
        int[] intervals = {1, 3, 20, 60, 400};
        List<Reader> readers =
                Arrays.stream(intervals).mapToObj(interval -> new Reader()).toList();
        for (int step = 0; step < STEPS; step++) {
            world.step();
            for (int i = 0; i < intervals.length; i++) {
                if (random.nextInt(intervals[i]) == 0) {
                    readers.get(i).read(world.cluster);
                    assertThat(readers.get(i).kept).isEqualTo(contents(world.cluster));
                }
            }
        }
        assertThat(readers.get(0).anew).isEqualTo(1);
        assertThat(readers.get(0).changes).isGreaterThan(STEPS / 2);
        assertThat(readers.get(2).changes).isGreaterThan(STEPS / 2);
        assertThat(readers.get(3).anew).as("missed changes").isGreaterThan(1);
        assertThat(readers.get(4).anew).as("missed changes").isGreaterThan(1);
    }

    @Test
    void who_turns_to_another_cluster_begins_anew() {
        RandomGenerator random = RandomStreams.stream(2, "test/changes");
        List<RandomCluster> worlds = List.of(new RandomCluster(random), new RandomCluster(random));
        Reader reader = new Reader();
        int turns = 0;
        int before = 1;
        for (int step = 0; step < STEPS / 4; step++) {
            worlds.forEach(RandomCluster::step);
            int now = random.nextInt(4) == 0 ? 1 - before : before;
            turns += now != before || step == 0 ? 1 : 0;
            before = now;
            reader.read(worlds.get(now).cluster);
            assertThat(reader.kept).isEqualTo(contents(worlds.get(now).cluster));
        }
        assertThat(reader.anew).isEqualTo(turns);
        assertThat(reader.changes).isGreaterThan(STEPS / 4);
    }
}
