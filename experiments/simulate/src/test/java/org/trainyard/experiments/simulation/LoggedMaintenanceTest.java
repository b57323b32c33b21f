package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogClock;
import org.trainyard.env.workload.trace.slurm.SlurmReservations;

class LoggedMaintenanceTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final Topology TWO = Objects.requireNonNull(Topologies.parse("2x8"));
    private static final String WEEKLY = """
            ReservationName=upkeep StartTime=2026-01-22T06:00:00 EndTime=2026-01-22T10:00:00 Duration=04:00:00
               Nodes=n[1-2] NodeCnt=2 CoreCnt=64 Features=(null) PartitionName=(null) Flags=MAINT,WEEKLY,ALL_NODES
               TRES=cpu=64

            ReservationName=course StartTime=2026-01-20T08:00:00 EndTime=2026-01-20T12:00:00 Duration=04:00:00
               Nodes=n1 NodeCnt=1 CoreCnt=32 Features=(null) PartitionName=(null) Flags=SPEC_NODES
            """;

    private static TraceJob job(String id, double submit, double start, double end, double limit) {
        SubmissionTerms terms =
                SubmissionTerms.NONE.but().limitNanos((long) (limit * HOUR)).build();
        return new TraceJob(id, (long) (submit * HOUR), 1, (long) ((end - start) * HOUR), null, null, null, null)
                .ran(new LoggedRun((long) (start * HOUR), (long) (end * HOUR)))
                .on(terms);
    }

    /**
     * A gap from the fifth to the tenth hour, before which a limit ends at half past five; two jobs wait for its end.
     */
    private static List<TraceJob> jobs(double longest) {
        List<TraceJob> jobs = new ArrayList<>(List.of(
                job("a", 0, 0, 5, 5.5),
                job("b", 1, 1, 2, longest),
                job("c", 4, 10, 11, 3),
                job("d", 4.5, 10, 12, 8),
                job("e", 160, 160, 161, 1),
                job("f", 160.5, 164, 165, 1)));
        jobs.sort(Comparator.comparingLong(TraceJob::submitNanos));
        return jobs;
    }

    private static LoggedMaintenance of(List<TraceJob> jobs, String listing, String zero) {
        LogClock clock = new LogClock(null);
        return LoggedMaintenance.of(
                jobs,
                2,
                new LoggedServers(TWO, jobs),
                SlurmReservations.read("reservations.txt", listing, clock),
                clock.nanos("zero", zero, 0),
                null);
    }

    @Test
    void a_gap_in_which_jobs_waited_is_maintenance_from_the_last_end_of_a_limit_on() {
        LoggedMaintenance found = of(jobs(2), "No reservations in the system\n", "2026-01-08T00:00:00");

        assertThat(found.windows()).hasSize(1);
        assertThat(found.announced()).isEmpty();
        assertThat(found.windows().get(0).span()).isEqualTo(new Outage((long) (5.5 * HOUR), 10 * HOUR));
        assertThat(found.windows().get(0).servers()).containsExactly(0, 1);
        assertThat(found.notes())
                .first()
                .asString()
                .isEqualTo(
                        "Maintenance: 1 window in the log, the first from Thu 8 Jan 2026 05:30 to Thu 8 Jan 2026 10:00; --maintenance none leaves them out.");
    }

    @Test
    void a_gap_that_a_limit_outlasts_was_not_planned() {
        LoggedMaintenance found = of(jobs(10), "", "2026-01-08T00:00:00");

        assertThat(found.windows()).isEmpty();
        assertThat(found.notes()).singleElement().asString().contains("an outage that nobody planned");
    }

    @Test
    void a_weekly_reservation_is_taken_back_where_the_log_has_a_gap_and_others_are_named() {
        LoggedMaintenance found = of(jobs(2), WEEKLY, "2026-01-08T00:00:00");

        assertThat(found.windows().get(0).span()).isEqualTo(new Outage(6 * HOUR, 10 * HOUR));
        assertThat(found.windows().get(1).span()).isEqualTo(new Outage((14 * 24 + 6) * HOUR, (14 * 24 + 10) * HOUR));
        assertThat(found.announced()).isEqualTo(found.windows());
        assertThat(found.notes()).anyMatch(note -> note.startsWith("Reservation course is left out"));
    }

    @Test
    void another_file_is_refused_by_its_line() {
        assertThatThrownBy(() -> of(jobs(2), "JobId=17 JobName=train\n", "2026-01-08T00:00:00"))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "reservations.txt:1: 'JobId=17 JobName=train' is not valid: expected what `scontrol show reservation` prints");
        assertThatThrownBy(() -> of(
                        jobs(2),
                        "ReservationName=a StartTime=2026-01-22T06:00:00 EndTime=soon\n",
                        "2026-01-08T00:00:00"))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("reservations.txt:1, EndTime: 'soon' is not valid");
    }
}
