package org.trainyard.experiments.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;

class SchedulersTest {
    @ParameterizedTest
    @CsvSource({
        "fgd, as published",
        "smd, our reading",
        "a-srpt/blocking, our reading",
        "posted-price:sjf, our reading",
        "slurm:no-such-folder, our reading",
        "sjf-bco, ours",
        "tuned-default, ours",
        "controller:easy, ours",
        "sjf/fgd, textbook",
        "wcs-duration, textbook",
        "python:no-such-file.py, from a plugin",
        "learned,",
        "untrained,"
    })
    void a_row_is_of_the_kind_that_the_list_says(String name, String kind) {
        assertThat(Schedulers.kind(name)).isEqualTo(kind);
    }

    @Test
    void every_listed_scheduler_has_its_kind_in_results() {
        assertThat(Schedulers.listed())
                .extracting(entry -> Schedulers.kind(entry.name()))
                .isEqualTo(Schedulers.listed().stream()
                        .map(SchedulerRegistry.Entry::kind)
                        .map(SchedulerRegistry.Kind::words)
                        .toList());
    }

    @Test
    void a_table_of_textbook_orders_and_policies_has_no_line_on_kinds() {
        assertThat(Schedulers.kinds(List.of("sjf", "learned"))).isEmpty();
    }
}
