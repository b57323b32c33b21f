package org.trainyard.experiments.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class FairnessTest {
    @Test
    void equal_slowdowns_have_index_one_and_a_single_share_one_over_n() {
        assertThat(Fairness.jain(new double[] {3, 3, 3})).isEqualTo(1);
        assertThat(Fairness.jain(new double[] {1, 0, 0, 0})).isEqualTo(0.25);
        // The example of Jain, Chiu and Hawe: 50 Mb/s, 30 Mb/s and 50 Mb/s.
        assertThat(Fairness.jain(new double[] {50, 30, 50})).isCloseTo(0.9548, within(1e-4));
    }

    @Test
    void users_are_compared_by_their_mean_slowdown() {
        // Slowdowns of ann are 1 and 3, that of bob is 2: both have the mean 2.
        Fairness fairness = Fairness.of(List.of(Jobs.run(
                4, Jobs.job("ann", 1, 0, 0, 100), Jobs.job("ann", 1, 0, 200, 100), Jobs.job("bob", 1, 0, 100, 100))));
        assertThat(fairness.jainUsers()).isEqualTo(1);
        assertThat(fairness.jainVirtualClusters()).isNull();
    }

    @Test
    void a_job_that_is_alone_has_the_whole_cluster_as_its_share() {
        // 8 of 4 GPUs for 100 s after 100 s: alone it would take twice its undisturbed run time.
        double[] rho = Fairness.finishTimes(Jobs.run(4, Jobs.job("ann", 8, 0, 100, 100)));
        assertThat(rho).containsExactly(1);
        assertThat(Fairness.of(List.of(Jobs.run(4, Jobs.job("ann", 8, 0, 100, 100))))
                        .unfairShare())
                .isZero();
    }

    @Test
    void the_share_is_that_of_the_jobs_that_were_there() {
        // Both ask for all 4 GPUs. From 0 to 100 s there are two jobs, from 100 to 200 s one: n is 2 for the first and
        // 1.5 for the second.
        double[] rho =
                Fairness.finishTimes(Jobs.run(4, Jobs.job("ann", 4, 0, 0, 100), Jobs.job("bob", 4, 0, 100, 100)));
        assertThat(rho[0]).isCloseTo(1 / 2.0, within(1e-12));
        assertThat(rho[1]).isCloseTo(2 / 1.5, within(1e-12));
        Fairness fairness =
                Fairness.of(List.of(Jobs.run(4, Jobs.job("ann", 4, 0, 0, 100), Jobs.job("bob", 4, 0, 100, 100))));
        assertThat(fairness.unfairShare()).isEqualTo(0.5);
        assertThat(fairness.finishTime().mean()).isCloseTo((0.5 + 2 / 1.5) / 2, within(1e-12));
    }
}
