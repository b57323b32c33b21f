package org.trainyard.experiments.service.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerInterior.Board;
import org.trainyard.env.topology.ServerInterior.NvLink;
import org.trainyard.env.topology.ServerInterior.Pcie;

/** The links inside a server as JSON, and back. */
final class InteriorRecord {
    private InteriorRecord() {}

    static List<Object> of(ServerInterior interior) {
        Board board = interior.board();
        Pcie pcie = interior.pcie();
        return List.of(
                interior.name(),
                List.of(board.gpus(), board.switches(), board.sockets(), board.nicSocket()),
                List.of(pcie.withinSwitch(), pcie.withinSocket(), pcie.acrossSockets()),
                interior.isSwitched()
                        ? interior.nvlink(0, 1)
                        : interior.links().stream()
                                .map(link -> List.of(link.a(), link.b(), link.bandwidth()))
                                .toList());
    }

    static ServerInterior read(JsonNode interior) {
        String name = interior.path(0).asText();
        JsonNode on = interior.path(1);
        Board board = new Board(
                on.path(0).intValue(),
                on.path(1).intValue(),
                on.path(2).intValue(),
                on.path(3).intValue());
        JsonNode tiers = interior.path(2);
        Pcie pcie = new Pcie(
                tiers.path(0).doubleValue(),
                tiers.path(1).doubleValue(),
                tiers.path(2).doubleValue());
        JsonNode links = interior.path(3);
        if (links.isNumber()) {
            return ServerInterior.uniform(name, board, links.doubleValue(), pcie);
        }
        List<NvLink> read = new ArrayList<>();
        links.forEach(link -> read.add(new NvLink(
                link.path(0).intValue(), link.path(1).intValue(), link.path(2).doubleValue())));
        return ServerInterior.of(name, board, pcie, read.toArray(NvLink[]::new));
    }
}
