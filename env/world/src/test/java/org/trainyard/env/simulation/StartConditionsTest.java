package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trainyard.env.simulation.Worlds.SECOND;

import org.junit.jupiter.api.Test;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;

/** An installation without the conditions under which jobs may start. */
class StartConditionsTest {
    private static void assertRefused(Worlds jobs) {
        Workload workload = jobs.workload();

        assertThatThrownBy(() -> new StartConditions.None(workload))
                .isInstanceOf(InputException.class)
                .hasMessage("job job1: 'a begin time, a dependency or a limit of an array' is not valid: expected none,"
                        + " for this installation lacks the conditions under which jobs may start");
    }

    @Test
    void jobs_with_conditions_are_refused() {
        assertRefused(new Worlds().job(1, 0, 1).job(1, 0, 1).saying(terms -> terms.delayNanos(1)));
        assertRefused(new Worlds().job(1, 0, 1).job(1, 0, 1).saying(terms -> terms.dependency("afterok:job0")));
        assertRefused(new Worlds()
                .job(1, 0, 1)
                .job(1, 0, 1)
                .saying(terms -> terms.array(new SubmissionTerms.ArrayTask("9", 0, 1))));
    }

    @Test
    void other_jobs_are_never_held() {
        StartConditions conditions = new StartConditions.None(new Worlds()
                .job(1, 0, 1)
                .saying(terms -> terms.limitNanos(SECOND).array(new SubmissionTerms.ArrayTask("9", 0, 0)))
                .workload());

        assertThat(conditions.submit(0)).isFalse();
        assertThat(conditions.size()).isZero();
        assertThat(conditions.take()).isEqualTo(SimView.NONE);
        assertThat(conditions.nextNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void a_job_with_a_condition_that_is_submitted_later_is_refused() {
        Workload workload = Workload.open();
        StartConditions conditions = new StartConditions.None(workload);
        workload.append(new Worlds()
                .job(1, 0, 1)
                .saying(terms -> terms.dependency("singleton"))
                .workload()
                .job(0));

        assertThatThrownBy(() -> conditions.submit(0))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("job job0: ");
    }
}
