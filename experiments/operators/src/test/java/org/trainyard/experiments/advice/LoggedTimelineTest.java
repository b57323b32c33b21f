package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.timeline.RunTimeline;
import org.trainyard.experiments.timeline.Series;

class LoggedTimelineTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("2x8"));

    private static TraceJob job(String name, int gpus, long submit, long start, long end, long lasts) {
        return new TraceJob(name, submit * SECOND, gpus, lasts * SECOND, null, null, null, null)
                .ran(new LoggedRun(start * SECOND, end * SECOND));
    }

    @Test
    void the_queue_and_the_gpus_follow_the_logged_starts_and_ends() {
        RunTimeline timeline = LoggedTimeline.of(
                "as it was", TOPOLOGY, List.of(job("a", 8, 0, 0, 100, 100), job("b", 4, 20, 100, 160, 60)));
        Series series = timeline.series();

        assertThat(timeline.jobs()).isNull();
        assertThat(series.size()).isEqualTo(160);
        assertThat(series.mean(Series.HELD, 10)).isEqualTo(8);
        assertThat(series.mean(Series.QUEUE, 10)).isZero();
        assertThat(series.mean(Series.QUEUE, 50)).isEqualTo(1);
        assertThat(series.mean(Series.PENDING, 50)).isEqualTo(4);
        assertThat(series.mean(Series.HELD, 120)).isEqualTo(4);
        assertThat(series.mean(Series.RUNNING, 120)).isEqualTo(1);
        assertThat(series.mean(Series.FRAGMENTATION, 50)).as("is not known").isNaN();
    }

    @Test
    void a_job_that_was_preempted_runs_and_waits_in_proportion_to_its_times() {
        Series series = LoggedTimeline.of("as it was", TOPOLOGY, List.of(job("a", 8, 0, 40, 140, 25)))
                .series();

        assertThat(series.mean(Series.QUEUE, 20)).isEqualTo(1);
        assertThat(series.mean(Series.HELD, 90)).isCloseTo(2, within(1e-9));
        assertThat(series.mean(Series.QUEUE, 90)).isCloseTo(0.75, within(1e-9));
    }

    /** After its end it waits no more, while another job of half of each of two GPUs runs. */
    @Test
    void parts_of_gpus_count_as_parts_and_nothing_waits_after_its_end() {
        TraceJob half = job("b", 2, 0, 0, 200, 200);
        half = half.demanding(half.demand().withGpuMilli(500));
        Series series = LoggedTimeline.of("as it was", TOPOLOGY, List.of(job("a", 8, 0, 40, 140, 25), half))
                .series();

        assertThat(series.mean(Series.QUEUE, 170)).isCloseTo(0, within(1e-9));
        assertThat(series.mean(Series.RUNNING, 170)).isCloseTo(1, within(1e-9));
        assertThat(series.mean(Series.HELD, 170)).isCloseTo(1, within(1e-9));
        assertThat(series.mean(Series.PENDING, 20)).isCloseTo(8, within(1e-9));
    }
}
