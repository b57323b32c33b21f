package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * A batch of N rows split into the sections of {@link ObservationSpace}.
 *
 * @param sockets K
 * @param gpusPerSocket P
 * @param gpus N x S x (K x P) x GPU
 * @param servers N x S x SERVER
 * @param candidates N x S x CANDIDATE
 * @param jobs N x W x JOB
 * @param focus N x 1 x JOB
 * @param domains N x D x DOMAIN
 * @param links N x (S + D + R + Q) x LINK
 * @param parents N x (S + D + R + Q)
 * @param global N x 1 x GLOBAL
 * @param mask N x A
 */
public record Sections(
        int sockets,
        int gpusPerSocket,
        NDArray gpus,
        NDArray servers,
        NDArray candidates,
        NDArray jobs,
        NDArray focus,
        NDArray domains,
        NDArray links,
        NDArray parents,
        NDArray global,
        NDArray mask) {

    /** Splits rows {@code [N, spec.size()]}. */
    public static Sections of(NDArray rows, ObservationSpace spec) {
        NDList parts = rows.split(
                new long[] {
                    spec.serversAt(),
                    spec.candidatesAt(),
                    spec.jobsAt(),
                    spec.focusAt(),
                    spec.domainsAt(),
                    spec.linksAt(),
                    spec.parentsAt(),
                    spec.globalAt(),
                    spec.maskAt()
                },
                1);
        return new Sections(
                spec.sockets(),
                spec.gpusPerSocket(),
                parts.get(0).reshape(-1, spec.servers(), spec.gpusPerServer(), ObservationSpace.GPU),
                parts.get(1).reshape(-1, spec.servers(), ObservationSpace.SERVER),
                parts.get(2).reshape(-1, spec.servers(), ObservationSpace.CANDIDATE),
                parts.get(3).reshape(-1, spec.window(), ObservationSpace.JOB),
                parts.get(4).reshape(-1, 1, ObservationSpace.JOB),
                parts.get(5).reshape(-1, spec.domains(), ObservationSpace.DOMAIN),
                parts.get(6).reshape(-1, spec.children(), ObservationSpace.LINK),
                parts.get(7),
                parts.get(8).reshape(-1, 1, ObservationSpace.GLOBAL),
                parts.get(9));
    }

    /** The columns of every server and its GPUs, {@code [N x S, K x P x GPU + SERVER]}. */
    NDArray serverColumns() {
        Shape shape = gpus.getShape();
        NDArray flat = gpus.reshape(shape.get(0), shape.get(1), shape.get(2) * shape.get(3));
        return flat.concat(servers, 2).reshape(shape.get(0) * shape.get(1), -1);
    }
}
