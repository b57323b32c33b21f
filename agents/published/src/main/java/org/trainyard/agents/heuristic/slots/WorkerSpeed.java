package org.trainyard.agents.heuristic.slots;

import org.trainyard.agents.heuristic.elastic.ElasticSpeed;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.synchronisation.ParameterServer;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/** Predicted throughput of a job by its workers and by whether they are on one server, and what it is worth. */
public final class WorkerSpeed {
    private final ElasticSpeed rings;
    private final int widest;

    public WorkerSpeed(Topology topology) {
        rings = new ElasticSpeed(topology);
        widest = topology.widestServer();
    }

    /**
     * Iterations per second. That of a ring which fits one server does not depend on whether it is there: the best
     * placement is assumed.
     */
    public double of(JobSpec job, int workers, boolean isOnOneServer) {
        return job.plan() instanceof ParameterServer servers
                ? servers.iterationsPerSecond(workers, isOnOneServer && workers <= widest, job.demand())
                : rings.of(job, workers);
    }

    /** Seconds of progress at the job's ideal rate in so many seconds on so many workers. */
    public double progress(JobSpec job, int workers, boolean isOnOneServer, double seconds) {
        return workers == 0 ? 0 : of(job, workers, isOnOneServer) / job.idealIterationsPerSecond() * seconds;
    }

    /** Time that the predicted rest of a job takes on so many workers, seconds. */
    public double secondsLeft(SimView view, int job, int workers, boolean isOnOneServer) {
        return view.predictedRemainingSeconds(job) / progress(view.job(job), workers, isOnOneServer, 1);
    }
}
