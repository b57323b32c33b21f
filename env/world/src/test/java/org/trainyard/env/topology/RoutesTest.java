package org.trainyard.env.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Links of the default fabric: NIC 12.5 GB/s and 5 us, TOR 10 GB/s and 6 us, SPINE 8 GB/s and 8 us. */
class RoutesTest {
    private final Routes routes = Topologies.large().routes();

    @Test
    void within_a_rack_a_route_passes_two_network_cards() {
        Routes.Route route = routes.between(0, 15);

        assertThat(route.tiers()).containsExactly(LinkClass.NIC, LinkClass.NIC);
        assertThat(route.bytesPerSecond()).isEqualTo(12.5e9);
        assertThat(route.latencyNanos()).isEqualTo(10_000);
    }

    @Test
    void within_a_pod_it_also_goes_up_to_the_spine_and_down() {
        Routes.Route route = routes.between(0, 16);

        assertThat(route.tiers()).containsExactly(LinkClass.NIC, LinkClass.TOR, LinkClass.TOR, LinkClass.NIC);
        assertThat(route.bytesPerSecond()).isEqualTo(10e9);
        assertThat(route.latencyNanos()).isEqualTo(22_000);
    }

    @Test
    void between_pods_it_crosses_the_core() {
        Routes.Route route = routes.between(0, 64);

        assertThat(route.tiers())
                .containsExactly(
                        LinkClass.NIC, LinkClass.TOR, LinkClass.SPINE, LinkClass.SPINE, LinkClass.TOR, LinkClass.NIC);
        assertThat(route.bytesPerSecond()).isEqualTo(8e9);
        assertThat(route.latencyNanos()).isEqualTo(38_000);
    }

    @Test
    void a_pair_of_racks_is_searched_once() {
        assertThat(routes.between(1, 17)).isSameAs(routes.between(2, 18));
    }

    @Test
    void there_is_no_route_to_oneself() {
        assertThatThrownBy(() -> routes.between(3, 3)).hasMessageContaining("server (3)");
    }
}
