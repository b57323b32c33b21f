package org.trainyard.env.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/** The index says what counting says, in every state of a run. */
class ServersByFreeGpusTest {
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("3x3x4"));

    /** Takes the freest servers first. */
    private static int fewest(SimView view, int rack, int gpus) {
        int left = gpus;
        int servers = 0;
        for (int free = TOPOLOGY.widestServer(); free > 0; free--) {
            for (int server = 0; server < TOPOLOGY.servers() && left > 0; server++) {
                boolean isHere = rack < 0 || TOPOLOGY.rackOf(server) == rack;
                if (isHere && view.cluster().freeOn(server) == free) {
                    left -= free;
                    servers++;
                }
            }
        }
        return left > 0 ? 0 : servers;
    }

    private static int tightest(SimView view, int rack, int gpus) {
        int tightest = -1;
        for (int server = 0; server < TOPOLOGY.servers(); server++) {
            int left = view.cluster().freeOn(server) - gpus;
            boolean isHere = rack < 0 || TOPOLOGY.rackOf(server) == rack;
            if (isHere && left >= 0 && (tightest < 0 || left < tightest)) {
                tightest = left;
            }
        }
        return tightest;
    }

    private static void check(SimView view, ServersByFreeGpus index) {
        for (int gpus = 1; gpus <= 14; gpus++) {
            assertThat(index.fewestServers(gpus)).isEqualTo(fewest(view, -1, gpus));
            assertThat(index.tightestLeftover(gpus)).isEqualTo(tightest(view, -1, gpus));
            int racksWithOne = 0;
            for (int rack = 0; rack < TOPOLOGY.racks(); rack++) {
                assertThat(index.fewestServers(rack, gpus)).isEqualTo(fewest(view, rack, gpus));
                assertThat(index.tightestLeftover(rack, gpus)).isEqualTo(tightest(view, rack, gpus));
                assertThat(index.free(rack)).isEqualTo(view.cluster().freeIn(rack));
                racksWithOne += fewest(view, rack, gpus) == 1 ? 1 : 0;
            }
            assertThat(index.partsWith(1, gpus)).isEqualTo(racksWithOne);
        }
    }

    @Test
    void it_counts_as_one_who_looks_at_every_server() {
        Workload workload = RandomWorkloads.of(2, 60, TOPOLOGY.gpus());
        Simulator simulator = new Simulator(
                TOPOLOGY,
                workload,
                new RatedPerformance(),
                RuntimePredictor.oracle(workload),
                new Simulator.Options(0, true));
        ServersByFreeGpus index = new ServersByFreeGpus(simulator.view(), TOPOLOGY.racks(), TOPOLOGY::rackOf);
        RandomGenerator random = RandomStreams.stream(2, "test/placers");
        Placer placer = new RandomFit(TOPOLOGY, 2);
        int checked = 0;
        while (simulator.advance()) {
            SimView view = simulator.view();
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.firstWaiting()) {
                var placement = random.nextInt(4) == 0 ? null : placer.place(view, view.job(job));
                if (placement == null) {
                    break;
                }
                simulator.apply(new Decision.Start(job, placement));
                check(view, index);
                checked++;
            }
            check(view, index);
            if (view.runningCount() == 0 && view.firstWaiting() != SimView.NONE) {
                int job = view.firstWaiting();
                simulator.apply(new Decision.Start(job, Objects.requireNonNull(placer.place(view, view.job(job)))));
            }
            simulator.apply(Decision.WAIT);
        }
        assertThat(checked).isGreaterThan(30);
    }
}
