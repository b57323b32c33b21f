package org.trainyard.agents.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.agents.heuristic.scenario.RandomScenario;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.auction.AuctionScheduler;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.gnn.cluster.ClusterEncoder;

/** Decisions for a live cluster, which are those of a simulation. */
class LiveReplayTest {
    private static final int SEEDS = 3;
    private static final long CHECKPOINT_NANOS = 600_000_000_000L;

    private static RecordedRun.World world(long seed, boolean hasOutages) {
        RandomScenario scenario = RandomScenario.of(seed);
        Simulator.Options options = new Simulator.Options(30_000_000_000L, true);
        return new RecordedRun.World(
                scenario.topology(),
                scenario.workload(),
                () -> new RingPerformance(scenario.topology(), AnalyticInterference.DEFAULT),
                () -> RuntimePredictor.lognormal(scenario.workload(), 0.5, seed),
                hasOutages ? options.with(new Outages.Exponential(5, 50, 0.2, seed), CHECKPOINT_NANOS) : options);
    }

    private static RecordedRun replays(RecordedRun.World world, Supplier<Scheduler> schedulers) {
        String simulated = world.simulator(null).run(schedulers.get()).eventLogSha256();
        RecordedRun run = new RecordedRun(world, schedulers);
        run.play();

        assertThat(run.simulated()).isEqualTo(simulated);
        assertThat(run.live.eventLog().sha256()).isEqualTo(simulated);
        assertThat(run.scheduler.renewals()).isZero();
        return run;
    }

    @ParameterizedTest
    @MethodSource("org.trainyard.agents.heuristic.scenario.RegisteredSchedulers#names")
    void every_scheduler_gives_a_live_cluster_the_event_log_of_its_simulation(String name) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            long root = seed;
            RecordedRun.World world = world(seed, seed > 1);
            replays(
                    world,
                    () -> SchedulerRegistry.named(name).create(world.topology(), AnalyticInterference.DEFAULT, root));
        }
    }

    @Test
    void so_do_agents_that_bid_by_a_network_with_preemption() {
        long failures = 0;
        long preemptions = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            RecordedRun.World world = world(seed, seed > 1);
            Topology topology = world.topology();
            Deployment deployment = new Deployment(topology, Domains.racks(topology), true, LearnedWorlds.BELIEF);
            BidNetwork network = InitialBids.patient(8, 2, RandomStreams.stream(seed, "network"));
            RandomGenerator noise = RandomStreams.stream(seed, "noise");
            for (int w = 0; w < network.weights().length; w++) {
                network.weights()[w] += (float) (0.5 * noise.nextGaussian());
            }
            BidEncoder encoder = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 6, 2, seed);
            BidNetwork wider = InitialBids.withInputs(network, encoder.inputs(), RandomStreams.stream(seed, "wider"));
            RecordedRun plain = replays(world, () -> new AuctionScheduler(policy(network, null), deployment));
            RecordedRun encoded = replays(world, () -> new AuctionScheduler(policy(wider, encoder), deployment));
            failures += plain.failures();
            preemptions += plain.preemptions() + encoded.preemptions();
        }
        assertThat(failures).isPositive();
        assertThat(preemptions).isPositive();
    }

    private static BidPolicy policy(BidNetwork network, @Nullable BidEncoder encoder) {
        return new BidPolicy(network, encoder, RemainingTime.GITTINS, 6, 4, 2, true);
    }
}
