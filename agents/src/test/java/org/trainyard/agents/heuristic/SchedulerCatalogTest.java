package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.trainyard.env.InputException;

class SchedulerCatalogTest {
    @Test
    void names_are_unique_and_findable() {
        assertThat(SchedulerCatalog.names()).doesNotHaveDuplicates().hasSize(33);
        for (SchedulerCatalog.Entry entry : SchedulerCatalog.entries()) {
            assertThat(SchedulerCatalog.named(entry.name())).isSameAs(entry);
        }
    }

    @Test
    void best_fit_may_be_said_or_left_out() {
        assertThat(SchedulerCatalog.named("las/best-fit")).isSameAs(SchedulerCatalog.named("las"));
    }

    @Test
    void an_unknown_name_is_told_the_known_ones() {
        assertThatThrownBy(() -> SchedulerCatalog.named("random/best-fit"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'random/best-fit'")
                .hasMessageContaining("fifo, fifo/first-fit, fifo/random, fifo-backfill")
                .hasMessageContaining("tiresias-srtf");
    }
}
