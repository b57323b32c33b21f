package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * The two-level graph network: message passing inside every server, then up and down the links between servers,
 * switches, the agent's domain and one node for each other domain.
 *
 * <p>Two levels as in published multi-agent schedulers with hierarchical graph networks; every layer is our own
 * design: (1) there are no biases inside rounds, the "exists" columns take their place, so that padding stays zero;
 * (2) level 2 has residual connections and layer normalisation; (3) the fabric is the tree of its bundles of
 * parallel links, see {@code Links}.
 */
public final class HierarchicalEncoder extends GraphEncoder {
    /** Split points around the column of a domain that marks the agent's own. */
    private static final long[] OWN = {1, 2};

    private final DeduplicatingServerEncoder servers;
    private final JobEncoder jobEncoder;
    private final LinearLayer domainIn;
    private final LinearLayer switchIn;
    private final LinearLayer coreIn;
    private final FabricRound[] rounds;
    private final LinearLayer context;

    /** @param rounds rounds of message passing between servers and switches */
    public HierarchicalEncoder(Parameters parameters, int hidden, int rounds) {
        super(hidden);
        if (rounds < 0) {
            throw new IllegalArgumentException("rounds (%d) must not be negative".formatted(rounds));
        }
        servers = new DeduplicatingServerEncoder(new ServerEncoder(parameters, hidden), hidden);
        jobEncoder = new JobEncoder(parameters, hidden);
        domainIn = LinearLayer.withoutBias(parameters, "domain.in", ObservationSpace.DOMAIN, hidden);
        switchIn = LinearLayer.withoutBias(parameters, "hub.in", ObservationSpace.LINK, hidden);
        coreIn = LinearLayer.of(parameters, "core.in", ObservationSpace.GLOBAL, hidden);
        this.rounds = new FabricRound[rounds];
        for (int i = 0; i < rounds; i++) {
            this.rounds[i] = new FabricRound(parameters, "round" + i, hidden);
        }
        context = LinearLayer.of(parameters, "context", 5 * hidden + ObservationSpace.GLOBAL, hidden);
    }

    @Override
    public void cacheEmbeddings(boolean isOn) {
        servers.cacheEmbeddings(isOn);
    }

    @Override
    public Embeddings encode(Sections rows) {
        FabricGraph graph = FabricGraph.of(rows);
        NDArray nodes = initialNodes(rows, graph);
        for (FabricRound round : rounds) {
            nodes = round.pass(nodes, graph);
        }
        nodes = nodes.reshape(graph.count(), graph.children() + 1, -1);
        NDArray serversExist = Tensors.exists(rows.servers());
        long count = rows.servers().getShape().get(1);
        NDList parts = nodes.split(new long[] {count, graph.ends(), graph.children()}, 1);
        NDArray own = rows.domains().split(OWN, 2).get(1).transpose(0, 2, 1).batchMatMul(parts.get(1));
        JobEncoder.Tokens tokens = jobEncoder.encode(rows.jobs(), rows.focus());
        return new Embeddings(
                parts.get(0),
                parts.get(1),
                tokens.jobs(),
                tokens.focus(),
                context.applyRelu(Tensors.beside(
                        own,
                        parts.get(3),
                        Tensors.mean(parts.get(0), serversExist, 1),
                        tokens.queue(),
                        rows.global())));
    }

    private NDArray initialNodes(Sections rows, FabricGraph graph) {
        long batch = rows.servers().getShape().get(0);
        NDArray switches = rows.links().split(new long[] {graph.ends()}, 1).get(1);
        NDArray columns = rows.serverColumns();
        NDArray first =
                servers.encode(columns, rows.sockets(), rows.gpusPerSocket()).reshape(batch, -1, hidden());
        return first.getNDArrayInternal()
                .concat(
                        new NDList(
                                domainIn.applyRelu(rows.domains()),
                                switchIn.applyRelu(switches),
                                coreIn.applyRelu(rows.global())),
                        1)
                .reshape(-1, hidden());
    }

    @Override
    public EmbeddingValues export(SectionValues rows) {
        FabricValues graph = FabricValues.of(rows);
        OnnxValue nodes = servers.export(rows)
                .concat(
                        1,
                        domainIn.export(rows.domains()).relu(),
                        switchIn.export(rows.links().from(1, graph.ends())).relu(),
                        coreIn.export(rows.global()).relu());
        for (FabricRound round : rounds) {
            nodes = round.export(nodes, graph);
        }
        OnnxValue count = rows.servers().size(1);
        OnnxValue ofServers = nodes.slice(1, nodes.graph().list(0), count);
        OnnxValue ofDomains = nodes.slice(1, count, graph.ends());
        OnnxValue own = rows.domains().slice(2, 1, 2).times(ofDomains).sum(1);
        JobEncoder.TokenValues tokens = jobEncoder.export(rows.jobs(), rows.focus());
        OnnxValue mean = SectionValues.mean(ofServers, SectionValues.exists(rows.servers()), 1);
        OnnxValue core = nodes.from(1, graph.children());
        return new EmbeddingValues(
                ofServers,
                ofDomains,
                tokens.jobs(),
                tokens.focus(),
                context.export(own.concat(-1, core, mean, tokens.queue(), rows.global()))
                        .relu());
    }
}
