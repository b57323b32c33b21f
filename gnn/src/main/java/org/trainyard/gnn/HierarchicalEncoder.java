package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * The two-level graph network: messages inside every server, then up and down the links between servers, switches, the agent's
 * domain and the summaries of the others.
 *
 * <p>Two levels as in the multi-agent scheduler with hierarchical graph networks of which only the abstract was at hand (see the
 * specification, section 4); every layer is our own design, and numbered there as such. Deviations from the sketch in the
 * specification: (1) no biases inside rounds, the columns that say a thing is there stand in for them; (2) level 2 is residual and
 * normalised; (3) a data centre is the tree of its bundles of links, as {@code Links} sees it.
 */
public final class HierarchicalEncoder extends GraphEncoder {
    /** Around the column of a domain that says it is the agent's own. */
    private static final long[] OWN = {1, 2};

    private final DeduplicatingServerEncoder servers;
    private final JobEncoder jobEncoder;
    private final LinearLayer domainIn;
    private final LinearLayer hubIn;
    private final LinearLayer coreIn;
    private final FabricRound[] rounds;
    private final LinearLayer context;

    /** @param rounds of messages between servers and switches */
    public HierarchicalEncoder(Parameters parameters, int hidden, int rounds) {
        super(hidden);
        if (rounds < 0) {
            throw new IllegalArgumentException("rounds (%d) must not be negative".formatted(rounds));
        }
        servers = new DeduplicatingServerEncoder(new ServerEncoder(parameters, hidden), hidden);
        jobEncoder = new JobEncoder(parameters, hidden);
        domainIn = LinearLayer.withoutBias(parameters, "domain.in", ObservationSpace.DOMAIN, hidden);
        hubIn = LinearLayer.withoutBias(parameters, "hub.in", ObservationSpace.LINK, hidden);
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
        NDArray nodes = firstNodes(rows, graph);
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

    private NDArray firstNodes(Sections rows, FabricGraph graph) {
        long batch = rows.servers().getShape().get(0);
        NDArray hubs = rows.links().split(new long[] {graph.ends()}, 1).get(1);
        NDArray columns = rows.serverColumns();
        NDArray first =
                servers.encode(columns, rows.sockets(), rows.gpusPerSocket()).reshape(batch, -1, hidden());
        return first.getNDArrayInternal()
                .concat(
                        new NDList(
                                domainIn.applyRelu(rows.domains()),
                                hubIn.applyRelu(hubs),
                                coreIn.applyRelu(rows.global())),
                        1)
                .reshape(-1, hidden());
    }
}
