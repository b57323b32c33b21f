package org.trainyard.env.gym.decentralised;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

/** The views of domains beside that of the whole cluster, on which somebody places jobs across all domains. */
class ClusterDivisionTest {
    private static void check(SimView whole, ClusterDivision division, Domains domains) {
        Set<Integer> waiting = new HashSet<>();
        int running = 0;
        for (int domain = 0; domain < domains.count(); domain++) {
            DomainView part = division.part(domain);
            for (int server = 0; server < domains.endServer(domain) - domains.firstServer(domain); server++) {
                assertThat(part.cluster().freeOn(server))
                        .isEqualTo(whole.cluster().freeOn(domains.firstServer(domain) + server));
            }
            int widest = IntStream.range(0, part.topology().servers())
                    .filter(server ->
                            part.cluster().freeOn(server) == part.topology().gpusOn(server))
                    .map(part.topology()::gpusOn)
                    .sum();
            for (int server = 0; server < part.topology().servers(); server++) {
                widest = Math.max(widest, part.cluster().freeOn(server));
            }
            assertThat(part.summary().widest()).isEqualTo(widest);
            int queued = 0;
            for (int job = part.firstWaiting(); job != SimView.NONE; job = part.nextWaiting(job)) {
                assertThat(waiting.add(job)).as("job (%d) waits once", job).isTrue();
                queued++;
            }
            assertThat(queued).isEqualTo(part.waitingCount());
            for (int job = part.firstRunning(); job != SimView.NONE; job = part.nextRunning(job)) {
                assertThat(part.outside(part.placement(job))).isEqualTo(whole.placement(job));
            }
            running += part.runningCount();
        }
        CoordinatorView coordinator = division.coordinator();
        for (int job = coordinator == null ? SimView.NONE : coordinator.firstWaiting();
                job != SimView.NONE;
                job = Objects.requireNonNull(coordinator).nextWaiting(job)) {
            assertThat(waiting.add(job)).isTrue();
        }
        assertThat(waiting).hasSize(whole.waitingCount());
        assertThat(running).isLessThanOrEqualTo(whole.runningCount());
    }

    @ParameterizedTest
    @CsvSource({
        "1, 4, leaf-spine:4x2x4x4@2, false",
        "2, 8, leaf-spine:4x2x4x4@2, true",
        "3, 16, leaf-spine:4x2x4x4@2, false",
        "4, 1, leaf-spine:4x2x4x4@2, false",
        "5, 3, 6x8+6x4, true"
    })
    void the_views_of_domains_are_the_cluster_and_every_waiting_job_is_in_one_queue(
            long seed, int count, String cluster, boolean fails) {
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        Workload workload = RandomWorkloads.of(seed, 150, 20);
        Simulator.Options options = new Simulator.Options(30_000_000_000L, true);
        Simulator simulator = new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        fails ? options.with(new Outages.Exponential(40, 200, 2, seed), 0) : options)
                .simulator(workload);
        SimView view = simulator.view();
        Domains domains = Domains.even(topology, count);
        ClusterDivision division =
                new ClusterDivision(view, domains, new DecentralisedSettings(0, true, Arrival.ROUND_ROBIN, 2));
        Auctioneer auctioneer = new Auctioneer(
                view,
                new AuctionSettings(RemainingTime.GITTINS, 6, 4, 2, false, false),
                Domains.racks(topology),
                AnalyticInterference.DEFAULT);
        RandomGenerator random = RandomStreams.stream(seed, "test/bids");
        DecisionQueue decided = new DecisionQueue();
        int[] checks = new int[1];

        simulator.run(any -> {
            division.update();
            check(view, division, domains);
            checks[0]++;
            return auctioneer.next(decided, (auction, firstLegal) -> random.nextInt(firstLegal, auction.size()));
        });

        assertThat(checks[0]).isGreaterThan(300);
    }
}
