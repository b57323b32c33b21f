package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;

class RunTimeHistoryTest {
    private static final long SECOND = 1_000_000_000L;

    private static TraceJob job(int gpus, long seconds) {
        return new TraceJob("j" + seconds, 0, gpus, seconds * SECOND, null, null, null, null);
    }

    private static RunTimeHistory history(int jobs) {
        List<TraceJob> ended = new ArrayList<>();
        for (int i = 1; i <= jobs; i++) {
            ended.add(job(1, 100 * i));
        }
        return new RunTimeHistory(ended);
    }

    @Test
    void one_run_of_any_job_tells_where_no_class_has_ten() {
        assertThat(history(0).meanSeconds(job(4, 1))).isEqualTo(3600);
        assertThat(history(1).meanSeconds(job(4, 1))).isEqualTo(100);
        assertThat(history(3).meanSeconds(job(4, 1))).isEqualTo(200);
        assertThat(history(3).drawSeconds(job(4, 1), 250, RandomStreams.stream(1, "run")))
                .as("the only run that was longer")
                .isEqualTo(300);
    }

    @Test
    void the_last_five_thousand_runs_tell() {
        List<TraceJob> ended = new ArrayList<>(Collections.nCopies(1000, job(1, 100)));
        ended.addAll(Collections.nCopies(5000, job(1, 200)));

        assertThat(new RunTimeHistory(ended).meanSeconds(job(1, 1))).isEqualTo(200);
    }

    @Test
    void ten_runs_of_a_class_tell_and_nine_do_not() {
        List<TraceJob> ended = new ArrayList<>(List.of(job(1, 1000)));
        for (int i = 0; i < 9; i++) {
            ended.add(job(2, 100));
        }
        assertThat(new RunTimeHistory(ended).meanSeconds(job(2, 1))).isEqualTo(190);

        ended.add(job(2, 100));
        assertThat(new RunTimeHistory(ended).meanSeconds(job(2, 1))).isEqualTo(100);
    }

    private static TraceJob limited(long seconds, long limitSeconds) {
        return new TraceJob("j", 0, 1, seconds * SECOND, null, null, "weekly", null)
                .on(SubmissionTerms.NONE.but().limitNanos(limitSeconds * SECOND).build());
    }

    @Test
    void runs_count_as_parts_of_their_limits() {
        RunTimeHistory history = new RunTimeHistory(Collections.nCopies(10, limited(3600, 7200)));

        assertThat(history.meanSeconds(limited(1, 14_400))).isEqualTo(7200);
        assertThat(history.meanSeconds(limited(1, 0))).as("without a limit").isEqualTo(3600);
    }

    /**
     * Of runs of 100, 200 and 300 s those beyond 200 s; where none is left, twice the time so far, or the limit and 30
     * s.
     */
    @Test
    void a_run_is_longer_than_the_time_so_far() {
        assertThat(history(3).drawSeconds(job(1, 1), 200, () -> 0)).isEqualTo(300);
        assertThat(history(3).drawSeconds(job(1, 1), 300, () -> Long.MIN_VALUE)).isEqualTo(600);
        RunTimeHistory limited = new RunTimeHistory(Collections.nCopies(10, limited(100, 100)));
        assertThat(limited.drawSeconds(limited(1, 100), 500, () -> Long.MIN_VALUE))
                .as("a job that is late already")
                .isEqualTo(530);
        assertThat(limited.drawSeconds(limited(1, 700), 500, () -> Long.MIN_VALUE))
                .isEqualTo(700);
    }
}
