package org.trainyard.env.gym.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.PlacementPool;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;

/**
 * Every column of an observation, against values worked out by hand from its Javadoc.
 *
 * <p>Two racks of two servers of four V100s, an agent for each rack. Server 0 holds job 0 (1 GPU), server 1 job 2
 * (3 GPUs), servers 2 and 3 job 1 (4 + 2 GPUs): 6 of 16 GPUs are free, 3, 1, 0 and 2 of them. At 1:30 h, jobs 3 (2
 * GPUs), 4 (4 GPUs) and 5 (10 GPUs) have waited for half an hour, 3 and 5 in domain 0 and 4 in domain 1. On one
 * server, one GPU of a neighbour means a slowdown of 0.6 x 0.4 x 0.5 / 4 + 0.2 x 0.25 / 4 = 0.0425.
 */
class ObservationColumnsTest {
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("2x2x4"));
    private static final Domains DOMAINS = Domains.racks(TOPOLOGY);
    private static final ModelProfile MODEL = new ModelProfile(
            "model", 0.1, 1e9, 1L << 30, new Pressure(0.9, 0.5, 0.25, 0.75), new Pressure(0.8, 0.4, 0.2, 0.6));
    private static final long SECOND = 1_000_000_000L;
    private static final int[] GPUS = {1, 6, 3, 2, 4, 10};
    private static final double[] SECONDS = {7200, 36_000, 90_000, 7200, 5400, 1000};
    private static final int WINDOW = 8;

    private final Observer observer = new Observer(TOPOLOGY, DOMAINS, WINDOW, true, AnalyticInterference.DEFAULT);
    private final ObservationSpace spec = observer.spec();
    private final float[] row = new float[spec.size()];
    private final Simulator simulator = simulator();
    private final SimView view = simulator.view();
    private final ActionExecutor executor = executor(view);

    private static Simulator simulator() {
        JobSpec[] jobs = new JobSpec[GPUS.length];
        Arrays.setAll(
                jobs,
                i -> new JobSpec(
                        i,
                        "job" + i,
                        i < 3 ? 0 : 3600 * SECOND,
                        GPUS[i],
                        MODEL,
                        TrainingPlan.RingAllReduce.INSTANCE,
                        1,
                        null,
                        null,
                        null));
        Workload workload = new Workload(List.of(jobs), SECONDS);
        return new Simulator(
                TOPOLOGY,
                workload,
                new RatedPerformance(),
                RuntimePredictor.oracle(workload),
                new Simulator.Options(0, true));
    }

    private ActionExecutor executor(SimView seen) {
        return new ActionExecutor(
                seen, DOMAINS, spec.actions(), observer.preview(), 2, new PlacementPool(TOPOLOGY, false));
    }

    @BeforeEach
    void play() {
        simulator.advance();
        executor.beginRound();
        simulator.start(0, Placement.of(TOPOLOGY, 0));
        simulator.start(1, Placement.of(TOPOLOGY, 8, 9, 10, 11, 12, 13));
        simulator.start(2, Placement.of(TOPOLOGY, 4, 5, 6));
        simulator.apply(Decision.WAIT);
        simulator.advance();
        executor.beginRound();
        simulator.start(4, Placement.of(TOPOLOGY, 1, 2, 14, 15));
        simulator.preempt(4);
        executor.beginRound();
        forward(4, 1);
        forward(5, 0);
        forward(3, 1);
        forward(3, 0);
        simulator.apply(Decision.waitUntil(5400 * SECOND));
        simulator.advance();
        executor.beginRound();
    }

    private void forward(int job, int domain) {
        if (executor.queues().domainOf(job) != domain) {
            executor.queues().forward(job, domain);
            simulator.forward(job, domain);
        }
    }

    private void act(int agent, int action) {
        int[] actions = {ActionSpace.WAIT, ActionSpace.WAIT};
        actions[agent] = action;
        executor.announce(actions, 0);
        executor.act(agent, action, new NoDecisions());
        executor.beginRound();
    }

    /** Taking up and placing the first GPUs of a job changes nothing in the simulator. */
    private static final class NoDecisions implements DecisionSink {
        @Override
        public void start(int job, Placement placement) {
            throw new AssertionError("job %d starts".formatted(job));
        }

        @Override
        public void forward(int job, int domain) {
            throw new AssertionError("job %d is forwarded".formatted(job));
        }

        @Override
        public void preempt(int job) {
            throw new AssertionError("job %d is preempted".formatted(job));
        }
    }

    private int slotOf(int agent, int job) {
        for (int slot = 0; slot < executor.windowSize(agent); slot++) {
            if (executor.windowJob(agent, slot) == job) {
                return slot;
            }
        }
        throw new AssertionError("job %d is not in the window of agent %d".formatted(job, agent));
    }

    private void observe(int agent) {
        observer.write(view, executor, agent, row, 0);
    }

    private void check(int at, ObservationColumn column, double expected) {
        assertThat((double) row[at + column.index()]).as("%s", column).isCloseTo(expected, within(2e-6));
    }

    private static double time(double seconds) {
        return Math.log1p(seconds / 60) / 10;
    }

    private static double bandwidth(double gigabytesPerSecond) {
        return Math.log(1 + gigabytesPerSecond) / Math.log(901);
    }

    /** Predicted run time times Gittins index, which has tests of its own. */
    private double estimate(int job) {
        return executor.queues().estimator().seconds(view, job);
    }

    @ParameterizedTest
    @EnumSource
    void a_job_that_can_start_consolidated(JobColumn column) {
        observe(0);
        check(spec.jobsAt() + slotOf(0, 3) * ObservationSpace.JOB, column, ofJob3(column));
    }

    private double ofJob3(JobColumn column) {
        return switch (column) {
            case PRESENT, HOPS, STARTABLE_HERE, STARTABLE, CONSOLIDATED_HERE, CONSOLIDATED_ELSEWHERE -> 1;
            case GPUS -> 1.0 / 6;
            case GPUS_OF_DOMAIN -> 2.0 / 8;
            case REMAINING_TIME -> time(7200);
            case REMAINING_WORK -> time(2 * estimate(3));
            case WAITED -> time(1800);
            case WAITED_SHARE -> 0.2;
            // (0.1 s + 1 GB / 12.5 GB/s + 2 x 5 us) / (0.1 s + 1 GB / 150 GB/s + 2 x 1 us) - 1
            case NETWORK_STRETCH -> 0.687562;
            case PRESSURE_SOCKET -> 0.5;
            case PRESSURE_PCIE -> 0.25;
            case PRESSURE_NIC -> 0.75;
            case SENSITIVITY_SOCKET -> 0.4;
            case SENSITIVITY_PCIE -> 0.2;
            case SENSITIVITY_NIC -> 0.6;
            case WIDE, PREEMPTIONS, WAITS_ELSEWHERE, CONSOLIDATED_ACROSS, EXTRA_SERVERS, OPENS_SERVER -> 0;
            case WAITED_SHARE_IF_SPREAD, PREEMPTION_COST, PREEMPTED_JOBS, CAN_PREEMPT, PREEMPTED_LEAST_RUN -> 0;
            case FREE -> 6.0 / 16;
            case FREE_AFTER -> 4.0 / 16;
            case LONG_WHEN_FULL -> time(7200) * 10 / 16;
            case OWN_SLOWDOWN -> 0.0425;
            // Two GPUs disturb job 0, which stays for 1,800 of the 7,200 s.
            case NEIGHBOUR_SLOWDOWN -> 2 * 0.0425 / 4;
            case LEFTOVER -> 1.0 / 4;
            // Server 0 would have one GPU free, server 3 none.
            case LOOSER_THAN_ELSEWHERE -> 1.0 / 4;
        };
    }

    @ParameterizedTest
    @EnumSource
    void a_job_of_another_domain_that_can_start_spread_or_by_preemption(JobColumn column) {
        observe(0);
        check(spec.jobsAt() + slotOf(0, 4) * ObservationSpace.JOB, column, ofJob4(column));
    }

    private double ofJob4(JobColumn column) {
        return switch (column) {
            case PRESENT, WAITS_ELSEWHERE, STARTABLE_HERE, STARTABLE, CAN_PREEMPT -> 1;
            case GPUS -> 2.0 / 6;
            case GPUS_OF_DOMAIN, HOPS -> 0.5;
            case REMAINING_TIME -> time(5400);
            case REMAINING_WORK -> time(4 * estimate(4));
            case WAITED -> time(1800);
            case WAITED_SHARE, WAITED_SHARE_IF_SPREAD -> 0.25;
            // (0.1 s + 1.5 GB / 12.5 GB/s + 6 x 5 us) / (0.1 s + 1.5 GB / 150 GB/s + 6 x 1 us) - 1
            case NETWORK_STRETCH -> 1.0001636;
            case PRESSURE_SOCKET -> 0.5;
            case PRESSURE_PCIE -> 0.25;
            case PRESSURE_NIC -> 0.75;
            case SENSITIVITY_SOCKET -> 0.4;
            case SENSITIVITY_PCIE -> 0.2;
            case SENSITIVITY_NIC -> 0.6;
            case PREEMPTIONS -> 1.0 / 4;
            // Three GPUs of server 0 and one of server 1, of which none stays free.
            case EXTRA_SERVERS -> 1.0 / 4;
            case WIDE, CONSOLIDATED_HERE, CONSOLIDATED_ACROSS, CONSOLIDATED_ELSEWHERE, LEFTOVER, OPENS_SERVER -> 0;
            case LOOSER_THAN_ELSEWHERE -> 0;
            case FREE -> 6.0 / 16;
            case FREE_AFTER -> 2.0 / 16;
            case LONG_WHEN_FULL -> time(5400) * 10 / 16;
            // Beside the three GPUs of job 2.
            case OWN_SLOWDOWN -> 3 * 0.0425;
            // Three GPUs disturb job 0 for a third of the time, one disturbs job 2 all the time.
            case NEIGHBOUR_SLOWDOWN -> 3 * 0.0425 / 3 + 0.0425;
            // Job 2, which has run for 1:30 h, migrates from server 1 to server 0: a restart of a minute.
            case PREEMPTION_COST -> 60 / estimate(2);
            case PREEMPTED_JOBS -> 1.0 / 8;
            case PREEMPTED_LEAST_RUN -> time(5400);
        };
    }

    @Test
    void a_job_wider_than_every_domain_and_an_empty_slot() {
        observe(0);
        check(spec.jobsAt() + slotOf(0, 5) * ObservationSpace.JOB, JobColumn.WIDE, 1);
        int empty = spec.jobsAt() + executor.windowSize(0) * ObservationSpace.JOB;
        assertThat(Arrays.copyOfRange(row, empty, empty + ObservationSpace.JOB)).containsOnly(0);
    }

    @Test
    void the_focus_has_the_columns_of_the_job_taken_up() {
        act(0, spec.actions().slot(slotOf(0, 3)));
        observe(0);
        for (JobColumn column : JobColumn.values()) {
            check(spec.focusAt(), column, ofJob3(column));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_candidate_that_splits_the_job(CandidateColumn column) {
        act(0, spec.actions().slot(slotOf(0, 3)));
        observe(0);
        double expected = switch (column) {
            case PRESENT, FILLS, SPLITS -> 1;
            case TAKES_OF_LEFT -> 0.5;
            case LEFTOVER, COMPLETES, OPENS_SERVER, IS_SPLIT -> 0;
            case OWN_SLOWDOWN -> 3 * 0.0425;
            case NEIGHBOUR_SLOWDOWN -> 0.0425;
            case NEIGHBOURS -> 1.0 / 8;
            case TAKES_OF_SERVER -> 1.0 / 4;
        };
        check(spec.candidatesAt() + ObservationSpace.CANDIDATE, column, expected);
    }

    @ParameterizedTest
    @EnumSource
    void a_candidate_that_completes_the_job(CandidateColumn column) {
        act(0, spec.actions().slot(slotOf(0, 3)));
        act(0, spec.actions().server(1));
        observe(0);
        double expected = switch (column) {
            case PRESENT, TAKES_OF_LEFT, COMPLETES, IS_SPLIT -> 1;
            case LEFTOVER -> 2.0 / 4;
            case OPENS_SERVER, FILLS, SPLITS -> 0;
            case OWN_SLOWDOWN -> 0.0425;
            case NEIGHBOUR_SLOWDOWN -> 0.0425 / 4;
            case NEIGHBOURS -> 1.0 / 8;
            case TAKES_OF_SERVER -> 1.0 / 4;
        };
        check(spec.candidatesAt(), column, expected);
    }

    @Test
    void an_empty_server_is_opened() {
        Simulator empty = simulator();
        ActionExecutor first = executor(empty.view());
        empty.advance();
        first.beginRound();
        observer.write(empty.view(), first, 0, row, 0);
        check(spec.jobsAt(), JobColumn.OPENS_SERVER, 1);
        check(spec.globalAt(), GlobalColumn.WAITING, Math.log(4) / 5);
        check(spec.globalAt(), GlobalColumn.RUNNING, 0);
        int[] actions = {spec.actions().slot(0), ActionSpace.WAIT};
        first.announce(actions, 0);
        first.act(0, actions[0], new NoDecisions());
        first.beginRound();
        observer.write(empty.view(), first, 0, row, 0);
        check(spec.candidatesAt(), CandidateColumn.OPENS_SERVER, 1);
    }

    @ParameterizedTest
    @EnumSource
    void a_server_with_one_job_across_its_sockets(ServerColumn column) {
        observe(0);
        double expected = switch (column) {
            case PRESENT, NVLINK, SPEED -> 1;
            case FREE -> 1.0 / 4;
            case GPUS -> 4.0 / 8;
            case JOBS, UPI_RINGS -> 1.0 / 8;
            case UPI_BANDWIDTH -> bandwidth(12);
            case NIC_BANDWIDTH -> bandwidth(12.5);
            case NIC_RINGS -> 0;
        };
        check(spec.serversAt() + ObservationSpace.SERVER, column, expected);
    }

    @ParameterizedTest
    @EnumSource
    void a_server_with_a_part_of_a_job_of_two_servers(ServerColumn column) {
        observe(1);
        double expected = switch (column) {
            case PRESENT, NVLINK, SPEED -> 1;
            case FREE, GPUS -> 0.5;
            case JOBS, NIC_RINGS -> 1.0 / 8;
            case UPI_BANDWIDTH -> bandwidth(12);
            case UPI_RINGS -> 0;
            case NIC_BANDWIDTH -> bandwidth(12.5);
        };
        check(spec.serversAt() + ObservationSpace.SERVER, column, expected);
    }

    @ParameterizedTest
    @EnumSource
    void a_gpu_of_a_job_on_one_server(GpuColumn column) {
        observe(0);
        double expected = switch (column) {
            case PRESENT, NVLINK_RING -> 1;
            case FREE, PRESSURE_NIC, PCIE_RING -> 0;
            case PRESSURE_SOCKET -> 0.5;
            case PRESSURE_PCIE -> 0.25;
            case SENSITIVITY -> 0.3;
            // 84,600 s are 0.7252, which is 46.4 / 64.
            case REMAINING_TIME -> 46.0 / 64;
            case JOB_GPUS -> 0.2641604;
            case NVLINK_BANDWIDTH -> bandwidth(150);
            case PCIE_BANDWIDTH -> bandwidth(12);
        };
        check(spec.gpusAt() + 6 * ObservationSpace.GPU, column, expected);
    }

    @ParameterizedTest
    @EnumSource
    void a_gpu_of_a_job_on_two_servers(GpuColumn column) {
        observe(1);
        double expected = switch (column) {
            case PRESENT, NVLINK_RING, PCIE_RING -> 1;
            case FREE -> 0;
            case PRESSURE_SOCKET -> 0.5;
            case PRESSURE_PCIE -> 0.25;
            case PRESSURE_NIC -> 0.75;
            case SENSITIVITY -> 0.3;
            // 30,600 s are 0.6236, which is 39.9 / 64.
            case REMAINING_TIME -> 40.0 / 64;
            case JOB_GPUS -> 0.4308271;
            case NVLINK_BANDWIDTH -> bandwidth(150);
            case PCIE_BANDWIDTH -> bandwidth(12);
        };
        check(spec.gpusAt() + 4 * ObservationSpace.GPU, column, expected);
    }

    @ParameterizedTest
    @EnumSource
    void a_free_gpu(GpuColumn column) {
        observe(0);
        double expected = switch (column) {
            case PRESENT, FREE -> 1;
            case NVLINK_BANDWIDTH -> bandwidth(150);
            case PCIE_BANDWIDTH -> bandwidth(12);
            default -> 0;
        };
        check(spec.gpusAt() + 7 * ObservationSpace.GPU, column, expected);
    }

    @ParameterizedTest
    @EnumSource
    void the_uplink_of_a_server_with_a_ring(LinkColumn column) {
        observe(1);
        double expected = switch (column) {
            case PRESENT -> 1;
            case BANDWIDTH, RING_BANDWIDTH -> bandwidth(12.5);
            case OVERSUBSCRIPTION -> 1.0 / 8;
            case RINGS -> Math.log(2) / 4;
            case NEXT_RING_SHARE -> 0.5;
        };
        check(spec.linksAt() + ObservationSpace.LINK, column, expected);
    }

    /** Two uplinks of 10 GB/s for two NICs of 12.5 GB/s. */
    @ParameterizedTest
    @EnumSource
    void the_uplinks_of_a_leaf_switch_without_rings(LinkColumn column) {
        observe(0);
        double expected = switch (column) {
            case PRESENT, NEXT_RING_SHARE -> 1;
            case BANDWIDTH -> bandwidth(20);
            case RING_BANDWIDTH -> bandwidth(10);
            case OVERSUBSCRIPTION -> 1.25 / 8;
            case RINGS -> 0;
        };
        check(spec.linksAt() + 4 * ObservationSpace.LINK, column, expected);
    }

    @ParameterizedTest
    @EnumSource
    void the_uplink_of_the_only_pod_has_no_limit(LinkColumn column) {
        observe(0);
        double expected = switch (column) {
            case PRESENT, NEXT_RING_SHARE -> 1;
            case BANDWIDTH, RING_BANDWIDTH, OVERSUBSCRIPTION, RINGS -> 0;
        };
        check(spec.linksAt() + 5 * ObservationSpace.LINK, column, expected);
    }

    @ParameterizedTest
    @EnumSource
    void another_domain(DomainColumn column) {
        observe(0);
        double expected = switch (column) {
            case PRESENT, SIZE -> 1;
            case OWN -> 0;
            case FREE -> 2.0 / 8;
            case QUEUED_GPUS -> Math.log(1 + 4.0 / 8);
            case QUEUED_JOBS -> Math.log(2) / 5;
            // (6 + 4) / 8 here, (4 + 12) / 8 at home
            case RELATIVE_LOAD -> -0.75;
            case JOBS -> Math.log(3) / 5;
        };
        check(spec.domainsAt() + ObservationSpace.DOMAIN, column, expected);
    }

    @ParameterizedTest
    @EnumSource
    void the_agents_own_domain(DomainColumn column) {
        observe(0);
        double expected = switch (column) {
            case PRESENT, OWN, SIZE -> 1;
            case FREE -> 4.0 / 8;
            case QUEUED_GPUS -> Math.log(1 + 12.0 / 8);
            case QUEUED_JOBS -> Math.log(3) / 5;
            case RELATIVE_LOAD -> 0;
            case JOBS -> Math.log(5) / 5;
        };
        check(spec.domainsAt(), column, expected);
    }

    @ParameterizedTest
    @EnumSource
    void the_cluster_and_an_agent_that_builds_a_gang(GlobalColumn column) {
        act(0, spec.actions().slot(slotOf(0, 3)));
        act(0, spec.actions().server(1));
        observe(0);
        double expected = switch (column) {
            case HAS_FOCUS -> 1;
            case PLACED -> 0.5;
            case FREE -> 6.0 / 16;
            case WAITING, RUNNING -> Math.log(4) / 5;
            case OWN_QUEUE -> Math.log(3) / 5;
            case WINDOW -> 3.0 / WINDOW;
            // A sixteenth of a day.
            case DAY_SINE -> 0.3826834;
            case DAY_COSINE -> 0.9238795;
        };
        check(spec.globalAt(), column, expected);
    }

    @Test
    void the_schema_of_the_shipped_policies() {
        assertThat(ObservationSpace.schemaHash())
                .as(
                        "Columns have changed: policies trained on the old ones, those in checkpoints/ too, are now refused")
                .isEqualTo("78611b92b5e737bb07b4aa30165ed75f22190786853c4adae170f9c68aa1fbb0");
    }

    @Test
    void a_file_with_another_schema_is_refused_in_one_line() {
        assertThatThrownBy(() -> ObservationSpace.requireSchema("policy.bin", "c0ffee"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("policy.bin: ")
                .hasMessageContaining("c0ffee")
                .hasMessageContaining(ObservationSpace.schemaHash())
                .hasMessageNotContaining("\n");
    }
}
