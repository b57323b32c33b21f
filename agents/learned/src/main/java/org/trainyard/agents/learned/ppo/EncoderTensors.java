package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidRacks;
import org.trainyard.env.gym.auction.BidServers;
import org.trainyard.env.gym.auction.NodeColumn;
import org.trainyard.gnn.Parameters;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.cluster.ClusterTree;
import org.trainyard.gnn.cluster.LinkMatrix;

/**
 * The encoder of the data centre in tensors: the further inputs of
 * {@link org.trainyard.agents.learned.auction.BidInputs} for the bids of many auctions at once, with gradients.
 * Auctions in data centres of one tree, such as those of agents with equal domains, are encoded together.
 */
final class EncoderTensors {
    private static final int COLUMNS = NodeColumn.COUNT;

    private final ClusterEncoder encoder;
    private final int hidden;
    private final @Nullable SetTensors sets;
    /** By data centres of a tree, the rows of their nodes. */
    private final List<TensorBuffer> rows = new ArrayList<>();

    private final SparseRows ofServers = new SparseRows();
    private final SparseRows ofRacks = new SparseRows();
    private final SparseRows ofCores = new SparseRows();
    private final SparseRows taken = new SparseRows();
    private final SparseRows left = new SparseRows();

    /**
     * Creates the weights.
     *
     * @param ofSets those of the level inside servers
     */
    EncoderTensors(Parameters parameters, BidEncoder encoder, Parameters ofSets) {
        this.encoder = encoder.layers(parameters);
        hidden = encoder.settings().hidden();
        sets = encoder.inside() == null ? null : new SetTensors(ofSets, encoder.inside());
    }

    /** The auctions of a chunk in data centres of one tree. */
    private static final class Centres {
        final ClusterTree tree;
        final List<Integer> auctions = new ArrayList<>();
        final SparseRows inside = new SparseRows();
        final BidRacks racks;
        /** The number of the embedding of the first node of the first data centre among all. */
        int base;

        Centres(ClusterTree tree) {
            this.tree = tree;
            racks = new BidRacks(tree);
        }

        int state(int node, int centre) {
            return base + node * auctions.size() + centre;
        }
    }

    /** The further inputs of the bids of some auctions, {@code [bids, inputs]}. */
    NDArray further(Auctions auctions, int from, Minibatch batch, NDManager scope) {
        Map<ClusterTree, Centres> byTree = new LinkedHashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            ClusterTree tree = auctions.record(from + i).nodes.tree(auctions.auction(from + i));
            byTree.computeIfAbsent(tree, Centres::new).auctions.add(i);
        }
        List.of(ofServers, ofRacks, ofCores, taken, left).forEach(SparseRows::clear);
        if (sets != null) {
            sets.begin();
        }
        int base = 0;
        int number = 0;
        for (Centres centres : byTree.values()) {
            centres.base = base;
            base += centres.tree.nodes() * centres.auctions.size();
            if (number == rows.size()) {
                rows.add(new TensorBuffer());
            }
            stage(auctions, from, batch, centres, rows.get(number++));
        }
        NDArray embeddings = sets == null ? null : sets.embeddings(scope);
        NDList states = new NDList();
        number = 0;
        for (Centres centres : byTree.values()) {
            states.add(encode(centres, rows.get(number++), embeddings, scope));
        }
        NDArray all = states.size() == 1 ? states.get(0) : NDArrays.concat(states, 0);
        NDList inputs = new NDList();
        for (SparseRows each : List.of(ofServers, ofRacks, ofCores)) {
            inputs.add(each.of(all, batch.bids(), scope));
        }
        if (embeddings != null) {
            inputs.add(taken.of(embeddings, batch.bids(), scope));
            inputs.add(left.of(embeddings, batch.bids(), scope));
        }
        return NDArrays.concat(inputs, 1);
    }

    /** The embeddings of the nodes of data centres of one tree, {@code [nodes x data centres, hidden]}. */
    private NDArray encode(Centres centres, TensorBuffer of, @Nullable NDArray embeddings, NDManager scope) {
        int count = centres.auctions.size();
        int servers = centres.tree.servers();
        NDArray insides = embeddings == null
                ? null
                : centres.inside.of(embeddings, servers * count, scope).reshape(servers, count, -1);
        NDArray columns = of.tensor(new Shape(centres.tree.nodes(), count, COLUMNS), scope);
        return encoder.encode(columns, insides, centres.tree).reshape(-1, hidden);
    }

    private void stage(Auctions auctions, int from, Minibatch batch, Centres centres, TensorBuffer into) {
        int count = centres.auctions.size();
        into.begin(centres.tree.nodes() * count * COLUMNS);
        for (int centre = 0; centre < count; centre++) {
            int i = centres.auctions.get(centre);
            EpisodeRecord record = auctions.record(from + i);
            int auction = auctions.auction(from + i);
            for (int node = 0; node < centres.tree.nodes(); node++) {
                int row = record.nodes.row(auction, node);
                into.put((node * count + centre) * COLUMNS, record.nodes.values(), row * COLUMNS, COLUMNS);
                if (sets != null && node < centres.tree.servers()) {
                    int set = sets.number(record.nodes.links(auction, node), record.nodes.free(row));
                    centres.inside.add(node * count + centre, set, 1);
                }
            }
            pool(record, auction, i, batch, centres, centre);
        }
    }

    /** Says for each bid of an auction of which states it has the means. */
    private void pool(EpisodeRecord record, int auction, int i, Minibatch batch, Centres centres, int centre) {
        BidServers servers = record.servers;
        int legal = record.firstBid[auction] + record.firstLegal[auction];
        int end = record.firstBid[auction] + record.bids[auction];
        for (int bid = legal; bid < end; bid++) {
            int place = batch.place(i, bid - legal);
            int first = servers.first(bid);
            int last = servers.end(bid);
            float share = 1f / (last - first);
            for (int s = first; s < last; s++) {
                int server = servers.server(s);
                ofServers.add(place, centres.state(server, centre), share);
                if (sets != null) {
                    LinkMatrix links = record.nodes.links(auction, server);
                    taken.add(place, sets.number(links, servers.taken(s)), share);
                    left.add(place, sets.number(links, servers.left(s)), share);
                }
            }
            int racks = centres.racks.list(servers, bid);
            for (int rack = 0; rack < racks; rack++) {
                ofRacks.add(place, centres.state(centres.racks.node(rack), centre), 1f / racks);
            }
            ofCores.add(place, centres.state(centres.tree.nodes() - 1, centre), 1);
        }
    }
}
