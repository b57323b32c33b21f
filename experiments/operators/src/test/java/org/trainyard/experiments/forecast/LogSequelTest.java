package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogEnd;

class LogSequelTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long DAY = 86_400 * SECOND;

    /** A job a day at noon that ran for 100 s. */
    private static List<TraceJob> daily(int days) {
        List<TraceJob> jobs = new ArrayList<>();
        for (int day = 0; day < days; day++) {
            long noon = day * DAY + DAY / 2;
            jobs.add(job("day" + day, noon, 100).ran(new LoggedRun(noon, noon + 100 * SECOND)));
        }
        return jobs;
    }

    private static TraceJob job(String id, long submitNanos, long seconds) {
        return new TraceJob(id, submitNanos, 2, seconds * SECOND, null, "ada", null, null);
    }

    /** A job that has run since an instant, or waits from the end on. */
    private static TraceJob open(String id, long submitNanos, long startNanos, long endNanos) {
        return job(id, submitNanos, 1).lasting(1).ran(new LoggedRun(startNanos, Math.max(startNanos, endNanos) + 1));
    }

    private static LogSequel sequel(int days, List<TraceJob> open, long ownZero, long zero) {
        LogEnd end = new LogEnd(days * DAY - ownZero + zero, ownZero, 0, open, List.of(), List.of());
        return new LogSequel(daily(days), end, open, zero, null, 1);
    }

    @Test
    void open_jobs_run_on_as_jobs_like_them_did() {
        long end = 10 * DAY;
        List<TraceJob> open = List.of(
                open("running", end - 70 * SECOND, end - 60 * SECOND, end),
                open("long", end - 170 * SECOND, end - 160 * SECOND, end),
                open("waiting", end - 50 * SECOND, end + 1, end));

        List<TraceJob> drawn = sequel(10, open, 0, 0).draw(0).subList(0, 3);

        assertThat(drawn).extracting(TraceJob::id).containsExactly("running", "long", "waiting");
        assertThat(drawn)
                .extracting(TraceJob::submitNanos)
                .containsExactly(end - 70 * SECOND, end - 170 * SECOND, end - 50 * SECOND);
        assertThat(drawn.get(0).durationNanos()).isEqualTo(100 * SECOND);
        assertThat(drawn.get(1).durationNanos()).as("longer than any known").isGreaterThan(160 * SECOND);
        assertThat(drawn.get(2).durationNanos()).isEqualTo(100 * SECOND);
        assertThat(drawn).allMatch(job -> job.past() == null);
    }

    @Test
    void a_week_of_submissions_follows_at_the_times_of_day_that_they_had() {
        List<TraceJob> drawn = sequel(10, List.of(), 0, 0).draw(0);

        assertThat(drawn)
                .extracting(TraceJob::submitNanos)
                .containsExactly(
                        10 * DAY + DAY / 2,
                        11 * DAY + DAY / 2,
                        12 * DAY + DAY / 2,
                        13 * DAY + DAY / 2,
                        14 * DAY + DAY / 2,
                        15 * DAY + DAY / 2,
                        16 * DAY + DAY / 2);
        assertThat(drawn).allMatch(job -> job.gpus() == 2 && "ada".equals(job.user()));
    }

    @Test
    void no_more_time_follows_than_a_short_log_has() {
        List<TraceJob> open = List.of(open("waiting", 4 * DAY - SECOND, 4 * DAY + 1, 4 * DAY));

        assertThat(sequel(4, List.of(), 0, 0).draw(0))
                .extracting(TraceJob::submitNanos)
                .containsExactly(4 * DAY + DAY / 2, 5 * DAY + DAY / 2, 6 * DAY + DAY / 2);
        assertThat(sequel(4, open, 0, 0).note())
                .isEqualTo(
                        "After the log: 1 job, open at its end, and submissions as in the log for 3 d 12 h are replayed"
                                + " too, and count in no mean.");
    }

    @Test
    void times_of_open_jobs_are_counted_from_the_begin_of_the_log() {
        long zero = 1_000 * DAY;
        long early = zero - 30 * SECOND;
        long end = 10 * DAY + 30 * SECOND;
        List<TraceJob> open =
                List.of(open("before", 0, end - 60 * SECOND, end), open("later", 90 * SECOND, end - 60 * SECOND, end));

        List<TraceJob> drawn = sequel(10, open, early, zero).draw(0).subList(0, 2);

        assertThat(drawn).extracting(TraceJob::submitNanos).containsExactly(0L, 60 * SECOND);
        assertThat(drawn).extracting(TraceJob::durationNanos).containsOnly(100 * SECOND);
    }
}
