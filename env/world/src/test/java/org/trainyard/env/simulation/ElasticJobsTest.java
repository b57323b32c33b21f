package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

class ElasticJobsTest {
    private final Topology small = Topologies.small();
    private final Demand elastic = Demand.ofGpus(2).elastic(1, 4);

    private Decision.Start start(int job, int... gpus) {
        return new Decision.Start(job, Placement.of(small, gpus));
    }

    private Decision.Resize resize(int job, int... gpus) {
        return new Decision.Resize(job, Placement.of(small, gpus));
    }

    @Test
    void a_job_runs_faster_on_more_gpus_and_pays_the_restart_when_it_gets_them() {
        // 100 s of work on its 2 GPUs: 40 s on one GPU do 20, then 10 s restart, then 80 at double speed.
        Simulator simulator = new Worlds().job(elastic, null, 0, 100).simulator(small, 10);
        simulator.advance();
        simulator.apply(start(0, 0));
        simulator.apply(Decision.waitUntil(40 * SECOND));
        simulator.advance();
        simulator.apply(resize(0, 0, 1, 2, 3));

        assertThat(simulator.view().rate(0)).isEqualTo(2);
        assertThat(simulator.view().waitingCount()).isZero();
        simulator.apply(Decision.WAIT);
        assertThat(simulator.advance()).isFalse();
        assertThat(simulator.outcome(0).endNanos()).isEqualTo((40 + 10 + 40) * SECOND);
        assertThat(simulator.outcome(0).queueingNanos()).isZero();
        assertThat(simulator.outcome(0).preemptions()).isZero();
        assertThat(simulator.busyGpuSeconds()).isEqualTo(40 + 4 * 50);
    }

    @Test
    void a_move_that_cannot_be_made_changes_nothing() {
        Simulator simulator =
                new Worlds().job(elastic, null, 0, 100).job(2, 0, 100).simulator(small, 10);
        simulator.advance();
        simulator.apply(start(0, 0, 1));
        simulator.apply(start(1, 2, 3));
        String before = simulator.eventLog().sha256();

        assertThatThrownBy(() -> simulator.apply(resize(0, 1, 2))).hasMessageContaining("cannot resize job (0)");
        assertThatThrownBy(() -> simulator.apply(resize(0, 4, 5, 6, 7, 8))).hasMessageContaining("1 to 4");
        assertThatThrownBy(() -> simulator.apply(resize(1, 4))).hasMessageContaining("it needs (2)");
        assertThat(simulator.eventLog().sha256()).isEqualTo(before);
        assertThat(simulator.view().placement(0)).isEqualTo(Placement.of(small, 0, 1));
        assertThat(simulator.view().cluster().freeOn(0)).isZero();
    }

    @Test
    void gpus_it_holds_may_be_part_of_the_new_placement() {
        Simulator simulator = new Worlds().job(elastic, null, 0, 100).simulator(small, 0);
        simulator.advance();
        simulator.apply(start(0, 0, 1));
        simulator.apply(resize(0, 1, 2, 3));

        assertThat(simulator.view().cluster().owner(0)).isEqualTo(Cluster.FREE);
        assertThat(simulator.view().cluster().owner(3)).isZero();
    }

    @Test
    void quotas_bind_starts_and_growth_alike() {
        Simulator simulator = new Worlds()
                .job(elastic, "red", 0, 100)
                .job(Demand.ofGpus(2), "red", 0, 100)
                .job(Demand.ofGpus(2), "blue", 0, 100)
                .simulator(small, new Simulator.Options(0, true).with(new Quotas(Map.of("red", 3))));
        simulator.advance();
        simulator.apply(start(0, 0, 1));

        assertThat(simulator.view().isWithinQuota(1, 2)).isFalse();
        assertThatThrownBy(() -> simulator.apply(start(1, 4, 5)))
                .hasMessageContaining("quota")
                .hasMessageContaining("red");
        assertThatThrownBy(() -> simulator.apply(resize(0, 0, 1, 2, 3))).hasMessageContaining("cannot resize");
        simulator.apply(resize(0, 0));
        simulator.apply(start(1, 4, 5));
        simulator.apply(start(2, 6, 7));
        assertThat(simulator.view().runningCount()).isEqualTo(3);
    }

    @Test
    void a_job_above_its_quota_is_refused_at_once() {
        Worlds worlds = new Worlds().job(Demand.ofGpus(4), "red", 0, 100);
        Simulator.Options options = new Simulator.Options(0, true).with(new Quotas(Map.of("red", 3)));

        assertThatThrownBy(() -> worlds.simulator(small, options))
                .hasMessageContaining("quota")
                .hasMessageContaining("'3'");
    }

    /** On 6 of a quota of 8 it may take 2 more, which are not 8 more. */
    @Test
    void growth_is_charged_what_it_adds() {
        Simulator simulator = new Worlds()
                .job(Demand.ofGpus(6).elastic(1, 8), "red", 0, 100)
                .simulator(small, new Simulator.Options(0, true).with(new Quotas(Map.of("red", 8))));
        simulator.advance();
        simulator.apply(start(0, 0, 1, 2, 3, 4, 5));
        simulator.apply(resize(0, 0, 1, 2, 3, 4, 5, 6, 7));

        assertThat(simulator.view().placement(0).gpuCount()).isEqualTo(8);
        assertThat(simulator.view().isWithinQuota(0, 1)).isFalse();
    }
}
