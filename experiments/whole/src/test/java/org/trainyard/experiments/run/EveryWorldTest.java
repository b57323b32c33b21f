package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;

/**
 * Every world of {@code configs/auction} under every scheduler of the catalogue that can place its jobs and under
 * agents that bid, small and under audit: no job is stuck, and two runs give the same event log.
 */
class EveryWorldTest {
    private static final Path WORLDS = Path.of("configs", "auction");
    private static final List<String> FEW = List.of("episodes.jobs=24", "episodes.test=1", "episodes.validation=1");

    /** Three GPU types, two of which may be shared, two with limited CPU and memory, racks behind one uplink. */
    private static final String CLUSTER = """
            type: Tree
            name: everything
            fabric:
              nvlink: {gigabytes_per_second: 150, latency_micros: 1}
              pcie: {gigabytes_per_second: 12, latency_micros: 2}
              nic: {gigabytes_per_second: 3.125, latency_micros: 5}
              tor: {gigabytes_per_second: 3.125, latency_micros: 6}
              spine: {gigabytes_per_second: 3.125, latency_micros: 8}
            racks:
              - count: 1
                servers: 2
                uplinks: 1
                server: {gpus: 4, gpu_type: K80, sockets: 2, nvlink: false, cpu_milli: 48000, memory_mib: 196608, sharing: fractions}
              - count: 1
                servers: 2
                uplinks: 1
                server: {gpus: 4, gpu_type: P100, sockets: 2, nvlink: false, cpu_milli: null, memory_mib: null, sharing: whole}
              - count: 2
                servers: 2
                uplinks: 1
                server: {gpus: 4, gpu_type: V100, sockets: 2, nvlink: true, cpu_milli: 64000, memory_mib: 262144, sharing: fractions}
            racks_per_pod: 2
            pod_uplinks: 1
            """;

    /**
     * What a job asks for in turn: gpus, gpu_milli, cpu_milli, memory_mib, min_gpus, max_gpus, one_server, gpu_types.
     */
    private static final List<String> ASKED = List.of(
            "1,400,4000,16384,,,,",
            "1,,,,,,,",
            "1,650,12000,47104,,,,",
            "2,,,,,,,",
            "4,,32000,65536,,,1,",
            "6,,,,,,,",
            "1,300,3000,5120,,,,V100|K80",
            "8,,,,,,,P100|V100");

    private static final String ELASTIC = "4,,,,2,8,,";
    private static final List<String> MODELS = List.of("a2c", "lstm", "resnet18", "resnet50", "transformer");

    @TempDir
    private Path dir;

    /**
     * A config of shared GPUs, GPU generations, contended links, failures, stragglers, restart costs, pipelines, models
     * of synchronisation, graph training, frozen layers, quotas and a warm start.
     */
    private ExperimentConfig everything(boolean hasElasticJobs) throws IOException {
        List<String> lines = new ArrayList<>(
                List.of(
                        "job,submit_s,gpus,gpu_milli,cpu_milli,memory_mib,min_gpus,max_gpus,one_server,gpu_types,duration_s,model,user,virtual_cluster"));
        for (int i = 0; i < 120; i++) {
            String asked = hasElasticJobs && i % 9 == 0 ? ELASTIC : ASKED.get(i % ASKED.size());
            lines.add("j%d,%d,%s,%d,%s,u%d,v%d"
                    .formatted(i, 300 * i, asked, 600 + 977 * i % 9000, MODELS.get(i % MODELS.size()), i % 4, i % 2));
        }
        Path trace = Files.write(dir.resolve("trace.csv"), lines);
        Path cluster = Files.writeString(dir.resolve("everything.yaml"), CLUSTER);
        return ConfigReader.read(
                WORLDS.resolve("generations.yaml"),
                List.of(
                        "cluster=" + cluster,
                        "workload.trace=" + trace,
                        "workload.pipelines=0.15",
                        "workload.plans=[{plan: sync:adsp, share: 0.15, cpu_milli_per_gpu: 0, memory_mib_per_gpu: 0}, {plan: sync:tap, share: 0.1, cpu_milli_per_gpu: 0, memory_mib_per_gpu: 0}, {plan: gnn:papers100m:degree, share: 0.2, cpu_milli_per_gpu: 0, memory_mib_per_gpu: 0}]",
                        "workload.freezing={share: 0.5, tolerance: 0.03, weight: 1.0, caches: false}",
                        "episodes.jobs=40",
                        "episodes.test=1",
                        "episodes.validation=1",
                        "episodes.train_share=0.3",
                        "episodes.validation_share=0.3",
                        "episodes.warm_start=true",
                        "physics.contention={type: MaxMin}",
                        "physics.graph_training=isolated",
                        "physics.interference={type: Analytic, socket_weight: 0.6, pcie_weight: 1.0, nic_weight: 0.0, gpu_weight: 1.0}",
                        "physics.stragglers=1.0",
                        "physics.restart={type: BySize, start_seconds: 15.0, most_seconds: 250.0, megabytes_per_second: 100.0}",
                        "physics.outages={type: Exponential, server_hours: 40.0, gpu_hours: 200.0, repair_hours: 1.0, checkpoint_minutes: 30.0}",
                        "physics.quotas=[{virtual_cluster: v1, gpus: 24}]"));
    }

    static List<Path> worlds() throws IOException {
        try (Stream<Path> files = Files.list(WORLDS)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static RunResult audited(Experiment experiment, Workload workload, Scheduler scheduler) {
        ExperimentConfig config = experiment.config();
        Simulator.Options plain = config.physics().options(experiment.topology(), config.seed());
        Simulator.Options audited = new Simulator.Options(
                plain.restart(),
                true,
                null,
                plain.quotas(),
                plain.outages(),
                plain.checkpointNanos(),
                plain.preemption());
        return new World(experiment.topology(), config.physics().truth(experiment.topology(), config.seed()), audited)
                .telling(told ->
                        RuntimePredictors.of(config.runtime(), config.seed()).apply(workload))
                .simulator(workload)
                .run(scheduler);
    }

    /** The schedulers that ran. */
    private static List<String> playAll(Experiment experiment, List<String> schedulers) {
        Workload shared = experiment.test().get(0);
        Workload whole = experiment.sharesGpus() ? shared.onWholeGpus() : shared;
        List<String> played = new ArrayList<>();
        for (String name : schedulers) {
            SchedulerRegistry.Entry entry = SchedulerRegistry.named(name);
            if (!entry.replaysTrace() && experiment.serves(name)) {
                Workload workload = entry.has(SchedulerRegistry.Flag.SHARES_GPUS) ? shared : whole;
                RunResult result = audited(experiment, workload, experiment.scheduler(name, 0));
                requireDone(result, workload, name);
                played.add(name);
            }
        }
        return played;
    }

    private static void requireDone(RunResult result, Workload workload, String name) {
        assertThat(result.jobs()).as(name).hasSize(workload.size() - workload.warmJobs());
        assertThat(result.jobs()).as(name).extracting(JobOutcome::endNanos).allMatch(end -> end > 0);
    }

    private static void playBids(Experiment experiment) {
        BidPolicy policy = BidPolicy.load(Path.of("..", "checkpoints", "default", "policy.bin"));
        Workload workload = experiment.test().get(0);
        RunResult once = audited(experiment, workload, experiment.scheduler(policy));
        RunResult again = audited(experiment, workload, experiment.scheduler(policy));

        requireDone(once, workload, "bids");
        assertThat(again.eventLogSha256()).isEqualTo(once.eventLogSha256());
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void no_scheduler_gets_stuck_in_any_world(Path world) {
        try (Experiment experiment = new Experiment(ConfigReader.read(world, FEW))) {
            List<String> all = new ArrayList<>(SchedulerRegistry.names());
            all.addAll(experiment.config().schedulers());

            assertThat(playAll(experiment, all))
                    .hasSizeGreaterThan(50)
                    .containsAll(experiment.config().schedulers());
            playBids(experiment);
        }
    }

    @Test
    void no_scheduler_gets_stuck_where_everything_is_on() throws IOException {
        try (Experiment experiment = new Experiment(everything(true))) {
            assertThat(playAll(experiment, SchedulerRegistry.names()))
                    .hasSizeGreaterThan(40)
                    .contains("fgd", "gavel", "allox", "pollux", "icefrog", "optimus", "lucid", "gandiva", "srtf");
        }
    }

    /** The simulator refuses a start across a window. */
    @Test
    void agents_and_schedulers_keep_jobs_from_maintenance_that_their_limits_cross() {
        for (String agents : List.of(
                "environment.domains=1",
                "environment.domains=2",
                "environment.view={own: servers, others: summary, staleness_minutes: 10}")) {
            ExperimentConfig config = ConfigReader.read(
                    WORLDS.resolve("generations.yaml"),
                    List.of(
                            "episodes.jobs=40",
                            "episodes.test=1",
                            "episodes.validation=1",
                            agents,
                            "workload.limits={killed: 0.03, accounts: 8}",
                            "physics.maintenance=[[7200, 14400, all], [20000, 30000, 0-1], [28000, 60000, 2-3], [90000, 95000, all]]"));
            try (Experiment experiment = new Experiment(config)) {
                Workload workload = experiment.test().get(0);
                assertThat(workload.job(0).askedLimitNanos()).isPositive();
                playAll(experiment, List.of("sjf", "slurm", "tiresias", "easy"));
                playBids(experiment);
            }
        }
    }

    /** Agents bid for no elastic job. */
    @Test
    void agents_get_not_stuck_where_everything_but_elastic_jobs_is_on() throws IOException {
        try (Experiment experiment = new Experiment(everything(false))) {
            experiment.requirePlaceableJobs();
            playBids(experiment);
            assertThat(playAll(
                            experiment,
                            List.of(
                                    "tuned:gittins+sets+limit=2+migrate=1+move=10",
                                    "tuned:gittins+sets+limit=2+migrate=1+move=10+racks=1",
                                    "tuned:speedup+fastest")))
                    .hasSize(3);
        }
        try (Experiment experiment = new Experiment(everything(true))) {
            assertThatThrownBy(experiment::requirePlaceableJobs)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("min_gpus 2, max_gpus 8");
        }
    }
}
