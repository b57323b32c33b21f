package org.trainyard.env.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.SwitchGraph.Tier;

class SwitchGraphTest {
    private static final Link LINK = Link.of(10, 1);

    private final SwitchGraph.Builder wiring = new SwitchGraph.Builder();

    private void switches(Tier... tiers) {
        for (int i = 0; i < tiers.length; i++) {
            wiring.add(tiers[i], "s" + i);
        }
    }

    @Test
    void a_pod_is_what_hangs_together_without_cores() {
        switches(Tier.LEAF, Tier.LEAF, Tier.LEAF, Tier.SPINE, Tier.SPINE, Tier.SPINE, Tier.CORE);
        wiring.join(0, 3, LINK, 1).join(1, 3, LINK, 2).join(1, 4, LINK, 2).join(2, 5, LINK, 1);
        SwitchGraph built = wiring.join(4, 6, LINK, 1).join(5, 6, LINK, 1).build();

        assertThat(built.pods()).isEqualTo(2);
        assertThat(new int[] {built.podOf(0), built.podOf(1), built.podOf(2)}).containsExactly(0, 0, 1);
        assertThat(new int[] {built.podOf(4), built.podOf(5), built.podOf(6)}).containsExactly(0, 1, -1);
        assertThat(built.count(Tier.SPINE)).isEqualTo(3);
    }

    @Test
    void switches_apart_are_refused() {
        switches(Tier.LEAF, Tier.LEAF, Tier.SPINE);
        wiring.join(0, 2, LINK, 1);

        assertThatThrownBy(wiring::build).hasMessage("switch (s1) cannot be reached from switch (s0)");
    }

    @Test
    void leaves_of_a_pod_must_be_neighbours() {
        switches(Tier.LEAF, Tier.LEAF, Tier.LEAF, Tier.SPINE, Tier.SPINE, Tier.CORE);
        wiring.join(0, 3, LINK, 1).join(1, 4, LINK, 1).join(2, 3, LINK, 1);
        wiring.join(3, 5, LINK, 1).join(4, 5, LINK, 1);

        assertThatThrownBy(wiring::build).hasMessageContaining("leaf (s2) is apart");
    }

    @Test
    void cables_join_neighbouring_tiers_once() {
        switches(Tier.LEAF, Tier.LEAF, Tier.SPINE, Tier.CORE);
        wiring.join(0, 2, LINK, 1);

        assertThatThrownBy(() -> wiring.join(0, 0, LINK, 1)).hasMessageContaining("not LEAF (s0) to LEAF (s0)");
        assertThatThrownBy(() -> wiring.join(0, 3, LINK, 1)).hasMessageContaining("not LEAF (s0) to CORE (s3)");
        assertThatThrownBy(() -> wiring.join(0, 2, LINK, 1)).hasMessageContaining("joined twice");
        assertThatThrownBy(() -> wiring.join(1, 2, LINK, 0)).hasMessageContaining("links (0)");
        assertThatThrownBy(() -> wiring.add(Tier.LEAF, "late")).hasMessageContaining("leaf (late)");
        assertThatThrownBy(() -> new SwitchGraph.Builder().build()).hasMessageContaining("no leaf");
    }
}
