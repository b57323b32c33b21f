package org.trainyard.env.performance.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.Rings;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** Two pods of two racks of two servers: NICs of 12.5, uplinks of racks of 10 and of pods of 8 GB/s. */
class ContentionTest {
    private static final Contention.SjfBco LAW = new Contention.SjfBco(0.2, 1);

    private final Topology topology = Topology.uniform("tree", Fabric.DEFAULT, 4, 2, ServerSpec.ofV100(8), 2);

    private static double gigabytes(Contention contention, Topology topology, Rings rings, int job) {
        return rings.bytesPerSecond(contention.on(topology), job) / 1e9;
    }

    @Test
    void two_rings_on_the_same_servers_get_the_published_example() {
        Rings rings = new Rings(topology).on(0, 0, 1, 1).on(0, 0, 1, 1).on(0, 0, 0, 0);

        assertThat(gigabytes(LAW, topology, rings, 0)).isCloseTo(12.5 / 2.2, within(1e-12));
        assertThat(gigabytes(new Contention.SjfBco(0.2, 0.5), topology, rings, 0))
                .isEqualTo(12.5);
        assertThat(gigabytes(LAW, topology, rings, 2)).isInfinite();
    }

    @Test
    void two_equal_jobs_stretch_their_communication_by_f_of_two_and_nothing_else() {
        Rings rings = new Rings(topology).on(0, 1).on(0, 1);
        PerformanceModel model = new RingPerformance(topology, InterferenceModel.NONE, LAW);

        // 1 GB at 12.5 GB/s is 80 ms; 2 steps of 10 us and 100 ms of compute stay as they are.
        assertThat(1 / rings.rate(model, 0)).isCloseTo(0.1 + 20e-6 + 0.080 * 2.2, within(1e-12));
    }

    @Test
    void rings_that_share_no_server_meet_on_uplinks() {
        Rings rings = new Rings(topology).on(0, 2).on(1, 3).on(2, 4).on(1, 5);

        // All but the third leave rack 0; the third and the last leave pod 0.
        assertThat(gigabytes(LAW, topology, rings, 0)).isCloseTo(10 / 3.4, within(1e-12));
        assertThat(gigabytes(LAW, topology, rings, 2)).isCloseTo(Math.min(10 / 3.4, 8 / 2.2), within(1e-12));
        assertThat(gigabytes(new Contention.MaxMin(), topology, rings, 2)).isCloseTo(10 / 3.0, within(1e-12));
    }

    @Test
    void an_uplink_that_carries_all_that_is_below_is_not_contended() {
        Link nic = Fabric.DEFAULT.nic();
        Link wide = Link.of(25, 6);
        Fabric full = new Fabric(Fabric.DEFAULT.nvlink(), Fabric.DEFAULT.pcie(), nic, wide, Link.of(50, 8));
        Topology clos = Topology.uniform("clos", full, 4, 2, ServerSpec.ofV100(8), 2);
        Rings rings = new Rings(clos).on(0, 2).on(1, 3).on(1, 7);

        assertThat(gigabytes(LAW, clos, rings, 0)).isEqualTo(12.5);
        assertThat(gigabytes(LAW, clos, rings, 1)).isCloseTo(12.5 / 2.2, within(1e-12));
    }

    @Test
    void one_more_ring_may_speed_up_another_under_max_min_fairness() {
        Topology rack = Topology.uniform("rack", Fabric.DEFAULT, 1, 4, ServerSpec.ofV100(8), 1);
        Rings before = new Rings(rack).on(0, 1).on(1, 2);
        Rings after = new Rings(rack).on(0, 1).on(1, 2).on(2, 3).on(2, 3);

        // The second ring falls to a third of the NIC of server 2 and leaves the first two thirds of that of server 1.
        assertThat(gigabytes(new Contention.MaxMin(), rack, before, 0)).isEqualTo(6.25);
        assertThat(gigabytes(new Contention.MaxMin(), rack, after, 0)).isCloseTo(12.5 * 2 / 3, within(1e-12));
    }

    @Test
    void a_ring_asked_about_before_it_runs_counts_once() {
        Rings rings = new Rings(topology).on(0, 1).on(0, 1);
        Rings fuller = new Rings(topology).on(0, 1).on(0, 1).on(0, 1);
        for (Contention contention : List.of(LAW, new Contention.MaxMin())) {
            LinkSharing sharing = contention.on(topology);
            double now = rings.bytesPerSecond(sharing, 0);
            double supposed = sharing.bytesPerSecond(fuller.job(2), fuller.placement(2), rings);

            assertThat(supposed).isEqualTo(fuller.bytesPerSecond(contention.on(topology), 2));
            assertThat(rings.bytesPerSecond(sharing, 0)).isEqualTo(now);
        }
    }

    @Test
    void a_change_touches_those_on_its_links_and_under_max_min_fairness_those_they_meet() {
        Rings rings = new Rings(topology).on(0, 2).on(1, 3).on(3, 2).on(6, 7);
        TreeSet<Integer> direct = new TreeSet<>();
        TreeSet<Integer> all = new TreeSet<>();
        LAW.on(topology).touch(rings.placement(0), rings, direct::add);
        new Contention.MaxMin().on(topology).touch(rings.placement(0), rings, all::add);

        assertThat(direct).containsExactly(0, 1);
        assertThat(all).containsExactly(0, 1, 2);
    }

    @Test
    void impossible_constants_are_refused() {
        assertThatThrownBy(() -> new Contention.SjfBco(-1, 1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> new Contention.SjfBco(Double.NaN, 1)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> new Contention.SjfBco(0, 1.5)).hasMessageContaining("1.5");
    }
}
