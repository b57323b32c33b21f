package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.ObservationSpace;

/** One made-up observation that can be laid out in rows of several shapes and orders. */
final class Rows {
    static final int SERVERS = 3;
    static final int SOCKETS = 2;
    static final int PER_SOCKET = 2;
    static final int JOBS = 5;
    static final int DOMAINS = 3;
    static final int LEAVES = 2;
    static final int PODS = 1;
    /** Servers and domains on leaves 0 and 1, pod 2 and core 3. */
    private static final int[] HUB = {0, 0, 1, 2, 2, 3};

    private static final int NVLINK = 4;

    final float[][][] gpus = new float[SERVERS][][];
    final float[][] servers;
    final float[][] jobs;
    final float[] focus;
    final float[][] domains;
    final float[][] links;
    final float[] global;

    Rows(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/rows");
        for (int s = 0; s < SERVERS; s++) {
            gpus[s] = things(random, SOCKETS * PER_SOCKET, ObservationSpace.GPU);
        }
        servers = things(random, SERVERS, ObservationSpace.SERVER);
        jobs = things(random, JOBS, ObservationSpace.JOB);
        focus = things(random, 1, ObservationSpace.JOB)[0];
        domains = things(random, DOMAINS, ObservationSpace.DOMAIN);
        links = things(random, SERVERS + DOMAINS + LEAVES + PODS, ObservationSpace.LINK);
        global = things(random, 1, ObservationSpace.GLOBAL)[0];
        for (int d = 0; d < DOMAINS; d++) {
            domains[d][1] = d == 0 ? 1 : 0;
        }
        for (int s = 0; s < SERVERS; s++) {
            servers[s][NVLINK] = s == 1 ? 0 : 1;
        }
    }

    private static float[][] things(RandomGenerator random, int count, int features) {
        float[][] values = new float[count][features];
        for (float[] thing : values) {
            for (int i = 0; i < features; i++) {
                thing[i] = i == 0 ? 1 : random.nextFloat();
            }
        }
        return values;
    }

    static ObservationSpace tight() {
        return new ObservationSpace(new ActionSpace(JOBS, SERVERS, DOMAINS), SOCKETS, PER_SOCKET, LEAVES, PODS);
    }

    /** With room for more of everything. */
    static ObservationSpace loose() {
        return new ObservationSpace(new ActionSpace(9, 7, 5), 3, 4, 4, 2);
    }

    private static void put(float[] thing, float[] row, int at, int i) {
        System.arraycopy(thing, 0, row, at + i * thing.length, thing.length);
    }

    /** The row, with zeros where the shape has more than there is. */
    float[] lay(ObservationSpace spec) {
        return lay(spec, new int[] {0, 1, 2}, new int[] {0, 1, 2});
    }

    /** The same with servers and domains in other places. */
    float[] lay(ObservationSpace spec, int[] serverTo, int[] domainTo) {
        float[] row = new float[spec.size()];
        for (int s = 0; s < SERVERS; s++) {
            for (int g = 0; g < gpus[s].length; g++) {
                int slot = g / PER_SOCKET * spec.gpusPerSocket() + g % PER_SOCKET;
                put(gpus[s][g], row, spec.gpusAt(), serverTo[s] * spec.gpusPerServer() + slot);
            }
            put(servers[s], row, spec.serversAt(), serverTo[s]);
        }
        for (int j = 0; j < JOBS; j++) {
            put(jobs[j], row, spec.jobsAt(), j);
        }
        put(focus, row, spec.focusAt(), 0);
        put(global, row, spec.globalAt(), 0);
        for (int d = 0; d < DOMAINS; d++) {
            put(domains[d], row, spec.domainsAt(), domainTo[d]);
        }
        layTree(spec, row, serverTo, domainTo);
        return row;
    }

    private void layTree(ObservationSpace spec, float[] row, int[] serverTo, int[] domainTo) {
        int[] hubTo = {0, 1, spec.leaves(), spec.leaves() + spec.pods()};
        for (int i = 0; i < links.length; i++) {
            int place;
            int hub;
            if (i < SERVERS) {
                place = serverTo[i];
                hub = HUB[i];
            } else if (i < SERVERS + DOMAINS) {
                place = spec.servers() + domainTo[i - SERVERS];
                hub = HUB[i];
            } else {
                int below = i - SERVERS - DOMAINS;
                place = spec.servers() + spec.domains() + hubTo[below];
                hub = below < LEAVES ? LEAVES : LEAVES + PODS;
            }
            put(links[i], row, spec.linksAt(), place);
            row[spec.parentsAt() + place] = 1 + hubTo[hub];
        }
    }

    static Embeddings encode(GraphEncoder encoder, NDManager scope, ObservationSpace spec, float[]... rows) {
        float[] all = new float[rows.length * spec.size()];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, all, i * spec.size(), spec.size());
        }
        NDArray batch = scope.create(all).reshape(rows.length, spec.size()).duplicate();
        return encoder.encode(Sections.of(batch, spec));
    }
}
