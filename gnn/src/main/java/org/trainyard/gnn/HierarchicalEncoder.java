package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.index.NDIndex;
import org.trainyard.env.gym.ObservationSpec;

/**
 * A graph network in two levels: GPUs inside servers, then servers, switches and the spine.
 *
 * <p>After T. Zhao, C. Wu: Multi-agent graph reinforcement learning for machine learning cluster scheduling (arXiv 2112.13354,
 * 2021). Deviations: 1. sockets and PCIe switches are features of GPUs, not nodes; 2. other domains are one node each, from their
 * published summaries; 3. residual sums and layer norm at level 2.
 */
public final class HierarchicalEncoder extends GraphEncoder {
    private static final NDIndex OWN = new NDIndex("..., 1:2");

    private final ServerEncoder serverEncoder;
    private final JobEncoder jobEncoder;
    private final Dense switchIn;
    private final Dense spineIn;
    private final FabricRound[] rounds;
    private final Dense context;

    /** @param rounds of messages at level 2, 0 or more */
    public HierarchicalEncoder(Parameters parameters, int hidden, int rounds) {
        super(hidden);
        if (rounds < 0) {
            throw new IllegalArgumentException("rounds (%d) must not be negative".formatted(rounds));
        }
        serverEncoder = new ServerEncoder(parameters, hidden);
        jobEncoder = new JobEncoder(parameters, hidden);
        switchIn = Dense.of(parameters, "switch.in", ObservationSpec.DOMAIN, hidden);
        spineIn = Dense.of(parameters, "spine.in", ObservationSpec.GLOBAL, hidden);
        this.rounds = new FabricRound[rounds];
        for (int i = 0; i < rounds; i++) {
            this.rounds[i] = new FabricRound(parameters, "round" + i, hidden);
        }
        context = Dense.of(parameters, "context", 4 * hidden + ObservationSpec.GLOBAL, hidden);
    }

    @Override
    public Embeddings encode(Sections rows) {
        FabricRound.Exists exists = new FabricRound.Exists(
                Tensors.exists(rows.servers()),
                Tensors.exists(rows.domains()),
                rows.domains().get(OWN));
        FabricRound.Nodes nodes = new FabricRound.Nodes(
                serverEncoder.encode(rows.gpus(), rows.servers()),
                switchIn.applyRelu(rows.domains()).mul(exists.switches()),
                spineIn.applyRelu(rows.global()));
        for (FabricRound round : rounds) {
            nodes = round.pass(nodes, exists);
        }
        NDArray own = nodes.switches().mul(exists.own()).sum(new int[] {1}, true);
        NDArray jobs = jobEncoder.encode(rows.jobs());
        NDArray queue = Tensors.meanAndMax(jobs, Tensors.exists(rows.jobs()), 1);
        return new Embeddings(
                nodes.servers(),
                nodes.switches(),
                jobs,
                jobEncoder.encode(rows.focus()),
                context.applyRelu(Tensors.beside(own, nodes.spine(), queue, rows.global())));
    }
}
