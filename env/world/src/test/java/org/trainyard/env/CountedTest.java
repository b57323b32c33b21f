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
        assertThat(Counted.verb(1, "are")).isEqualTo("is");
    }

    @Test
    void a_text_of_a_format_counts_one_thing_in_the_singular() {
        assertThat(Counted.say("%,d jobs need %d GPUs on %d servers", 1, 1, 1))
                .isEqualTo("1 job needs 1 GPU on 1 server");
        assertThat(Counted.say("%,d jobs need %d GPUs", 1200, 11)).isEqualTo("1,200 jobs need 11 GPUs");
        assertThat(Counted.say("%d rows are twice in the file, of %d jobs were", 1, 1))
                .isEqualTo("1 row is twice in the file, of 1 job was");
        assertThat(Counted.say("no switch has %d such nodes below it", 1))
                .isEqualTo("no switch has 1 such node below it");
    }

    @Test
    void a_column_keeps_its_width() {
        assertThat(Counted.say("%,8d jobs  %5.1f %%", 1, 2.5)).isEqualTo("       1 job     2.5 %");
        assertThat(Counted.say("%,8d jobs  %5.1f %%", 2, 2.5)).isEqualTo("       2 jobs    2.5 %");
    }

    @Test
    void names_with_a_one_before_a_noun_are_no_count() {
        assertThat(Counted.say("%s and %s", "a-1 jobs", "v2.1 rows")).isEqualTo("a-1 jobs and v2.1 rows");
        assertThat(Counted.say("%s: %,d jobs %s", "the 1 jobs.csv", 1, "need more than 1 GPUs"))
                .isEqualTo("the 1 jobs.csv: 1 job needs more than 1 GPUs");
        assertThat(Counted.say("%d has %.0f %%, %d of %d polls", 1, 1.0, 1, 1)).isEqualTo("1 has 1 %, 1 of 1 poll");
    }
}
