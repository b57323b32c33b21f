package org.trainyard.env.synchronisation;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.ring.RateLaw;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.goodput.GoodputProfile;

/**
 * Workers and parameter servers, with bandwidth reserved for them: every worker trains its samples of a global batch,
 * and {@code workersPerServer} workers exchange gradients with one server.
 *
 * <p>Its speed is that of PD-ORS (2108.02917): a sample takes a worker {@code sampleSeconds + workersPerServer / batch
 * x 2 gradientBytes / bandwidth}, with the bandwidth inside a machine when all are on one, else that between machines.
 * Deviation: servers hold no GPUs, and stand where the workers are.
 *
 * @param sampleSeconds compute time of a sample on one worker
 * @param batch global batch, samples; an iteration of the job, and the most workers it can use
 * @param workersPerServer at least 1
 * @param gradientBytes size of the gradients, and of the parameters
 * @param insideBytesPerSecond reserved bandwidth inside a machine
 * @param acrossBytesPerSecond reserved bandwidth between machines
 * @param hosts what workers and servers take of their hosts; null for servers that cost nothing
 */
public record ParameterServer(
        double sampleSeconds,
        int batch,
        int workersPerServer,
        double gradientBytes,
        double insideBytesPerSecond,
        double acrossBytesPerSecond,
        @Nullable ServerHosts hosts)
        implements TrainingPlan, RateLaw {
    static final String PREFIX = "ps:";

    /** A plan whose servers cost nothing. */
    public ParameterServer(
            double sampleSeconds,
            int batch,
            int workersPerServer,
            double gradientBytes,
            double insideBytesPerSecond,
            double acrossBytesPerSecond) {
        this(sampleSeconds, batch, workersPerServer, gradientBytes, insideBytesPerSecond, acrossBytesPerSecond, null);
    }

    public ParameterServer {
        if (batch < 1 || workersPerServer < 1) {
            throw new IllegalArgumentException(
                    "batch (%d) and workers per server (%d) must be at least 1".formatted(batch, workersPerServer));
        }
        for (double figure : new double[] {sampleSeconds, gradientBytes, insideBytesPerSecond, acrossBytesPerSecond}) {
            if (!(figure > 0) || Double.isInfinite(figure)) {
                throw new IllegalArgumentException(
                        "figures of parameter servers (%s) must be finite and above zero".formatted(figure));
            }
        }
    }

    /** Time that a worker takes for a sample, its share of communication included, seconds. */
    public double secondsPerSample(boolean isOnOneMachine) {
        double bandwidth = isOnOneMachine ? insideBytesPerSecond : acrossBytesPerSecond;
        return sampleSeconds + (double) workersPerServer / batch * 2 * gradientBytes / bandwidth;
    }

    /** Iterations of a batch per second. */
    public double iterationsPerSecond(int workers, boolean isOnOneMachine) {
        return workers / (batch * secondsPerSample(isOnOneMachine));
    }

    /**
     * Iterations of a batch per second with the host share of a demand. With {@code hosts} an iteration is SMD's: a
     * worker computes its part of the batch, and each server exchanges the gradients of its workers in turn and applies
     * them. Gradients count by sample, as without {@code hosts}.
     */
    public double iterationsPerSecond(int workers, boolean isOnOneMachine, Demand demand) {
        if (hosts == null) {
            return iterationsPerSecond(workers, isOnOneMachine);
        }
        double perServer = demand.cpuMilli() == 0
                ? workersPerServer
                : hosts.workersPerServer(demand.host().part(demand.gpus()));
        double bandwidth = isOnOneMachine ? insideBytesPerSecond : acrossBytesPerSecond;
        return 1
                / LayerOverlap.iterationSeconds(
                        hosts.layers(),
                        sampleSeconds * batch / workers,
                        perServer * (2 * gradientBytes / (batch * bandwidth) + hosts.updateSeconds()));
    }

    /** Iterations per second that no number of servers exceeds. */
    public double mostIterationsPerSecond(int workers) {
        return hosts == null
                ? Math.max(iterationsPerSecond(workers, true), iterationsPerSecond(workers, false))
                : workers / (sampleSeconds * batch);
    }

    @Override
    public String label() {
        return PREFIX
                + String.join(
                        ":",
                        Double.toString(sampleSeconds),
                        Integer.toString(batch),
                        Integer.toString(workersPerServer),
                        Double.toString(gradientBytes),
                        Double.toString(insideBytesPerSecond),
                        Double.toString(acrossBytesPerSecond))
                + (hosts == null ? "" : ":" + hosts.label());
    }

    static @Nullable ParameterServer parse(String label) {
        String[] parts = label.substring(PREFIX.length()).split(":", -1);
        if (parts.length != 6 && parts.length != 11 && parts.length != 12) {
            return null;
        }
        try {
            return new ParameterServer(
                    Double.parseDouble(parts[0]),
                    Integer.parseInt(parts[1]),
                    Integer.parseInt(parts[2]),
                    Double.parseDouble(parts[3]),
                    Double.parseDouble(parts[4]),
                    Double.parseDouble(parts[5]),
                    parts.length == 6 ? null : ServerHosts.parse(parts, 6));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public boolean usesHosts() {
        return hosts != null;
    }

    @Override
    public double mostPerGpu() {
        return mostIterationsPerSecond(1);
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement, RingPerformance rings) {
        int workers = placement.gpuCount();
        GoodputProfile goodput = job.model().of(GoodputProfile.class);
        if (workers == 0) {
            return rings.ringRate(job, placement);
        }
        return goodput == null
                ? iterationsPerSecond(workers, placement.serverCount() == 1, job.demand())
                        / rings.straggling(job, workers)
                : goodput.aloneRate(job, placement, rings);
    }

    @Override
    public double mostIterationsPerSecond(JobSpec job, int workers, Set<ServerSpec> servers) {
        return workers == 0 ? 1 / job.model().computeSeconds() : mostIterationsPerSecond(workers);
    }

    /** No stretch: the bandwidth of the servers is reserved. */
    @Override
    public double stretch(JobSpec job, Placement placement, double alone, double now, RingPerformance rings) {
        return 1;
    }
}
