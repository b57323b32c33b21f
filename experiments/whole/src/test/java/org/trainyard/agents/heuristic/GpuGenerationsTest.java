package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.bounds.RelaxedBound;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;

/** Schedulers that predict interference count the speed of the GPUs, which changes nothing where all GPUs are alike. */
class GpuGenerationsTest {
    private static Workload workload(Topology topology, long seed, int jobs) {
        GeneratorSettings settings = GeneratorSettings.DEFAULT.with(0.9, 24);
        WorkloadBuilder.Options options = new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, false, true);
        return new WorkloadBuilder(topology, ModelCatalog.standard(), options)
                .build(
                        new TraceGenerator(settings, jobs, ModelCatalog.standard()).generate(seed, topology.gpus()),
                        new RingPerformance(topology, AnalyticInterference.DEFAULT))
                .workload();
    }

    private static RunResult run(String name, Topology topology, Workload workload) {
        return new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        Simulator.Options.DEFAULT)
                .simulator(workload)
                .run(SchedulerRegistry.named(name).create(topology, AnalyticInterference.DEFAULT, 1));
    }

    /** The hashes are those of the version that did not count speeds. */
    @ParameterizedTest
    @CsvSource({
        "lif, f90790def2a3214a765b58d03842074e06522c6ed4330632b5c0f2ac13b64033",
        "tuned:srtf+lifw+delay=2+limit=1.25, 07bc2a52dcbcfad9e25193e2a12f7868f0b7acbf1c6442f48ac88aa275df4673",
        "tuned:gittins+lif+delay=never+migrate=1, 63b0c568c4dd2162845ef7172ad73977391dc525ecd360bc4c40b7e7d5c71ddc"
    })
    void on_gpus_of_one_type_every_decision_is_as_without_speeds(String name, String eventLogSha256) {
        String hash = run(name, Topologies.medium(), workload(Topologies.medium(), 1, 400))
                .eventLogSha256();

        assertThat(hash).isEqualTo(eventLogSha256);
    }

    private static ServerSpec server(GpuType type, int gpus) {
        return new ServerSpec(type, 2, gpus, true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lif", "tuned:fifo+lifw", "tuned:fifo+sets"})
    void a_job_that_may_choose_takes_the_faster_gpus(String name) {
        Topology topology = new Topology.Builder("two", Fabric.DEFAULT)
                .rack(List.of(server(GpuType.P100, 4), server(GpuType.A100, 4), server(GpuType.P100, 4)))
                .build();
        Topology onlyFast = new Topology.Builder("fast", Fabric.DEFAULT)
                .rack(List.of(server(GpuType.A100, 4)))
                .build();
        Workload one = workload(onlyFast, 3, 1);

        assertThat(run(name, topology, one).meanJctSeconds())
                .isEqualTo(run(name, onlyFast, one).meanJctSeconds());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nobody_beats_the_bound_that_knows_how_many_gpus_are_fast(long seed) {
        Topology topology = new Topology.Builder("sizes", Fabric.DEFAULT)
                .rack(List.of(server(GpuType.P100, 4), server(GpuType.P100, 4), server(GpuType.P100, 4)))
                .rack(List.of(server(GpuType.A100, 8)))
                .build();
        Workload workload = workload(topology, seed, 60);
        RingPerformance truth = new RingPerformance(topology, AnalyticInterference.DEFAULT);
        double bound = RelaxedBound.of(workload, topology, truth).seconds();

        for (String name : List.of(
                "srtf",
                "gavel",
                "allox",
                "patient",
                "tuned:gittins+sets+migrate=1",
                "tuned:srtf+lif",
                "tuned:speedup+fastest")) {
            assertThat(run(name, topology, workload).meanJctSeconds()).as(name).isGreaterThanOrEqualTo(bound);
        }
    }

    /** A plan may clear two small servers for a gang that fits on a large one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void migrating_members_make_room_once_where_servers_differ_in_size(long seed) {
        Topology topology = new Topology.Builder("sizes", Fabric.DEFAULT)
                .rack(List.of(server(GpuType.P100, 4), server(GpuType.P100, 4), server(GpuType.P100, 4)))
                .rack(List.of(server(GpuType.A100, 8), server(GpuType.A100, 8)))
                .build();
        Workload workload = workload(topology, seed, 150);

        for (String placement : List.of("lif", "sets", "best-fit")) {
            RunResult result = run("tuned:gittins+%s+delay=never+migrate=1".formatted(placement), topology, workload);
            assertThat(result.jobs()).hasSize(150);
        }
    }
}
