package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

class SharedClusterTest {
    static Topology topology(GpuSharing sharing) {
        ServerSpec server = new ServerSpec(GpuType.A100, 1, 2, true, 8_000, 10_000, sharing);
        ServerSpec other = new ServerSpec(GpuType.V100, 1, 4, true);
        return new Topology.Builder("shared", Fabric.DEFAULT)
                .rack(List.of(server, other))
                .build();
    }

    private final Topology fractions = topology(GpuSharing.FRACTIONS);
    private final Cluster cluster = new Cluster(fractions);

    private static Demand part(int milli) {
        return Demand.ofGpus(1).withGpuMilli(milli);
    }

    @Test
    void parts_of_a_gpu_go_to_several_jobs_until_it_is_full() {
        Placement gpu0 = Placement.of(fractions, 0);
        cluster.allocate(1, part(600), gpu0);
        cluster.allocate(2, part(300), gpu0);

        assertThat(cluster.owner(0)).isEqualTo(Cluster.SHARED);
        assertThat(cluster.freeMilli(0)).isEqualTo(100);
        assertThat(cluster.fits(part(100), gpu0)).isTrue();
        assertThat(cluster.fits(part(101), gpu0)).isFalse();
        assertThat(cluster.fits(Demand.ofGpus(1), gpu0)).isFalse();
        assertThat(cluster.freeOn(0))
                .as("free GPUs are those nobody holds a part of")
                .isEqualTo(1);
        assertThat(cluster.room(part(500), 0)).isEqualTo(1);
        assertThat(cluster.heldMilli()).isEqualTo(900);

        cluster.release(1, part(600), gpu0);
        assertThat(cluster.freeMilli(0)).isEqualTo(700);
        cluster.release(2, part(300), gpu0);
        assertThat(cluster.owner(0)).isEqualTo(Cluster.FREE);
        assertThat(cluster.freeOn(0)).isEqualTo(2);
        assertThat(cluster.heldMilli()).isZero();
    }

    @Test
    void where_gpus_are_not_shared_a_part_costs_a_whole_one() {
        cluster.allocate(1, part(100), Placement.of(fractions, 3));

        assertThat(cluster.owner(3)).isEqualTo(1);
        assertThat(cluster.freeMilli(3)).isZero();
        assertThat(cluster.heldMilli()).isEqualTo(1000);
    }

    /** Two halves are as much as one GPU. */
    @Test
    void a_quota_counts_parts_of_gpus() {
        Simulator simulator = new Worlds()
                .job(part(500), "red", 0, 100)
                .job(part(500), "red", 0, 100)
                .job(part(1), "red", 0, 100)
                .simulator(fractions, new Simulator.Options(0, true).with(new Quotas(Map.of("red", 1))));
        simulator.advance();
        simulator.start(0, Placement.of(fractions, 0));
        assertThat(simulator.view().isWithinQuota(1, 1)).isTrue();
        simulator.start(1, Placement.of(fractions, 1));

        assertThat(simulator.view().isWithinQuota(2, 1)).isFalse();
        assertThatThrownBy(() -> simulator.start(2, Placement.of(fractions, 0))).hasMessageContaining("quota");
    }

    @Test
    void a_part_is_put_on_the_gpu_with_least_left_that_is_enough() {
        cluster.allocate(1, part(600), Placement.of(fractions, 0));
        cluster.allocate(2, part(200), Placement.of(fractions, 1));
        PlacementBuilder builder = new PlacementBuilder(fractions, cluster);

        builder.begin(part(300));
        builder.take(0, 1);
        assertThat(builder.build()).isEqualTo(Placement.of(fractions, 0));
        builder.begin(part(500));
        builder.take(0, 1);
        assertThat(builder.build()).isEqualTo(Placement.of(fractions, 1));
    }

    @Test
    void slices_of_a_multi_instance_gpu_begin_only_where_the_hardware_lets_them() {
        Topology mig = topology(GpuSharing.MIG);
        Cluster sliced = new Cluster(mig);
        Placement gpu0 = Placement.of(mig, 0);
        // 3/7 (memory slots 0-3), then 2/7 (slots 4-5), then 1/7 (slot 6): slot 7 is left, where nothing may begin.
        sliced.allocate(1, part(400), gpu0);
        sliced.allocate(2, part(200), gpu0);
        sliced.allocate(3, part(100), gpu0);

        assertThat(sliced.freeMilli(0)).isEqualTo(1000 - 428 - 285 - 142);
        assertThat(sliced.fits(part(1), gpu0)).isFalse();
        // Without the 2/7 slice, 3/7 of compute are not enough for a slice of 3/7, which would need memory slots 4-7.
        sliced.release(2, part(200), gpu0);
        assertThat(sliced.fits(part(400), gpu0)).isFalse();
        assertThat(sliced.fits(part(285), gpu0)).isTrue();
        sliced.release(3, part(100), gpu0);
        assertThat(sliced.fits(part(400), gpu0)).isTrue();
        assertThat(sliced.fits(part(571), gpu0))
                .as("4/7 begins at slot 0 alone")
                .isFalse();
        assertThat(sliced.room(part(800), 0))
                .as("5/7 takes all of the other GPU")
                .isEqualTo(1);
    }

    @Test
    void slices_and_host_resources_go_back_to_an_earlier_state() {
        Topology mig = topology(GpuSharing.MIG);
        Cluster sliced = new Cluster(mig);
        Placement gpu0 = Placement.of(mig, 0);
        sliced.allocate(1, part(400).withHost(1_000, 100), gpu0);
        Cluster.Image before = sliced.image();
        long cpuMilli = sliced.freeCpuMilli(0);
        long memoryMib = sliced.freeMemoryMib(0);
        sliced.allocate(2, part(200).withHost(1_000, 100), gpu0);
        assertThat(sliced.fits(part(400), gpu0)).isFalse();
        sliced.restore(before);

        assertThat(sliced.fits(part(400), gpu0)).isTrue();
        assertThat(sliced.freeMilli(0)).isEqualTo(1000 - 428);
        assertThat(sliced.heldMilli()).isEqualTo(428);
        assertThat(List.of(sliced.jobsOn(0), sliced.jobOn(0, 0))).containsExactly(1, 1);
        assertThat(List.of(sliced.freeCpuMilli(0), sliced.freeMemoryMib(0))).containsExactly(cpuMilli, memoryMib);
    }

    @Test
    void there_are_no_instances_of_five_and_six_sevenths() {
        Topology mig = topology(GpuSharing.MIG);
        for (int milli : new int[] {572, 700, 857}) {
            Cluster sliced = new Cluster(mig);
            sliced.allocate(1, part(milli), Placement.of(mig, 0));

            assertThat(sliced.freeMilli(0)).as("beside %d", milli).isZero();
            assertThat(sliced.heldMilli()).isEqualTo(1000);
        }
    }

    @Test
    void host_resources_run_out() {
        Demand demand = Demand.ofGpus(2).withHost(5_000, 4_001);

        assertThat(cluster.room(demand, 0)).isEqualTo(2);
        cluster.allocate(1, Demand.ofGpus(1).withHost(4_000, 0), Placement.of(fractions, 0));
        assertThat(cluster.freeCpuMilli(0)).isEqualTo(4_000);
        assertThat(cluster.room(demand, 0)).isEqualTo(1);
        cluster.allocate(2, demand, Placement.of(fractions, 1, 2));
        assertThat(cluster.freeCpuMilli(0)).isEqualTo(4_000 - 2_500);
        assertThat(cluster.freeMemoryMib(0)).as("half of it, rounded up").isEqualTo(10_000 - 2_001);
        cluster.release(2, demand, Placement.of(fractions, 1, 2));
        assertThat(cluster.freeMemoryMib(0)).isEqualTo(10_000);
        assertThat(cluster.room(new Demand(0, 0, 0, 1000, 4_001, 0, true, List.of()), 0))
                .isZero();
        assertThat(cluster.room(new Demand(0, 0, 0, 1000, 4_000, 0, true, List.of()), 0))
                .isEqualTo(1);
    }

    @Test
    void a_demand_for_a_type_or_one_server_finds_room_nowhere_else() {
        assertThat(cluster.room(Demand.ofGpus(1).onTypes(List.of("V100")), 0)).isZero();
        assertThat(cluster.room(Demand.ofGpus(3).onOneServer(), 0)).isZero();
        assertThat(cluster.room(Demand.ofGpus(3).onOneServer(), 1)).isEqualTo(4);
        assertThat(cluster.fits(Demand.ofGpus(3).onOneServer(), Placement.of(fractions, 1, 2, 3)))
                .isFalse();
        assertThat(cluster.fits(Demand.ofGpus(2).onTypes(List.of("A100")), Placement.of(fractions, 1, 2)))
                .isFalse();
    }

    /** 4,000 thousandths of a CPU are left on a server. */
    @Test
    void a_job_without_gpus_fits_where_its_host_resources_are_left() {
        cluster.allocate(1, Demand.ofGpus(1).withHost(4_000, 0), Placement.of(fractions, 0));
        Placement there = Placement.onServer(fractions, 0);

        assertThat(cluster.fits(new Demand(0, 0, 0, 1000, 4_000, 0, true, List.of()), there))
                .isTrue();
        assertThat(cluster.fits(new Demand(0, 0, 0, 1000, 4_001, 0, true, List.of()), there))
                .isFalse();
    }

    /** Racks of two servers of four GPUs, with whole segments of three or of two. */
    @ParameterizedTest
    @CsvSource({
        "3, 0 1 2 3 4 5, true",
        "3, 0 1 2 8 9 12, true",
        "3, 0 1 4 5 8 9, false",
        "3, 0 8 9 10 12 13, false",
        "2, 0 4 8 12, true",
        "2, 0 1 2 8, false",
        "2, 0 1 2 3, true"
    })
    void no_rack_border_cuts_a_segment(int segment, String gpus, boolean fits) {
        Topology racks = Objects.requireNonNull(Topologies.parse("2x2x4"));
        int[] numbers =
                Arrays.stream(gpus.split(" ")).mapToInt(Integer::parseInt).toArray();

        assertThat(new Cluster(racks)
                        .fits(Demand.ofGpus(numbers.length).inSegments(segment), Placement.of(racks, numbers)))
                .isEqualTo(fits);
    }

    @Test
    void what_is_down_has_no_room() {
        cluster.breakDown(2);

        assertThat(cluster.freeOn(1)).isEqualTo(3);
        assertThat(cluster.fits(Demand.ofGpus(1), Placement.of(fractions, 2))).isFalse();
        assertThatThrownBy(() -> cluster.breakDown(2)).hasMessageContaining("(2) is not free");
        cluster.repair(2);
        assertThat(cluster.freeOn(1)).isEqualTo(4);
        assertThatThrownBy(() -> cluster.repair(2)).hasMessageContaining("(2) is not down");
    }

    @Test
    void more_workers_than_an_elastic_job_was_submitted_for_need_more_host_resources() {
        Topology hosts = new Topology.Builder("hosts", Fabric.DEFAULT)
                .rack(List.of(ServerSpec.ofV100(4).withHost(8_000, 8_000)))
                .racksPerPod(1)
                .build();
        Demand elastic = Demand.ofGpus(1).elastic(1, 4).withHost(3_000, 0);
        assertThat(new Cluster(hosts).room(elastic, 0)).isEqualTo(2);
    }
}
