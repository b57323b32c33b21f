package org.trainyard.env.workload;

/**
 * What the workers and parameter servers of a job take of their hosts, and how long a server updates.
 *
 * <p>A job to which no host CPU is granted has the servers that it was submitted with. One to which some is granted
 * has as many servers as that CPU carries beside its workers; a server with a part of its CPU is as much slower.
 * Source: the joint limits of SMD (INFOCOM 2021, 2105.13855).
 *
 * @param workerCpuMilli of a worker, thousandths of a core, 0 or more
 * @param serverCpuMilli of a server, thousandths of a core, above zero
 * @param updateSeconds that a server takes to apply the gradients of a worker, 0 or more
 */
public record ServerHosts(long workerCpuMilli, long serverCpuMilli, double updateSeconds) {
    public ServerHosts {
        if (workerCpuMilli < 0 || serverCpuMilli < 1 || !(updateSeconds >= 0) || Double.isInfinite(updateSeconds)) {
            throw new IllegalArgumentException("worker (%d) and server (%d) thousandths of a core, update (%s s)"
                    .formatted(workerCpuMilli, serverCpuMilli, updateSeconds));
        }
    }

    /** Host CPU of so many workers and servers, thousandths of a core. */
    public long cpuMilli(int workers, int servers) {
        return workers * workerCpuMilli + servers * serverCpuMilli;
    }

    /**
     * Workers to a server when a worker has so much host CPU, its part of the servers' included.
     *
     * @return infinite when nothing is left for servers
     */
    double workersPerServer(double cpuMilliPerWorker) {
        return serverCpuMilli / Math.max(0, cpuMilliPerWorker - workerCpuMilli);
    }
}
