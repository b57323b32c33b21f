package org.trainyard.experiments.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.simulation.JobOutcome;

class GroupingTest {
    @Test
    void sizes_are_in_increasing_order_and_waits_are_those_of_the_size() {
        List<JobGroup> groups = Grouping.GPUS.of(List.of(
                Jobs.job("ann", 16, 0, 300, 100), Jobs.job("ann", 2, 1, 10, 100), Jobs.job("bob", 2, 2, 30, 100)));
        assertThat(groups).extracting(JobGroup::name).containsExactly("2", "16");
        assertThat(groups.get(0).jobs()).isEqualTo(2);
        assertThat(groups.get(0).waiting().mean()).isEqualTo(20);
        assertThat(groups.get(1).waiting().p95()).isEqualTo(300);
        assertThat(groups.get(1).slowdown().mean()).isEqualTo(4);
    }

    @Test
    void users_beyond_twenty_are_others_and_no_job_is_lost() {
        List<JobOutcome> jobs = new ArrayList<>();
        for (int user = 0; user < 30; user++) {
            for (int i = 0; i <= user; i++) {
                jobs.add(Jobs.job("user%02d".formatted(user), 1, i, user, 100));
            }
        }
        List<JobGroup> groups = Grouping.USER.of(jobs);
        assertThat(groups).hasSize(21);
        assertThat(groups.get(0).name()).isEqualTo("user29");
        assertThat(groups.get(20).name()).isEqualTo(Grouping.OTHERS);
        assertThat(groups.get(20).jobs()).isEqualTo(10 * 11 / 2);
        assertThat(groups.stream().mapToInt(JobGroup::jobs).sum()).isEqualTo(jobs.size());
    }

    @ParameterizedTest
    @CsvSource({"21, 21, user20, 1", "22, 21, others, 2"})
    void one_user_beyond_twenty_stands_alone(int users, int groups, String last, int jobs) {
        List<JobGroup> found = Grouping.USER.of(IntStream.range(0, users)
                .mapToObj(user -> Jobs.job("user%02d".formatted(user), 1, 0, 0, 100))
                .toList());

        assertThat(found).hasSize(groups);
        assertThat(found.get(groups - 1).name()).isEqualTo(last);
        assertThat(found.get(groups - 1).jobs()).isEqualTo(jobs);
    }

    @Test
    void what_the_trace_does_not_name_has_no_groups() {
        assertThat(Grouping.VIRTUAL_CLUSTER.of(List.of(Jobs.job("ann", 1, 0, 0, 1))))
                .isEmpty();
    }
}
