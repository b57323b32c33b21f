package org.trainyard.env.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.WorkloadBuilder.Built;
import org.trainyard.env.performance.WorkloadBuilder.Options;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Locality;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

class WorkloadBuilderTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Options LENIENT = new Options(WorkloadBuilder.Models.MIX, 1, false, false);

    private final Topology small = Topologies.small();
    private final PerformanceModel ring = new RingPerformance(small, InterferenceModel.NONE);

    private static TraceJob job(String id, long submit, int gpus, long seconds, @Nullable String model) {
        return new TraceJob(id, submit * SECOND, gpus, seconds * SECOND, model, null, null, null);
    }

    private WorkloadBuilder builder(Options options) {
        return new WorkloadBuilder(small, ModelCatalog.standard(), options);
    }

    @Test
    void a_job_alone_on_its_ideal_placement_runs_as_long_as_the_trace_says() {
        Built built = builder(LENIENT).build(List.of(job("b", 9, 6, 120, "vgg16"), job("a", 7, 1, 60, "bert")), ring);
        assertThat(built.workload().job(0).name()).isEqualTo("a");
        assertThat(built.workload().job(0).submitNanos()).isZero();
        assertThat(built.workload().job(1).submitNanos()).isEqualTo(2 * SECOND);
        JobSpec wide = built.workload().job(1);
        Placement twoServersOfOneRack = Placement.of(small, 0, 1, 2, 3, 4, 5);
        assertThat(wide.idealIterationsPerSecond()).isEqualTo(ring.aloneRate(wide, twoServersOfOneRack));
        assertThat(built.workload().trueIterations(1) / ring.aloneRate(wide, twoServersOfOneRack))
                .isCloseTo(120, within(1e-9));
        assertThat(built.drawnModels()).isZero();
    }

    @Test
    void equal_submissions_keep_their_order_and_the_traces_zero_can_be_kept() {
        List<TraceJob> trace = List.of(job("z", 5, 1, 1, null), job("a", 5, 1, 1, null), job("m", 4, 1, 1, null));
        Built built =
                builder(new Options(WorkloadBuilder.Models.MIX, 1, false, true)).build(trace, ring);
        assertThat(List.of(0, 1, 2))
                .extracting(i -> built.workload().job(i).name())
                .containsExactly("m", "z", "a");
        assertThat(built.workload().job(0).submitNanos()).isEqualTo(4 * SECOND);
        assertThat(built.drawnModels()).isEqualTo(3);
    }

    @Test
    void without_a_draw_all_jobs_of_unknown_models_train_the_same_neutral_one() {
        List<TraceJob> trace =
                List.of(job("a", 0, 1, 60, null), job("b", 1, 2, 60, "no such"), job("c", 2, 1, 60, "bert"));
        Built built = builder(new Options(WorkloadBuilder.Models.NEUTRAL, 1, false, true))
                .build(trace, ring);

        assertThat(List.of(0, 1, 2))
                .extracting(i -> built.workload().job(i).model().name())
                .containsExactly("neutral", "neutral", "bert");
        assertThat(built.drawnModels()).isEqualTo(2);
    }

    @Test
    void warm_jobs_run_but_no_result_counts_them() {
        List<TraceJob> trace = List.of(
                job("ran", 0, 32, 100, "bert"), job("wide", 0, 33, 100, "bert"), job("counted", 0, 1, 60, "bert"));
        Built built = builder(LENIENT).build(trace, 2, ring);
        Simulator simulator = new World(small, ring, Simulator.Options.DEFAULT).simulator(built.workload());
        RunResult result = simulator.run(view -> {
            int job = view.firstWaiting();
            boolean isIdle = job != SimView.NONE && view.runningCount() == 0;
            return isIdle
                    ? new Decision.Start(
                            job,
                            Placement.of(
                                    small,
                                    IntStream.range(0, view.job(job).gpus()).toArray()))
                    : Decision.WAIT;
        });

        assertThat(built.workload().warmJobs()).isEqualTo(1);
        assertThat(result.jobs()).extracting(job -> job.job().name()).containsExactly("counted");
        assertThat(result.meanJctSeconds()).isCloseTo(160, within(1e-6));
    }

    @Test
    void jobs_that_differ_in_their_plan_alone_have_ideal_rates_of_their_own() {
        List<TraceJob> trace = Stream.of(
                        "ring", "sync:tap", "ps:0.001:100:4:1e8:1e10:1e9", "ps:0.002:100:4:1e8:1e10:1e9")
                .map(label ->
                        job(label, 0, 6, 60, "vgg16").parallel(Objects.requireNonNull(TrainingPlan.parse(label, null))))
                .toList();
        Workload workload = builder(LENIENT).build(trace, ring).workload();
        Placement twoServersOfOneRack = Placement.of(small, 0, 1, 2, 3, 4, 5);

        assertThat(IntStream.range(0, 4).mapToDouble(i -> workload.job(i).idealIterationsPerSecond()))
                .containsExactly(IntStream.range(0, 4)
                        .mapToObj(i -> ring.aloneRate(workload.job(i), twoServersOfOneRack))
                        .toArray(Double[]::new))
                .doesNotHaveDuplicates();
    }

    @Test
    void jobs_wider_than_the_cluster_are_named_or_refused() {
        List<TraceJob> trace = List.of(job("wide", 0, 33, 1, "bert"), job("fits", 3, 32, 1, "bert"));
        Built built = builder(LENIENT).build(trace, ring);
        assertThat(built.tooWide()).containsExactly("wide");
        assertThat(built.workload().size()).isEqualTo(1);
        assertThat(built.workload().job(0).submitNanos()).isZero();
        assertThatThrownBy(() -> builder(new Options(WorkloadBuilder.Models.MIX, 1, true, false))
                        .build(trace, ring))
                .isInstanceOf(InputException.class)
                .hasMessage("trace, job wide: '33 GPUs' is not valid: expected at most the 32 of small");
        assertThatThrownBy(() -> builder(LENIENT).rated(trace.subList(0, 1))).isInstanceOf(InputException.class);
    }

    @Test
    void unknown_models_are_drawn_and_named_or_refused() {
        List<TraceJob> trace = List.of(job("a", 0, 1, 1, "skynet"), job("b", 0, 1, 1, "bert"));
        Built built = builder(LENIENT).build(trace, ring);
        assertThat(built.drawnModels()).isEqualTo(1);
        assertThatThrownBy(() -> builder(new Options(WorkloadBuilder.Models.MIX, 1, true, false))
                        .build(trace, ring))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'skynet'");
    }

    @Test
    void rated_work_is_seconds_at_the_traces_own_times() {
        Built built = builder(LENIENT).rated(List.of(job("a", 5, 4, 17, null)));
        JobSpec job = built.workload().job(0);
        assertThat(job.submitNanos()).isEqualTo(5 * SECOND);
        assertThat(job.idealIterationsPerSecond()).isEqualTo(1);
        assertThat(built.workload().trueIterations(0)).isEqualTo(17);
        assertThat(new RatedPerformance().aloneRate(job, Placement.of(small, 0, 9, 17, 30)))
                .isEqualTo(1);
    }

    @Test
    void the_ideal_is_one_server_else_one_rack_else_one_pod_else_anywhere() {
        Topology topology = Topology.uniform("t", Fabric.DEFAULT, 4, 2, ServerSpec.ofV100(4), 2);
        IdealPlacement ideal = new IdealPlacement(topology);
        assertThat(ideal.candidates(1)).containsExactly(Placement.of(topology, 0));
        assertThat(ideal.candidates(2).get(0).span()).isEqualTo(Locality.SOCKET);
        assertThat(ideal.candidates(4).get(0).span()).isEqualTo(Locality.SERVER);
        assertThat(ideal.candidates(5)).containsExactly(Placement.of(topology, 0, 1, 2, 3, 4));
        assertThat(ideal.candidates(8).get(0).span()).isEqualTo(Locality.RACK);
        assertThat(ideal.candidates(9).get(0).span()).isEqualTo(Locality.POD);
        assertThat(ideal.candidates(17).get(0).span()).isEqualTo(Locality.CLUSTER);
        assertThat(ideal.candidates(32)).hasSize(1);
        assertThat(ideal.candidates(33)).isEmpty();
    }

    @Test
    void the_widest_servers_are_filled_first_and_the_fastest_gpus_win() {
        ServerSpec slow = new ServerSpec(GpuType.K80, 1, 8, false);
        ServerSpec fast = new ServerSpec(GpuType.A100, 1, 4, true);
        Topology topology = new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(List.of(fast, slow))
                .rack(List.of(slow, fast))
                .racksPerPod(1)
                .build();
        IdealPlacement ideal = new IdealPlacement(topology);
        assertThat(ideal.candidates(8))
                .containsExactly(
                        Placement.of(topology, 0, 1, 2, 3, 20, 21, 22, 23),
                        Placement.of(topology, 4, 5, 6, 7, 8, 9, 10, 11));
        PerformanceModel performance = new RingPerformance(topology, InterferenceModel.NONE);
        Built built = new WorkloadBuilder(topology, ModelCatalog.standard(), LENIENT)
                .build(List.of(job("a", 0, 8, 10, "resnet50")), performance);
        JobSpec job = built.workload().job(0);
        assertThat(job.idealIterationsPerSecond())
                .isEqualTo(performance.aloneRate(
                        job, Objects.requireNonNull(ideal.candidates(8).get(0))));
    }
}
