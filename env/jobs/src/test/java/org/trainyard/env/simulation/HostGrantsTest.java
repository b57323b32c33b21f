package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.graphtraining.GraphDataset;
import org.trainyard.env.graphtraining.GraphIsolation;
import org.trainyard.env.graphtraining.GraphTraining;
import org.trainyard.env.graphtraining.HitRatio;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;

/** Jobs on one server of four V100s with 32 cores and 64 GiB, and on another without limits. */
class HostGrantsTest {
    private static final double WORK = 1000;
    private static final GraphTraining GRAPH = new GraphTraining(GraphDataset.PAPERS100M, HitRatio.BGL);
    /** One of two cores looks features up, another processes sub-graphs. */
    private static final double ON_TWO_CORES = 0.060 + 0.002;
    /** The GPU is the slowest stage. */
    private static final double ON_MANY_CORES = 0.020;

    private final Topology topology = new Topology.Builder("hosts", Fabric.DEFAULT)
            .rack(List.of(ServerSpec.ofV100(4).withHost(32_000, 65_536), ServerSpec.ofV100(4)))
            .racksPerPod(1)
            .build();

    private static JobSpec job(int id, TrainingPlan plan, Demand demand) {
        return new JobSpec(id, "job" + id, 0, demand, GRAPH.model(ModelCatalog.standard(), 1), plan, 1);
    }

    /** All jobs start at once, the i-th on GPU i. */
    private Simulator started(JobSpec... jobs) {
        double[] work = new double[jobs.length];
        Arrays.fill(work, WORK);
        Workload workload = new Workload(List.of(jobs), work);
        Simulator simulator = new World(
                        topology,
                        new RingPerformance(topology, InterferenceModel.NONE).with(GraphIsolation.ISOLATED),
                        new Simulator.Options(0, true))
                .simulator(workload);
        simulator.advance();
        for (int job = 0; job < jobs.length; job++) {
            simulator.apply(new Decision.Start(job, Placement.of(topology, new int[] {job})));
        }
        return simulator;
    }

    private static Demand withCores(int cores) {
        return Demand.ofGpus(1).withHost(1000L * cores, 0);
    }

    private static void waitUntil(Simulator simulator, double seconds) {
        simulator.apply(Decision.waitUntil(Math.round(seconds * 1e9)));
        simulator.advance();
    }

    private static void finish(Simulator simulator) {
        do {
            simulator.apply(Decision.WAIT);
        } while (simulator.advance());
    }

    @Test
    void more_cores_make_a_running_job_faster_at_once_and_cost_no_time() {
        Simulator simulator = started(job(0, GRAPH, withCores(2)));
        waitUntil(simulator, 500 * ON_TWO_CORES);
        simulator.apply(new Decision.Provision(0, 8_000, 4_096));

        assertThat(simulator.view().job(0).demand().cpuMilli()).isEqualTo(8_000);
        assertThat(simulator.view().submitted(0).demand().cpuMilli()).isEqualTo(2_000);
        assertThat(simulator.view().cluster().freeCpuMilli(0)).isEqualTo(24_000);
        assertThat(simulator.view().cluster().freeMemoryMib(0)).isEqualTo(65_536 - 4_096);
        finish(simulator);

        assertThat(simulator.outcome(0).endNanos() / 1e9)
                .isCloseTo(500 * ON_TWO_CORES + 500 * ON_MANY_CORES, within(1e-6));
        assertThat(simulator.outcome(0).onGpus().restartNanos()).isZero();
        assertThat(simulator.view().cluster().freeCpuMilli(0)).isEqualTo(32_000);
    }

    @Test
    void a_job_that_leaves_its_servers_asks_for_its_own_again() {
        Simulator simulator = started(job(0, GRAPH, withCores(2)));
        simulator.apply(new Decision.Provision(0, 8_000, 4_096));
        waitUntil(simulator, 1);
        simulator.apply(new Decision.Preempt(0));
        assertThat(simulator.view().job(0)).isEqualTo(simulator.view().submitted(0));
        assertThat(simulator.view().cluster().freeCpuMilli(0)).isEqualTo(32_000);
        waitUntil(simulator, 2);
        simulator.apply(new Decision.Start(0, Placement.of(topology, new int[] {0})));

        assertThat(simulator.view().rate(0)).isCloseTo(1 / ON_TWO_CORES, within(1e-9));
        assertThat(simulator.view().cluster().freeCpuMilli(0)).isEqualTo(30_000);
    }

    @Test
    void cores_of_a_job_are_no_longer_divided_by_others_on_its_server() {
        Demand none = Demand.ofGpus(1);
        Simulator simulator = started(job(0, GRAPH, none), job(1, GRAPH, none));
        assertThat(simulator.view().rate(1)).isCloseTo(1 / ON_MANY_CORES, within(1e-9));

        simulator.apply(new Decision.Provision(0, 30_000, 0));
        waitUntil(simulator, 1);

        assertThat(simulator.view().rate(0)).isCloseTo(1 / ON_MANY_CORES, within(1e-9));
        assertThat(simulator.view().rate(1)).isCloseTo(1 / ON_TWO_CORES, within(1e-9));
    }

    @Test
    void impossible_amounts_are_refused_and_change_nothing() {
        TrainingPlan ring = TrainingPlan.RingAllReduce.INSTANCE;
        Simulator simulator = started(
                job(0, GRAPH, withCores(2)),
                job(1, ring, withCores(2)),
                job(2, ring, withCores(20)),
                job(3, ring, Demand.ofGpus(1)),
                job(4, GRAPH, withCores(2)));
        List<Decision.Provision> impossible = List.of(
                new Decision.Provision(0, 2_000, 0),
                new Decision.Provision(0, 10_001, 0),
                new Decision.Provision(0, 4_000, 65_537),
                new Decision.Provision(0, -1, 0),
                new Decision.Provision(4, 4_000, 0));
        long events = simulator.eventLog().count();
        for (Decision.Provision provision : impossible) {
            assertThatThrownBy(() -> simulator.apply(provision)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> simulator.apply(new Decision.Provision(1, 4_000, 0)))
                .hasMessageContaining("its speed does not depend on its host");
        assertThat(simulator.eventLog().count()).isEqualTo(events);
        assertThat(simulator.view().cluster().freeCpuMilli(0)).isEqualTo(8_000);

        simulator.apply(new Decision.Provision(0, 10_000, 65_536));
        assertThat(simulator.view().cluster().freeCpuMilli(0)).isZero();
        simulator.apply(new Decision.Preempt(0));
        assertThatThrownBy(() -> simulator.apply(new Decision.Provision(0, 4_000, 0)))
                .hasMessageContaining("WAITING");
    }

    @Test
    void what_a_job_holds_survives_a_fork_and_is_in_the_log() {
        Simulator simulator = started(job(0, GRAPH, withCores(2)), job(1, GRAPH, withCores(2)));
        waitUntil(simulator, 1);
        simulator.apply(new Decision.Provision(0, 8_000, 1_024));
        String provisioned = simulator.eventLog().sha256();
        waitUntil(simulator, 2);
        Simulator fork = simulator.fork();

        assertThat(fork.view().job(0)).isEqualTo(simulator.view().job(0));
        assertThat(fork.view().cluster().freeCpuMilli(0)).isEqualTo(22_000);
        List<Long> ends = new ArrayList<>();
        for (Simulator one : List.of(simulator, fork)) {
            one.apply(new Decision.Provision(1, 3_000, 0));
            finish(one);
            ends.add(one.outcome(0).endNanos());
        }
        assertThat(ends.get(0)).isEqualTo(ends.get(1)).isLessThan(25 * SECOND);
        assertThat(fork.eventLog().sha256()).isEqualTo(simulator.eventLog().sha256());

        Simulator other = started(job(0, GRAPH, withCores(2)), job(1, GRAPH, withCores(2)));
        waitUntil(other, 1);
        other.apply(new Decision.Provision(0, 8_000, 1_025));
        assertThat(other.eventLog().sha256()).isNotEqualTo(provisioned);
    }
}
