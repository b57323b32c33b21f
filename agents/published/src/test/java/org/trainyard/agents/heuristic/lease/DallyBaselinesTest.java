package org.trainyard.agents.heuristic.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.order.ServiceGittinsIndex;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Tiresias, Gandiva and Themis in our own world: schedules worked out on paper. */
class DallyBaselinesTest {
    private static final Topology ONE_SERVER = cluster("1x8");
    private static final Topology TWO_GPUS = cluster("1x2");
    private static final Topology TWO_SERVERS = cluster("2x4");

    private static Topology cluster(String shorthand) {
        return Objects.requireNonNull(Topologies.parse(shorthand));
    }

    /** On two GPUs a job sinks after 3250 / 2 = 1625 s; the newcomer, in the first queue, runs 1625..1725. */
    @Test
    void tiresias_lets_a_job_sink_below_a_newcomer() {
        TimedJobs jobs = TimedJobs.list().job(2, 0, 3000).job(2, 10, 100);

        assertThat(TimedJobs.endSeconds(jobs.run(TWO_GPUS, "tiresias", 0))).containsExactly(3100L, 1725L);
    }

    /**
     * Job 0 sinks at 1625; then 20 jobs of 1000 s go before it. It rises after 8 x 1625 s, at 14625, when the 13th is
     * done, and runs the 1375 s it has left.
     */
    @Test
    void tiresias_lifts_a_job_that_has_waited_too_long() {
        TimedJobs jobs = TimedJobs.list().job(2, 0, 3000);
        for (int i = 0; i < 20; i++) {
            jobs.job(2, 10, 1000);
        }
        List<Long> ends = TimedJobs.endSeconds(jobs.run(TWO_GPUS, "tiresias:promote=8", 0));

        assertThat(ends.get(0)).isEqualTo(16_000L);
        assertThat(ends.get(13)).isEqualTo(14_625L);
        assertThat(ends.get(14)).isEqualTo(17_000L);
    }

    /** As the authors' simulator by default: job 0 runs its last 1375 s behind all 20, whose last ends at 21625. */
    @ParameterizedTest
    @ValueSource(strings = {"tiresias", "tiresias-gittins", "tiresias:promote=1000"})
    void tiresias_promotes_no_job_by_itself(String scheduler) {
        TimedJobs jobs = TimedJobs.list().job(2, 0, 3000);
        for (int i = 0; i < 20; i++) {
            jobs.job(2, 10, 1000);
        }

        assertThat(TimedJobs.endSeconds(jobs.run(TWO_GPUS, scheduler, 0)).get(0))
                .isEqualTo(23_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tiresias:", "tiresias:8", "tiresias-gittins:promote=-1", "tiresias:promote=many"})
    void tiresias_with_another_option_is_refused(String name) {
        assertThatThrownBy(() -> SchedulerRegistry.named(name))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(name, "promote=R");
    }

    @Test
    void the_gittins_index_is_the_chance_to_end_over_the_service_it_takes() {
        ServiceGittinsIndex index = new ServiceGittinsIndex();
        assertThat(index.of(0, 10)).isZero();
        index.learn(10);
        index.learn(20);
        index.learn(100);

        // Of three two end within 20, and they take 10 + 20 + 20.
        assertThat(index.of(0, 20)).isCloseTo(2.0 / 50, within(1e-12));
        assertThat(index.of(20, Double.POSITIVE_INFINITY)).isCloseTo(1.0 / 80, within(1e-12));
        assertThat(index.of(100, Double.POSITIVE_INFINITY)).isZero();
    }

    /**
     * Job 0 ends at 50 s, having needed 100 GPU-s. Jobs 1 and 2 sink after 3250 GPU-s, at 1675 and 3300; both have
     * outlived all that ended, so their indices are zero and they go by submission when job 3, of the first queue, is
     * done at 3360.
     */
    @Test
    void tiresias_gittins_goes_by_submission_where_indices_are_equal() {
        TimedJobs jobs = TimedJobs.list()
                .job(2, 0, 50) // ends at 50 having attained 100 GPU-s
                .job(2, 10, 1_800) // runs 50..1675, then sinks with 3250 GPU-s
                .job(2, 20, 1_700) // runs 1675..3300, sinks likewise
                .job(2, 3_000, 60); // fresh at 3300

        List<Long> ends = TimedJobs.endSeconds(jobs.run(TWO_GPUS, "tiresias-gittins", 0));

        assertThat(ends).containsExactly(50L, 3_300L + 60 + 175, 3_300L + 60 + 175 + 75, 3_360L);
    }

    private static RunResult runOf(Topology topology, Scheduler scheduler, Object... modelGpusSubmitSeconds) {
        List<JobSpec> jobs = new ArrayList<>();
        double[] work = new double[modelGpusSubmitSeconds.length / 4];
        for (int i = 0; i < work.length; i++) {
            ModelProfile model =
                    Objects.requireNonNull(ModelCatalog.standard().find((String) modelGpusSubmitSeconds[4 * i]));
            int gpus = (Integer) modelGpusSubmitSeconds[4 * i + 1];
            long submit = (Integer) modelGpusSubmitSeconds[4 * i + 2] * TimedJobs.SECOND;
            work[i] = (Integer) modelGpusSubmitSeconds[4 * i + 3];
            jobs.add(new JobSpec(i, "j" + i, submit, gpus, model, 1));
        }
        Workload workload = new Workload(jobs, work);
        return new World(topology, new RatedPerformance(), new Simulator.Options(0, true))
                .simulator(workload)
                .run(scheduler);
    }

    /** One GPU is free on each of two servers: enough for two workers of ResNet, not for VGG's one large tensor. */
    @Test
    void tiresias_keeps_skewed_models_on_one_server() {
        Scheduler skewed = new Tiresias(TWO_SERVERS, Tiresias.Within.SUBMISSION, Tiresias.NO_PROMOTION);
        Scheduler plain = new Tiresias(TWO_SERVERS, Tiresias.Within.SUBMISSION, Tiresias.NO_PROMOTION);

        assertThat(TimedJobs.endSeconds(
                        runOf(TWO_SERVERS, skewed, "resnet50", 3, 0, 100, "resnet50", 3, 0, 100, "vgg16", 2, 10, 50)))
                .containsExactly(100L, 100L, 150L);
        assertThat(TimedJobs.endSeconds(
                        runOf(TWO_SERVERS, plain, "resnet50", 3, 0, 100, "resnet50", 3, 0, 100, "resnet50", 2, 10, 50)))
                .containsExactly(100L, 100L, 60L);
    }

    /**
     * One GPU is free on each of four servers of four, as many as a server has: the test of the public simulator lets a
     * job of two that needs one server leave it, the intended one keeps it until a server is free at 100.
     */
    @ParameterizedTest
    @CsvSource({"INTENDED, 150", "RELEASED, 60"})
    void tiresias_of_dally_consolidates_by_either_test(LeasedTiresias.Consolidation consolidation, long end) {
        Topology topology = cluster("4x4");
        Scheduler scheduler = new LeasedTiresias(topology, 3_600, model -> true, consolidation);
        Object[] jobs = {
            "vgg16", 3, 0, 100, "vgg16", 3, 0, 100, "vgg16", 3, 0, 100, "vgg16", 3, 0, 100, "vgg16", 2, 10, 50
        };

        assertThat(TimedJobs.endSeconds(runOf(topology, scheduler, jobs))).containsExactly(100L, 100L, 100L, 100L, end);
    }

    /** Every skewed name is of the catalogue. */
    @Test
    void tiresias_knows_its_skewed_models() {
        assertThat(ModelCatalog.standard().profiles().stream()
                        .filter(Tiresias::isSkewed)
                        .map(ModelProfile::name))
                .containsExactlyInAnyOrder("alexnet", "vgg11", "vgg16", "vgg19", "ncf");
    }

    /** At 1800 the first turn is over: 1 runs to 2800, then 0 restarts for 30 s and runs the 2200 s it has left. */
    @Test
    void gandiva_lets_jobs_take_turns() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 4000).job(8, 10, 1000);

        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "gandiva", 30))).containsExactly(5030L, 2800L);
    }

    /**
     * Job 2 is on both servers; job 1 is done at 100, so at 1810, at the end of its turn, 2 moves to one server for 30
     * s.
     */
    @Test
    void gandiva_moves_a_job_together() {
        TimedJobs jobs = TimedJobs.list().job(3, 0, 2500).job(3, 0, 100).job(2, 10, 3000);
        RunResult result = jobs.run(TWO_SERVERS, "gandiva", 30);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(2500L, 100L, 3040L);
        assertThat(result.jobs().get(2).preemptions()).isZero();
    }

    private static JobSpec ofHalfAGpu(int id, long submitSeconds, Demand demand) {
        Pressure all = new Pressure(1, 1, 1, 1);
        ModelProfile greedy = new ModelProfile("greedy", 1, 0, 1, all, all);
        return new JobSpec(id, "j" + id, submitSeconds * TimedJobs.SECOND, demand, greedy, 1);
    }

    /**
     * GPU 1 is taken, so job 2 shares GPU 0 with job 0; each loses more than half. When GPU 1 is free the later one
     * moves there, and the two still share a socket and PCIe.
     */
    @Test
    void gandiva_takes_a_bad_pack_apart() {
        Topology topology = Topology.uniform(
                "shared", Fabric.DEFAULT, 1, 1, ServerSpec.ofV100(2).with(GpuSharing.FRACTIONS), 1);
        Demand half = Demand.ofGpus(1).withGpuMilli(500);
        List<JobSpec> jobs =
                List.of(ofHalfAGpu(0, 0, half), ofHalfAGpu(1, 0, Demand.ofGpus(1)), ofHalfAGpu(2, 10, half));
        Workload workload = new Workload(jobs, new double[] {10_000, 100, 10_000});
        Simulator simulator = new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        new Simulator.Options(0, true))
                .simulator(workload);
        Scheduler gandiva = new Gandiva(topology, 1);
        List<Integer> gpusOfTheLast = new ArrayList<>();
        while (simulator.advance()) {
            simulator.decide(gandiva);
            if (simulator.view().arrived() == 3 && simulator.view().state(2) == JobState.RUNNING) {
                gpusOfTheLast.add(simulator.view().placement(2).gpu(0));
            }
        }

        assertThat(gpusOfTheLast.get(0)).isEqualTo(0);
        assertThat(gpusOfTheLast.get(gpusOfTheLast.size() - 1)).isEqualTo(1);
    }

    /**
     * At 1200 the first lease is over. Ratios against half the cluster: 0 has (1200 + 1800) / (3000 x 2) = 0.5, 1 has
     * (1190 + 600) / (600 x 2) = 1.49 and wins. At 1800 job 0 restarts for 30 s; nobody bids for its next leases.
     */
    @Test
    void themis_gives_gpus_to_who_is_worst_off_at_the_end_of_a_lease() {
        TimedJobs jobs = TimedJobs.list().job(8, 0, 3000).job(8, 10, 600);
        RunResult result = jobs.run(ONE_SERVER, "themis", 30);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(3630L, 1800L);
        assertThat(result.jobs().get(0).preemptions()).isEqualTo(1);
    }
}
