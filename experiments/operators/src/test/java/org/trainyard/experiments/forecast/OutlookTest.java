package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.workload.TraceJob;

/** Submissions to come, where the days of the week are known. */
class OutlookTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final long DAY = 24 * HOUR;
    /** A Monday. */
    private static final long ZERO = Instant.parse("2026-03-02T00:00:00Z").getEpochSecond() * 1_000_000_000L;

    /** Three weeks in which a job comes at noon, but not at weekends, until 18:00 of a Friday. */
    private static List<TraceJob> drawn(Outlook outlook, long seed) {
        List<TraceJob> jobs = new ArrayList<>();
        for (int day = 0; day < 19; day++) {
            if (day % 7 < 5) {
                jobs.add(new TraceJob("j" + day, day * DAY + 12 * HOUR, 4, HOUR, null, null, null, null));
            }
        }
        return new StartForecaster.ArrivalHistory(jobs, 18 * DAY + 18 * HOUR, outlook)
                .draw(4 * DAY, RandomStreams.stream(seed, "arrivals"));
    }

    /** The job runs no longer than its limit, which only the draw of its run time knows. */
    @Test
    void a_job_has_the_limit_that_somebody_knows() {
        TraceJob job = new TraceJob("a", 0, 1, 1, null, null, null, null);
        Outlook outlook = Outlook.NONE.limiting(Map.of("a", 90L));

        assertThat(outlook.limited(job).terms().limitNanos()).isEqualTo(90_000_000_000L);
        // Slurm takes 2,147,483,646 minutes, whose nanoseconds no long holds.
        assertThat(Outlook.NONE
                        .limiting(Map.of("a", 60 * 2_147_483_646L))
                        .limited(job)
                        .terms()
                        .limitNanos())
                .isEqualTo(4_611_686_018_000_000_000L);
        assertThat(Outlook.NONE.limited(job)).isSameAs(job);
        assertThat(job.terms().limitNanos()).isZero();
    }

    @Test
    void weekends_to_come_are_as_those_of_the_past() {
        Outlook dated = new Outlook(List.of(), CancelledWaits.ENDLESS, Outlook.monday(ZERO, null), Map.of());

        for (long seed = 0; seed < 10; seed++) {
            assertThat(drawn(dated, seed))
                    .extracting(TraceJob::submitNanos)
                    .containsExactly(21 * DAY + 12 * HOUR, 22 * DAY + 12 * HOUR);
        }
        assertThat(LongStream.range(0, 10).mapToObj(seed -> drawn(Outlook.NONE, seed)))
                .anyMatch(jobs -> jobs.stream().anyMatch(job -> job.submitNanos() < 21 * DAY));
    }

    /** Nine jobs, one each 100 s, with 1 to 9 GPUs: the last third of 300 s comes again and again, or the first. */
    @ParameterizedTest
    @CsvSource({"true, 7 8 9 7 8", "false, 1 2 3 1 2"})
    void a_short_past_comes_again_in_thirds(boolean isLast, String gpus) {
        long second = HOUR / 3600;
        List<TraceJob> jobs = new ArrayList<>();
        for (int job = 0; job < 9; job++) {
            jobs.add(new TraceJob("j" + job, 100 * second * job, job + 1, HOUR, null, null, null, null));
        }
        RandomGenerator ends = new RandomGenerator() {
            @Override
            public long nextLong() {
                throw new AssertionError("draws below a bound");
            }

            @Override
            public long nextLong(long bound) {
                return isLast ? bound - 1 : 0;
            }
        };
        List<TraceJob> drawn =
                new StartForecaster.ArrivalHistory(jobs, 900 * second, Outlook.NONE).draw(450 * second, ends);

        assertThat(drawn)
                .extracting(TraceJob::submitNanos)
                .containsExactly(900 * second, 1000 * second, 1100 * second, 1200 * second, 1300 * second);
        assertThat(drawn.stream().map(job -> Integer.toString(job.gpus())).collect(Collectors.joining(" ")))
                .isEqualTo(gpus);
    }

    @Test
    void a_week_begins_at_the_midnight_of_the_zone_of_the_log() {
        assertThat(Outlook.monday(0, null)).isNull();
        assertThat(Math.floorMod(Outlook.monday(ZERO, ZoneId.of("+08:00")), 7 * DAY))
                .isEqualTo(7 * DAY - 8 * HOUR);
    }
}
