package org.trainyard.agents.heuristic.placing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.FewestServers;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.placement.ServerCost;
import org.trainyard.env.simulation.Decision;
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

/** Placers on two racks of four servers of two sockets with two GPUs each, by hand. */
class PlacersByHandTest {
    private static final Topology SMALL = Topologies.small();
    private static final ModelProfile MODEL = RandomWorkloads.model(RandomStreams.stream(1, "test/model"));

    /** A cluster on which a job of one GPU holds each of these, and on which one of so many GPUs waits. */
    private static Simulator with(int waiting, int... held) {
        List<JobSpec> jobs = IntStream.rangeClosed(0, held.length)
                .mapToObj(id -> new JobSpec(id, "job" + id, 0, id == held.length ? waiting : 1, MODEL, 1))
                .toList();
        double[] iterations = IntStream.rangeClosed(0, held.length)
                .mapToDouble(id -> 1000 + 500 * id)
                .toArray();
        Workload workload = new Workload(jobs, iterations);
        Simulator simulator =
                new World(SMALL, new RatedPerformance(), new Simulator.Options(0, true)).simulator(workload);
        simulator.advance();
        for (int id = 0; id < held.length; id++) {
            simulator.apply(new Decision.Start(id, Placement.of(SMALL, held[id])));
        }
        return simulator;
    }

    private static Placement placed(Placer placer, Simulator simulator) {
        SimView view = simulator.view();
        return Objects.requireNonNull(placer.place(view, view.job(view.firstWaiting())));
    }

    @Test
    void the_tightest_socket_that_fits_is_taken() {
        assertThat(placed(new SocketFit(), with(1, 0, 4, 5))).isEqualTo(Placement.of(SMALL, 1));
        assertThat(placed(new SocketFit(), with(2, 0))).isEqualTo(Placement.of(SMALL, 2, 3));
        assertThat(placed(new SocketFit(), with(2, 0, 2))).isEqualTo(Placement.of(SMALL, 4, 5));
        assertThat(placed(new SocketFit(), with(3, 0, 4, 8, 10, 11))).isEqualTo(Placement.of(SMALL, 1, 2, 3));
    }

    @Test
    void of_equally_cheap_servers_the_one_with_least_room_is_taken_then_the_first() {
        ServerCost free = (view, job, server, available, workers, spans) -> 0;

        assertThat(placed(new ConsolidatingPlacer(free), with(2)).server(0)).isZero();
        assertThat(placed(new ConsolidatingPlacer(free), with(2, 8, 9, 13)).server(0))
                .isEqualTo(2);
        assertThat(placed(new ConsolidatingPlacer(free), with(3, 4, 12)).server(0))
                .isEqualTo(1);
    }

    /** Both racks have two whole servers; the second has less room besides. */
    @Test
    void of_equally_cheap_racks_the_one_with_least_room_is_taken() {
        ServerCost free = (view, job, server, available, workers, spans) -> 0;
        Placement placement = placed(new ConsolidatingPlacer(free), with(8, 0, 16, 20, 21));

        assertThat(placement.serverCount()).isEqualTo(2);
        assertThat(SMALL.rackOf(placement.server(0))).isEqualTo(1);
        assertThat(SMALL.rackOf(placement.server(1))).isEqualTo(1);
    }

    @Test
    void a_dearer_server_is_passed_over_for_a_cheaper_one_with_more_room() {
        ServerCost last = (view, job, server, available, workers, spans) -> -server;

        assertThat(placed(new ConsolidatingPlacer(last), with(2, 0, 4)).server(0))
                .isEqualTo(7);
    }

    /**
     * The newcomer runs elsewhere and has less time left an instant later, in which its neighbours do relatively more
     * harm.
     */
    @Test
    void a_cost_asked_again_without_an_event_in_between_reads_the_time() {
        Simulator simulator = with(1, 0, 1, 2);
        SimView view = simulator.view();
        InterferenceCost kept = new InterferenceCost(SMALL, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds);
        kept.predict(view, 2, 0, 1, false);
        double before = kept.harm();
        simulator.apply(new Decision.Start(3, Placement.of(SMALL, 12)));
        for (long second : new long[] {100, 400, 700}) {
            simulator.apply(Decision.waitUntil(second * 1_000_000_000L));
            simulator.advance();
            InterferenceCost anew =
                    new InterferenceCost(SMALL, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds);
            kept.predict(view, 3, 0, 1, false);
            anew.predict(view, 3, 0, 1, false);

            assertThat(kept.harm()).isEqualTo(anew.harm()).isPositive();
        }
        assertThat(before).isPositive();
    }

    /** Two servers, of which the first has more neighbours: the slowdown of the worse, and the harm of both. */
    @Test
    void the_cost_of_a_placement_is_its_worst_slowdown_and_all_harm() {
        Simulator simulator = with(4, 0, 1, 4);
        SimView view = simulator.view();
        InterferenceCost costs = new InterferenceCost(SMALL, AnalyticInterference.DEFAULT, ResidualTimeFloor::seconds);
        costs.predict(view, 3, 0, 2, true);
        double worse = costs.own();
        double harm = costs.harm();
        costs.predict(view, 3, 1, 2, true);

        assertThat(worse).isGreaterThan(costs.own());
        assertThat(costs.of(view, view.job(3), Placement.of(SMALL, 2, 3, 5, 6)))
                .isEqualTo(worse - 1 + harm + costs.harm());
    }

    @Test
    void the_fewest_servers_are_all_filled_but_the_last_within_a_rack_if_it_has_room() {
        FewestServers servers = new FewestServers(Objects.requireNonNull(Topologies.parse("3x3x4")));

        assertThat(IntStream.of(1, 4, 5, 8, 12, 13, 36, 37).map(gpus -> servers.of(Demand.ofGpus(gpus))))
                .containsExactly(1, 1, 2, 2, 3, 4, 9, Integer.MAX_VALUE);
    }
}
