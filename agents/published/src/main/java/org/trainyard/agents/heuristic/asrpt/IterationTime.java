package org.trainyard.agents.heuristic.asrpt;

import java.util.Arrays;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/**
 * A-SRPT's iteration time under a mapping of replicas to equal servers: the pipeline runs at the speed of its slowest
 * replica, which computes, exchanges activations with the neighbouring stages, and all-reduces with the replicas of its
 * own stage.
 *
 * <p>The form of the model is the paper's (see {@link ASrpt}), these formulas are our completion of it. What of a job
 * crosses a server's network card at one time has the whole card, as in the simulator: a ring enters and leaves a
 * server once, and the replicas of a stage that are on one server send their activations together. The model ignores
 * traffic of other jobs and links beyond the network card.
 *
 * @param gpusPerServer g
 * @param nicBytesPerSecond B_x, a server's network cards together
 * @param insideBytesPerSecond B_i, between GPUs of one server
 */
record IterationTime(int gpusPerServer, double nicBytesPerSecond, double insideBytesPerSecond) {
    IterationTime {
        if (gpusPerServer < 1 || !(nicBytesPerSecond > 0) || !(insideBytesPerSecond > 0)) {
            throw new IllegalArgumentException("GPUs (%d) and bandwidths (%s, %s bytes/s) must be above zero"
                    .formatted(gpusPerServer, nicBytesPerSecond, insideBytesPerSecond));
        }
    }

    /** Iteration times for a cluster whose servers all equal the first of its widest servers. */
    static IterationTime of(Topology topology) {
        int server = widest(topology);
        ServerSpec spec = topology.server(server);
        double inside = topology.inside().bytesPerSecond(server, -1L >>> (64 - spec.gpus()));
        return new IterationTime(Math.max(1, spec.gpus()), topology.nic(server).bytesPerSecond(), inside);
    }

    /** The server that represents all. */
    static ServerSpec typicalServer(Topology topology) {
        return topology.server(widest(topology));
    }

    private static int widest(Topology topology) {
        int server = 0;
        while (topology.gpusOn(server) < topology.widestServer()) {
            server++;
        }
        return server;
    }

    /** Seconds per iteration when replica i is on server {@code serverOf[i]}. O(replicas + stages x servers). */
    double seconds(StagedJob job, int[] serverOf) {
        int servers = Arrays.stream(serverOf).max().orElse(0) + 1;
        int[][] replicasOn = new int[job.stages().size()][servers];
        int replica = 0;
        for (int s = 0; s < replicasOn.length; s++) {
            for (int i = 0; i < job.stages().get(s).replicas(); i++) {
                replicasOn[s][serverOf[replica++]]++;
            }
        }
        double slowest = 0;
        for (int s = 0; s < replicasOn.length; s++) {
            double shared = job.stages().get(s).computeSeconds()
                    + allReduceSeconds(job.stages().get(s), replicasOn[s]);
            for (int server = 0; server < servers; server++) {
                if (replicasOn[s][server] > 0) {
                    slowest = Math.max(slowest, shared + activationSeconds(job, replicasOn, s, server));
                }
            }
        }
        return slowest;
    }

    private double allReduceSeconds(Stage stage, int[] replicasOn) {
        if (stage.replicas() == 1) {
            return 0;
        }
        boolean isInside = Arrays.stream(replicasOn).anyMatch(count -> count == stage.replicas());
        return stage.ringBytes() / (isInside ? insideBytesPerSecond : nicBytesPerSecond);
    }

    private double activationSeconds(StagedJob job, int[][] replicasOn, int stage, int server) {
        double seconds = 0;
        if (stage > 0) {
            double bytes = job.stages().get(stage - 1).activationBytes();
            seconds += exchangeSeconds(job, replicasOn, stage, stage - 1, server, bytes);
        }
        if (stage + 1 < replicasOn.length) {
            double bytes = job.stages().get(stage).activationBytes();
            seconds += exchangeSeconds(job, replicasOn, stage, stage + 1, server, bytes);
        }
        return seconds;
    }

    private double exchangeSeconds(
            StagedJob job, int[][] replicasOn, int stage, int other, int server, double activationBytes) {
        double bytes = 2 * activationBytes / job.stages().get(stage).replicas();
        double local =
                (double) replicasOn[other][server] / job.stages().get(other).replicas();
        double together = replicasOn[stage][server] * (1 - local);
        return bytes * (together / nicBytesPerSecond + local / insideBytesPerSecond);
    }
}
