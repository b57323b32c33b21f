package org.trainyard.env.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class CachedSlowdownsTest {
    /** Numbers of so many servers with places for two jobs have memory for one kind. */
    @Test
    void where_memory_is_short_a_kind_that_was_not_asked_for_long_gives_way() {
        CachedSlowdowns.ByKind kinds = new CachedSlowdowns.ByKind(1 << 20, 2);
        CachedSlowdowns first = Objects.requireNonNull(kinds.of(7));
        first.version[3] = 42;
        assertThat(first.extra).hasSize(2 << 20);
        assertThat(first.version[4]).isEqualTo(-1);

        assertThat(kinds.of(7)).isSameAs(first);
        for (int asked = 0; asked < 4; asked++) {
            assertThat(kinds.of(8)).isNull();
        }
        assertThat(first.version[3]).isEqualTo(42);
        assertThat(kinds.of(8)).isSameAs(first);
        assertThat(first.version[3]).as("nothing is known of the new kind").isEqualTo(-1);
        assertThat(kinds.of(7)).isNull();
    }

    @Test
    void at_most_512_kinds_are_kept_and_the_one_asked_for_longest_ago_goes() {
        CachedSlowdowns.ByKind kinds = new CachedSlowdowns.ByKind(1, 1);
        CachedSlowdowns first = kinds.of(0);
        CachedSlowdowns second = kinds.of(1);
        for (int kind = 2; kind < 512; kind++) {
            assertThat(kinds.of(kind)).isNotNull();
        }
        assertThat(kinds.of(512)).isNull();
        assertThat(kinds.of(0)).isSameAs(first);
        // Kind 1 was the second question; 2048 later than that it gives way.
        for (int asked = 514; asked < 1 + 2048; asked++) {
            assertThat(kinds.of(0)).isSameAs(first);
        }
        assertThat(kinds.of(512)).isNull();
        assertThat(kinds.of(512)).isSameAs(second);
        assertThat(kinds.of(0)).isSameAs(first);
    }
}
