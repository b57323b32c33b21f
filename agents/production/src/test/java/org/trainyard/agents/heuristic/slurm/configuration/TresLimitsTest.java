package org.trainyard.agents.heuristic.slurm.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits of GPUs, CPUs, nodes and jobs, of which 0 is one and -1 is none. */
class TresLimitsTest {
    /** Beside a job of a GPU, two CPUs and three nodes comes another like it. */
    @ParameterizedTest
    @CsvSource({
        "-1, -1, -1, -1, true",
        "2, 4, 6, 2, true",
        "1, -1, -1, -1, false",
        "-1, 3, -1, -1, false",
        "-1, -1, 5, -1, false",
        "-1, -1, -1, 1, false",
        "0, -1, -1, -1, false",
        "-1, 0, -1, -1, false",
        "-1, -1, 0, -1, false",
        "-1, -1, -1, 0, false"
    })
    void jobs_together_stay_within_each_limit(int gpus, int cpus, int nodes, int jobs, boolean allowed) {
        TresLimits.Held held = new TresLimits.Held();
        held.add(1, 1, 2, 3);
        TresLimits limits = new TresLimits(gpus, cpus, nodes, jobs);

        assertThat(limits.allow(held, 1, 2, 3)).isEqualTo(allowed);
        assertThat(limits.allowsAnother(held)).isEqualTo(jobs != 0 && jobs != 1);
        held.add(-1, 1, 2, 3);
        assertThat(limits.allow(held, 1, 2, 3)).isEqualTo(gpus != 0 && cpus != 0 && nodes != 0 && jobs != 0);
        assertThat(limits.allow(held, 0, 0, 0)).isEqualTo(jobs != 0);
    }

    @Test
    void a_limit_of_nothing_is_a_limit() {
        TresLimits nothing = new TresLimits(0, 0, 0, 0);
        TresLimits some = new TresLimits(1, 2, 3, 4);

        assertThat(nothing.or(some)).isEqualTo(nothing);
        assertThat(TresLimits.NONE.or(some)).isEqualTo(some);
        assertThat(some.or(nothing)).isEqualTo(some);
        assertThat(some.unless(nothing)).isEqualTo(TresLimits.NONE);
    }
}
