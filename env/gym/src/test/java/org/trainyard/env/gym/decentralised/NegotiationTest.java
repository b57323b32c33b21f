package org.trainyard.env.gym.decentralised;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.Offer;
import org.trainyard.env.gym.auction.RemainingTime;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.Workload;

/**
 * Agents of one server each, on each of which a job holds two of four GPUs; it leaves the next job alone on one only.
 */
class NegotiationTest {
    private static final int QUIET = 2;

    private static ModelProfile model(String name, double pressure) {
        Pressure on = new Pressure(pressure, pressure, pressure);
        return new ModelProfile(name, 0.1, 0, 1L << 30, on, new Pressure(1, 1, 1));
    }

    private static Workload workload(int servers, boolean isAnotherWaiting) {
        List<JobSpec> specs = new ArrayList<>();
        for (int job = 0; job < servers; job++) {
            specs.add(new JobSpec(job, "job" + job, 0, 2, job == QUIET ? model("quiet", 0) : model("loud", 0.9), 10));
        }
        long later = 1_000_000_000L;
        specs.add(new JobSpec(servers, "next", later, 2, model("next", 0.1), 10));
        if (isAnotherWaiting) {
            specs.add(new JobSpec(servers + 1, "wide", later, 4, model("wide", 0.1), 10));
        }
        double[] iterations = new double[specs.size()];
        Arrays.fill(iterations, 36_000);
        return new Workload(specs, iterations);
    }

    /** Each agent starts the job of its number; then all bid for the next, the last one at the highest price. */
    private static Bidder bidder(int agent, int servers) {
        return (auction, firstLegal) -> {
            for (int bid = firstLegal; bid < auction.size(); bid++) {
                boolean isWanted = auction.job(bid) == agent || auction.job(bid) == servers;
                if (auction.kind(bid) == BidKind.START && isWanted) {
                    return new Offer(bid, agent);
                }
            }
            return new Offer(firstLegal, -1);
        };
    }

    @ParameterizedTest
    @CsvSource({
        // Five agents bid for the only waiting job and an auction keeps four sets: the quiet server has it.
        "5, false, 2",
        // As many agents as kept sets: the highest price has it.
        "4, false, 3",
        // Another job waits: the highest price has it.
        "5, true, 4"
    })
    void a_job_alone_goes_to_the_cheapest_set_of_many_agents_and_else_to_the_highest_price(
            int servers, boolean isAnotherWaiting, int expected) {
        Topology topology = Objects.requireNonNull(Topologies.parse(servers + "x4"));
        Simulator simulator = new World(topology, new RatedPerformance(), new Simulator.Options(0, true))
                .simulator(workload(servers, isAnotherWaiting));
        List<DecentralisedAgents> agents = new ArrayList<>();
        DecisionQueue decided = new DecisionQueue();
        int[] made = {0};
        List<Integer> taken = new ArrayList<>();

        simulator.run(view -> {
            if (agents.isEmpty()) {
                agents.add(new DecentralisedAgents(
                        view,
                        topology,
                        Domains.even(topology, servers),
                        new DecentralisedSettings(0, false, Arrival.HASH, 0),
                        new AuctionSettings(RemainingTime.GITTINS, 6, 4, 0, false, false),
                        () -> AnalyticInterference.DEFAULT,
                        auctioneer -> bidder(made[0]++, servers),
                        DecentralisedAgents.Workers.SEQUENTIAL));
            }
            Decision decision = agents.get(0).next(decided);
            if (decision instanceof Decision.Start start && start.job() == servers) {
                taken.add(start.placement().server(0));
            }
            return decision;
        });

        assertThat(taken).containsExactly(expected);
    }
}
