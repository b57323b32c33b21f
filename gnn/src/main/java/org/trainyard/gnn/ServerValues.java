package org.trainyard.gnn;

import org.trainyard.env.gym.observation.GpuColumn;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.observation.ServerColumn;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;

/**
 * {@link ServerFeatures} and {@link ServerAdjacency} as values of a graph: features of nodes and ports inside
 * servers, and where messages go. The numbers of sockets and of GPUs may vary, so messages are summed by socket and
 * by server rather than with an incidence matrix. A port to all others sends the sum over all less its own.
 *
 * <p>Nodes along axis 2 of N x S x V x width: K x P GPUs, K PCIe switches, K sockets, one NIC. Ports, likewise:
 * NVLink and PCIe of the GPUs, roots, UPI and slots of the sockets.
 */
final class ServerValues {
    private static final int UPI = ServerColumn.UPI_BANDWIDTH.index();
    private static final int NIC = ServerColumn.NIC_BANDWIDTH.index();
    private static final int PCIE = GpuColumn.PCIE_BANDWIDTH.index();

    /** Features of GPUs, of sockets (their switches have the same) and of ports; N x S x .. x width. */
    final OnnxValue gpus;

    final OnnxValue sockets;
    final OnnxValue ports;
    /** One where a node exists, over the number of ports that it hears; N x S x V x 1. */
    final OnnxValue shareOfEach;
    /** One over the number of nodes; N x S x 1 x 1. */
    final OnnxValue shareOfNode;

    private final OnnxValue nvlink;
    private final OnnxValue gpuCount;
    private final OnnxValue socketCount;
    private final OnnxValue bySocket;
    private final OnnxValue zero;

    ServerValues(SectionValues rows) {
        OnnxGraph graph = rows.gpus().graph();
        zero = graph.list(0);
        socketCount = rows.gpus().size(2);
        gpuCount = socketCount.times(rows.gpus().size(3));
        bySocket = rows.gpus().shape().slice(0, 0, 4);
        OnnxValue all = rows.gpus().reshape(0, 0, -1, ObservationSpace.GPU);
        OnnxValue sums = rows.gpus().sum(3).squeeze(3).times(1f / 8);
        OnnxValue server = rows.servers().unsqueeze(2);
        gpus = all.slice(3, 0, ServerGraph.GPU_COLUMNS);
        sockets = sums.slice(3, 0, ServerGraph.GPU_COLUMNS);
        OnnxValue isGpu = SectionValues.exists(all);
        OnnxValue isSocket = SectionValues.exists(sums).sign();
        OnnxValue isServer = SectionValues.exists(server);
        nvlink = column(server, ServerColumn.NVLINK.index());
        OnnxValue hasUpi = isSocket.times(column(server, UPI)).sign();
        OnnxValue overNvlink = nvlink.times(isGpu);
        ports = port(0, overNvlink, pair(all, ServerGraph.GPU_COLUMNS).times(nvlink))
                .concat(
                        2,
                        port(1, isGpu, pair(all, PCIE)),
                        port(1, isSocket, pair(sums, PCIE)),
                        port(2, hasUpi, pair(server, UPI).times(isSocket)),
                        port(3, isSocket, pair(server, NIC).times(isSocket)));
        OnnxValue exists = isGpu.concat(2, isSocket, isSocket, isServer);
        OnnxValue gpusOfSocket = SectionValues.exists(rows.gpus()).sum(3).squeeze(3);
        OnnxValue heard = others(overNvlink)
                .plus(isGpu)
                .concat(2, gpusOfSocket.plus(isSocket).plus(isSocket), isSocket.plus(others(hasUpi)), isSocket.sum(2));
        shareOfEach = exists.over(heard.atLeast(1));
        shareOfNode = graph.constant(1f).over(exists.sum(2).atLeast(1));
    }

    private static OnnxValue column(OnnxValue x, int index) {
        return x.slice(3, index, index + 1L);
    }

    private static OnnxValue pair(OnnxValue x, int index) {
        return x.slice(3, index, index + 2L);
    }

    /** The features of ports: their kind where they exist, and two columns. */
    private static OnnxValue port(int kind, OnnxValue exists, OnnxValue columns) {
        float[] oneHot = new float[ServerAdjacency.KINDS];
        oneHot[kind] = 1;
        return exists.times(exists.graph().row(oneHot)).concat(3, columns);
    }

    /** For every item the sum over all others. */
    private static OnnxValue others(OnnxValue x) {
        return x.sum(2).minus(x);
    }

    /**
     * The sums of the messages that the nodes hear, N x S x V x H.
     *
     * @param sent term of the senders, N x S x V x H
     * @param edges term of the ports
     */
    OnnxValue sums(OnnxValue sent, OnnxValue edges, int hidden) {
        OnnxValue second = gpuCount.plus(socketCount);
        OnnxValue third = second.plus(socketCount);
        OnnxValue ofGpus = sent.slice(2, zero, gpuCount);
        OnnxValue ofSwitches = sent.slice(2, gpuCount, second);
        OnnxValue ofSockets = sent.slice(2, second, third);
        OnnxValue ofNic = sent.from(2, third);
        OnnxValue roots = gpuCount.plus(gpuCount);
        OnnxValue upi = roots.plus(socketCount);
        OnnxValue slots = upi.plus(socketCount);
        OnnxValue pcieEdges = edges.slice(2, gpuCount, roots);
        OnnxValue rootEdges = edges.slice(2, roots, upi);
        OnnxValue slotEdges = edges.from(2, slots);
        OnnxValue overNvlink =
                ofGpus.times(nvlink).plus(edges.slice(2, zero, gpuCount)).relu();
        OnnxValue shape = bySocket.concat(0, sent.graph().list(hidden));
        OnnxValue pcieUp = ofGpus.plus(pcieEdges).relu().reshape(shape).sum(3).squeeze(3);
        OnnxValue pcieDown =
                ofSwitches.unsqueeze(3).plus(pcieEdges.reshape(shape)).relu().reshape(0, 0, -1, hidden);
        OnnxValue rootUp = ofSwitches.plus(rootEdges).relu();
        OnnxValue rootDown = ofSockets.plus(rootEdges).relu();
        OnnxValue overUpi = ofSockets.plus(edges.slice(2, upi, slots)).relu();
        OnnxValue slotUp = ofSwitches.plus(slotEdges).relu();
        OnnxValue slotDown = ofNic.plus(slotEdges).relu();
        return others(overNvlink)
                .plus(pcieDown)
                .concat(2, pcieUp.plus(rootDown).plus(slotDown), rootUp.plus(others(overUpi)), slotUp.sum(2));
    }
}
