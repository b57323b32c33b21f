package org.trainyard.experiments.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.config.topology.Clusters;

class RunRecorderTest {
    private static final long SECOND = 1_000_000_000L;
    /** 2 racks of 2 servers of 4 GPUs. */
    private static final Topology CLUSTER = Clusters.resolve("2x2x4");

    private static TraceJob job(String name, Demand demand, String tenant) {
        return new TraceJob(name, 0, demand, SECOND, null, null, null, tenant);
    }

    private static Workload workload(TraceJob... jobs) {
        return new WorkloadBuilder(
                        CLUSTER,
                        ModelCatalog.standard(),
                        new WorkloadBuilder.Options(WorkloadBuilder.Models.NEUTRAL, 1, true, true))
                .rated(List.of(jobs))
                .workload();
    }

    private static RunTimeline only(RunRecorder recorder) {
        return recorder.timelines(List.of("s")).get(0);
    }

    @Test
    void figures_follow_arrivals_starts_preemptions_outages_and_ends() {
        RunRecorder recorder = new RunRecorder(CLUSTER, 1, 1);
        Workload two = workload(
                job("wide", Demand.ofGpus(5), "a"), job("half", Demand.ofGpus(1).withGpuMilli(500), "b"));
        EventSink sink = recorder.sink("s", 0, two);
        sink.event(0, EventKind.ARRIVE, 0, 0, null);
        sink.event(0, EventKind.ARRIVE, 1, 0, null);
        sink.event(SECOND, EventKind.START, 0, 5, Placement.of(CLUSTER, 0, 1, 2, 3, 4));
        sink.event(2 * SECOND, EventKind.START, 1, 1, Placement.of(CLUSTER, 8));
        sink.event(3 * SECOND, EventKind.DOWN, -1, 9, null);
        sink.event(4 * SECOND, EventKind.PREEMPT, 0, 0, null);
        sink.event(5 * SECOND, EventKind.FINISH, 1, 0, null);

        Series series = only(recorder).series();

        assertThat(column(series, Series.QUEUE)).containsExactly(2.0, 1.0, 0.0, 0.0, 1.0);
        assertThat(column(series, Series.PENDING)).containsExactly(5.5, 0.5, 0.0, 0.0, 5.0);
        assertThat(column(series, Series.RUNNING)).containsExactly(0.0, 1.0, 2.0, 2.0, 1.0);
        assertThat(column(series, Series.HELD)).containsExactly(0.0, 5.0, 5.5, 5.5, 0.5);
        assertThat(column(series, "gpus_held_rack_1")).containsExactly(0.0, 5.0, 5.0, 5.0, 0.0);
        assertThat(column(series, "gpus_held_rack_2")).containsExactly(0.0, 0.0, 0.5, 0.5, 0.5);
        assertThat(column(series, "gpus_held_vc_a")).containsExactly(0.0, 5.0, 5.0, 5.0, 0.0);
        assertThat(column(series, Series.FRAGMENTATION)).containsExactly(0.0, 3.0 / 11, 6.0 / 10, 5.0 / 9, 2.0 / 14);
    }

    private static List<Double> column(Series series, String name) {
        List<Double> column = new ArrayList<>();
        for (int i = 0; i < series.size(); i++) {
            assertThat(series.toNanos(i)).isEqualTo((i + 1) * SECOND);
            column.add(series.mean(name, i));
        }
        return column;
    }

    @Test
    void fragmentation_is_weighed_by_time_too() {
        RunRecorder recorder = new RunRecorder(CLUSTER, 1, 1);
        EventSink sink = recorder.sink("s", 0, workload(job("a", Demand.ofGpus(2), "x")));
        sink.event(0, EventKind.ARRIVE, 0, 0, null);
        sink.event(SECOND / 2, EventKind.START, 0, 2, Placement.of(CLUSTER, 0, 1));
        sink.event(SECOND, EventKind.FINISH, 0, 0, null);

        assertThat(only(recorder).series().mean(Series.FRAGMENTATION, 0)).isCloseTo(0.5 * 2 / 14, within(1e-12));
    }

    @Test
    void histories_have_every_step_of_a_job_and_stop_at_their_limit_which_they_say() {
        TraceJob[] jobs = new TraceJob[6_000];
        for (int i = 0; i < jobs.length; i++) {
            jobs[i] = job("j" + i, Demand.ofGpus(1), "x");
        }
        Workload many = workload(jobs);
        RunRecorder recorder = new RunRecorder(CLUSTER, 1, 1);
        EventSink sink = recorder.sink("s", 0, many);
        for (int i = 0; i < jobs.length; i++) {
            sink.event(i, EventKind.ARRIVE, i, 0, null);
            sink.event(i, EventKind.START, i, 1, Placement.of(CLUSTER, 5));
            sink.event(i + 1, EventKind.FINISH, i, 0, null);
        }

        JobHistories histories = Objects.requireNonNull(only(recorder).jobs());

        assertThat(histories.isCut()).isTrue();
        assertThat(histories.histories())
                .hasSize(5_000)
                .allSatisfy(history -> assertThat(history.steps())
                        .extracting(JobHistories.Step::kind)
                        .containsExactly(EventKind.ARRIVE, EventKind.START, EventKind.FINISH));
        assertThat(histories.histories().iterator().next().steps().get(1).servers())
                .containsExactly(1, 1);
    }

    @Test
    void runs_come_by_scheduler_and_episode_whatever_the_order_in_which_they_ran() {
        RunRecorder recorder = new RunRecorder(CLUSTER, 2, 2);
        Workload one = workload(job("a", Demand.ofGpus(2), "x"));
        for (String run : List.of("b1", "a0", "c0", "b0", "a1")) {
            recorder.sink(run.substring(0, 1), run.charAt(1) - '0', one);
        }

        assertThat(recorder.timelines(List.of("b", "a")))
                .extracting(run -> run.scheduler() + run.episode())
                .containsExactly("b0", "b1", "a0", "a1");
    }
}
