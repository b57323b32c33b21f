package org.trainyard.env.gym.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

class DomainsTest {
    private static final Topology SEVEN = Objects.requireNonNull(Topologies.parse("7x2"));

    @Test
    void domains_are_racks_or_ranges_that_differ_by_one_server() {
        Domains three = Domains.even(SEVEN, 3);
        assertThat(IntStream.range(0, 7).map(three::domainOf)).containsExactly(0, 0, 1, 1, 2, 2, 2);
        assertThat(IntStream.range(0, 3).map(three::firstServer)).containsExactly(0, 2, 4);
        assertThat(IntStream.range(0, 3).map(three::endServer)).containsExactly(2, 4, 7);
        assertThat(Domains.even(SEVEN, 7).count()).isEqualTo(7);
        for (int count : new int[] {0, 8}) {
            assertThatThrownBy(() -> Domains.even(SEVEN, count)).hasMessageContaining("domains (" + count + ")");
        }
        Domains racks = Domains.racks(Objects.requireNonNull(Topologies.parse("3x2x4")));
        assertThat(IntStream.range(0, 6).map(racks::domainOf)).containsExactly(0, 0, 1, 1, 2, 2);
        assertThat(new DomainSummary(8, 0, 0, 0, 0, 0, 0, 1, 6, 0).load()).isEqualTo(0.75);
    }
}
