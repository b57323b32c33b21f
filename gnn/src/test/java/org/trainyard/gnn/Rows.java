package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.ActionLayout;
import org.trainyard.env.gym.ObservationSpec;

/** One made-up observation that can be laid out in rows of several shapes. */
final class Rows {
    static final int SERVERS = 3;
    static final int GPUS = 4;
    static final int JOBS = 5;
    static final int DOMAINS = 2;

    private final float[][] sections = new float[6][];

    Rows(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/rows");
        sections[0] = things(random, SERVERS * GPUS, ObservationSpec.GPU);
        sections[1] = things(random, SERVERS, ObservationSpec.SERVER);
        sections[2] = things(random, JOBS, ObservationSpec.JOB);
        sections[3] = things(random, 1, ObservationSpec.JOB);
        sections[4] = things(random, DOMAINS, ObservationSpec.DOMAIN);
        sections[5] = things(random, 1, ObservationSpec.GLOBAL);
        for (int domain = 0; domain < DOMAINS; domain++) {
            sections[4][domain * ObservationSpec.DOMAIN + 1] = domain == 0 ? 1 : 0;
        }
    }

    private static float[] things(RandomGenerator random, int count, int features) {
        float[] values = new float[count * features];
        for (int i = 0; i < values.length; i++) {
            values[i] = i % features == 0 ? 1 : random.nextFloat();
        }
        return values;
    }

    static ObservationSpec spec(int servers, int gpus, int jobs, int domains) {
        return new ObservationSpec(new ActionLayout(jobs, servers, domains), gpus);
    }

    /** The row, with zeros where the shape has more than there is. */
    float[] lay(ObservationSpec spec, int... serverOrder) {
        float[] row = new float[spec.size()];
        for (int s = 0; s < SERVERS; s++) {
            int to = serverOrder.length == 0 ? s : serverOrder[s];
            System.arraycopy(
                    sections[0],
                    s * GPUS * ObservationSpec.GPU,
                    row,
                    spec.gpusAt() + to * spec.gpusPerServer() * ObservationSpec.GPU,
                    GPUS * ObservationSpec.GPU);
            System.arraycopy(
                    sections[1],
                    s * ObservationSpec.SERVER,
                    row,
                    spec.serversAt() + to * ObservationSpec.SERVER,
                    ObservationSpec.SERVER);
        }
        System.arraycopy(sections[2], 0, row, spec.jobsAt(), sections[2].length);
        System.arraycopy(sections[3], 0, row, spec.focusAt(), sections[3].length);
        System.arraycopy(sections[4], 0, row, spec.domainsAt(), sections[4].length);
        System.arraycopy(sections[5], 0, row, spec.globalAt(), sections[5].length);
        return row;
    }

    static Embeddings encode(GraphEncoder encoder, NDManager scope, ObservationSpec spec, float[] row) {
        NDArray batch = scope.create(row).reshape(1, row.length).duplicate();
        return encoder.encode(Sections.of(batch, spec));
    }
}
