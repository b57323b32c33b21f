package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogEnd;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;

/** A log and a listing of the queue, each with times from a zero of its own; here all times are seconds since 1970. */
class QueueListingTest {
    private static final long SECOND = 1_000_000_000L;

    private static final LogFormat NAMELESS = new LogFormat() {
        @Override
        public String label() {
            return "none";
        }

        @Override
        public List<String> required() {
            return List.of();
        }

        @Override
        public List<String> optional() {
            return List.of();
        }

        @Override
        public boolean sniff(LogFile file) {
            return false;
        }

        @Override
        public Trace read(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs) {
            throw new AssertionError("reads nothing");
        }
    };

    private record Row(String id, int gpus, long submit, long start) {
        TraceJob after(long zero) {
            long from = (start - zero) * SECOND;
            return new TraceJob(id, (submit - zero) * SECOND, gpus, 5 * SECOND, null, null, null, null)
                    .ran(new LoggedRun(from, from + 5 * SECOND));
        }
    }

    private static Trace trace(long zero, long end, @Nullable Row ended, Row... open) {
        return new Trace(
                "log",
                NAMELESS,
                ended == null ? List.of() : List.of(ended.after(zero)),
                0,
                List.of(),
                List.of(),
                List.of(),
                Collections.emptySortedSet(),
                new LogEnd(
                        (end - zero) * SECOND,
                        zero * SECOND,
                        0,
                        Stream.of(open).map(row -> row.after(zero)).toList(),
                        List.of(),
                        List.of(3L)));
    }

    private static final Trace LOG = trace(
            1000,
            1500,
            new Row("ended", 1, 1000, 1010),
            new Row("runs", 2, 1100, 1200),
            new Row("waited", 4, 1300, 1501),
            new Row("gone", 1, 1310, 1501));

    private static String words(OpenLog log, TraceJob job) {
        LoggedRun past = Objects.requireNonNull(job.past());
        long zero = log.zeroNanos();
        return "%s %d %.9f %.9f %.9f"
                .formatted(
                        job.id(),
                        job.gpus(),
                        (zero + job.submitNanos()) / 1e9,
                        past.startNanos() / 1e9 + zero / 1e9,
                        past.endNanos() / 1e9 + zero / 1e9);
    }

    /** A job that the log knows keeps what the log says of it, but its state is that of the listing at 1600 s. */
    @ParameterizedTest
    @ValueSource(longs = {900, 1000, 1090})
    void the_listing_says_who_runs_and_who_waits(long zero) {
        OpenLog joined = OpenLog.of(
                LOG,
                trace(
                        zero,
                        1600,
                        null,
                        new Row("runs", 9, 1100, 1200),
                        new Row("waited", 9, 1300, 1550),
                        new Row("new", 8, 1500, 1601)));

        long first = Math.min(1000, zero);
        assertThat(List.of(joined.zeroNanos(), joined.startNanos(), joined.endNanos()))
                .isEqualTo(List.of(first * SECOND, (1000 - first) * SECOND, (1600 - first) * SECOND));
        assertThat(joined.open()).isEqualTo(3);
        assertThat(joined.unlisted()).isEqualTo(1);
        assertThat(joined.cancelledNanos()).containsExactly(3L);
        assertThat(joined.jobs())
                .extracting(job -> words(joined, job))
                .containsExactly(
                        "ended 1 1000.000000000 1010.000000000 1015.000000000",
                        "runs 2 1100.000000000 1200.000000000 1600.000000001",
                        "waited 4 1300.000000000 1550.000000000 1600.000000001",
                        "new 8 1500.000000000 1600.000000001 1600.000000002");
    }

    /** The log ends at 1500 s, after the listing. */
    @Test
    void a_log_that_ends_later_than_the_listing_sets_the_end() {
        OpenLog joined = OpenLog.of(LOG, trace(1000, 1400, null, new Row("waited", 4, 1300, 1401)));

        assertThat(joined.endNanos()).isEqualTo(500 * SECOND);
        assertThat(joined.unlisted()).isEqualTo(2);
        assertThat(joined.jobs())
                .extracting(job -> words(joined, job))
                .last()
                .isEqualTo("waited 4 1300.000000000 1500.000000001 1500.000000002");
    }

    @Test
    void a_listing_without_dates_cannot_be_joined() {
        Row waits = new Row("waits", 1, 5, 9);
        assertThatThrownBy(() -> OpenLog.of(LOG, trace(0, 8, null, waits)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("a listing and a log that both have dates");
        assertThatThrownBy(() -> OpenLog.of(trace(0, 8, null, waits), LOG)).isInstanceOf(InputException.class);
        assertThat(OpenLog.of(LOG, null).unlisted()).isZero();
    }

    /** From 900 s since 1970; the first submission is at 1000 s, the end at 1600 s. */
    private static final OpenLog JOINED = OpenLog.of(LOG, trace(900, 1600, null, new Row("new", 8, 1500, 1601)));

    @ParameterizedTest
    @CsvSource({"0, 1000", "50, 1050", "600, 1600", "900, 900", "1500, 1500", "1600, 1600"})
    void an_instant_is_after_the_first_submission_or_since_1970(double seconds, long since1970) {
        assertThat(JOINED.instant("--at", seconds)).isEqualTo((since1970 - 900) * SECOND);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, 601, 899, 1601})
    void another_instant_is_refused_with_both_spans(double seconds) {
        assertThatThrownBy(() -> JOINED.instant("--at", seconds))
                .hasMessageContaining("seconds from 0 to 600, when the log ends, or seconds since 1970 up to 1,600");
    }
}
