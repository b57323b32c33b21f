package org.trainyard.env.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final List<String> KNOWN = List.of("fifo", "sjf", "las", "learning_rate");

    @Test
    void a_slip_of_the_finger_is_forgiven() {
        assertThat(Nearest.to("fif0", KNOWN)).isEqualTo("fifo");
        assertThat(Nearest.to("lerning_rte", KNOWN)).isEqualTo("learning_rate");
        assertThat(Nearest.to("SFJ", KNOWN)).isEqualTo("sjf");
    }

    @Test
    void something_else_is_not_guessed_at() {
        assertThat(Nearest.to("backfill", KNOWN)).isNull();
    }

    @Test
    void neighbours_swapped_count_once() {
        assertThat(Nearest.distance("sjf", "sfj")).isEqualTo(1);
        assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
    }
}
