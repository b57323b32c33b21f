package org.trainyard.experiments.service.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How far back content is compared. */
class RecentHashesTest {
    @Test
    void the_last_are_known_and_earlier_ones_are_not() {
        RecentHashes hashes = new RecentHashes(128);
        for (int number = 1; number <= 1000; number++) {
            hashes.add(7L * number);
            assertThat(hashes.of(number)).isEqualTo(7L * number);
            assertThat(hashes.of(Math.max(1, number - 63))).isEqualTo(7L * Math.max(1, number - 63));
        }

        assertThat(hashes.count()).isEqualTo(1000);
        assertThat(hashes.of(873)).isEqualTo(7L * 873);
        assertThat(hashes.of(872)).isEqualTo(RecentHashes.UNKNOWN);
    }
}
