package org.trainyard.env.scheduling.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.RandomPlay;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Asked in states that random play leads to, now and then, so that several changes come together. */
class SpreadServersTest {
    private static final ServerSpec SLOW = new ServerSpec(GpuType.V100, 2, 4, false);
    private static final ServerSpec FAST = new ServerSpec(GpuType.A100, 2, 4, true);
    private static final ServerSpec SMALL = new ServerSpec(GpuType.V100, 1, 2, false);
    private static final Topology TOPOLOGY = new Topology.Builder("mixed", Fabric.DEFAULT)
            .rack(List.of(SLOW, SLOW, FAST))
            .rack(List.of(FAST, SLOW, FAST, SLOW))
            .rack(List.of(SMALL, SLOW, SMALL))
            .build();

    /** A server and the workers on it. */
    private record Part(int server, int workers) {}

    @Test
    void what_is_kept_are_the_servers_with_most_room_and_the_tightest_for_the_remainder() {
        int[] asked = new int[3];
        for (long seed = 1; seed <= 6; seed++) {
            RandomGenerator random = RandomStreams.stream(seed, "test/spread");
            SpreadServers spread = new SpreadServers(TOPOLOGY);
            RandomPlay.play(seed, TOPOLOGY, view -> {
                for (int question = random.nextInt(4); question > 0; question--) {
                    int workers = 1 + random.nextInt(TOPOLOGY.gpus());
                    boolean isForSlow = random.nextInt(4) == 0;
                    Demand demand = isForSlow
                            ? Demand.ofGpus(workers).onTypes(List.of(GpuType.V100.name()))
                            : Demand.ofGpus(workers);
                    List<Part> expected = byTrying(view, demand, workers);
                    assertThat(chosen(spread, spread.choose(view, demand, workers)))
                            .isEqualTo(expected);
                    asked[expected.isEmpty() ? 0 : isForSlow ? 1 : 2]++;
                }
            });
        }
        assertThat(asked[0]).isGreaterThan(100);
        assertThat(asked[1]).isGreaterThan(100);
        assertThat(asked[2]).isGreaterThan(100);
    }

    private static List<Part> chosen(SpreadServers spread, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Part(spread.servers()[i], spread.taken()[i]))
                .toList();
    }

    private static List<Part> byTrying(SimView view, Demand demand, int workers) {
        List<Part> parts = new ArrayList<>();
        List<Integer> left =
                new ArrayList<>(IntStream.range(0, TOPOLOGY.servers()).boxed().toList());
        int missing = workers;
        while (missing > 0) {
            int needed = missing;
            Comparator<Integer> byRoom =
                    Comparator.comparingInt(server -> view.cluster().room(demand, server));
            Optional<Integer> tightest = left.stream()
                    .filter(server -> view.cluster().room(demand, server) >= needed)
                    .min(byRoom);
            // Of a sequential stream the first of equals is the least, also by the reverse order.
            Optional<Integer> best = tightest.or(() -> left.stream()
                    .filter(server -> view.cluster().room(demand, server) > 0)
                    .min(byRoom.reversed()));
            if (best.isEmpty()) {
                return List.of();
            }
            int taken = Math.min(needed, view.cluster().room(demand, best.get()));
            parts.add(new Part(best.get(), taken));
            left.remove(best.get());
            missing -= taken;
        }
        return parts;
    }
}
