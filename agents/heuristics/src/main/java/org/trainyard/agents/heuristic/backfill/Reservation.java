package org.trainyard.agents.heuristic.backfill;

import java.util.Arrays;

/** GPUs that are kept for a job from an instant on, for as long as it is expected to run. */
final class Reservation {
    private static final int[] NONE = {};

    private final int job;
    private final int mostServers;
    private final long startNanos;
    private final long endNanos;
    private final int gpuCount;
    private final int[] servers;
    private final int[] gpus;

    /**
     * @param mostServers the most servers on which the job is to run
     * @param startNanos when it is planned to start
     * @param endNanos when it is expected to end then
     * @param servers its servers, each once; none for a job that may run on any GPUs
     * @param gpus GPUs on each of them
     */
    Reservation(int job, int mostServers, long startNanos, long endNanos, int gpuCount, int[] servers, int[] gpus) {
        this.job = job;
        this.mostServers = mostServers;
        this.startNanos = startNanos;
        this.endNanos = endNanos;
        this.gpuCount = gpuCount;
        this.servers = servers;
        this.gpus = gpus;
    }

    /** A reservation of any GPUs of the cluster. */
    static Reservation anywhere(int job, int gpuCount, long startNanos, long endNanos) {
        return new Reservation(job, Integer.MAX_VALUE, startNanos, endNanos, gpuCount, NONE, NONE);
    }

    int job() {
        return job;
    }

    int mostServers() {
        return mostServers;
    }

    long startNanos() {
        return startNanos;
    }

    long endNanos() {
        return endNanos;
    }

    int gpuCount() {
        return gpuCount;
    }

    boolean isAnywhere() {
        return servers.length == 0;
    }

    int serverCount() {
        return servers.length;
    }

    int server(int i) {
        return servers[i];
    }

    /** GPUs on its i-th server. */
    int gpus(int i) {
        return gpus[i];
    }

    int gpusOn(int server) {
        for (int i = 0; i < servers.length; i++) {
            if (servers[i] == server) {
                return gpus[i];
            }
        }
        return 0;
    }

    /** Whether it takes as many GPUs of the same servers as another. */
    boolean hasServersOf(Reservation other) {
        return Arrays.equals(servers, other.servers) && Arrays.equals(gpus, other.gpus);
    }

    /** Whether a search for its job no later than it asks for the same as one for another. */
    boolean asksLike(Reservation other) {
        return job == other.job
                && startNanos == other.startNanos
                && mostServers == other.mostServers
                && isAnywhere() == other.isAnywhere();
    }
}
