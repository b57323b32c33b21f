package org.trainyard.agents.heuristic.placing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.IdealPlacement;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Workload;

/** Segments of 32 GPUs, eight trays of four, on two NVL72, racks of 72 GPUs that hold two segments each; by hand. */
class SegmentsTest {
    private static final Topology RACKS = Objects.requireNonNull(Topologies.parse("nvl72:2"));
    private static final ModelProfile MODEL = RandomWorkloads.model(RandomStreams.stream(1, "test/model"));

    /** Racks of which a job holds the first so many GPUs, or none, and on which another waits. */
    private static Simulator with(int held, Demand waiting) {
        List<JobSpec> jobs = new ArrayList<>();
        if (held > 0) {
            jobs.add(new JobSpec(0, "held", 0, held, MODEL, 1));
        }
        jobs.add(new JobSpec(jobs.size(), "waiting", 0, waiting, MODEL, 1));
        Workload workload =
                new Workload(jobs, jobs.stream().mapToDouble(job -> 1000).toArray());
        Simulator simulator =
                new World(RACKS, new RatedPerformance(), new Simulator.Options(0, true)).simulator(workload);
        simulator.advance();
        if (held > 0) {
            simulator.apply(new Decision.Start(0, gpus(0, held)));
        }
        return simulator;
    }

    private static Placement gpus(int from, int to) {
        return Placement.of(RACKS, IntStream.range(from, to).toArray());
    }

    private static @Nullable Placement placed(Placer placer, Simulator simulator) {
        SimView view = simulator.view();
        return placer.place(view, view.job(view.firstWaiting()));
    }

    /** GPUs in the first rack and in the second. */
    private static List<Integer> byRack(@Nullable Placement placement) {
        int[] inRack = new int[2];
        for (int i = 0; placement != null && i < placement.serverCount(); i++) {
            inRack[RACKS.rackOf(placement.server(i))] += placement.gpusOn(i);
        }
        return List.of(inRack[0], inRack[1]);
    }

    private static List<List<Integer>> candidates(Simulator simulator) {
        SimView view = simulator.view();
        GangCandidates sets = new GangCandidates(RACKS, AnalyticInterference.DEFAULT, 4);
        int found = sets.find(view, view.firstWaiting());
        PlacementBuilder builder = new PlacementBuilder(RACKS, view.cluster());
        return IntStream.range(0, found)
                .mapToObj(set -> byRack(sets.placement(set, builder)))
                .distinct()
                .toList();
    }

    @Test
    void three_segments_are_two_in_one_rack_and_one_in_the_next_where_a_gang_without_would_fill_the_first() {
        Demand wide = Demand.ofGpus(96);
        Simulator segments = with(0, wide.inSegments(32));

        assertThat(byRack(placed(new BestFit(), with(0, wide)))).isEqualTo(List.of(72, 24));
        assertThat(byRack(placed(new BestFit(), segments))).isEqualTo(List.of(64, 32));
        assertThat(byRack(placed(new FirstFit(), segments))).isEqualTo(List.of(64, 32));
        assertThat(candidates(segments)).containsExactly(List.of(64, 32));
    }

    @Test
    void a_rack_with_less_room_than_a_segment_is_left_alone() {
        Simulator segments = with(44, Demand.ofGpus(64).inSegments(32));

        assertThat(byRack(placed(new BestFit(), segments))).isEqualTo(List.of(0, 64));
        assertThat(byRack(placed(new FirstFit(), segments))).isEqualTo(List.of(0, 64));
        assertThat(candidates(segments)).containsExactly(List.of(0, 64));
    }

    @Test
    void the_tightest_rack_that_holds_all_segments_is_taken() {
        assertThat(byRack(placed(new BestFit(), with(8, Demand.ofGpus(64).inSegments(32)))))
                .isEqualTo(List.of(64, 0));
        assertThat(byRack(placed(new BestFit(), with(12, Demand.ofGpus(64).inSegments(32)))))
                .isEqualTo(List.of(0, 64));
    }

    @Test
    void gpus_enough_in_pieces_are_no_room_for_segments() {
        Simulator segments = with(44, Demand.ofGpus(96).inSegments(32));

        assertThat(placed(new BestFit(), segments)).isNull();
        assertThat(placed(new FirstFit(), segments)).isNull();
        assertThat(candidates(segments)).isEmpty();
        IdealPlacement empty = new IdealPlacement(RACKS);
        assertThat(empty.fits(Demand.ofGpus(128).inSegments(32))).isTrue();
        assertThat(empty.fits(Demand.ofGpus(144).inSegments(36))).isTrue();
        assertThat(empty.fits(Demand.ofGpus(136).inSegments(34))).isTrue();
        assertThat(empty.fits(Demand.ofGpus(144))).isTrue();
        assertThat(empty.fits(Demand.ofGpus(144).inSegments(48))).isFalse();
    }

    @Test
    void the_simulator_refuses_a_placement_that_cuts_a_segment() {
        Simulator segments = with(0, Demand.ofGpus(96).inSegments(32));

        assertThatThrownBy(() -> segments.apply(new Decision.Start(0, gpus(0, 96))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its demand does not fit on");
        segments.apply(new Decision.Start(0, gpus(40, 136)));
        assertThat(segments.view().runningCount()).isOne();
    }

    @Test
    void a_segment_divides_a_fixed_number_of_whole_gpus() {
        for (Demand demand : List.of(
                Demand.ofGpus(40),
                Demand.ofGpus(64).elastic(32, 96),
                Demand.ofGpus(64).withGpuMilli(500))) {
            assertThatThrownBy(() -> demand.inSegments(32)).hasMessageContaining("segment (32) must divide");
        }
    }
}
