package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.nn.Activation;

/**
 * One round of messages at level 2: servers with their domain's switch, switches with the spine. Residual, then normalised.
 *
 * <p>All domains are nodes; the agent's own is its ToR switch, the only one whose servers can be heard.
 */
final class FabricRound {
    private final Dense serverSelf;
    private final Dense serverFromSwitch;
    private final Dense switchSelf;
    private final Dense switchFromServers;
    private final Dense switchFromSpine;
    private final Dense spineSelf;
    private final Dense spineFromSwitches;
    private final Norm serverNorm;
    private final Norm switchNorm;
    private final Norm spineNorm;

    FabricRound(Parameters parameters, String name, int hidden) {
        serverSelf = Dense.of(parameters, name + ".server.self", hidden, hidden, 1, 0);
        serverFromSwitch = Dense.withoutBias(parameters, name + ".server.switch", hidden, hidden);
        switchSelf = Dense.of(parameters, name + ".switch.self", hidden, hidden, 1, 0);
        switchFromServers = Dense.withoutBias(parameters, name + ".switch.servers", hidden, hidden);
        switchFromSpine = Dense.withoutBias(parameters, name + ".switch.spine", hidden, hidden);
        spineSelf = Dense.of(parameters, name + ".spine.self", hidden, hidden, 1, 0);
        spineFromSwitches = Dense.withoutBias(parameters, name + ".spine.switches", hidden, hidden);
        serverNorm = new Norm(parameters, name + ".server.norm", hidden);
        switchNorm = new Norm(parameters, name + ".switch.norm", hidden);
        spineNorm = new Norm(parameters, name + ".spine.norm", hidden);
    }

    /**
     * The nodes between rounds.
     *
     * @param servers N x S x H
     * @param switches N x D x H
     * @param spine N x 1 x H
     */
    record Nodes(NDArray servers, NDArray switches, NDArray spine) {}

    /**
     * Who is there.
     *
     * @param servers N x S x 1
     * @param switches N x D x 1
     * @param own N x D x 1, one at the agent's domain
     */
    record Exists(NDArray servers, NDArray switches, NDArray own) {}

    Nodes pass(Nodes nodes, Exists exists) {
        NDArray own = nodes.switches().mul(exists.own()).sum(new int[] {1}, true);
        NDArray servers = serverSelf.apply(nodes.servers()).add(serverFromSwitch.apply(own));
        NDArray fromServers = switchFromServers.apply(Tensors.mean(nodes.servers(), exists.servers(), 1));
        NDArray switches = switchSelf
                .apply(nodes.switches())
                .add(exists.own().mul(fromServers))
                .add(switchFromSpine.apply(nodes.spine()));
        NDArray spine = spineSelf
                .apply(nodes.spine())
                .add(spineFromSwitches.apply(Tensors.mean(nodes.switches(), exists.switches(), 1)));
        return new Nodes(
                next(serverNorm, nodes.servers(), servers).mul(exists.servers()),
                next(switchNorm, nodes.switches(), switches).mul(exists.switches()),
                next(spineNorm, nodes.spine(), spine));
    }

    private static NDArray next(Norm norm, NDArray before, NDArray heard) {
        return norm.apply(before.add(Activation.relu(heard)));
    }
}
