package org.trainyard.env.scheduling.fragmentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** The predicted growth is that of the fragmentation when the job has started there. */
class FragmentationGrowthTest {
    private static final ServerSpec SHARED =
            new ServerSpec(GpuType.V100, 1, 4, false).withHost(9000, 1 << 20).with(GpuSharing.FRACTIONS);
    private static final Topology TOPOLOGY =
            of(SHARED, SHARED.with(GpuType.T4).with(GpuSharing.WHOLE), SHARED.withHost(3000, 1 << 20));

    private final RandomGenerator random = RandomStreams.stream(6, "test/fragmentation");

    private static Topology of(ServerSpec... servers) {
        return new Topology.Builder("parts", Fabric.DEFAULT)
                .rack(List.of(servers))
                .build();
    }

    private Demand demand() {
        long cpu = 500L * random.nextInt(5);
        return switch (random.nextInt(4)) {
            case 0 -> Demand.ofGpus(random.nextInt(1, 4)).withHost(cpu, 0);
            case 1 -> Demand.ofGpus(2).withHost(cpu, 0).onTypes(List.of("V100"));
            default ->
                Demand.ofGpus(1).withGpuMilli(100 * random.nextInt(1, 10)).withHost(cpu, 0);
        };
    }

    private static double nowMilli(SimView view, TargetWorkload target) {
        return new Fragmentation(TOPOLOGY, target).allMilli(view);
    }

    /** The target is of the first 1, 2, ... 11, 13, 15, 17, ... jobs: each a tenth more than before, rounded up. */
    private static TargetWorkload target(SimView view) {
        int jobs = 1;
        for (int next = 2; next <= view.arrived(); next = Math.max(next + 1, (next * 11 + 9) / 10)) {
            jobs = next;
        }
        return TargetWorkload.of(
                IntStream.range(0, jobs).mapToObj(job -> view.job(job).demand()).toList());
    }

    private static int[] firstThatFit(SimView view, Demand demand, int server, int workers) {
        return IntStream.range(0, TOPOLOGY.gpusOn(server))
                .map(gpu -> TOPOLOGY.firstGpu(server) + gpu)
                .filter(gpu -> view.cluster().fitsOn(gpu, demand))
                .limit(workers)
                .toArray();
    }

    @Test
    void the_growth_told_before_a_start_is_what_is_measured_after_it() {
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < 120; job++) {
            jobs.job(demand(), 7L * job, random.nextInt(5, 60));
        }
        Simulator simulator = jobs.simulator(TOPOLOGY);
        SimView view = simulator.view();
        FragmentationGrowth growth = new FragmentationGrowth(TOPOLOGY);
        Fragmentation kept = new Fragmentation(TOPOLOGY, TargetWorkload.of(List.of()));
        int[] starts = {0, 0, 0};
        while (simulator.advance()) {
            for (int job = view.firstWaiting(); job != SimView.NONE; job = next(view, job)) {
                TargetWorkload target = target(view);
                double before = nowMilli(view, target);
                Demand demand = view.job(job).demand();
                int[] room = IntStream.range(0, 3)
                        .map(s -> view.cluster().room(demand, s))
                        .toArray();
                int first = random.nextInt(3);
                int second = (first + 1) % 3;
                int[] gpus = firstThatFit(view, demand, first, Math.min(room[first], demand.gpus()));
                double told = gpus.length == 0 ? 0 : growth.onServer(view, demand, first, gpus.length) * 1000;
                int rest = demand.gpus() - gpus.length;
                if (rest > room[second]) {
                    continue;
                }
                if (rest > 0) {
                    told += growth.onServer(view, demand, second, rest) * 1000;
                    gpus = IntStream.concat(IntStream.of(gpus), IntStream.of(firstThatFit(view, demand, second, rest)))
                            .toArray();
                }
                if (gpus.length == 1) {
                    assertThat(growth.onGpu(view, demand, gpus[0]) * 1000).isCloseTo(told, within(1e-6));
                    starts[0]++;
                }
                simulator.apply(new Decision.Start(job, Placement.of(TOPOLOGY, gpus)));
                assertThat(nowMilli(view, target) - before).isCloseTo(told, within(1e-6));
                kept.retarget(target);
                assertThat(kept.allMilli(view)).isCloseTo(nowMilli(view, target), within(1e-6));
                starts[gpus.length > 1 ? 1 : 0]++;
                starts[2] += rest > 0 && rest < demand.gpus() ? 1 : 0;
            }
            simulator.apply(Decision.WAIT);
        }
        assertThat(starts[0]).isGreaterThan(80);
        assertThat(starts[1]).isGreaterThan(30);
        assertThat(starts[2]).as("on two servers").isGreaterThan(3);
    }

    /** The next waiting job, also after a job that has started. */
    private static int next(SimView view, int job) {
        for (int other = view.firstWaiting(); other != SimView.NONE; other = view.nextWaiting(other)) {
            if (other > job) {
                return other;
            }
        }
        return SimView.NONE;
    }

    @Test
    void what_was_read_has_a_new_version_with_every_change_and_none_without() {
        Simulator simulator = TimedJobs.list()
                .job(Demand.ofGpus(1).withGpuMilli(300).withHost(1000, 0), 0, 10)
                .job(Demand.ofGpus(1).withGpuMilli(300).withHost(1000, 0), 0, 10)
                .simulator(TOPOLOGY);
        simulator.advance();
        SimView view = simulator.view();
        Fragmentation fragmentation = new Fragmentation(
                TOPOLOGY, TargetWorkload.of(List.of(Demand.ofGpus(1).withGpuMilli(300))));
        List<Integer> versions = new ArrayList<>();
        for (int job : new int[] {0, 1}) {
            versions.add(fragmentation.read(view, 2));
            versions.add(fragmentation.read(view, 2));
            simulator.apply(new Decision.Start(job, Placement.of(TOPOLOGY, 9)));
        }
        versions.add(fragmentation.read(view, 2));

        assertThat(versions).containsExactly(1, 1, 2, 2, 3);
        assertThat(fragmentation.leftMilli(2, 1)).isEqualTo(400);
        assertThat(fragmentation.leftMilli(2, 0)).isEqualTo(1000);
        fragmentation.retarget(TargetWorkload.of(List.of(Demand.ofGpus(4))));
        assertThat(fragmentation.read(view, 2)).isEqualTo(4);
        assertThat(fragmentation.allMilli(view))
                .as("no four whole GPUs are left on it")
                .isEqualTo(3400);
    }

    @Test
    void it_costs_a_quarter_slowdown_per_gpu_where_gpus_are_shared_and_hosts_are_limited() {
        ServerSpec endless = SHARED.withHost(ServerSpec.UNLIMITED, ServerSpec.UNLIMITED);
        assertThat(new FragmentationCost(of(endless)).counts()).isFalse();
        assertThat(new FragmentationCost(of(SHARED.with(GpuSharing.WHOLE))).counts())
                .isFalse();
        assertThat(new FragmentationCost(of(SHARED.with(GpuSharing.WHOLE), endless)).counts())
                .isFalse();
        assertThat(new FragmentationCost(of(endless, SHARED)).counts()).isTrue();
        assertThat(new FragmentationCost(of(SHARED.withHost(ServerSpec.UNLIMITED, 5))).counts())
                .isTrue();
        assertThat(new FragmentationCost(of(SHARED.withHost(5, ServerSpec.UNLIMITED))).counts())
                .isTrue();

        Demand half = Demand.ofGpus(1).withGpuMilli(500);
        Demand two = Demand.ofGpus(2);
        Simulator simulator = TimedJobs.list().job(two, 0, 10).job(half, 0, 10).simulator(TOPOLOGY);
        simulator.advance();
        FragmentationCost cost = new FragmentationCost(TOPOLOGY);
        // Half a GPU is left over for every second job; with three of four GPUs gone, all but the half is of use to
        // none.
        assertThat(cost.onGpu(simulator.view(), half, 0)).isCloseTo(0.25 * 0.5 * 0.5, within(1e-12));
        assertThat(cost.onServer(simulator.view(), Demand.ofGpus(3), 0, 3)).isCloseTo(0.25 * 0.5, within(1e-12));
        FragmentationCost none = new FragmentationCost(of(endless));
        assertThat(none.onGpu(simulator.view(), half, 0)).isZero();
        assertThat(none.onServer(simulator.view(), half, 0, 1)).isZero();
    }
}
