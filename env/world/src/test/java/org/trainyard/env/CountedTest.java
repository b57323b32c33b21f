package org.trainyard.env;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedTest {
    @Test
    void one_thing_is_singular_and_none_or_many_are_plural() {
        assertThat(Counted.of(1, "running job")).isEqualTo("1 running job");
        assertThat(Counted.of(0, "GPU")).isEqualTo("0 GPUs");
        assertThat(Counted.of(1200, "job")).isEqualTo("1,200 jobs");
        assertThat(Counted.verb(1, "wait")).isEqualTo("waits");
        assertThat(Counted.verb(2, "wait")).isEqualTo("wait");
    }
}
