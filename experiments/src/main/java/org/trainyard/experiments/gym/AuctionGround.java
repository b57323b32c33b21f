package org.trainyard.experiments.gym;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.BiddingEnv;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.gym.GymArray.Dimension;
import org.trainyard.experiments.gym.GymArray.ElementType;
import org.trainyard.experiments.run.Experiment;

/** The ground of one player who chooses the winning bid of every auction that has a choice; see {@link BiddingEnv}. */
final class AuctionGround implements GymGround<AuctionGround.Play> {
    private final Experiment experiment;
    private final Deployment deployment;
    private final AuctionSettings settings;
    private final GymHello hello;
    private final int mostBids;

    /** @throws InputException when the experiment has no reward */
    AuctionGround(Experiment experiment, GymHello hello) {
        if (experiment.config().environment().reward() == null) {
            throw new InputException("environment.reward: is null: expected a reward, for the gym pays it");
        }
        this.experiment = experiment;
        this.hello = hello;
        deployment = experiment.deployment();
        settings = hello.auctions(experiment.config(), deployment.preemption());
        int bound = settings.mostBids(deployment.topology());
        mostBids = hello.maxBids() == null ? bound : Math.min(bound, hello.maxBids());
    }

    @Override
    public Play game() {
        return new Play();
    }

    @Override
    public int agents() {
        return 1;
    }

    @Override
    public List<GymArray<Play>> observation() {
        List<GymArray<Play>> arrays = new ArrayList<>();
        arrays.add(GymGround.one(
                "bid_counts",
                ElementType.INT32,
                (slot, out) -> out.putInt(slot.game().bids())));
        if (hello.graph()) {
            arrays.add(GymGround.one(
                    "pair_counts",
                    ElementType.INT32,
                    (slot, out) -> out.putInt(slot.game().pairs())));
        }
        arrays.add(new GymArray<>(
                "columns",
                ElementType.FLOAT32,
                Dimension.BIDS,
                List.of(BidColumn.COUNT),
                (slot, out) -> slot.game().columns(out)));
        if (hello.graph()) {
            int nodes = nodes(deployment.topology());
            arrays.add(new GymArray<>(
                    "nodes",
                    ElementType.FLOAT32,
                    Dimension.BATCH,
                    List.of(nodes, NodeColumn.COUNT),
                    (slot, out) -> slot.game().nodes(out, nodes)));
            arrays.add(new GymArray<>(
                    "bid_of",
                    ElementType.INT32,
                    Dimension.PAIRS,
                    List.of(),
                    (slot, out) -> slot.game().bidOf(out)));
            arrays.add(new GymArray<>(
                    "server_of",
                    ElementType.INT32,
                    Dimension.PAIRS,
                    List.of(),
                    (slot, out) -> slot.game().serverOf(out)));
        }
        arrays.add(new GymArray<>(
                "kinds",
                ElementType.UINT8,
                Dimension.BIDS,
                List.of(),
                (slot, out) -> slot.game().kinds(out)));
        arrays.add(new GymArray<>(
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

    @Override
    public void describe(ObjectNode into) {
        Topology topology = deployment.topology();
        into.put("max_bids", mostBids).put("most_bids", settings.mostBids(topology));
        into.put("column_hash", BidColumn.schema().hash());
        into.set("columns", GymGround.names(BidColumn.values()));
        into.set("kinds", GymGround.names(BidKind.values()));
        into.putObject("auction")
                .put("order", settings.order().title())
                .put("jobs", settings.jobs())
                .put("sets", settings.sets())
                .put("moves", settings.moves())
                .put("preemption", settings.preemption())
                .put("patience", settings.patience());
        into.put("servers", topology.servers()).put("racks", topology.racks()).put("nodes", nodes(topology));
        if (hello.graph()) {
            into.put("node_column_hash", NodeColumn.schema().hash());
            into.set("node_columns", GymGround.names(NodeColumn.values()));
            ArrayNode rackOf = into.putArray("rack_of");
            for (int server = 0; server < topology.servers(); server++) {
                rackOf.add(topology.rackOf(server));
            }
        }
    }

    /** The player's side of one environment. */
    final class Play implements GymGame {
        private final BiddingEnv game = new BiddingEnv(experiment.reward(), hello.discountHours());
        private @Nullable ClusterGraph graph;
        private @Nullable Simulator simulator;
        private boolean wasIllegal;

        @Override
        public void begin(Workload workload) {
            Simulator fresh = experiment.simulator(workload);
            Auctioneer auctioneer =
                    new Auctioneer(fresh.view(), settings, deployment.domains(), deployment.beliefOfRun());
            simulator = fresh;
            graph = hello.graph() ? auctioneer.graph() : null;
            wasIllegal = false;
            game.reset(fresh, auctioneer, null);
        }

        @Override
        public void play(int[] actions, int from) {
            int bid = actions[from];
            wasIllegal = bid >= mostBids || !game.isLegal(bid);
            if (!wasIllegal) {
                game.step(bid);
            }
        }

        @Override
        public boolean isOver() {
            return game.isOver();
        }

        @Override
        public Simulator simulator() {
            if (simulator == null) {
                throw new IllegalStateException("no episode has begun");
            }
            return simulator;
        }

        @Override
        public double reward(int agent) {
            return wasIllegal ? -hello.illegalPenalty() : 0 - game.cost();
        }

        @Override
        public double discount() {
            return wasIllegal ? 1 : game.discount();
        }

        @Override
        public double elapsedHours() {
            return wasIllegal ? 0 : game.elapsedHours();
        }

        @Override
        public boolean wasIllegal() {
            return wasIllegal;
        }

        @Override
        public int count(Dimension dimension) {
            return switch (dimension) {
                case BATCH -> 1;
                case BIDS -> bids();
                case PAIRS -> pairs();
            };
        }

        private int bids() {
            return simulator == null || game.isOver()
                    ? 0
                    : Math.min(mostBids, game.auction().size());
        }

        private int pairs() {
            return graph == null || bids() == 0 ? 0 : game.auction().servers().end(bids() - 1);
        }

        private void columns(ByteBuffer out) {
            if (bids() > 0) {
                GymArray.put(out, game.auction().columns(), 0, bids() * BidColumn.COUNT);
            }
        }

        private void kinds(ByteBuffer out) {
            for (int bid = 0; bid < bids(); bid++) {
                out.put((byte) game.auction().kind(bid).index());
            }
        }

        private void mask(ByteBuffer out) {
            for (int bid = 0; bid < bids(); bid++) {
                out.put((byte) (game.isLegal(bid) ? 1 : 0));
            }
        }

        private void nodes(ByteBuffer out, int nodes) {
            if (graph == null || bids() == 0) {
                GymArray.put(out, new float[nodes * NodeColumn.COUNT], 0, nodes * NodeColumn.COUNT);
            } else {
                GymArray.put(out, graph.rows(), 0, nodes * NodeColumn.COUNT);
            }
        }

        private void bidOf(ByteBuffer out) {
            if (pairs() > 0) {
                BidServers servers = game.auction().servers();
                for (int bid = 0; bid < bids(); bid++) {
                    for (int i = servers.first(bid); i < servers.end(bid); i++) {
                        out.putInt(bid);
                    }
                }
            }
        }

        private void serverOf(ByteBuffer out) {
            int pairs = pairs();
            for (int i = 0; i < pairs; i++) {
                out.putInt(game.auction().servers().server(i));
            }
        }
    }
}
