package org.trainyard.experiments.export;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.AuctionScheduler;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.export.AuctionArrays;
import org.trainyard.agents.learned.export.BidGraph;
import org.trainyard.agents.learned.export.Choice;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.auction.ClusterGraph;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.gnn.onnx.OnnxGraph;

/**
 * A trained policy that is written as an ONNX graph and recorded while it plays in Java: a decision is one auction, a
 * choice one bid.
 */
final class ExportedBids {
    private final BidPolicy policy;

    ExportedBids(BidPolicy policy) {
        this.policy = policy;
    }

    /** Title of its card. */
    String title() {
        return "agents that bid for sets of servers in an auction; a network scores the bids";
    }

    /** The options of one decision. */
    String choices() {
        return "bids";
    }

    /** The whole policy. */
    OnnxGraph graph() {
        return BidGraph.of(policy);
    }

    /** The meaning of every input, by name. */
    Map<String, InputMeaning> inputs() {
        Map<String, InputMeaning> inputs = new LinkedHashMap<>();
        inputs.put(
                BidGraph.COLUMNS,
                InputMeaning.of(
                        "A row for every bid of one auction; bid 0 is to wait. Columns without meaning for a kind of bid are 0.",
                        BidColumn.values(),
                        BidColumn.schema()));
        inputs.put(
                BidGraph.KIND,
                InputMeaning.ofNames(
                        "The kind of every bid.",
                        Arrays.stream(BidKind.values()).map(BidKind::name).toList()));
        inputs.put(
                BidGraph.MASK,
                InputMeaning.of("Whether a bid is legal; waiting is not on an idle cluster on which a job can start."));
        if (policy.encoder() != null) {
            inputs.put(
                    BidGraph.NODES,
                    InputMeaning.of(
                            "A row for every node of the data centre: servers, then racks, then one for the core. Columns without meaning for a kind of node are 0.",
                            NodeColumn.values(),
                            NodeColumn.schema()));
            inputs.put(BidGraph.RACK_OF, InputMeaning.of("The rack of every server, from 0 on; no rack is empty."));
            inputs.put(
                    BidGraph.BID_OF,
                    InputMeaning.of(
                            "The bid of every pair of a bid and a server: a server of the set that the bid would take, or of the jobs that it would move."));
            inputs.put(BidGraph.SERVER_OF, InputMeaning.of("The server of every such pair."));
            if (policy.encoder().inside() != null) {
                addSets(inputs);
            }
        }
        return inputs;
    }

    /** Adds the inputs of sets in the order in which the graph declares them. */
    private static void addSets(Map<String, InputMeaning> inputs) {
        inputs.put(
                BidGraph.LINKS,
                InputMeaning.of(
                        "Of every different interior of a server, for every pair of GPUs: whether NVLink joins the two (1 or 0), then ln(1 + GB/s) / 6 of NVLink and of PCIe between them; 0 for a GPU and itself and beyond the last GPU."));
        inputs.put(BidGraph.SET_INTERIOR, InputMeaning.of("The interior of every different set of GPUs."));
        inputs.put(
                BidGraph.SET_GPUS,
                InputMeaning.of("The GPUs of every different set, 1 or 0 for each; set 0 has none."));
        inputs.put(BidGraph.FREE_SET, InputMeaning.of("By server, the set of its free GPUs."));
        inputs.put(
                BidGraph.TAKEN_SET,
                InputMeaning.of(
                        "By pair of a bid and a server, the set of GPUs that the bid takes there; of a bid to make room, those among which its job then chooses."));
        inputs.put(BidGraph.LEFT_SET, InputMeaning.of("By such pair, the set that would still be free there."));
    }

    /** The meaning of every output, by name. */
    Map<String, String> outputs() {
        Map<String, String> outputs = new LinkedHashMap<>();
        outputs.put(Choice.SCORES, "The score of every bid, legal or not.");
        outputs.put(
                Choice.LOG_PROBABILITIES,
                "Natural logarithm of the softmax of the scores of legal bids; about -1e9 for illegal ones.");
        outputs.put(Choice.BEST, "The legal bid of the highest score, the first of equals.");
        return outputs;
    }

    /** The meaning of every axis whose size varies, by name. */
    Map<String, String> axes() {
        Map<String, String> axes = new LinkedHashMap<>();
        axes.put("bids", "Bids of one auction, at least 1.");
        if (policy.encoder() != null) {
            axes.put("servers", "Servers of the data centre.");
            axes.put("nodes", "Servers, racks and the core.");
            axes.put("pairs", "Pairs of a bid and one of its servers; may be 0.");
            if (policy.encoder().inside() != null) {
                axes.put("interiors", "Different interiors of servers.");
                axes.put("gpus", "GPUs of the widest server, at least 8.");
                axes.put("sets", "Different sets of GPUs, at least 1.");
            }
        }
        return axes;
    }

    /** The output whose values decisions in Java record. */
    String comparedOutput() {
        return Choice.SCORES;
    }

    /** The policy in Java as a scheduler for one run, which tells of its decisions. */
    Scheduler scheduler(Deployment deployment, Consumer<Supplier<RecordedDecision>> listener) {
        return new AuctionScheduler(
                policy,
                deployment,
                (auction, graph, mayWait, scores, best) ->
                        listener.accept(() -> recorded(auction, graph, mayWait, scores, best)));
    }

    private RecordedDecision recorded(
            Auction auction, @Nullable ClusterGraph graph, boolean mayWait, float[] scores, int best) {
        double[] copy = new double[auction.size()];
        Arrays.setAll(copy, bid -> scores[bid]);
        boolean[] legal = new boolean[auction.size()];
        Arrays.fill(legal, true);
        legal[0] = mayWait;
        return new RecordedDecision(AuctionArrays.of(auction, policy.encoder(), graph, mayWait), copy, legal, best);
    }
}
