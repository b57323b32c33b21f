package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import org.trainyard.env.gym.ObservationSpec;

/**
 * A batch of rows cut into the sections of {@link ObservationSpec}, N rows each.
 *
 * @param gpus N x S x G x GPU
 * @param servers N x S x SERVER
 * @param candidates N x S x CANDIDATE
 * @param jobs N x W x JOB
 * @param focus N x 1 x JOB
 * @param domains N x D x DOMAIN
 * @param global N x 1 x GLOBAL
 * @param mask N x A
 */
public record Sections(
        NDArray gpus,
        NDArray servers,
        NDArray candidates,
        NDArray jobs,
        NDArray focus,
        NDArray domains,
        NDArray global,
        NDArray mask) {

    /** Cuts rows {@code [N, spec.size()]}. */
    public static Sections of(NDArray rows, ObservationSpec spec) {
        NDList parts = rows.split(
                new long[] {
                    spec.serversAt(),
                    spec.candidatesAt(),
                    spec.jobsAt(),
                    spec.focusAt(),
                    spec.domainsAt(),
                    spec.globalAt(),
                    spec.maskAt()
                },
                1);
        return new Sections(
                parts.get(0).reshape(-1, spec.servers(), spec.gpusPerServer(), ObservationSpec.GPU),
                parts.get(1).reshape(-1, spec.servers(), ObservationSpec.SERVER),
                parts.get(2).reshape(-1, spec.servers(), ObservationSpec.CANDIDATE),
                parts.get(3).reshape(-1, spec.window(), ObservationSpec.JOB),
                parts.get(4).reshape(-1, 1, ObservationSpec.JOB),
                parts.get(5).reshape(-1, spec.domains(), ObservationSpec.DOMAIN),
                parts.get(6).reshape(-1, 1, ObservationSpec.GLOBAL),
                parts.get(7));
    }
}
