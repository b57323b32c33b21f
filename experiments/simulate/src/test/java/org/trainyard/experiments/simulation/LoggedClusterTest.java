package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.slurm.SlurmScheduler;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.JsonText;

class LoggedClusterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final TraceReader.Options LOADS = new TraceReader.Options(
            null, null, true, TraceReader.Options.MOST_BYTES, bytes -> {}, null, null, 0, 0, true, false);

    @TempDir
    Path folder;

    private Trace sacct(String... rows) throws IOException {
        Path log = folder.resolve("sacct.txt");
        Files.writeString(log, "JobID|State|Submit|Start|End|AllocTRES|NNodes\n" + String.join("\n", rows) + "\n");
        return TraceReader.read(log, LOADS);
    }

    private static String row(int id, int submit, int start, int seconds, String tres) {
        return "%d|COMPLETED|%s|%s|%s|%s|1".formatted(id, at(submit), at(start), at(start + seconds), tres);
    }

    private static String at(int second) {
        return "2026-03-02T%02d:%02d:%02d".formatted(second / 3600, second / 60 % 60, second % 60);
    }

    @Test
    void cpu_nodes_of_little_memory_keep_no_job_from_nodes_with_gpus() throws IOException {
        Files.writeString(
                folder.resolve("slurm.conf"),
                "NodeName=g1 CPUs=64 RealMemory=1000000 Gres=gpu:a100:8\nNodeName=c[1-2] CPUs=64 RealMemory=64000\n"
                        + "PartitionName=gpu Nodes=g1 Default=YES\nPartitionName=cpu Nodes=c[1-2]\n");
        Trace trace = sacct(row(1, 0, 0, 60, "cpu=64,gres/gpu=8,mem=900G"));

        LoggedCluster cluster =
                LoggedCluster.of(Topologies.parse("1x8:A100+2x0"), folder.resolve("sacct.txt"), List.of());

        assertThat(cluster.startable(LogAccount.of(
                                cluster.topology(), cluster.demanding(trace).jobs(), List.of()))
                        .jobs())
                .hasSize(1);
        assertThat(new SlurmScheduler(Objects.requireNonNull(cluster.files()), cluster.topology())
                        .refusal(WorkloadBuilder.spec(
                                0,
                                cluster.demanding(trace).jobs().get(0),
                                0,
                                ModelCatalog.standard().neutral(),
                                1)))
                .isNull();
    }

    @Test
    void a_log_of_types_that_the_cluster_lacks_is_refused_with_the_cluster_of_its_slurm_conf() throws IOException {
        Files.writeString(
                folder.resolve("slurm.conf"), "NodeName=g[1-2] Gres=gpu:a100:8\nPartitionName=gpu Nodes=ALL\n");
        Trace trace = sacct(
                row(1, 0, 0, 60, "cpu=1,gres/gpu=8,mem=9G"), row(2, 0, 0, 6000, "cpu=1,gres/gpu:a100=8,gres/gpu=8"));
        LoggedCluster cluster = LoggedCluster.of(Topologies.parse("2x8"), folder.resolve("sacct.txt"), List.of());
        LogAccount account = LogAccount.of(cluster.topology(), trace.jobs(), trace.leftOut());

        assertThatThrownBy(() -> account.requireMost("log", false, cluster))
                .hasMessageContaining("which 2x8 lacks")
                .hasMessageEndingWith("slurm.conf describes --cluster 2x8:A100.");
    }

    /** One start with what it holds: server, GPUs, CPU, memory. */
    private record Held(int job, long start, long end, int server, TraceJob of) {
        long[] vector() {
            return new long[] {of.gpus(), of.demand().cpuMilli(), of.demand().memoryMib()};
        }
    }

    /** What is left of a server just before a time ends, or at it: GPUs, CPU and memory. */
    private static long[] left(Topology topology, List<Held> held, int server, long time) {
        long[] left = {
            topology.gpusOn(server),
            topology.server(server).cpuMilli(),
            topology.server(server).memoryMib()
        };
        for (Held one : held) {
            if (one.server == server && one.start <= time && time < one.end) {
                for (int i = 0; i < left.length; i++) {
                    left[i] -= one.vector()[i];
                }
            }
        }
        return left;
    }

    private static boolean fits(long[] wanted, long[] left) {
        return wanted[0] <= left[0] && wanted[1] <= left[1] && wanted[2] <= left[2];
    }

    /** Under a strict FIFO each job starts as soon as those before it have and some server has all that it asks for. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void jobs_start_when_a_search_by_hand_finds_room_for_their_vectors(long seed) throws IOException {
        var random = RandomStreams.stream(seed, "vectors");
        Topology topology = Topologies.parse("3x4+16cpu+64gib");
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int gpus = random.nextInt(5);
            String tres = "cpu=%d,mem=%dG%s"
                    .formatted(1 + random.nextInt(16), 1 + random.nextInt(64), gpus == 0 ? "" : ",gres/gpu=" + gpus);
            // Far apart in the log, so that they never held more than there is.
            rows.add(row(i + 1, 60 * i, 60 * i + 100 * i, 1 + random.nextInt(99), tres));
        }
        Trace trace = new LoggedCluster(topology).demanding(sacct(rows.toArray(String[]::new)));
        assertThat(trace.jobs()).hasSize(60);
        List<Held> held = new ArrayList<>();
        World world = SimulationSetup.asLogged(topology, 1).world();
        Workload workload = world.workload(trace.jobs().stream()
                .map(job -> job.lasting(30 * job.durationNanos()))
                .map(job -> job.gpus() > 1 ? job.demanding(job.demand().onOneServer()) : job)
                .toList());
        world.simulator(workload, (time, kind, job, argument, placement) -> {
                    if (kind == EventKind.START) {
                        TraceJob of = trace.jobs().get(job);
                        assertThat(workload.job(job).name()).isEqualTo(of.id());
                        held.add(new Held(job, time, time + 30 * of.durationNanos(), placement.server(0), of));
                        assertThat(placement.serverCount()).isEqualTo(1);
                    }
                })
                .run(SchedulerRegistry.named("fifo").create(world));

        assertThat(held).hasSize(60);
        held.sort(Comparator.comparingInt(Held::job));
        TreeSet<Long> times = new TreeSet<>();
        held.forEach(one -> times.addAll(List.of(one.start, one.end, one.of.submitNanos())));
        long before = 0;
        for (Held one : held) {
            long from = Math.max(before, one.of.submitNanos());
            List<Held> others = held.stream().filter(other -> other != one).toList();
            assertThat(one.start).isGreaterThanOrEqualTo(from);
            assertThat(fits(one.vector(), left(topology, others, one.server, one.start)))
                    .as("%s at its start", one)
                    .isTrue();
            for (long time : times.subSet(from, one.start)) {
                for (int server = 0; server < topology.servers(); server++) {
                    assertThat(fits(one.vector(), left(topology, others, server, time)))
                            .as("%s on %d at %d", one, server, time)
                            .isFalse();
                }
            }
            before = one.start;
        }
    }

    @Test
    void where_the_servers_do_not_say_their_cpus_jobs_ask_for_gpus_alone() throws IOException {
        Trace trace = sacct(row(1, 0, 0, 60, "cpu=64,mem=100G,gres/gpu=1"), row(2, 0, 60, 60, "cpu=64,gres/gpu=1"));

        assertThat(new LoggedCluster(Topologies.parse("1x8")).demanding(trace)).isEqualTo(trace);
        assertThat(trace.jobs()).allMatch(job -> job.demand().isPlain());
        assertThat(trace.jobs().get(0).of(HostShare.class)).isEqualTo(new HostShare(64_000, 102_400));
        assertThat(new LoggedCluster(Topologies.parse("1x8+64cpu"))
                        .demanding(trace)
                        .jobs())
                .allMatch(
                        job -> job.demand().cpuMilli() == 64_000 && job.demand().memoryMib() == 0);
    }

    @Test
    void where_gpus_run_out_first_nothing_is_demanded_beside_them() throws IOException {
        Trace trace = sacct(row(1, 0, 0, 60, "cpu=16,gres/gpu=2"), row(2, 0, 60, 60, "cpu=8,gres/gpu=1"));

        assertThat(new LoggedCluster(Topologies.parse("1x8+64cpu"))
                        .demanding(trace)
                        .jobs())
                .allMatch(job -> job.demand().isPlain());
    }

    @Test
    void what_jobs_held_more_of_than_there_is_is_no_limit_and_said() throws IOException {
        Trace trace = sacct(row(1, 0, 0, 60, "cpu=64,gres/gpu=1"), row(2, 0, 0, 60, "cpu=64,gres/gpu=1"));

        Trace read = new LoggedCluster(Topologies.parse("1x8+64cpu")).demanding(trace);

        assertThat(read.jobs()).allMatch(job -> job.demand().isPlain());
        assertThat(read.oddities())
                .anyMatch(line -> line.equals(
                        "Jobs held up to 128 CPUs at once, of which 1x8 has 64; they do not wait for them here."));
    }

    @Test
    void jobs_without_gpus_are_loads_of_each_of_their_servers() throws IOException {
        Trace trace = sacct(
                row(1, 0, 0, 60, "cpu=8,gres/gpu=1"),
                row(2, 0, 0, 60, "cpu=100,mem=8G,node=2").replaceFirst("1$", "2"));

        Trace read = new LoggedCluster(Topologies.parse("2x8+64cpu+64gib")).demanding(trace);

        assertThat(read.jobs()).extracting(TraceJob::id).containsExactly("1", "2.1", "2.2");
        assertThat(read.jobs().get(1).demand().cpuMilli()).isEqualTo(50_000);
        assertThat(read.jobs().get(2).demand().memoryMib()).isEqualTo(4096);
        assertThat(LoggedCluster.counted(read.jobs())).hasSize(1);
        assertThat(read.oddities()).contains("1 job without GPUs holds CPUs and memory.");
    }

    @Test
    void the_nodes_of_kubernetes_beside_the_log_say_what_servers_have() throws IOException {
        String node = """
                {"metadata":{"name":"n%d"},"status":{"allocatable":{"cpu":"63500m","memory":"1Gi","nvidia.com/gpu":"8"}}}""";
        Files.writeString(
                folder.resolve("nodes.json"),
                "{\"items\":[%s,%s,{\"metadata\":{\"name\":\"head\"}}]}"
                        .formatted(node.formatted(2), node.formatted(10)));

        Topology topology = LoggedCluster.of(Topologies.parse("2x8"), folder.resolve("pods.json"), List.of())
                .topology();

        assertThat(topology.server(1).cpuMilli()).isEqualTo(63_500);
        assertThat(topology.server(1).memoryMib()).isEqualTo(1024);
    }

    /** Job 1 of 2 h gives way to job 2 of a minute after 10 min: a restart costs 30 s, and Slurm lets it wait 121 s. */
    @ParameterizedTest
    @CsvSource({"true, 7351", "false, 7290"})
    void a_job_that_others_preempt_waits_as_long_as_slurm_lets_a_requeued_one(boolean hasSlurm, double completion)
            throws IOException {
        if (hasSlurm) {
            Files.writeString(
                    folder.resolve("slurm.conf"), "NodeName=n1 CPUs=64 Gres=gpu:8\nPartitionName=gpu Nodes=n1\n");
        }
        sacct(row(1, 0, 0, 7200, "cpu=8,gres/gpu=8"), row(2, 600, 7200, 60, "cpu=8,gres/gpu=8"));

        Shell shell = Shell.command(
                "simulate --trace %s --cluster 1x8 --scheduler srtf --runtime oracle --as-logged --json",
                folder.resolve("sacct.txt"));

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(JsonText.read(shell.out()).at("/schedulers/0/jct_s/mean").asDouble())
                .as(shell.out())
                .isEqualTo((completion + 60) / 2);
    }
}
