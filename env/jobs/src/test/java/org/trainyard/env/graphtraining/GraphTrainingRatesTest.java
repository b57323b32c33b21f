package org.trainyard.env.graphtraining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.performance.ring.ServerDivision;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Rates of jobs that train on graphs, alone and beside each other, against the pure model. */
class GraphTrainingRatesTest {
    private static final GraphDataset PAPERS = GraphDataset.PAPERS100M;
    private static final Topology SMALL = Topologies.small();
    /** Twelve cores for each of four V100s, 96 units of 12 GB/s, a network card of 12.5 GB/s. */
    private static final ServerShare SERVER = new ServerShare(48, 96, 12e9 / 96, 12.5e9);

    private static JobSpec job(int id, HitRatio cache, Demand demand) {
        GraphTraining plan = new GraphTraining(PAPERS, cache);
        return new JobSpec(id, "job" + id, 0, demand, plan.model(ModelCatalog.standard(), 1), plan, 1);
    }

    private static RingPerformance truth(ServerDivision isolation) {
        return new RingPerformance(SMALL, InterferenceModel.NONE).with(isolation);
    }

    private static Placement gpus(int... gpus) {
        return Placement.of(SMALL, gpus);
    }

    /** One worker without a cache in the memory of the host. */
    private static Stages oneWorker(HitRatio cache) {
        return PAPERS.stages(cache, 1, 0, 0.020);
    }

    @Test
    void a_worker_alone_has_the_best_allocation_of_its_server() {
        assertThat(SMALL.gpusOn(0)).isEqualTo(4);
        for (HitRatio cache : HitRatio.values()) {
            double seconds = StageAllocation.of(oneWorker(cache), SERVER).seconds();
            assertThat(truth(GraphIsolation.ISOLATED).aloneRate(job(0, cache, Demand.ofGpus(1)), gpus(0)))
                    .isCloseTo(1 / seconds, within(1e-9));
        }
        assertThat(truth(GraphIsolation.EVEN).aloneRate(job(0, HitRatio.RANDOM, Demand.ofGpus(1)), gpus(0)))
                .isCloseTo(1 / StageAllocation.contendedSeconds(oneWorker(HitRatio.RANDOM), SERVER), within(1e-9));
    }

    @Test
    void host_memory_and_cores_make_a_job_faster() {
        // A network card of 25 Gb/s, a quarter of PCIe.
        Topology narrow = new Topology.Builder(
                        "narrow",
                        new Fabric(Link.of(150, 1), Link.of(12, 2), Link.of(3.125, 5), Link.of(10, 6), Link.of(8, 8)))
                .rack(List.of(ServerSpec.ofV100(4)))
                .racksPerPod(1)
                .build();
        RingPerformance truth = new RingPerformance(narrow, InterferenceModel.NONE).with(GraphIsolation.ISOLATED);
        Placement four = Placement.of(narrow, new int[] {0, 1, 2, 3});
        double bare = truth.aloneRate(job(0, HitRatio.RANDOM, Demand.ofGpus(4)), four);
        double cached = truth.aloneRate(job(0, HitRatio.RANDOM, Demand.ofGpus(4).withHost(0, 40_000)), four);
        double starved =
                truth.aloneRate(job(0, HitRatio.RANDOM, Demand.ofGpus(4).withHost(4_000, 40_000)), four);
        // Features that neither GPUs nor host hold come through the card: 16 GB and 42 GB of 57 GB are held.
        double held = 16e9 / PAPERS.tableBytes();
        assertThat(1 / bare).isCloseTo(4 * (5e6 + (1 - held) * 195e6) / 3.125e9, within(1e-9));
        assertThat(cached).isGreaterThan(2 * bare);
        // Four workers, two of four cores to process their sub-graphs.
        assertThat(1 / starved).isGreaterThanOrEqualTo(4 * 0.040 / 2);
    }

    @Test
    void workers_on_two_servers_have_two_network_cards_and_two_trees_of_pcie() {
        RingPerformance truth = truth(GraphIsolation.ISOLATED);
        JobSpec job = job(0, HitRatio.RANDOM, Demand.ofGpus(4));
        assertThat(truth.aloneRate(job, gpus(0, 1, 4, 5))).isGreaterThan(truth.aloneRate(job, gpus(0, 1, 2, 3)));
    }

    /** Jobs of one GPU each on the first server. */
    private record OnOneServer(List<JobSpec> jobs) implements Occupancy {
        @Override
        public int jobsOn(int server) {
            return server == 0 ? jobs.size() : 0;
        }

        @Override
        public int jobOn(int server, int i) {
            return jobs.size() - 1 - i;
        }

        @Override
        public JobSpec job(int job) {
            return jobs.get(job);
        }

        @Override
        public Placement placement(int job) {
            return gpus(job);
        }

        @Override
        public long version() {
            return 0;
        }
    }

    @Test
    void jobs_on_a_server_divide_it_as_the_setting_says() {
        List<JobSpec> jobs = new ArrayList<>();
        List<SharedServer.Tenant> tenants = new ArrayList<>();
        for (HitRatio cache : HitRatio.values()) {
            jobs.add(job(jobs.size(), cache, Demand.ofGpus(1)));
            tenants.add(new SharedServer.Tenant(oneWorker(cache), 0));
        }
        OnOneServer occupancy = new OnOneServer(jobs);
        double[] together = SharedServer.together(tenants, SERVER);
        double[] evenly = SharedServer.evenly(tenants, SERVER);
        for (int i = 0; i < jobs.size(); i++) {
            RingPerformance isolated = truth(GraphIsolation.ISOLATED);
            RingPerformance even = truth(GraphIsolation.EVEN);
            Placement own = gpus(i);
            assertThat(isolated.slowdown(jobs.get(i), own, occupancy) / isolated.aloneRate(jobs.get(i), own))
                    .isCloseTo(together[i], within(1e-9));
            assertThat(even.slowdown(jobs.get(i), own, occupancy) / even.aloneRate(jobs.get(i), own))
                    .isCloseTo(evenly[i], within(1e-9));
            assertThat(truth(ServerDivision.NONE).slowdown(jobs.get(i), own, occupancy))
                    .isEqualTo(1);
        }
        assertThat(together[0])
                .isGreaterThan(1.05
                        * StageAllocation.of(oneWorker(HitRatio.RANDOM), SERVER).seconds());
    }

    @Test
    void cores_that_other_jobs_asked_for_are_not_divided() {
        RingPerformance truth = truth(GraphIsolation.ISOLATED);
        JobSpec free = job(0, HitRatio.BGL, Demand.ofGpus(1));
        JobSpec graph = job(1, HitRatio.BGL, Demand.ofGpus(1));
        JobSpec modest = job(1, HitRatio.BGL, Demand.ofGpus(1).withHost(46_000, 0));
        double beside = truth.slowdown(free, gpus(0), new OnOneServer(List.of(free, graph)));
        double crowded = truth.slowdown(free, gpus(0), new OnOneServer(List.of(free, modest)));
        // Two of 48 cores are left, one for each stage.
        assertThat(beside).isEqualTo(1);
        assertThat(crowded).isCloseTo(0.062 / 0.020, within(1e-9));
    }

    @Test
    void only_a_division_makes_jobs_that_do_not_interfere_re_rate() {
        assertThat(truth(ServerDivision.NONE).interferes()).isFalse();
        assertThat(truth(GraphIsolation.EVEN).interferes()).isTrue();
        assertThat(truth(GraphIsolation.EVEN).copy().interferes()).isTrue();
    }
}
