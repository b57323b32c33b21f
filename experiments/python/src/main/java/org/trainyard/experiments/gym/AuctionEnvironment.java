package org.trainyard.experiments.gym;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.ClusterEnv;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.gym.GymArray.Dimension;
import org.trainyard.experiments.gym.GymArray.ElementType;
import org.trainyard.experiments.run.Experiment;

/**
 * The environment of bids: one player chooses the winning bid of every auction that has a choice, or each agent offers
 * one of its own; see {@link ClusterEnv}.
 */
final class AuctionEnvironment {
    private final Experiment experiment;
    private final Deployment deployment;
    private final AuctionSettings settings;
    private final GymHandshake hello;
    private final int mostBids;

    AuctionEnvironment(Experiment experiment, GymHandshake hello) {
        this.experiment = experiment;
        this.hello = hello;
        deployment = experiment.deployment();
        if (deployment.apart() != null) {
            throw InputException.at(
                    "environment.view.others",
                    "summary",
                    "servers: a player of this environment sees the whole cluster");
        }
        settings = hello.auctions(experiment.config(), deployment.preemption());
        int bound = settings.mostBids(deployment.topology());
        mostBids = hello.maxBids() == null ? bound : Math.min(bound, hello.maxBids());
    }

    /** An episode at its start. */
    record Episode(Simulator simulator, Auctioneer auctioneer) {}

    /** A new environment without an episode. */
    AuctionEpisode game() {
        return new AuctionEpisode(this, hello);
    }

    /** A new environment without an episode. */
    ClusterEnv env() {
        return new ClusterEnv(
                experiment.reward(),
                orEndless(hello.discountHours()),
                orEndless(hello.horizonHours()),
                hello.makesOffers() ? deployment.domains() : null);
    }

    private static double orEndless(@Nullable Double hours) {
        return hours == null ? Double.POSITIVE_INFINITY : hours;
    }

    Episode episode(Workload workload) {
        Simulator simulator = experiment.world().simulator(workload);
        return new Episode(
                simulator,
                new Auctioneer(
                        simulator.view(),
                        deployment.topology(),
                        settings,
                        deployment.domains(),
                        deployment.beliefOfRun()));
    }

    /** Bids that are shown at most. */
    int mostBids() {
        return mostBids;
    }

    /** Agents, each of which gives an action in every step. */
    int agents() {
        return hello.makesOffers() ? deployment.domains().count() : 1;
    }

    /** Integers of an agent's action. */
    int actionSize() {
        return hello.makesOffers() ? AuctionEpisode.OFFER_SIZE : 1;
    }

    /** All arrays of an answer: how the call ended, and then the observation. */
    List<GymArray> arrays() {
        int agents = agents();
        List<Integer> perAgent = agents == 1 ? List.of() : List.of(agents);
        List<GymArray> arrays = new ArrayList<>();
        arrays.add(new GymArray("rewards", ElementType.FLOAT64, Dimension.BATCH, perAgent, (slot, out) -> {
            for (int agent = 0; agent < agents; agent++) {
                out.putDouble(slot.reward(agent));
            }
        }));
        arrays.add(new GymArray("first_rewards", ElementType.FLOAT64, Dimension.BATCH, perAgent, (slot, out) -> {
            for (int agent = 0; agent < agents; agent++) {
                out.putDouble(slot.firstReward(agent));
            }
        }));
        arrays.add(GymArray.one("discounts", ElementType.FLOAT64, (slot, out) -> out.putDouble(slot.discount())));
        arrays.add(
                GymArray.one("elapsed_hours", ElementType.FLOAT64, (slot, out) -> out.putDouble(slot.elapsedHours())));
        arrays.add(GymArray.one("waiting", ElementType.INT32, (slot, out) -> out.putInt(slot.waiting())));
        arrays.add(GymArray.one("running", ElementType.INT32, (slot, out) -> out.putInt(slot.running())));
        if (hello.endedJobs()) {
            arrays.addAll(ended());
        }
        arrays.add(GymArray.one(
                "mean_jct_seconds", ElementType.FLOAT64, (slot, out) -> out.putDouble(slot.meanJctSeconds())));
        arrays.add(GymArray.one("episodes", ElementType.INT64, (slot, out) -> out.putLong(slot.episode())));
        arrays.add(GymArray.one("flags", ElementType.INT32, (slot, out) -> out.putInt(slot.flags())));
        arrays.addAll(observation());
        return List.copyOf(arrays);
    }

    private static List<GymArray> ended() {
        return List.of(
                GymArray.one("ended_counts", ElementType.INT32, (slot, out) -> out.putInt(slot.count(Dimension.ENDED))),
                new GymArray(
                        "ended_jct_seconds",
                        ElementType.FLOAT64,
                        Dimension.ENDED,
                        List.of(),
                        (slot, out) -> slot.ended().jctSeconds(out)),
                new GymArray(
                        "ended_wait_seconds",
                        ElementType.FLOAT64,
                        Dimension.ENDED,
                        List.of(),
                        (slot, out) -> slot.ended().waitSeconds(out)));
    }

    private List<GymArray> observation() {
        List<GymArray> arrays = new ArrayList<>();
        arrays.add(GymArray.one(
                "bid_counts",
                ElementType.INT32,
                (slot, out) -> out.putInt(slot.game().bids())));
        if (hello.graph()) {
            arrays.add(GymArray.one(
                    "pair_counts",
                    ElementType.INT32,
                    (slot, out) -> out.putInt(slot.game().pairs())));
        }
        if (hello.makesOffers()) {
            arrays.add(GymArray.one(
                    "winners",
                    ElementType.INT32,
                    (slot, out) -> out.putInt(slot.game().winner())));
        }
        arrays.add(new GymArray(
                "columns",
                ElementType.FLOAT32,
                Dimension.BIDS,
                List.of(BidColumn.COUNT),
                (slot, out) -> slot.game().columns(out)));
        if (hello.graph()) {
            int nodes = nodes(deployment.topology());
            arrays.add(new GymArray(
                    "nodes",
                    ElementType.FLOAT32,
                    Dimension.BATCH,
                    List.of(nodes, NodeColumn.COUNT),
                    (slot, out) -> slot.game().nodes(out, nodes)));
            arrays.add(new GymArray(
                    "bid_of",
                    ElementType.INT32,
                    Dimension.PAIRS,
                    List.of(),
                    (slot, out) -> slot.game().bidOf(out)));
            arrays.add(new GymArray(
                    "server_of",
                    ElementType.INT32,
                    Dimension.PAIRS,
                    List.of(),
                    (slot, out) -> slot.game().serverOf(out)));
        }
        if (hello.makesOffers()) {
            arrays.add(new GymArray(
                    "owners",
                    ElementType.INT32,
                    Dimension.BIDS,
                    List.of(),
                    (slot, out) -> slot.game().owners(out)));
            arrays.add(new GymArray(
                    "illegal",
                    ElementType.UINT8,
                    Dimension.BATCH,
                    List.of(agents()),
                    (slot, out) -> slot.game().illegal(out)));
        }
        arrays.add(new GymArray(
                "kinds",
                ElementType.UINT8,
                Dimension.BIDS,
                List.of(),
                (slot, out) -> slot.game().kinds(out)));
        arrays.add(new GymArray(
                "mask",
                ElementType.UINT8,
                Dimension.BIDS,
                List.of(),
                (slot, out) -> slot.game().mask(out)));
        return arrays;
    }

    private static int nodes(Topology topology) {
        return topology.servers() + topology.racks() + 1;
    }

    /** Names, sizes and meanings for the handshake. */
    void describe(ObjectNode into) {
        Topology topology = deployment.topology();
        into.put("max_bids", mostBids).put("most_bids", settings.mostBids(topology));
        into.put("column_hash", BidColumn.schema().hash());
        into.set("columns", names(BidColumn.values()));
        into.set("kinds", names(BidKind.values()));
        into.putObject("auction")
                .put("order", settings.order().title())
                .put("jobs", settings.jobs())
                .put("sets", settings.sets())
                .put("moves", settings.moves())
                .put("preemption", settings.preemption())
                .put("patience", settings.patience());
        if (hello.makesOffers()) {
            ArrayNode first = into.putArray("first_servers");
            for (int domain = 0; domain < deployment.domains().count(); domain++) {
                first.add(deployment.domains().firstServer(domain));
            }
        }
        into.put("servers", topology.servers()).put("racks", topology.racks()).put("nodes", nodes(topology));
        if (hello.graph()) {
            into.put("node_column_hash", NodeColumn.schema().hash());
            into.set("node_columns", names(NodeColumn.values()));
            ArrayNode rackOf = into.putArray("rack_of");
            for (int server = 0; server < topology.servers(); server++) {
                rackOf.add(topology.rackOf(server));
            }
        }
    }

    /** The names of constants, in their order. */
    private static ArrayNode names(Enum<?>[] constants) {
        ArrayNode names = JsonNodeFactory.instance.arrayNode();
        for (Enum<?> constant : constants) {
            names.add(constant.name());
        }
        return names;
    }
}
