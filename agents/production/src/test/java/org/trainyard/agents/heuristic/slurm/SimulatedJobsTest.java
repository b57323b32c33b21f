package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.AskedLimit;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.trace.log.Billed;

/** Requests for jobs of a simulation with three servers of four A100 (0 to 2) and two of eight H100 (3, 4). */
class SimulatedJobsTest {
    private static final Topology FIVE = Objects.requireNonNull(Topologies.parse("3x4:A100+2x8:H100"));

    private static SlurmCluster cluster(String... more) {
        List<String> conf = new ArrayList<>(List.of(
                "NodeName=a[1-3] CPUs=8 Gres=gpu:a100:4 Features=ib,old",
                "NodeName=h[1-2] CPUs=16 Gres=gpu:h100:8 Features=ib",
                "PartitionName=all Nodes=ALL Default=YES",
                "PartitionName=hour Nodes=h[1-2] MaxTime=60",
                "PartitionName=best Nodes=h[1-2] QOS=half"));
        conf.addAll(List.of(more));
        List<String> qos = List.of("Name|MaxWall", "normal|02:00:00", "half|00:30:00", "any|");
        return new SlurmFiles("slurm.conf", conf, null, qos, null, null).on(FIVE);
    }

    private static SlurmJob.Request request(SlurmCluster cluster, TimedJobs jobs, long limit) {
        return new SimulatedJobs(FIVE, cluster).request(jobs.workload().job(0), limit);
    }

    private static SlurmJob.Request request(Demand demand, int wanted) {
        return request(cluster(), TimedJobs.list().job(demand, 0, 60).saying(terms -> terms.nodes(wanted)), 90);
    }

    private static String shape(SlurmJob.Request request) {
        return "%d x %d%s".formatted(request.nodes(), request.gpusPerNode(), request.exclusive() ? " alone" : "");
    }

    /** The fewest nodes of which enough have an even part each; where there are none, all nodes alone. */
    @ParameterizedTest
    @CsvSource({
        "1, 0, 1 x 1",
        "8, 0, 1 x 8",
        "9, 0, 2 x 5",
        "16, 0, 2 x 8",
        "17, 0, 5 x 4",
        "20, 0, 5 x 4",
        "21, 0, 5 x 0 alone",
        "28, 0, 5 x 0 alone",
        "8, 2, 2 x 4",
        "8, 3, 3 x 3",
        "8, 5, 5 x 2",
        "8, 6, 1 x 8",
        "4, 4, 4 x 1",
        "4, 5, 1 x 4",
        "18, 3, 5 x 4"
    })
    void a_gang_asks_for_the_fewest_nodes_with_even_parts(int gpus, int wanted, String shape) {
        SlurmJob.Request request = request(Demand.ofGpus(gpus), wanted);

        assertThat(shape(request)).isEqualTo(shape);
        assertThat(shape(request(Demand.ofGpus(2).onOneServer(), 2))).isEqualTo("1 x 2");
    }

    /** Of 5 GPUs with 9.5 cores and 99 MiB, three on each of two nodes: 5.7 cores and 59.4 MiB of each, rounded up. */
    @Test
    void cores_and_memory_of_a_node_are_those_of_its_even_part() {
        SlurmJob.Request five = request(Demand.ofGpus(5).withHost(9_500, 99), 2);
        SlurmJob.Request none = request(new Demand(0, 0, 0, 1000, 2_001, 7, false, List.of(), 0, 0), 3);
        SlurmJob.Request everywhere = request(Demand.ofGpus(28).withHost(9_500, 99), 0);

        assertThat(shape(five)).isEqualTo("2 x 3");
        assertThat(List.of((long) five.cpusPerNode(), five.memoryMib())).containsExactly(6L, 60L);
        assertThat(shape(none)).isEqualTo("1 x 0");
        assertThat(List.of((long) none.cpusPerNode(), none.memoryMib())).containsExactly(3L, 7L);
        assertThat(List.of((long) everywhere.cpusPerNode(), everywhere.memoryMib()))
                .containsExactly(0L, 0L);
    }

    /** What the log says of cores and memory counts for a job that demands neither. */
    @ParameterizedTest
    @CsvSource({"0, 0, 3, 64", "1000, 0, 1, 0", "0, 5, 0, 5", "1000, 5, 1, 5"})
    void a_job_has_the_cores_and_memory_of_its_log_unless_it_demands_some(
            long cpuMilli, long memoryMib, int cpus, long memory) {
        TimedJobs jobs = TimedJobs.list()
                .job(Demand.ofGpus(1).withHost(cpuMilli, memoryMib), 0, 60)
                .attaching(HostShare.class, new HostShare(2_500, 64));

        SlurmJob.Request request = request(cluster(), jobs, 90);

        assertThat(List.of((long) request.cpusPerNode(), request.memoryMib())).containsExactly((long) cpus, memory);
    }

    @Test
    void a_request_says_what_the_job_says() {
        TimedJobs jobs = TimedJobs.list()
                .job(1, 0, 60)
                .by("eve", null)
                .attaching(Billed.class, new Billed(17))
                .attaching(AskedLimit.class, new AskedLimit(2_000_000_001L))
                .saying(terms -> terms.partition("hour,all,hour")
                        .qos("half")
                        .nice(-3)
                        .exclusive(true)
                        .licenses("m:2,lic"));
        JobSpec spec = jobs.workload().job(0);

        SlurmJob.Request request = request(cluster(), jobs, 90);

        assertThat(request.user()).isEqualTo("eve");
        assertThat(request.partitions()).extracting(SlurmPartition::name).containsExactly("hour", "all");
        assertThat(request.qos().name()).isEqualTo("half");
        assertThat(List.of(request.limitSeconds(), (long) request.nice(), request.billed()))
                .containsExactly(90L, -3L, 17L);
        assertThat(request.exclusive()).isTrue();
        assertThat(request.licenses()).isEqualTo(Map.of("m", 2, "lic", 1));
        assertThat(SimulatedJobs.askedSeconds(spec, request)).isEqualTo(3);
        SlurmJob.Request plain = request(cluster(), TimedJobs.list().job(1, 0, 60), -1);
        assertThat(List.of(plain.user(), plain.billed(), plain.licenses())).containsExactly("nobody", 0L, Map.of());
        assertThat(SimulatedJobs.askedSeconds(
                        TimedJobs.list().job(1, 0, 60).workload().job(0), plain))
                .isEqualTo(-1);
    }

    /** Types of GPUs and features leave these nodes of the partition; a job without GPUs has no type. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "1, -, -, '{0, 1, 2, 3, 4}'",
                "1, A100, -, '{0, 1, 2}'",
                "1, H100, -, '{3, 4}'",
                "1, V100, -, {}",
                "0, A100, -, '{0, 1, 2, 3, 4}'",
                "1, -, old, '{0, 1, 2}'",
                "1, -, ib, '{0, 1, 2, 3, 4}'",
                "1, H100, old, {}",
                "0, H100, old, '{0, 1, 2}'"
            })
    void types_and_features_are_partitions_of_their_own(
            int gpus, @Nullable String type, @Nullable String features, String on) {
        Demand demand =
                new Demand(gpus, gpus, gpus, 1000, 1_000, 0, false, type == null ? List.of() : List.of(type), 0, 0);
        TimedJobs jobs = TimedJobs.list().job(demand, 0, 60).saying(terms -> terms.features(features));

        assertThat(request(cluster(), jobs, 90).partitions())
                .extracting(partition -> partition.nodes().toString())
                .containsExactly(on);
    }

    @Test
    void features_have_no_effect_where_no_node_has_any() {
        SlurmCluster plain = new SlurmFiles(
                        "slurm.conf",
                        List.of("NodeName=a[1-3] CPUs=8 Gres=gpu:a100:4", "NodeName=h[1-2] CPUs=16 Gres=gpu:h100:8"),
                        null,
                        null,
                        null,
                        null)
                .on(FIVE);
        TimedJobs jobs = TimedJobs.list().job(1, 0, 60).saying(terms -> terms.features("old"));

        assertThat(request(plain, jobs, 90).partitions().get(0).nodes()).isEqualTo(nodes(0, 1, 2, 3, 4));
    }

    /**
     * Its run takes so many seconds: that in whole minutes, or what a partition and its QOS, or else the job's, allow
     * at most.
     */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "60, all, normal, -, 60",
                "61, all, normal, -, 120",
                "86400, all, normal, -, 86400",
                "86400, hour, normal, -, 3600",
                "86400, 'hour,all', normal, -, 86400",
                "86400, best, any, -, 86400",
                "86400, all, normal, limits, 7200",
                "86400, all, any, limits, 86400",
                "86400, hour, normal, limits, 3600",
                "86400, best, normal, limits, 1800",
                "86400, best, any, limits, 1800",
                "86400, 'best,hour', any, limits, 3600",
                "1800, best, any, limits, 1800"
            })
    void a_job_without_a_limit_has_its_run_time_as_far_as_it_may(
            long seconds, String partition, String qos, @Nullable String enforced, long limit) {
        SlurmCluster cluster = enforced == null ? cluster() : cluster("AccountingStorageEnforce=limits,qos");
        TimedJobs jobs = TimedJobs.list()
                .job(1, 0, seconds)
                .saying(terms -> terms.partition(partition).qos(qos));

        assertThat(guessed(cluster, jobs).limitSeconds()).isEqualTo(limit);
    }

    private static SlurmJob.Request guessed(SlurmCluster cluster, TimedJobs jobs) {
        Simulator simulator = jobs.simulator(FIVE);
        SimView view = simulator.view();
        simulator.advance();
        return new SimulatedJobs(FIVE, cluster).request(view, 0);
    }

    /** Its own limit stays, rounded up to seconds, though it is longer than its partition allows. */
    @Test
    void a_job_keeps_the_limit_that_it_names() {
        TimedJobs jobs = TimedJobs.list()
                .job(1, 0, 60)
                .saying(terms -> terms.partition("hour").limitNanos(7_200_000_000_001L));

        assertThat(guessed(cluster(), jobs).limitSeconds()).isEqualTo(7201);
    }

    /** Three GPUs of each node are held, or all where the job shares none; it takes five of the lowest in all. */
    @ParameterizedTest
    @CsvSource({"false, 5, '0 1 2 4 5'", "true, 5, '0 1 2 4 5'", "false, 6, '0 1 2 4 5 6'", "false, 0, '0 1 2 3'"})
    void a_job_is_placed_on_as_many_gpus_as_it_demands(boolean alone, int gpus, String expected) {
        SlurmCluster cluster = cluster();
        SlurmState state = new SlurmState(cluster);
        SimulatedJobs translation = new SimulatedJobs(FIVE, cluster);
        Demand demand = gpus == 0 ? Demand.ofGpus(4) : Demand.ofGpus(gpus);
        SlurmJob job = new Asked(state, 1)
                .nodes(gpus == 0 ? 1 : 2, gpus == 0 ? 0 : 3, 1)
                .alone(alone || gpus == 0)
                .at(0);
        state.start(job, job.partition(), gpus == 0 ? nodes(0) : nodes(0, 1), 0);

        Placement placement = translation.placement(job, demand);

        assertThat(IntStream.range(0, placement.gpuCount()).mapToObj(i -> Integer.toString(placement.gpu(i))))
                .containsExactly(expected.split(" ", -1));
    }

    @Test
    void a_job_without_gpus_is_placed_on_its_server() {
        SlurmCluster cluster = cluster();
        SlurmState state = new SlurmState(cluster);
        SlurmJob job = new Asked(state, 1).nodes(1, 0, 1).at(0);
        state.start(job, job.partition(), nodes(3), 0);
        Demand demand = new Demand(0, 0, 0, 1000, 1_000, 0, false, List.of(), 0, 0);

        assertThat(new SimulatedJobs(FIVE, cluster).placement(job, demand)).isEqualTo(Placement.onServer(FIVE, 3));
    }
}
