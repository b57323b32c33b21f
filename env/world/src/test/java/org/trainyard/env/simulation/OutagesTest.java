package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.trainyard.env.simulation.Worlds.SECOND;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.Workload;

class OutagesTest {
    private final Topology small = Topologies.small();

    private static Outages.Recorded.Entry entry(int unit, long fromSeconds, long untilSeconds) {
        return new Outages.Recorded.Entry(unit, new Outage(fromSeconds * SECOND, untilSeconds * SECOND));
    }

    private Simulator simulator(Worlds worlds, long checkpointSeconds, Outages.Recorded.Entry... entries) {
        Simulator.Options options = new Simulator.Options(10 * SECOND, true)
                .with(new Outages.Recorded(List.of(entries)), checkpointSeconds * SECOND);
        return worlds.simulator(small, options);
    }

    private Scheduler firstFit(int... gpus) {
        return view ->
                view.waitingCount() > 0 && view.cluster().fits(view.job(0).demand(), Placement.of(small, gpus))
                        ? new Decision.Start(view.firstWaiting(), Placement.of(small, gpus))
                        : Decision.WAIT;
    }

    @Test
    void a_job_goes_back_to_its_last_checkpoint_and_pays_the_restart() {
        // Checkpoints every 30 s: at 100 s it has done 100 s and keeps 90; it resumes at 120 s, restarts for 10 s, does
        // 110 s more.
        Simulator simulator = simulator(new Worlds().job(1, 0, 200), 30, entry(0, 100, 120));
        RunResult result = simulator.run(firstFit(0));

        assertThat(result.jobs().get(0).endNanos()).isEqualTo((120 + 10 + 110) * SECOND);
        assertThat(result.jobs().get(0).kills()).isEqualTo(1);
        assertThat(result.jobs().get(0).preemptions()).isZero();
        assertThat(result.jobs().get(0).queueingNanos()).isEqualTo(20 * SECOND);
        assertThat(result.busyGpuSeconds()).isEqualTo(100 + 120);
    }

    @Test
    void without_checkpoints_nothing_is_lost_and_before_the_first_everything_is() {
        Outages.Recorded.Entry outage = entry(0, 100, 120);
        assertThat(simulator(new Worlds().job(1, 0, 200), 0, outage)
                        .run(firstFit(0))
                        .jobs()
                        .get(0)
                        .endNanos())
                .isEqualTo((120 + 10 + 100) * SECOND);
        assertThat(simulator(new Worlds().job(1, 0, 200), 1000, outage)
                        .run(firstFit(0))
                        .jobs()
                        .get(0)
                        .endNanos())
                .isEqualTo((120 + 10 + 200) * SECOND);
    }

    /** Four servers; at 200 s two are repaired and two fail. */
    @Test
    void at_one_instant_repairs_come_before_failures_and_each_by_their_unit() {
        OutageClock clock = new OutageClock(
                small,
                new Outages.Recorded(
                        List.of(entry(0, 200, 300), entry(1, 100, 200), entry(2, 200, 300), entry(3, 100, 200))));
        List<String> order = new ArrayList<>();
        for (; clock.nextNanos() <= 200 * SECOND; clock.pass()) {
            order.add((clock.isDown(clock.nextUnit()) ? "up " : "down ") + clock.nextUnit());
        }

        assertThat(order).containsExactly("down 1", "down 3", "up 1", "up 3", "down 0", "down 2");
    }

    private record Change(long nanos, boolean isRepair, int unit) {}

    /** Servers and GPUs of the small cluster with outages in few seconds, so that many begin and end at one instant. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void changes_come_in_order_and_a_gpu_is_in_service_while_neither_it_nor_its_server_is_out(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/outages");
        int units = small.servers() + small.gpus();
        List<Outages.Recorded.Entry> entries = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (int unit = 0; unit < units; unit++) {
            long now = random.nextInt(1, 5);
            for (int i = random.nextInt(4); i > 0; i--) {
                long until = now + random.nextInt(1, 5);
                entries.add(entry(unit, now, until));
                changes.add(new Change(now * SECOND, false, unit));
                changes.add(new Change(until * SECOND, true, unit));
                now = until + random.nextInt(1, 5);
            }
        }
        changes.sort(Comparator.comparingLong(Change::nanos)
                .thenComparing(change -> !change.isRepair)
                .thenComparingInt(Change::unit));
        OutageClock clock = new OutageClock(small, new Outages.Recorded(entries));
        OutageClock late = new OutageClock(small, new Outages.Recorded(entries));
        Cluster cluster = new Cluster(small);
        Cluster lateCluster = new Cluster(small);
        int[] reasons = new int[small.gpus()];
        int down = 0;

        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            assertThat(clock.nextNanos()).isEqualTo(change.nanos);
            assertThat(clock.nextUnit()).isEqualTo(change.unit);
            assertThat(clock.isDown(change.unit)).isEqualTo(change.isRepair);
            assertThat(clock.isRepairToCome()).isEqualTo(down > 0);
            clock.pass();
            clock.apply(cluster, change.unit, !change.isRepair);
            down += change.isRepair ? -1 : 1;
            for (int gpu = 0; gpu < small.gpus(); gpu++) {
                boolean isOf = change.unit == small.servers() + gpu || change.unit == small.serverOf(gpu);
                reasons[gpu] += isOf ? change.isRepair ? -1 : 1 : 0;
                assertThat(cluster.owner(gpu)).isEqualTo(reasons[gpu] > 0 ? Cluster.DOWN : Cluster.FREE);
            }
            if (i + 1 == changes.size() || changes.get(i + 1).nanos > change.nanos) {
                late.passUntil(change.nanos, lateCluster);
                assertThat(late.nextNanos()).isEqualTo(clock.nextNanos());
                assertThat(lateCluster.free()).isEqualTo(cluster.free());
                assertThat(lateCluster.room(Demand.ofGpus(1).onOneServer(), change.unit % small.servers()))
                        .isEqualTo(cluster.room(Demand.ofGpus(1).onOneServer(), change.unit % small.servers()));
            }
        }
        assertThat(clock.nextNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(changes).hasSizeGreaterThan(2 * units);
    }

    @Test
    void waiting_for_a_repair_is_no_dead_end_but_waiting_for_nothing_is() {
        Simulator repaired = simulator(new Worlds().job(1, 5, 10), 0, entry(0, 1, 100));
        assertThat(repaired.run(firstFit(0)).jobs().get(0).firstStartNanos()).isEqualTo(100 * SECOND);

        Simulator never = simulator(new Worlds().job(1, 5, 10), 0, entry(0, 1, Long.MAX_VALUE / SECOND));
        assertThatThrownBy(() -> never.run(view -> Decision.WAIT)).hasMessageContaining("nothing will ever happen");
    }

    @Test
    void exponential_outages_take_the_share_of_time_that_they_should() {
        Outages outages = new Outages.Exponential(90, Double.POSITIVE_INFINITY, 10, 1);
        double down = 0;
        double all = 0;
        for (int unit = 0; unit < 8; unit++) {
            long now = 0;
            for (int k = 0; k < 500; k++) {
                Outage outage = Objects.requireNonNull(outages.next(small, unit, k, now));
                assertThat(outage.fromNanos()).isGreaterThan(now);
                down += outage.untilNanos() - outage.fromNanos();
                now = outage.untilNanos();
            }
            all += now;
        }
        // 4,000 cycles: the share's standard error is about 0.1 x sqrt(2 / 4000).
        assertThat(down / all).isCloseTo(0.1, within(4 * 0.1 * Math.sqrt(2.0 / 4000)));
        assertThat(outages.next(small, small.servers(), 0, 0))
                .as("GPUs never fail")
                .isNull();
    }

    @Test
    void outages_that_overlap_or_end_before_they_begin_are_refused() {
        assertThatThrownBy(() -> new Outages.Recorded(List.of(entry(3, 10, 20), entry(3, 15, 30))))
                .hasMessageContaining("unit (3) overlap");
        assertThatThrownBy(() -> new Outage(5, 5)).hasMessageContaining("must end");
        assertThatThrownBy(() -> new Outages.Exponential(0, 1, 1, 1)).hasMessageContaining("above zero");
        assertThatThrownBy(() -> new Outages.Exponential(1, 1, Double.NaN, 1)).hasMessageContaining("NaN");
    }

    /**
     * What an outage takes back was slowed, too: that part of the interference is lost work, and the parts still add
     * up.
     */
    @Test
    void interference_of_work_that_is_lost_counts_as_lost() {
        Worlds worlds = new Worlds().job(1, 0, 400).job(1, 0, 4000);
        Simulator.Options options = new Simulator.Options(10 * SECOND, true)
                .with(new Outages.Recorded(List.of(entry(small.servers(), 200, 220))), 1000 * SECOND);
        Workload workload = worlds.workload();
        Simulator simulator =
                new World(small, new RingPerformance(small, AnalyticInterference.DEFAULT), options).simulator(workload);
        RunResult run = simulator.run(view -> {
            int job = view.firstWaiting();
            Placement gpu = Placement.of(small, Math.max(0, job));
            return job != SimView.NONE && view.cluster().fits(view.job(job).demand(), gpu)
                    ? new Decision.Start(job, gpu)
                    : Decision.WAIT;
        });

        JobOutcome killed = run.jobs().get(0);
        JobOutcome.TimeOnGpus time = killed.onGpus();
        assertThat(killed.kills()).isEqualTo(1);
        assertThat(killed.meanSlowdown()).isGreaterThan(1.05);
        // The 200 s before the outage are lost, with their interference; of the rest it is what the work took too long.
        assertThat(time.restartNanos()).isEqualTo(210 * SECOND);
        assertThat(time.nanos() - time.restartNanos() - time.interferenceNanos())
                .isCloseTo(400 * SECOND, within(1000L));
        assertThat(time.placementNanos()).isBetween(-1000L, 1000L);
    }
}
