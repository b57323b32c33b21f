package org.trainyard.agents.learned.export;

import java.util.List;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.gnn.onnx.TensorData;

/** An observation row as the inputs of a {@link RowGraph} or a {@link RuleGraph}, as a batch of one. */
public final class RowArrays {
    private final float[] rows;
    private final int at;
    private final ObservationSpace space;

    private RowArrays(float[] rows, int at, ObservationSpace space) {
        this.rows = rows;
        this.at = at;
        this.space = space;
    }

    /** All inputs of a network, from the row that begins at {@code at}. */
    public static List<TensorData> ofNetwork(float[] rows, int at, ObservationSpace space) {
        RowArrays row = new RowArrays(rows, at, space);
        int servers = space.servers();
        return List.of(
                row.part(
                        RowGraph.GPUS,
                        space.gpusAt(),
                        servers,
                        space.sockets(),
                        space.gpusPerSocket(),
                        ObservationSpace.GPU),
                row.part(RowGraph.SERVERS, space.serversAt(), servers, ObservationSpace.SERVER),
                row.part(RowGraph.CANDIDATES, space.candidatesAt(), servers, ObservationSpace.CANDIDATE),
                row.part(RowGraph.JOBS, space.jobsAt(), space.window(), ObservationSpace.JOB),
                row.part(RowGraph.FOCUS, space.focusAt(), ObservationSpace.JOB),
                row.part(RowGraph.DOMAINS, space.domainsAt(), space.domains(), ObservationSpace.DOMAIN),
                row.part(RowGraph.LINKS, space.linksAt(), space.children(), ObservationSpace.LINK),
                row.parents(),
                row.part(RowGraph.GLOBAL, space.globalAt(), ObservationSpace.GLOBAL),
                row.mask());
    }

    /** The inputs of a rule. */
    public static List<TensorData> ofRule(float[] rows, int at, ObservationSpace space) {
        RowArrays row = new RowArrays(rows, at, space);
        return List.of(
                row.part(RowGraph.CANDIDATES, space.candidatesAt(), space.servers(), ObservationSpace.CANDIDATE),
                row.part(RowGraph.JOBS, space.jobsAt(), space.window(), ObservationSpace.JOB),
                row.mask());
    }

    private TensorData part(String name, int from, long... shape) {
        long[] batch = new long[shape.length + 1];
        batch[0] = 1;
        System.arraycopy(shape, 0, batch, 1, shape.length);
        return TensorData.ofPart(name, rows, at + from, batch);
    }

    private TensorData parents() {
        long[] parents = new long[space.children()];
        for (int child = 0; child < parents.length; child++) {
            parents[child] = (long) rows[at + space.parentsAt() + child];
        }
        return TensorData.of(RowGraph.PARENTS, parents, 1, parents.length);
    }

    private TensorData mask() {
        boolean[] mask = new boolean[space.actions().size()];
        for (int action = 0; action < mask.length; action++) {
            mask[action] = rows[at + space.maskAt() + action] != 0;
        }
        return TensorData.of(RowGraph.MASK, mask, 1, mask.length);
    }
}
