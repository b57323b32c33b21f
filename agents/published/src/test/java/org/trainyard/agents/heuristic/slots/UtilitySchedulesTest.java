package org.trainyard.agents.heuristic.slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.synchronisation.ParameterServer;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.UtilitySettings;
import org.trainyard.env.workload.utility.ConcaveFamily;
import org.trainyard.env.workload.utility.JobUtility;

/** Schedules of the schedulers with utilities, worked out on paper: slots of 600 s, restarts are free. */
class UtilitySchedulesTest {
    private static Topology cluster(String shape) {
        return Objects.requireNonNull(Topologies.parse(shape));
    }

    private static double total(RunResult result) {
        return result.jobs().stream().mapToDouble(JobOutcome::utility).sum();
    }

    /** The instance of two slots and three GPUs: (2, 1), then (0, 3); a worker trains 600 s in a slot. */
    @Test
    void gadget_reaches_the_known_value_in_the_simulator() {
        Demand demand = Demand.ofGpus(1).elastic(1, 3);
        RunResult result = TimedJobs.list()
                .job(demand, 0, 6000)
                .attaching(JobUtility.class, new JobUtility.Concave(ConcaveFamily.EXPONENTIAL, 10, 1200, 600))
                .job(demand, 0, 6000)
                .attaching(JobUtility.class, new JobUtility.Concave(ConcaveFamily.ROOT, 4, 600, 1200))
                .run(cluster("1x3"), "gadget", 0);

        assertThat(total(result)).isCloseTo(14.3212, within(1e-3));
    }

    /**
     * Two rings that fill the cluster, of which only 1,800 s count. The first to come has them all; Tiresias turns to
     * the other at 3,250 GPU-seconds, 406.25 s, and back again when it has had as many; GADGET gives half of the GPUs
     * to each.
     */
    @Test
    void rings_that_want_a_full_cluster_gain_most_by_halves() {
        Demand demand = Demand.ofGpus(8).elastic(1, 8);
        JobUtility utility = new JobUtility.Concave(ConcaveFamily.EXPONENTIAL, 10, 600, 1800);
        double[] trained = {1800, 0, 1800 - 406.25, 406.25, 900, 900};
        List<String> schedulers = List.of("fifo", "tiresias", "gadget");
        for (int i = 0; i < schedulers.size(); i++) {
            RunResult result = TimedJobs.list()
                    .job(demand, 0, 2400)
                    .attaching(JobUtility.class, utility)
                    .job(demand, 0, 2400)
                    .attaching(JobUtility.class, utility)
                    .run(cluster("1x8"), schedulers.get(i), 0);

            double known = 20 - 10 * Math.exp(-trained[2 * i] / 600) - 10 * Math.exp(-trained[2 * i + 1] / 600);
            assertThat(total(result)).as(schedulers.get(i)).isCloseTo(known, within(1e-3));
        }
    }

    /**
     * A sample takes two workers half a second each on one machine and a second across. 1,190 samples: 595 s of one
     * slot beside their server, two slots on the two machines for workers while the other two hold servers.
     */
    @ParameterizedTest
    @CsvSource({"pd-ors, 595", "oasis, 1190"})
    void workers_apart_from_their_servers_train_across_the_network(String scheduler, long seconds) {
        ParameterServer plan = new ParameterServer(0.5, 4, 4, 3e9, 12e9, 4e9);
        JobSpec job = new JobSpec(
                        0,
                        "job",
                        0,
                        Demand.ofGpus(2).elastic(1, 2),
                        ModelCatalog.standard().neutral(),
                        plan,
                        plan.iterationsPerSecond(2, true))
                .attaching(JobUtility.class, new JobUtility.Sigmoid(10, 0, 300, 1800));
        Topology topology = cluster("4x2");
        RunResult result = audited(topology, new Workload(List.of(job), new double[] {1190 / 4.0}), scheduler, 1);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(seconds);
    }

    /** Each of the two fills the cluster for a slot, and only the first to run is done by its horizon. */
    @Test
    void smd_and_pd_ors_serve_the_job_of_the_larger_utility() {
        Demand demand = Demand.ofGpus(4).elastic(1, 8);
        for (String scheduler : List.of("smd", "pd-ors")) {
            RunResult result = TimedJobs.list()
                    .job(demand, 0, 1100)
                    .attaching(JobUtility.class, new JobUtility.Sigmoid(100, 0, 300, 600))
                    .job(demand, 0, 1100)
                    .attaching(JobUtility.class, new JobUtility.Sigmoid(10, 0, 300, 600))
                    .run(cluster("1x8"), scheduler, 0);

            assertThat(total(result)).as(scheduler).isEqualTo(50);
        }
    }

    /** Both train for 2,400 s at their ideal rate by the horizon: ln(1 + 2,400 / 600) each. */
    @Test
    void gadget_and_drf_share_the_gpus_of_two_equal_jobs() {
        Demand demand = Demand.ofGpus(4).elastic(1, 8);
        JobUtility utility = new JobUtility.Concave(ConcaveFamily.LOGARITHM, 1, 600, 2400);
        for (String scheduler : List.of("gadget", "drf")) {
            RunResult result = TimedJobs.list()
                    .job(demand, 0, 2400)
                    .attaching(JobUtility.class, utility)
                    .job(demand, 0, 2400)
                    .attaching(JobUtility.class, utility)
                    .run(cluster("1x8"), scheduler, 0);

            assertThat(total(result)).as(scheduler).isCloseTo(2 * Math.log(5), within(0.005));
        }
    }

    /**
     * Eight worker-slots of 5 each bound the price of the first from 5/32 to 5. At half of the GPUs and a quarter of
     * the places the second would cost 8 (0.88 + 0.37) = 10; to a third worth 100 the same costs 8 (3.95 + 0.79) = 38.
     */
    @Test
    void pd_ors_turns_away_what_costs_more_than_it_is_worth_though_it_would_fit() {
        Demand demand = Demand.ofGpus(4).elastic(1, 4);
        RunResult result = TimedJobs.list()
                .job(demand, 0, 1190)
                .attaching(JobUtility.class, new JobUtility.Sigmoid(10, 0, 300, 1200))
                .job(demand, 0, 1190)
                .attaching(JobUtility.class, new JobUtility.Sigmoid(10, 0, 300, 1200))
                .job(demand, 0, 1190)
                .attaching(JobUtility.class, new JobUtility.Sigmoid(200, 0, 300, 1200))
                .run(cluster("1x8"), "pd-ors", 0);

        assertThat(result.rejected())
                .extracting(rejected -> rejected.job().id())
                .containsExactly(1);
        assertThat(TimedJobs.endSeconds(result)).containsExactly(1190L, 1190L);
        assertThat(total(result)).isEqualTo(105);
    }

    /**
     * One slot, as much bandwidth across as inside, and no sensitivity to time: pure prices on one side, a knapsack
     * that sees all jobs on the other.
     */
    @Test
    void smd_serves_at_least_as_much_in_one_slot_as_pd_ors_admits() {
        RandomGenerator random = RandomStreams.stream(1, "one slot");
        for (int instance = 0; instance < 20; instance++) {
            TimedJobs jobs = TimedJobs.list();
            for (int job = 0; job < 10; job++) {
                int gpus = random.nextInt(1, 7);
                jobs.job(Demand.ofGpus(gpus), 0, 595)
                        .attaching(JobUtility.class, new JobUtility.Sigmoid(random.nextDouble(1, 20), 0, 300, 600));
            }
            assertThat(total(jobs.run(cluster("1x8"), "smd", 0)))
                    .as("instance %d", instance)
                    .isGreaterThanOrEqualTo(total(jobs.run(cluster("1x8"), "pd-ors", 0)));
        }
    }

    @Test
    void drf_gives_equal_shares_and_the_rest_to_who_can_use_it() {
        RunResult result = TimedJobs.list()
                .job(Demand.ofGpus(1).elastic(1, 8), 0, 500 * 6)
                .job(Demand.ofGpus(1).elastic(1, 2), 0, 500 * 2)
                .run(cluster("1x8"), "drf", 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(500L, 500L);
    }

    /** Hosts of 4 cores for each GPU; the audit checks that nobody holds what another has. */
    @Test
    void smd_takes_other_servers_than_esw_where_they_stand_on_hosts_and_gains_more() {
        Topology topology = hosts(40);
        double[] gains = new double[2];
        for (long seed = 1; seed <= 3; seed++) {
            Workload workload = parameterServerJobs(topology, 30, seed, true);
            for (int i = 0; i < 2; i++) {
                gains[i] += total(audited(topology, workload, i == 0 ? "smd" : "esw", seed));
            }
        }
        assertThat(gains[1]).isPositive();
        assertThat(gains[0]).isGreaterThan(gains[1]);
    }

    private static Topology hosts(int servers) {
        ServerSpec spec =
                new ServerSpec(ServerSpec.ofV100(1).gpuType(), 2, 16, true, 64_000, 1L << 19, GpuSharing.WHOLE);
        return Topology.uniform("hosts", Fabric.DEFAULT, 1, servers, spec, 1);
    }

    /** Restarts are free and predictions true. */
    private static RunResult audited(Topology topology, Workload workload, String scheduler, long seed) {
        Simulator simulator = new World(
                        topology, new RingPerformance(topology, InterferenceModel.NONE), new Simulator.Options(0, true))
                .simulator(workload);
        return simulator.run(SchedulerRegistry.named(scheduler).create(topology, seed));
    }

    private static Workload parameterServerJobs(Topology topology, int jobs, long seed, boolean hosts) {
        WorkloadBuilder.Options options = new WorkloadBuilder.Options(WorkloadBuilder.Models.NEUTRAL, 1, false, false);
        return new WorkloadBuilder(topology, ModelCatalog.standard(), options)
                .build(
                        JobMaker.made(
                                new UtilitySettings("sigmoid", 600, 20, true, hosts, null),
                                List::of,
                                new JobMaker.Episode(jobs, topology.gpus(), seed)),
                        new RingPerformance(topology, InterferenceModel.NONE))
                .workload();
    }

    /** Predictions are true and restarts free, so schedules hold: whoever is admitted is done by its horizon. */
    @ParameterizedTest
    @CsvSource({"pd-ors, false", "oasis, false", "pd-ors, true", "oasis, true"})
    void every_admitted_job_gains(String scheduler, boolean hosts) {
        Topology topology = hosts ? hosts(12) : cluster("12x16");
        int admitted = 0;
        for (long seed = 1; seed <= 3; seed++) {
            Workload workload = parameterServerJobs(topology, 25, seed, hosts);
            RunResult result = audited(topology, workload, scheduler, seed);

            assertThat(result.jobs().size() + result.rejected().size()).isEqualTo(25);
            assertThat(result.rejected()).isNotEmpty();
            assertThat(result.jobs())
                    .allSatisfy(job -> assertThat(job.endNanos() - job.job().submitNanos())
                            .isLessThanOrEqualTo(
                                    Math.round(Objects.requireNonNull(job.job().of(JobUtility.class))
                                                    .horizonSeconds()
                                            * 1e9)));
            admitted += result.jobs().size();
        }
        assertThat(admitted).isGreaterThanOrEqualTo(5);
    }
}
