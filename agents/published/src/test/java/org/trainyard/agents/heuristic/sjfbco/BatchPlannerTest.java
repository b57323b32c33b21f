package org.trainyard.agents.heuristic.sjfbco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner.FirstUnderCap;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner.LeastBooked;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class BatchPlannerTest {
    private static final Topology TWO_SERVERS = Objects.requireNonNull(Topologies.parse("2x2"));

    private static BatchPlan plan(
            BatchPlanner.Policy policy, double horizon, int kappa, Topology on, List<Gang> batch) {
        BatchPlanner.Settings settings = new BatchPlanner.Settings(1, horizon, 1, kappa, BatchPlanner.Order.SIZE);
        return new BatchPlanner(policy, settings, RandomStreams.stream(1, "test"))
                .plan(batch, new Bookings(on, new double[on.gpus()]));
    }

    private static Topology someServers(RandomGenerator random) {
        List<ServerSpec> servers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            servers.add(ServerSpec.ofV100(4 << random.nextInt(3)));
        }
        return new Topology.Builder("some servers", Fabric.DEFAULT)
                .rack(servers)
                .build();
    }

    private static List<Gang> someGangs(RandomGenerator random) {
        List<Gang> gangs = new ArrayList<>();
        int count = 1 + random.nextInt(50);
        for (int job = 0; job < count; job++) {
            gangs.add(new Gang(job, 1 << random.nextInt(5), 1 + random.nextInt(300)));
        }
        return gangs;
    }

    @ForSeeds
    void no_gpu_is_booked_above_the_cap_and_every_gang_has_its_gpus(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "plans");
        Topology topology = someServers(random);
        List<Gang> gangs = someGangs(random);
        for (BatchPlanner.Policy policy : BatchPlanner.Policy.values()) {
            for (double horizon : new double[] {20_000, Double.POSITIVE_INFINITY}) {
                BatchPlan plan = plan(policy, horizon, 0, topology, gangs);

                assertThat(plan.gangs().stream().map(BatchPlan.Placed::gang))
                        .containsExactlyInAnyOrderElementsOf(gangs);
                double[] booked = new double[topology.gpus()];
                for (BatchPlan.Placed placed : plan.gangs()) {
                    assertThat(placed.gpus()).hasSize(placed.gang().gpus()).doesNotHaveDuplicates();
                    for (int gpu : placed.gpus()) {
                        booked[gpu] += placed.gang().seconds();
                    }
                }
                for (double seconds : booked) {
                    assertThat(seconds)
                            .as("%s under %s", policy, plan.capSeconds())
                            .isLessThanOrEqualTo(plan.capSeconds());
                }
            }
        }
    }

    /**
     * A GPU waits for a gang only while another of the gang's GPUs is busy, so each of the gang's GPUs' caps bounds the
     * wait.
     */
    @ForSeeds
    void the_makespan_is_at_most_the_cap_times_the_largest_gang(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "plans");
        Topology topology = someServers(random);
        List<Gang> gangs = someGangs(random);
        int widest = gangs.stream().mapToInt(Gang::gpus).max().orElseThrow();
        for (BatchPlanner.Policy policy : List.of(BatchPlanner.Policy.SJF_BCO, BatchPlanner.Policy.LS)) {
            BatchPlan plan = plan(policy, 20_000, 0, topology, gangs);

            assertThat(plan.makespanSeconds()).isLessThanOrEqualTo(widest * plan.capSeconds());
        }
    }

    @ForSeeds
    void under_one_cap_trying_every_kappa_never_plans_longer_than_list_scheduling(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "plans");
        Topology topology = someServers(random);
        List<Gang> gangs = someGangs(random);

        assertThat(plan(BatchPlanner.Policy.SJF_BCO, Double.POSITIVE_INFINITY, 0, topology, gangs)
                        .makespanSeconds())
                .isLessThanOrEqualTo(plan(BatchPlanner.Policy.LS, Double.POSITIVE_INFINITY, 0, topology, gangs)
                        .makespanSeconds());
    }

    @ForSeeds
    void the_order_in_which_a_batch_is_given_does_not_matter(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "plans");
        Topology topology = someServers(random);
        List<Gang> gangs = someGangs(random);
        List<Gang> reversed = new ArrayList<>(gangs);
        Collections.reverse(reversed);

        BatchPlan one = plan(BatchPlanner.Policy.SJF_BCO, 20_000, 0, topology, gangs);
        BatchPlan other = plan(BatchPlanner.Policy.SJF_BCO, 20_000, 0, topology, reversed);

        assertThat(other.makespanSeconds()).isEqualTo(one.makespanSeconds());
        assertThat(other.gangs().stream().map(placed -> List.of(placed.gang().job(), placed.gpus()[0])))
                .isEqualTo(one.gangs().stream()
                        .map(placed -> List.of(placed.gang().job(), placed.gpus()[0]))
                        .toList());
    }

    /** Sizes 1 and 4: kappas 1, 2 and 3 choose alike, 4 otherwise. */
    @Test
    void kappas_between_sizes_choose_alike() {
        Topology topology = Objects.requireNonNull(Topologies.parse("2x4"));
        List<Gang> gangs = List.of(
                new Gang(0, 1, 10),
                new Gang(1, 1, 20),
                new Gang(2, 1, 30),
                new Gang(3, 1, 40),
                new Gang(4, 1, 50),
                new Gang(5, 4, 100));

        assertThat(plan(BatchPlanner.Policy.SJF_BCO, 1000, 1, topology, gangs).makespanSeconds())
                .isEqualTo(150);
        assertThat(plan(BatchPlanner.Policy.SJF_BCO, 1000, 3, topology, gangs).makespanSeconds())
                .isEqualTo(150);
        assertThat(plan(BatchPlanner.Policy.SJF_BCO, 1000, 4, topology, gangs).makespanSeconds())
                .isEqualTo(110);
        assertThat(plan(BatchPlanner.Policy.SJF_BCO, 1000, 0, topology, gangs).kappa())
                .isEqualTo(4);
    }

    /**
     * With lambda 1 one server is enough for the gang, with 2 both are looked at and the GPUs booked least are on both.
     */
    @Test
    void lambda_lets_a_large_gang_look_at_more_servers() {
        Bookings bookings = new Bookings(TWO_SERVERS, new double[] {0, 50, 0, 60});
        Gang gang = new Gang(0, 2, 10);

        assertThat(new LeastBusyServer(1).choose(bookings, gang, 1000)).containsExactly(0, 1);
        assertThat(new LeastBusyServer(2).choose(bookings, gang, 1000)).containsExactly(0, 2);
        assertThat(new LeastBusyServer(1).choose(bookings, gang, 59)).isNull();
        assertThat(new LeastBooked().choose(bookings, gang, 1000)).containsExactly(0, 2);
        assertThat(new FirstUnderCap().choose(bookings, gang, 1000)).containsExactly(0, 1);
        assertThat(new FirstUnderCap().choose(bookings, gang, 59)).containsExactly(0, 2);
        assertThat(new FirstUnderCap().choose(bookings, gang, 9)).isNull();
    }

    @Test
    void gpus_out_of_order_are_never_chosen() {
        Bookings bookings = new Bookings(TWO_SERVERS, new double[] {Double.POSITIVE_INFINITY, 50, 0, 0});
        Gang wide = new Gang(0, 3, 10);

        assertThat(new LeastBooked().choose(bookings, wide, Double.POSITIVE_INFINITY))
                .containsExactly(2, 3, 1);
        assertThat(new LeastBusyServer(1).choose(bookings, wide, 1000)).containsExactly(2, 3, 1);
        assertThatThrownBy(() -> new BatchPlanner(
                                BatchPlanner.Policy.LS, BatchPlanner.Settings.DEFAULT, RandomStreams.stream(1, "test"))
                        .plan(List.of(new Gang(7, 4, 10)), bookings))
                .hasMessageContaining("job (7) needs (4) GPUs, (3) can be used");
    }

    @Test
    void a_horizon_that_is_too_near_is_doubled_until_there_is_a_plan() {
        List<Gang> gangs = List.of(new Gang(0, 4, 100), new Gang(1, 4, 100));

        for (BatchPlanner.Policy policy : BatchPlanner.Policy.values()) {
            BatchPlan plan = plan(policy, 60, 0, TWO_SERVERS, gangs);
            assertThat(plan.makespanSeconds()).as("%s", policy).isEqualTo(200);
            assertThat(plan.capSeconds()).as("%s", policy).isBetween(200.0, 240.0);
        }
    }
}
