package org.trainyard.agents.heuristic.sjfbco;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/**
 * The planner against the best there is, on worlds small enough to be solved: the bound n phi u / l, and how far it is
 * from it.
 */
class ApproximationTest {
    @BeforeAll
    static void load() {
        IntegerProgram.load();
    }

    private static SlottedWorld world(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "tiny");
        int[] gpusOn =
                IntStream.range(0, 2).map(server -> 1 + random.nextInt(2)).toArray();
        int all = Arrays.stream(gpusOn).sum();
        int jobs = 3 + random.nextInt(2);
        int[] gpus = IntStream.range(0, jobs)
                .map(job -> 1 + random.nextInt(Math.min(3, all)))
                .toArray();
        int[] work = IntStream.range(0, jobs).map(job -> 6 + random.nextInt(18)).toArray();
        return new SlottedWorld(gpusOn, gpus, work);
    }

    private static Topology topology(SlottedWorld world) {
        List<ServerSpec> servers =
                Arrays.stream(world.gpusOn()).mapToObj(ServerSpec::ofV100).toList();
        return new Topology.Builder("tiny", Fabric.DEFAULT).rack(servers).build();
    }

    private static int planned(SlottedWorld world, BatchPlanner.Policy policy) {
        Topology topology = topology(world);
        List<Gang> gangs = new ArrayList<>();
        for (int job = 0; job < world.jobs(); job++) {
            gangs.add(new Gang(job, world.gpus()[job], world.leastSlots(job)));
        }
        BatchPlanner.Settings settings =
                new BatchPlanner.Settings(1, Double.POSITIVE_INFINITY, 1, 0, BatchPlanner.Order.SIZE);
        BatchPlan plan = new BatchPlanner(policy, settings, RandomStreams.stream(1, "tiny"))
                .plan(gangs, new Bookings(topology, new double[topology.gpus()]));
        int[] serverOf =
                IntStream.range(0, topology.gpus()).map(topology::serverOf).toArray();
        return world.makespan(plan.gangs(), serverOf);
    }

    private static int serial(SlottedWorld world) {
        return IntStream.range(0, world.jobs()).map(world::mostSlots).sum();
    }

    /**
     * Jobs are booked for the fewest slots they can take, l rho <= booked <= u rho with u = 1 and l = 1 / phi; so the
     * bound is n phi^2.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void the_makespan_is_within_the_bound_of_the_optimum(long seed) {
        SlottedWorld world = world(seed);
        int ours = planned(world, BatchPlanner.Policy.SJF_BCO);
        int optimum = new IntegerProgram(world, Math.min(ours, serial(world))).solve();

        int widest = Arrays.stream(world.gpus()).max().orElseThrow();
        double phi = IntStream.range(0, world.jobs())
                .mapToDouble(job -> (double) world.mostSlots(job) / world.leastSlots(job))
                .max()
                .orElseThrow();
        assertThat(ours).isBetween(optimum, (int) Math.floor(widest * phi * phi * optimum));
    }

    /**
     * Two servers of 2 GPUs; jobs of 2, 1 and 1 GPUs with work for 2, 2 and 2 slots on one server: side by side in 2
     * slots. A fourth of 3 GPUs must span both, at 11 in a slot: its 22 take 2 slots more, when the others are done.
     */
    @Test
    void the_program_finds_an_optimum_known_by_hand() {
        assertThat(new IntegerProgram(
                                new SlottedWorld(new int[] {2, 2}, new int[] {2, 1, 1}, new int[] {24, 24, 24}), 6)
                        .solve())
                .isEqualTo(2);
        SlottedWorld wider = new SlottedWorld(new int[] {2, 2}, new int[] {2, 1, 1, 3}, new int[] {24, 24, 24, 22});
        assertThat(new IntegerProgram(wider, 8).solve()).isEqualTo(4);
        assertThat(planned(wider, BatchPlanner.Policy.SJF_BCO)).isEqualTo(4);
    }

    /**
     * Two rings of 2 GPUs on two servers of 2: apart they are done in 2 slots of 12; sharing both servers they would do
     * 8 in a slot.
     */
    @Test
    void the_program_keeps_rings_apart() {
        SlottedWorld rings = new SlottedWorld(new int[] {2, 2}, new int[] {2, 2}, new int[] {24, 24});
        int[] serverOf = {0, 0, 1, 1};

        assertThat(new IntegerProgram(rings, 6).solve()).isEqualTo(2);
        assertThat(rings.makespan(
                        List.of(
                                new BatchPlan.Placed(new Gang(0, 2, 2), new int[] {0, 2}),
                                new BatchPlan.Placed(new Gang(1, 2, 2), new int[] {1, 3})),
                        serverOf))
                .isEqualTo(3);
    }
}
